package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/harness/check/service"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/taped"
	"paysandbox/harness/replay/unshown"
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
	Saved *taped.Tape
	// Same says that the saved tape came out again byte for byte: then the service that
	// was recorded is the one that judges, and has done nothing otherwise.
	Same bool
	// tried are the refusals of a session that was watched.
	tried []Fault
}

// Of gives the diagnosis of a recording and its replay.
func Of(in *Input) Diagnosis {
	told := in.told()
	faults := contradicted(in)
	if !in.Same {
		bare := taped.Of(in.Recording, in.Run, false)
		faults = append(faults, services(in.Recording, in.Run, &told, &bare, in.Document)...)
	}
	faults = append(faults, slices.DeleteFunc(partners(in.Recording, in.Run, &told), in.allowed)...)
	refused := slices.DeleteFunc(refusals(in.Recording, in.Run), in.chosen)
	if in.watched() {
		in.tried, refused = refused, nil
	}
	faults = append(faults, refused...)
	faults = append(faults, differences(in.Differences)...)
	faults = append(faults, untold(in.Recording, in.Run)...)
	faults = append(faults, open(in.Recording, in.Run, faults)...)
	faults = append(faults, unknownHere(in.Recording, in.Run)...)
	faults = append(faults, unanswered(in.Recording)...)
	faults = append(faults, slices.Concat(overdue(in.Recording), endless(in.Recording), in.limited(), in.turnedAway(), in.ofFirst(), in.toFirst(), collectedAfter(in.Recording), tooEarly(in.Recording), wrongRows(in.Recording))...)
	if in.Saved == nil { // a sandbox delivers again on purpose, and its tape shows it
		faults = append(faults, slices.Concat(in.byItself(), in.unsent(), shutOut(in.Recording))...)
		if ended := endedByNobody(in.Recording); len(ended) > 0 { // then no choice is needed for payments to wait
			faults = append(slices.DeleteFunc(faults, func(f Fault) bool { return strings.HasPrefix(f.Knob, "auto-debit=") }), ended...)
		}
		faults = notKnownYet(in.takenHere(in.there(faults)))
		faults = append(faults, madeOfOne(in.Recording, faults)...)
	}
	for i := range faults {
		in.unknownOutcome(&faults[i])
		in.answered(&faults[i])
		faults[i].slashed(in.Recording)
		in.leftOpen(&faults[i])
		faults[i].found(in.Recording)
		faults[i].What = inRecorded(faults[i].What, in.Run)
	}
	return conclude(in, faults)
}

// watched says whether the recording is the tape of a session for which trouble was made, and in which an application tries
// on purpose what is refused: there the clauses alone say whether it was at fault, as the watcher's verdict has it.
func (in *Input) watched() bool {
	return in.Saved != nil && slices.ContainsFunc(in.Saved.Entries, func(e tape.Entry) bool {
		return trail.NoteOf(&e, trail.NoteTrouble, trail.NoteWaits, trail.NoteEnough).Kind != ""
	})
}

// told is the tape of what was recorded.
func (in *Input) told() taped.Tape {
	if in.Saved != nil {
		return *in.Saved
	}
	return taped.Of(in.Recording, in.Run, true)
}

// chosen says whether a call is refused by a choice of the service: that is no fault of
// who makes it.
func (in *Input) chosen(f Fault) bool {
	return slices.ContainsFunc(in.Differences, func(d compare.Difference) bool {
		return d.N == f.N && d.Class == compare.Choice && d.Where == "status" && (d.Replayed < "400" || d.Recorded == "401")
	})
}

// inRecorded puts the recording's ids in the place of the world's.
func inRecorded(text string, run *play.Run) string {
	return trail.UUIDs().ReplaceAllStringFunc(text, func(id string) string {
		if was, ok := run.Links.Recorded(id); ok {
			return was
		}
		return id
	})
}

// sort puts faults in the order in which they happened, at one place the graver first; what is manners alone stands behind.
func (in *Input) sort(faults []Fault) {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(btoi(a.manners()), btoi(b.manners())), cmp.Compare(moment(in, &a), moment(in, &b)), byArrival(&a, &b), cmp.Compare(a.rank(), b.rank()),
			-cmp.Compare(btoi(a.refusal), btoi(b.refusal)), cmp.Compare(level(a.Clause), level(b.Clause)), strings.Compare(b.Clause, a.Clause))
	})
}

// byArrival compares webhooks by when they came; a call and a webhook are equal.
func byArrival(a, b *Fault) int {
	if a.Heard == 0 || b.Heard == 0 {
		return 0
	}
	return cmp.Compare(a.Heard, b.Heard)
}

