package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/console"
	"paysandbox/mockserver/tape"
)

// judgeTape comes to the verdict that the console shows, as `paysandbox observe
// --tape` does.
func judgeTape(_ context.Context, meta tape.Meta, entries []tape.Entry) (console.Verdict, error) {
	meta.Ending = tape.Whole // nothing was cut on its way: it is in memory
	j, err := judge.Tape(meta, entries, judge.Options{Journeys: journeysByClause(), Now: time.Now()})
	if err != nil {
		return console.Verdict{}, err
	}
	v := console.Verdict{Word: "not ready", Tone: "bad", Reason: j.End.Reason, Notes: j.Notes}
	var blocking []string
	titles := map[string]string{}
	for i := range j.Clauses {
		titles[j.Clauses[i].ID] = j.Clauses[i].Title
	}
	if r := j.End.Readiness; r != nil {
		blocking = r.Blocking
		v.Reason = cmp.Or(r.Sentence, v.Reason)
		for _, m := range r.Missing {
			v.Missing = append(v.Missing, console.Missing{Clause: m.Clause, Level: m.Level, Title: titles[m.Clause], How: m.Exercise, Why: m.Why, Journeys: m.Journeys})
		}
		switch {
		case r.Ready:
			v.Word, v.Tone = "ready", "good"
		case len(r.Blocking) == 0:
			v.Word, v.Tone = "not enough evidence", "warn"
		}
	}
	for i := range j.Clauses {
		v.Clauses = append(v.Clauses, clauseOf(&j.Clauses[i], blocking))
	}
	return v, nil
}

// clauseOf is a clause as the console shows it.
func clauseOf(c *report.ClauseResult, blocking []string) console.Clause {
	out := console.Clause{
		ID: c.ID, Title: c.Title, Level: c.Level, Area: c.Area, Source: c.Source, Word: strings.ReplaceAll(string(c.Verdict), "-", " "), Tone: toneOf(c.Verdict),
		Reason: c.Reason, Blocks: slices.Contains(blocking, c.ID),
	}
	if len(c.Evidence) > 0 {
		e := &c.Evidence[0]
		out.Expected, out.Received, out.Fix, out.Entries = e.Expected, e.Received, e.Hint, e.Entries
	}
	return out
}

// toneOf is a verdict's colour.
func toneOf(w verdict.Word) string {
	switch w {
	case verdict.Pass:
		return "good"
	case verdict.Fail, verdict.HarnessError:
		return "bad"
	case verdict.Warning, verdict.Review, verdict.Inconclusive:
		return "warn"
	default:
		return "plain"
	}
}
