package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
)

// ask says what the recording does not show and the answer may hang on.
func ask(in *Input, d *Diagnosis) []string {
	list := in.unshown()
	if d.Side != Undecidable {
		return list
	}
	if d.Fault != nil && d.Fault.Fix != "" {
		list = append(list, d.Fault.Fix)
	}
	if d.Fault != nil && len(in.Recording.Received) == 0 && !in.refused(d.Fault) {
		list = append(list, "the webhooks that were received, with headers and bodies")
	}
	if len(list) == 0 && in.empty() {
		list = append(list, "the calls that were made, with their answers")
	}
	if len(list) == 0 {
		list = append(list, "what happened before the recording begins: the calls that made what it names")
	}
	return list
}

// unshown is what the files are known not to hold.
func (in *Input) unshown() []string {
	r := in.Recording
	list := slices.Concat(unshown.Files(r), unshown.Events(r), unshown.Deliveries(r), in.lost())
	for i := range r.Sources {
		if lacks := r.Sources[i].Lacks; lacks != "" {
			list = append(list, lacks)
		}
	}
	missing, unrecorded := 0, 0
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if a := in.Run.Of(i); a != nil && trail.OperationNamed(a.Operation).Token && x.Answer.Status == 200 {
			continue // who has got a token need not show it
		}
		if x.BodyMissing || x.Answer.Known == recording.WithoutBody || unshown.InPart(x) {
			missing++
		}
		if x.Answer.Known == recording.NotRecorded {
			unrecorded++
		}
	}
	if missing > 0 {
		list = append(list, fmt.Sprintf("the bodies of %s that the recording does not hold (export it with what was sent and answered)", calls(missing)))
	}
	if unrecorded > 0 {
		list = append(list, fmt.Sprintf("the answers of %s", calls(unrecorded)))
	}
	if unshown.Clause(r, "partner.webhook.unsigned") && len(r.Received) > 0 {
		list = append(list, "the headers of the webhooks that were received, X-HMAC-Signature among them")
	}
	return list
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

// lines are the five lines to paste.
func lines(in *Input, d *Diagnosis) []string {
	r := in.Recording
	happened := fmt.Sprintf("What happened: %s and %d webhooks were replayed; %s.", calls(len(r.Exchanges)), len(r.Received), outcome(in, d))
	if d.Fault == nil && len(r.Exchanges)+len(r.Received) == 0 {
		happened = "What happened: nothing was replayed; no call and no webhook is shown."
	}
	if d.Fault == nil {
		return append([]string{happened}, nothing(in, d)...)
	}
	f := d.Fault
	side := map[Side]string{
		Partner: "the partner's integration", Service: "the service", Undecidable: "cannot be told from this recording",
		Choice: "nobody's: the service chose " + f.Knob + " where the specification is silent",
	}[f.Side]
	if f.manners() {
		happened = strings.Replace(happened, "one thing went wrong", "nothing went wrong but advice that is not kept", 1)
		side += ", who has not kept advice"
	}
	if f.Clause != "" && f.Side != Undecidable {
		side += " (clause " + f.Clause + ")"
	}
	last := "Tell the partner: " + f.Fix + "."
	if says, _ := said(in.noted()); f.Side == Partner && level(f.Clause) > 0 && says != "" { // advice is not what they write about
		last += " Besides: " + says + "."
	}
	if f.Side == Undecidable || len(d.Ask) > 0 && f.Fix == "" {
		last = "Ask for: " + strings.Join(d.Ask, "; ") + "."
	} else if len(d.Ask) > 0 {
		last += " Not shown: " + strings.Join(d.Ask, "; ") + "."
	}
	return []string{
		happened, map[bool]string{false: "First went wrong: ", true: "Advice that is not kept: "}[f.manners()] + at(f) + ", " + f.rest() + ".", "Side: " + side + ".", "Evidence: " + in.evidence(f) + ".", last,
	}
}

// nothing are the lines of a recording in which nothing is known to have gone wrong.
func nothing(in *Input, d *Diagnosis) []string {
	first, side, evidence, rest := "nothing did", "nobody's", in.unbroken(), "Nothing to tell the partner but this."
	if says, do := said(in.noted()); says != "" {
		first, rest = "nothing did, but "+says, "Tell the partner so, and: "+do+"."
		if len(in.away()) > 0 {
			side, rest = in.unaskable(do)
		}
	}
	if len(d.Ask) > 0 {
		rest = strings.TrimPrefix(rest+" What the recording does not show: "+strings.Join(d.Ask, "; ")+".", "Nothing to tell the partner but this. ")
	}
	switch {
	case d.Side == Undecidable:
		side, rest = "cannot be told from this recording", "Ask for: "+strings.Join(d.Ask, "; ")+"."
		switch {
		case in.empty():
			evidence = "none: it shows no call"
		case unshown.LittleRead(in.Recording):
			evidence = "too little: " + evidence + ", and most of what the files hold could not be read"
		case unshown.WhatWasAsked(in.Recording, in.Run):
			evidence = "too little: " + evidence + ": what was asked for is not known"
		case unshown.Events(in.Recording) != nil:
			evidence = "too little: " + evidence + ", and no webhook of those that the files name could be read"
		case unshown.Deliveries(in.Recording) != nil:
			evidence = "too little: " + evidence + ", and nothing shows whether an event was sent, and where to"
		case in.lost() != nil:
			evidence = "too little: " + evidence + ", and what became of a call that moves money nothing shows"
		case in.stormed():
			evidence = "none: whether the same calls were made again is not shown"
		default:
			evidence = "none: what the file says may not have happened"
		}
	case unshown.Shown(in.Recording)+len(in.Recording.Received) == 0, slices.ContainsFunc(in.Recording.Sources, func(s recording.Source) bool { return s.Lacks != "" }):
		side += ", as far as the recording goes"
	}
	return []string{"First went wrong: " + first + ".", "Side: " + side + ".", "Evidence: " + evidence + ".", rest + in.besides(d)}
}