// conclude finds the first of the faults.
func conclude(in *Input, faults []Fault) Diagnosis {
	in.sort(faults)
	d := Diagnosis{Side: Nobody, Faults: explained(merged(faults))}
	d.First = firstDifference(in)
	if d.Fault = in.headline(d.Faults); d.Fault != nil {
		d.Side = d.Fault.Side
	}
	if d.Fault == nil && (in.empty() || unshown.LittleRead(in.Recording) || unshown.WhatWasAsked(in.Recording, in.Run) || unshown.Events(in.Recording) != nil || unshown.Deliveries(in.Recording) != nil || in.lost() != nil || in.stormed() || slices.ContainsFunc(in.Recording.Sources, func(s recording.Source) bool { return s.Altered })) {
		d.Side = Undecidable // it proves nobody innocent
	}
	d.Ask = ask(in, &d)
	d.Lines = lines(in, &d)
	return d
}

// headline is the fault that is told first, nil for none: the first, but for what hurts more.
func (in *Input) headline(list []Fault) *Fault {
	list = slices.DeleteFunc(slices.Clone(list), func(f Fault) bool { return f.unasked() || in.tooEarly(&f) })
	if len(list) == 0 {
		return nil
	}
	first := &list[0]
	for i := range list { // what is known stands before what is not
		if first.Side == Undecidable && list[i].Side != Undecidable && list[i].Side != Choice {
			first = &list[i]
		}
	}
	for i := range list {
		if in.askedOf(&list[i], first) || list[i].asked && first.refusal {
			first = &list[i]
		}
	}
	for i := range list { // what breaks, before manners: these are not what people write about
		if in.graver(&list[i], first) {
			first = &list[i]
		}
	}
	return first
}

// askedOf says whether what cannot be told is what they write about, before another fault: a refusal, or an answer that never came,
// where that made no call fail, or a webhook where that is advice alone.
func (in *Input) askedOf(f, before *Fault) bool {
	mild := before.manners() || before.Side == Choice || before.Side == Undecidable
	return f.Side == Undecidable && (mild && in.failed(f) && !in.failed(before) || in.advises(before) && f.Heard > 0)
}

// empty says whether nothing is recorded that could be judged.
func (in *Input) empty() bool { return len(in.Recording.Exchanges)+len(in.Recording.Received) == 0 }

// graver says whether a fault is what is told, in the place of one by which no call fares otherwise.
func (in *Input) graver(other, than *Fault) bool {
	switch {
	case than.Clause == "partner.token.server-side":
		return other.refusal
	case than.manners():
		return other.Side == Choice || other.breaks()
	case than.Clause == "partner.body.known-members" && !in.refused(than): // the service has passed over the member
		return other.breaks() && other.N != than.N
	case than.refusal:
		return in.overcome(than, other)
	default:
		return than.Side == Choice && (other.breaks() || in.hurt(other)) && !in.harmless(other)
	}
}

// manners says whether a fault is advice that is not kept, by which no call fares
// otherwise.
func (f *Fault) manners() bool {
	return f.Side == Partner && slices.Contains([]string{"partner.reference.present", "partner.client.user-agent"}, f.Clause)
}

// unasked says whether a fault is advice that nobody writes to support about: the service answers the same without.
func (f *Fault) unasked() bool { return f.Side == Partner && f.Clause == "partner.client.user-agent" }

// advises says whether a fault is advice that is not kept, for which no call was refused.
func (in *Input) advises(f *Fault) bool {
	return f.Side == Partner && level(f.Clause) > 0 && !in.refused(f)
}

// breaks says whether a fault is more than advice.
func (f *Fault) breaks() bool {
	return f.Side == Service || f.Side == Partner && level(f.Clause) == 0
}

// hurt says whether advice that the partner has not kept made a call fail.
func (in *Input) hurt(f *Fault) bool {
	return f.Side == Partner && in.refused(f)
}

// refused says whether the call of a fault was refused.
func (in *Input) refused(f *Fault) bool {
	return f.Heard == 0 && f.N >= 0 && f.N < len(in.Recording.Exchanges) && in.Recording.Exchanges[f.N].Answer.Status >= 400
}

// failed says whether the call of a fault was refused, or never answered.
func (in *Input) failed(f *Fault) bool {
	return in.refused(f) || f.Heard == 0 && f.N >= 0 && f.N < len(in.Recording.Exchanges) && in.Recording.Exchanges[f.N].Answer.Known == recording.NeverArrived
}

// moment is when a fault happened, by the replay's tape order. A habit, which every call
// shows, stands behind what happened once.
func moment(in *Input, f *Fault) int64 {
	if n := len(in.Recording.Exchanges); f.Side == Partner && n > 1 && len(f.Calls) == n {
		return int64(len(in.Run.Script.Steps)) + 1
	}
	at := -1
	for i := range in.Run.Script.Steps {
		s := &in.Run.Script.Steps[i]
		switch {
		case s.Heard > 0 && s.Heard <= f.Heard: // one that came again was emitted before others that came before
			at = i
		case s.Call != nil && s.Call.N >= 0 && f.Heard == 0 && s.Call.N == f.N:
			return int64(i)
		}
	}
	if at >= 0 {
		return int64(at)
	}
	return int64(len(in.Run.Script.Steps))
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
