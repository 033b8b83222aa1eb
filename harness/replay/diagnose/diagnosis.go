package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/check/service"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Diagnosis is what a case comes to.
type Diagnosis struct {
	// First is the first difference, nil for none; Fault is the first fault.
	First *compare.Difference `json:"first"`
	Fault *Fault              `json:"fault"`
	// Side is whose fault it is; Nobody when nothing went wrong.
	Side Side `json:"side"`
	// Faults are all, in the order of the recording.
	Faults []Fault `json:"faults,omitempty"`
	// Lines are five lines to paste: what happened, where it first went wrong, whose
	// side it is, on what evidence, what to tell the partner.
	Lines []string `json:"lines"`
	// Ask is what to ask for where it cannot be told.
	Ask []string `json:"ask,omitempty"`
}

// Input is what a diagnosis rests on.
type Input struct {
	Recording      *recording.Recording
	Run            *play.Run
	Differences    []compare.Difference
	Contradictions []infer.Contradiction
	Document       *service.Document
	// Saved is the tape itself, where the recording was read from one.
	Saved *Told
}

// Of gives the diagnosis of a recording and its replay.
func Of(in *Input) Diagnosis {
	told, bare := Tape(in.Recording, in.Run, true), Tape(in.Recording, in.Run, false)
	if in.Saved != nil {
		told = *in.Saved
	}
	var faults []Fault
	faults = append(faults, contradicted(in)...)
	faults = append(faults, services(in.Recording, &told, &bare, in.Document)...)
	faults = append(faults, partners(in.Recording, &told)...)
	faults = append(faults, slices.DeleteFunc(refusals(in.Recording, in.Run), in.chosen)...)
	faults = append(faults, differences(in.Differences)...)
	faults = append(faults, untold(in.Recording)...)
	for i := range faults {
		faults[i].What = inRecorded(faults[i].What, in.Run)
	}
	return conclude(in, faults)
}

// untold are the refusals whose reason the recording does not hold: the body that was
// refused is missing, or the answer's.
func untold(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Answer.Status == 400 && (x.BodyMissing || len(x.Body) == 0 && x.Method != "GET" && x.Answer.Known == recording.WithoutBody) {
			list = append(list, Fault{
				Side: Undecidable, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{i + 1},
				What: x.Method + " " + x.Path + " was refused with 400, and the recording does not hold what was sent",
			})
		}
	}
	return list
}

// chosen says whether a call is refused by a choice of the service: that is no fault of
// who makes it.
func (in *Input) chosen(f Fault) bool {
	return slices.ContainsFunc(in.Differences, func(d compare.Difference) bool {
		return d.N == f.N && d.Class == compare.Choice && d.Where == "status" && d.Replayed < "400"
	})
}

// uuids are what the world draws ids as.
var uuids = trail.Pattern(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// inRecorded puts the recording's ids in the place of the world's.
func inRecorded(text string, run *play.Run) string {
	return uuids().ReplaceAllStringFunc(text, func(id string) string {
		if was, ok := run.Links.Recorded(id); ok {
			return was
		}
		return id
	})
}

// contradicted are states that no move leads to: the service has told one of them
// wrongly.
func contradicted(in *Input) []Fault {
	clauses := map[string]string{
		"payment": "payment.status.machine", "company": "company.kyb.final", "card-authorisation": "payment.card-auth.machine",
		"plan": "plan.status.machine", "consent": "consent.machine", "saved-card-charge": "payment.status.machine", "registration": "user.status.registered",
	}
	var list []Fault
	for i := range in.Contradictions {
		c := &in.Contradictions[i]
		f := Fault{Side: Service, N: c.N, Heard: c.Heard, Clause: clauses[c.Machine], What: c.Text(), Fix: "report it to the service, with this case"}
		if c.Heard > 0 {
			f.N, f.Webhooks, f.Place, f.Call = play.Prelude, []int{c.Heard}, in.Recording.Received[c.Heard-1].Place, fmt.Sprintf("webhook %d", c.Heard)
		} else {
			x := &in.Recording.Exchanges[c.N]
			f.Calls, f.Place, f.Call = []int{c.N + 1}, x.Place, x.Method+" "+x.Path
		}
		list = append(list, f)
	}
	return list
}

// sort puts faults in the order in which they happened; at one place the graver first.
func (in *Input) sort(faults []Fault) {
	rank := []Side{Service, Partner, Choice, Undecidable}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(moment(in, &a), moment(in, &b)), cmp.Compare(slices.Index(rank, a.Side), slices.Index(rank, b.Side)),
			cmp.Compare(level(a.Clause), level(b.Clause)), strings.Compare(b.Clause, a.Clause))
	})
}

// conclude finds the first of the faults.
func conclude(in *Input, faults []Fault) Diagnosis {
	in.sort(faults)
	d := Diagnosis{Side: Nobody, Faults: merged(faults)}
	d.First = firstDifference(in)
	if len(d.Faults) > 0 {
		d.Fault = &d.Faults[0]
		d.Side = d.Fault.Side
		for i := range d.Faults { // what is known stands before what is not
			if d.Side == Undecidable && d.Faults[i].Side != Undecidable && d.Faults[i].Side != Choice {
				d.Fault, d.Side = &d.Faults[i], d.Faults[i].Side
			}
		}
	}
	d.Ask = ask(in, &d)
	d.Lines = lines(in, &d)
	return d
}

