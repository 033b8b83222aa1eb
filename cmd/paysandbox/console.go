package main

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/tape"
)

// judgeTape comes to the verdict that the console shows, as `paysandbox observe
// --tape` does.
func judgeTape(_ context.Context, meta tape.Meta, entries []tape.Entry, label string) (readiness.Verdict, error) {
	meta.Ending = tape.Whole // nothing was cut on its way: it is in memory
	j, err := judge.Tape(meta, entries, judge.Options{Journeys: journeysByClause(), Now: time.Now(), Label: label, Unnamed: true})
	if err != nil {
		return readiness.Verdict{}, err
	}
	v := readiness.Verdict{Word: "not ready", Tone: "bad", Reason: j.End.Reason, Notes: j.Notes}
	var blocking []string
	if r := j.End.Readiness; r != nil {
		blocking = r.Blocking
		ready(&v, r, j.Clauses)
	}
	for i := range j.Clauses {
		v.Clauses = append(v.Clauses, clauseOf(&j.Clauses[i], blocking))
	}
	return v, nil
}

// ready tells of a verdict what only that on an integration has.
func ready(v *readiness.Verdict, r *report.Readiness, clauses []report.ClauseResult) {
	titles := map[string]string{}
	for i := range clauses {
		titles[clauses[i].ID] = clauses[i].Title
	}
	v.Reason = report.Titled(cmp.Or(r.Sentence, v.Reason), clauses)
	for _, m := range r.Missing {
		v.Missing = append(v.Missing, readiness.Missing{Clause: m.Clause, Level: m.Level, Title: titles[m.Clause], How: m.Exercise, Why: m.Why, Journeys: m.Journeys, Rehearsal: rehearsal(m.Clause)})
	}
	switch {
	case r.Ready:
		v.Word, v.Tone = "ready", "good"
	case len(r.Blocking) == 0:
		v.Word, v.Tone = "not enough evidence", "warn"
	default:
		v.Word, v.Tone = "not ready", "bad"
	}
}

// clauseOf is a clause as the console shows it.
func clauseOf(c *report.ClauseResult, blocking []string) readiness.Clause {
	out := readiness.Clause{
		ID: c.ID, Title: c.Title, Level: c.Level, Area: c.Area, Source: c.Source, Word: strings.ReplaceAll(c.Verdict.Label(), "-", " "), Tone: toneOf(c.Verdict),
		Reason: c.Reason, Blocks: slices.Contains(blocking, c.ID),
	}
	if len(c.Evidence) > 0 {
		e := &c.Evidence[0]
		out.Expected, out.Received, out.Fix, out.Entries = e.Expected, e.Received, e.Hint, e.Entries
	}
	return out
}

// toneOf is a verdict's colour.
func toneOf(w verdict.Word) string { return [...]string{"plain", "good", "bad", "warn"}[w.Tone()] }

// calls says which calls a fault meets, as the control API takes it.
var calls = map[trouble.Calls][2]string{
	trouble.AWrite: {"match.method", http.MethodPost}, trouble.ARead: {"match.method", http.MethodGet},
	trouble.AState: {"match.operation", "getPaymentStatus"}, trouble.AMove: {"match.operation", "createPayment"},
	trouble.ARefund: {"match.operation", "refundPayment"}, trouble.ACharge: {"match.operation", "chargeSavedCard"},
}

// rehearsal is the first trouble of those that `paysandbox observe` makes which can show
// a clause; nil for none.
func rehearsal(clause string) *readiness.Rehearsal {
	list := trouble.Troubles()
	at := slices.IndexFunc(list, func(t trouble.Trouble) bool { return slices.Contains(t.Clauses, clause) })
	if at < 0 {
		return nil
	}
	t := &list[at]
	if t.Profile != "" {
		return &readiness.Rehearsal{Says: t.Say, Profile: t.Profile, Next: t.Next, ForStatus: t.ForStatus}
	}
	on := calls[t.On]
	fault := []string{on[0], on[1], "count:int", strconv.Itoa(t.Count)}
	e := &t.Effect
	for _, f := range []struct {
		name, value string
		set         bool
	}{
		{"status:int", strconv.Itoa(e.Status), e.Status != 0},
		{"retryAfter:int", strconv.Itoa(e.RetryAfter), e.RetryAfter != 0},
		{"latency", e.Latency, e.Latency != ""},
		{"cutConnection", e.CutConnection, e.CutConnection != ""},
		{"commitThenDrop:bool", "true", e.CommitThenDrop},
		{"tokenRevoked", e.TokenRevoked, e.TokenRevoked != ""},
	} {
		if f.set {
			fault = append(fault, "effect."+f.name, f.value)
		}
	}
	return &readiness.Rehearsal{Says: t.Say, Fault: fault}
}