// unbroken says what the files show of which nothing is broken.
func (in *Input) unbroken() string {
	text := fmt.Sprintf("no clause is broken by what the files show: %d of %s with what was sent and answered", unshown.Shown(in.Recording), calls(len(in.Recording.Exchanges)))
	if n := len(in.Recording.Received); n > 0 {
		text += fmt.Sprintf(", %d webhooks", n)
	}
	return text
}

// Text tells a fault in one line.
func (f *Fault) Text() string {
	text := string(f.Side) + ": " + at(f) + ": "
	if rule := cmp.Or(f.Clause, f.Knob); rule != "" {
		text += rule + ": "
	}
	return text + f.rest()
}

// rest is what happened, without the call again.
func (f *Fault) rest() string {
	text := one(f.What)
	for _, again := range []string{fmt.Sprintf("call %d, %s: ", f.N+1, f.Call), fmt.Sprintf("webhook %d, ", f.Heard), f.Call + " "} {
		text = strings.TrimPrefix(text, again)
	}
	return text
}

func one(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }

func at(f *Fault) string {
	where := f.Place.Text() + f.time()
	if f.renamed {
		where += "; a part of the path is a stand-in for what stands there"
	}
	if f.Heard > 0 {
		return fmt.Sprintf("webhook %d (%s)", f.Heard, where)
	}
	if f.N < 0 {
		return f.Call + " (" + where + ")"
	}
	return fmt.Sprintf("call %d, %s (%s)", f.N+1, f.Call, where)
}

// outcome says how the payments ended.
func outcome(in *Input, d *Diagnosis) string {
	if n := len(d.Faults); d.Fault != nil {
		text := map[bool]string{true: "one thing", false: fmt.Sprintf("%d things", n)}[n == 1] + " went wrong"
		return text + outcomes.Ended(in.Run)
	}
	text := "all answers are as recorded"
	if n := len(in.tried); n == 0 {
		text += in.turnedDown()
	} else {
		text += fmt.Sprintf("; %s refused as they should be, which a watched session tries (the first is %s)", map[bool]string{true: "1 was", false: fmt.Sprintf("%d were", n)}[n == 1], at(&in.tried[0]))
	}
	return text + outcomes.Ended(in.Run)
}

// turnedDown tells of refusals that the replay gives, too, and of calls that failed otherwise: the partner may write about one of them.
func (in *Input) turnedDown() string {
	var alike, failed, unanswered []int
	for i := range in.Recording.Exchanges {
		x, a := &in.Recording.Exchanges[i], in.Run.Of(i)
		switch {
		case x.Answer.Known == recording.NeverArrived:
			unanswered = append(unanswered, i)
		case x.Answer.Status < 400:
		case a != nil && a.Status == x.Answer.Status && in.Run.Script.Steps[a.Step].Call.Fault == "":
			alike = append(alike, i)
		default:
			failed = append(failed, i)
		}
	}
	return in.those(alike, "refused, and % by the replay, too") + in.those(failed, "refused") + in.those(unanswered, "never answered")
}

// those says of some calls what became of them, with the place of the first; "%" stands for is or are.
func (in *Input) those(list []int, what string) string {
	if len(list) == 0 {
		return ""
	}
	of := Fault{N: list[0]}.placed(in.Recording)
	first := at(&of)
	if len(list) == 1 {
		return "; " + first + " was " + strings.Replace(what, "%", "is", 1)
	}
	return fmt.Sprintf("; %d calls were %s, the first %s", len(list), strings.Replace(what, "%", "are", 1), first)
}

// evidence are the calls and webhooks that a fault rests on; of several, each with the place where it stands.
func (in *Input) evidence(f *Fault) string {
	calls, heard := make([]recording.Place, 0, len(f.Calls)), make([]recording.Place, 0, len(f.Webhooks))
	for _, n := range f.Calls {
		calls = append(calls, in.Recording.Exchanges[n-1].Place)
	}
	for _, n := range f.Webhooks {
		heard = append(heard, in.Recording.Received[n-1].Place)
	}
	if len(calls)+len(heard) == 0 {
		return f.Place.Text()
	}
	return strings.Trim(many("call", f.Calls, calls)+", "+many("webhook", f.Webhooks, heard), ", ")
}

// mostPlaces bounds how many places are named as evidence.
const mostPlaces = 8

// many is a noun with the numbers of what it stands for, and where these stand; of one alone that is told with it.
func many(noun string, list []int, places []recording.Place) string {
	switch n := len(list); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("%s %d", noun, list[0])
	case n > mostPlaces:
		return noun + "s " + strings.Trim(fmt.Sprint(list), "[]")
	}
	var parts []string
	for i, n := range list {
		parts = append(parts, fmt.Sprintf("%s %d (%s)", noun, n, places[i].Text()))
	}
	return strings.Join(parts, ", ")
}
