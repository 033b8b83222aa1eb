package verify

import (
	"slices"
	"sync"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
)

// ledger keeps the judgements of a run. It is safe for concurrent use.
type ledger struct {
	mu     sync.Mutex
	judged map[clause.ID][]report.ClauseResult
	// choices are the knobs by which it may be explained what came otherwise of a clause.
	choices map[clause.ID][]string
	// makers are the scenarios in which ids were made, and twice is one that was made in
	// two: the target gives everybody the same, whatever it is asked.
	makers map[string]report.ScenarioRef
	twice  string
}

func newLedger() *ledger {
	return &ledger{
		judged: map[clause.ID][]report.ClauseResult{}, choices: map[clause.ID][]string{},
		makers: map[string]report.ScenarioRef{},
	}
}

// made notes the ids that were made in a scenario.
func (l *ledger) made(at report.ScenarioRef, ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range ids {
		if before, known := l.makers[id]; known && before != at {
			l.twice = id
		}
		l.makers[id] = at
	}
}

// void takes back what a target seems to fulfil that gives everybody the same.
func (l *ledger) void(r *report.ClauseResult) {
	if l.twice != "" && r.Verdict == verdict.Pass {
		r.Verdict = verdict.Inconclusive
		r.Reason = "the target answers the same whatever it is asked: calls of different scenarios have made " + l.twice + ", so this shows nothing"
	}
}

// add notes one judgement, and the knobs that may explain what came otherwise; what
// belongs to the clause is filled in later.
func (l *ledger) add(r report.ClauseResult, knobs ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := clause.ID(r.ID)
	l.judged[id] = append(l.judged[id], r)
	if len(knobs) > 0 {
		l.choices[id] = append(l.choices[id], knobs...)
	}
}

// standingOf is the most telling verdict of a clause.
func standingOf(judgements []report.ClauseResult) verdict.Word {
	words := make([]verdict.Word, len(judgements))
	for i := range judgements {
		words[i] = judgements[i].Verdict
	}
	return verdict.Gravest(words...)
}

// settle gives every judgement to the sink, clause by clause, with the deviations
// that hold, and counts for the gate.
func (l *ledger) settle(sink report.Sink, deviations []signoff.Deviation, now time.Time) verdict.Gate {
	l.mu.Lock()
	defer l.mu.Unlock()
	excused := map[clause.ID]*signoff.Deviation{}
	for i := range deviations {
		excused[clause.ID(deviations[i].Clause)] = &deviations[i]
	}
	var g verdict.Gate
	for _, c := range l.known() {
		judgements := l.judged[c.ID]
		for i := range judgements {
			l.void(&judgements[i])
		}
		word := standingOf(judgements)
		deviation := count(&g, &c, word, excused[c.ID], now)
		for _, r := range judgements {
			r.Title, r.Level, r.Area, r.Source = c.Title, string(c.Level), c.Area, c.Source.Text()
			r.Deviation = deviation
			sink.ClauseJudged(r)
		}
	}
	return g
}

// known are the clauses that were judged, in the order of the catalogue; those
// that it does not have come last.
func (l *ledger) known() []clause.Clause {
	var list []clause.Clause
	seen := map[clause.ID]bool{}
	for _, c := range clause.Catalogue() {
		if len(l.judged[c.ID]) > 0 {
			list, seen[c.ID] = append(list, c), true
		}
	}
	var others []clause.ID
	for id := range l.judged {
		if !seen[id] {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	for _, id := range others {
		list = append(list, clause.Clause{ID: id, Title: "A clause that the catalogue does not have", Level: clause.Must, Area: "unknown"})
	}
	return list
}

// count notes a clause for the gate and gives the deviation to be told with it.
func count(g *verdict.Gate, c *clause.Clause, word verdict.Word, d *signoff.Deviation, now time.Time) *report.Deviation {
	if word.Judged() {
		g.Judged++
	}
	if d != nil && (!word.Judged() || word == verdict.Fail && signoff.Over(d.Expires, now)) {
		d = nil
	}
	switch word {
	case verdict.Fail:
		if d == nil {
			g.Failed = append(g.Failed, string(c.ID))
		}
	case verdict.HarnessError:
		g.Broken = append(g.Broken, string(c.ID))
	case verdict.NotReached, verdict.Inconclusive:
		if c.Level == clause.Must {
			g.Unseen = append(g.Unseen, string(c.ID))
		}
	default:
		if d != nil {
			g.Gone = append(g.Gone, string(c.ID))
		}
	}
	if d == nil {
		return nil
	}
	return &report.Deviation{Owner: d.Owner, Reason: d.Reason, Expires: d.Expires, Occurs: word == verdict.Fail}
}
