package judge

import (
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// GateOf is what judged clauses come to for an application that has made so many
// calls.
func GateOf(clauses []report.ClauseResult, calls int, allow bool, missing ...report.Missing) Judgement {
	j := judging{tape: trail.New(tape.Meta{}, nil), entries: make([]tape.Entry, calls), allow: allow, missing: missing}
	for i := range j.entries {
		j.entries[i].Kind = tape.KindExchange
	}
	return j.conclude(clauses, nil, nil)
}

// LenientGateOf is GateOf for a single call with what is advised failing nothing.
func LenientGateOf(clauses []report.ClauseResult) Judgement {
	j := judging{tape: trail.New(tape.Meta{}, nil), entries: []tape.Entry{{Kind: tape.KindExchange}}, mustOnly: true}
	return j.conclude(clauses, nil, nil)
}

// PartOf is GateOf for clauses that were asked for alone.
func PartOf(clauses []report.ClauseResult) Judgement {
	j := judging{tape: trail.New(tape.Meta{}, nil), entries: []tape.Entry{{Kind: tape.KindExchange}}, partial: true}
	return j.conclude(clauses, nil, nil)
}

// SignedOf is GateOf for a single call and what people have put their names to.
func SignedOf(clauses []report.ClauseResult, now time.Time, attestations []signoff.Attestation, waivers []signoff.Waiver) Judgement {
	j := judging{tape: trail.New(tape.Meta{}, nil), entries: []tape.Entry{{Kind: tape.KindExchange}}}
	names := signed{attestations: attestations, waivers: waivers, now: now}
	names.apply(clauses)
	out := j.conclude(clauses, nil, nil, names.gone...)
	out.Notes = names.notes
	return out
}

// BrokeOff is brokeOff.
func (j *Judgement) BrokeOff(names []string) { j.brokeOff(names) }

// Labelled is what is judged of a tape under a label.
func Labelled(entries []tape.Entry, label string) []tape.Entry { return labelled(entries, label) }