// moment is when a fault happened, by the replay's tape order.
func moment(in *Input, f *Fault) int64 {
	for i := range in.Run.Script.Steps {
		s := &in.Run.Script.Steps[i]
		if s.Heard > 0 && s.Heard == f.Heard || s.Call != nil && s.Call.N >= 0 && f.Heard == 0 && s.Call.N == f.N {
			return int64(i)
		}
	}
	return int64(len(in.Run.Script.Steps))
}

// merged joins faults of one side at one place: the first names the others' clauses.
func merged(list []Fault) []Fault {
	var kept []Fault
	for _, f := range list {
		if n := len(kept); n > 0 && kept[n-1].Side == f.Side && kept[n-1].N == f.N && kept[n-1].Heard == f.Heard {
			if f.Clause != "" && f.Clause != kept[n-1].Clause && !slices.Contains(kept[n-1].Also, f.Clause) {
				kept[n-1].Also = append(kept[n-1].Also, f.Clause)
			}
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

func firstDifference(in *Input) *compare.Difference {
	var first *compare.Difference
	for i := range in.Differences {
		d := &in.Differences[i]
		if d.Class == compare.TimeOrID || d.Class == compare.Nobody {
			continue
		}
		if first == nil || moment(in, &Fault{N: d.N, Heard: d.Heard}) < moment(in, &Fault{N: first.N, Heard: first.Heard}) {
			first = d
		}
	}
	return first
}

// ask says what the recording does not show and the answer may hang on.
func ask(in *Input, d *Diagnosis) []string {
	var list []string
	r := in.Recording
	missing, unrecorded := 0, 0
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.BodyMissing || x.Answer.Known == recording.WithoutBody {
			missing++
		}
		if x.Answer.Known == recording.NotRecorded {
			unrecorded++
		}
	}
	if missing > 0 {
		list = append(list, fmt.Sprintf("the bodies of %s that the recording does not hold (export it with response bodies)", calls(missing)))
	}
	if unrecorded > 0 {
		list = append(list, fmt.Sprintf("the answers of %s", calls(unrecorded)))
	}
	if d.Side == Undecidable && len(r.Received) == 0 {
		list = append(list, "the webhooks that were received, with headers and bodies")
	}
	if d.Side == Undecidable && len(list) == 0 {
		list = append(list, "what happened before the recording begins: the calls that made what it names")
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
	if d.Fault == nil {
		rest := "Nothing to tell the partner but this."
		if len(d.Ask) > 0 {
			rest = "What the recording does not show: " + strings.Join(d.Ask, "; ") + "."
		}
		return []string{happened, "First went wrong: nothing did.", "Side: nobody's.", "Evidence: every judged call is as the specification has it.", rest}
	}
	f := d.Fault
	side := map[Side]string{
		Partner: "the partner's integration", Service: "the service", Undecidable: "cannot be told from this recording",
		Choice: "nobody's: the service chose " + f.Knob + " where the specification is silent",
	}[f.Side]
	if f.Clause != "" && f.Side != Undecidable {
		side += " (clause " + f.Clause + ")"
	}
	last := "Tell the partner: " + f.Fix + "."
	if f.Side == Undecidable || len(d.Ask) > 0 && f.Fix == "" {
		last = "Ask for: " + strings.Join(d.Ask, "; ") + "."
	} else if len(d.Ask) > 0 {
		last += " Not shown: " + strings.Join(d.Ask, "; ") + "."
	}
	return []string{
		happened, "First went wrong: " + at(f) + ", " + one(f.What) + ".", "Side: " + side + ".", "Evidence: " + evidence(f) + ".", last,
	}
}

// Text tells a fault in one line.
func (f *Fault) Text() string {
	return fmt.Sprintf("%s: %s: %s: %s", f.Side, at(f), firstNonEmpty(f.Clause, f.Knob), one(f.What))
}

func one(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }

func at(f *Fault) string {
	where := f.Place.Source
	switch {
	case f.Place.Line > 0:
		where += fmt.Sprintf(" line %d", f.Place.Line)
	case f.Place.Entry > 0:
		where += fmt.Sprintf(" entry %d", f.Place.Entry)
	}
	if f.Heard > 0 {
		return fmt.Sprintf("webhook %d (%s)", f.Heard, where)
	}
	return fmt.Sprintf("call %d, %s (%s)", f.N+1, f.Call, where)
}

func evidence(f *Fault) string {
	var parts []string
	if len(f.Calls) > 0 {
		parts = append(parts, "calls "+strings.Trim(fmt.Sprint(f.Calls), "[]"))
	}
	if len(f.Webhooks) > 0 {
		parts = append(parts, "webhooks "+strings.Trim(fmt.Sprint(f.Webhooks), "[]"))
	}
	return strings.Join(parts, ", ")
}

// outcome says how the payments ended.
func outcome(in *Input, d *Diagnosis) string {
	if n := len(d.Faults); n > 0 {
		text := map[bool]string{true: "one thing", false: fmt.Sprintf("%d things", n)}[n == 1] + " went wrong"
		return text + ended(in)
	}
	return "all answers are as recorded" + ended(in)
}

func ended(in *Input) string {
	last := map[string]string{}
	for i := range in.Run.Entries {
		if m := in.Run.Entries[i].Transition; m != nil && in.Run.Entries[i].Kind == tape.KindTransition && (m.Machine == "payment" || m.Machine == "saved-card-charge") {
			last[m.Entity] = m.To
		}
	}
	count := map[string]int{}
	for _, s := range last {
		count[s]++
	}
	var words []string
	for s, n := range count {
		words = append(words, fmt.Sprintf("%d %s", n, s))
	}
	slices.Sort(words)
	if len(words) == 0 {
		return ""
	}
	return "; payments at the end: " + strings.Join(words, ", ")
}
