package judge

import (
	"cmp"
	"slices"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe/history"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Options say what of a tape is judged, and how strictly.
type Options struct {
	// Clauses takes the clauses that are judged; the zero value takes all.
	Clauses clause.Filter
	// AllowUnreached lets the gate be met although a MUST was not seen.
	AllowUnreached bool
	// FailOn is the lowest level whose broken clauses fail the gate: MUST or
	// SHOULD. Empty means SHOULD, which is any clause.
	FailOn clause.Level
	// Journeys names the journeys in which a clause comes up, for the advice about
	// what is missing; it may be nil.
	Journeys func(clause string) []string
	// Attestations say what traffic alone does not show, Waivers accept what is broken.
	Attestations []signoff.Attestation
	Waivers      []signoff.Waiver
	// Label judges what was done under this Sandbox-Label alone, of an integration that
	// several share; empty judges everything.
	Label string
	// Subject names what is judged; empty for an unnamed build. ValidFor is how long the
	// verdict holds from Now on; 0 says nothing about it.
	Subject  string
	ValidFor time.Duration
	// SHA256 is the digest of the tape's file, whole or not; empty before it is written.
	SHA256 string
	// Unnamed says that nobody keeps the verdict: what it rests on is not identified by
	// digests, which takes as long as writing the tape.
	Unnamed bool
	// Before are the runs before this one, the latest last.
	Before []history.Run
	// Now is the day on which attestations may have lapsed and waivers expired, and from
	// which conditions are counted.
	Now time.Time
}

// Judgement is what the tape of an integration comes to.
type Judgement struct {
	// Clauses are in the order of the catalogue.
	Clauses []report.ClauseResult
	// End has everything but the duration.
	End report.RunEnd
	// Notes tell about the tape what the clauses do not.
	Notes []string
	gate  verdict.Gate
}

// Tape holds a tape to what a partner's integration owes the service. It reads
// nothing but the tape: the same one always comes to the same judgement. The
// error means that the tape is none that could be written.
func Tape(meta tape.Meta, entries []tape.Entry, o Options) (Judgement, error) {
	digests, err := digests(meta, entries, &o)
	if err != nil {
		return Judgement{}, err
	}
	all, entries := entries, labelled(entries, o.Label)
	broken := brokenOff(entries)
	entries, cut := interrupted(entries)
	j := judging{
		tape: trail.New(meta, entries), entries: entries,
		journeys: o.Journeys, environment: meta.Environment, allow: o.AllowUnreached, mustOnly: o.FailOn == clause.Must, partial: !o.Clauses.Empty(), label: o.Label, now: o.Now,
		left: leftOver(all),
	}
	for _, r := range check.Judge(j.tape, check.Integration()) {
		j.add(&r)
	}
	var judged []report.ClauseResult
	for _, c := range clause.Integration() {
		if o.Clauses.Takes(string(c.ID)) {
			judged = append(judged, j.clause(&c))
		}
	}
	tried := attempts(entries, &o.Clauses)
	j.signaturesFirst()
	j.inVain(tried)
	j.noTurn()
	names := signed{attestations: o.Attestations, waivers: o.Waivers, now: o.Now}
	names.apply(judged)
	j.missing = slices.DeleteFunc(j.missing, func(m report.Missing) bool {
		return slices.ContainsFunc(judged, func(c report.ClauseResult) bool { return c.ID == m.Clause && c.Attested != nil })
	})
	result := j.conclude(judged, tried, digests, names.gone...)
	result.covers(&meta, &o)
	if len(broken) > 0 {
		result.brokeOff(broken)
	}
	if meta.Ending != tape.Whole {
		result.cutOff(meta.Ending)
	}
	result.Notes = slices.Concat(names.notes, unknownLabel(all, o.Label), result.Notes, j.tooShort(result.End.Readiness.NotShown), resetNote(entries), wentBack(&meta), cut, unread(entries), j.misread(), j.leftOut(), j.spared())
	result.End.Readiness.Cited = j.cited(&result)
	return result, nil
}

// Tell gives the judgement to a sink.
func (j *Judgement) Tell(sink report.Sink) {
	for _, c := range j.Clauses {
		sink.ClauseJudged(c)
	}
	sink.RunFinished(j.End)
}

// judging is a judgement under way.
type judging struct {
	tape        *trail.Trail
	entries     []tape.Entry
	environment string
	journeys    func(clause string) []string
	// allow lets the gate be met with too little, mustOnly with broken advice.
	allow, mustOnly bool
	// now is the day of the judgement.
	now time.Time
	// partial says that only some clauses were asked for, label whose calls alone.
	partial bool
	label   string
	results map[clause.ID]check.Result
	missing []report.Missing
	// left is the trouble that had no turn.
	left trouble.Left
}

// add notes what a check says.
func (j *judging) add(r *check.Result) {
	if j.results == nil {
		j.results = map[clause.ID]check.Result{}
	}
	for _, id := range r.Clauses {
		j.results[clause.ID(id)] = *r
	}
}

// clause is the result of one clause. One that was not seen goes to the missing.
func (j *judging) clause(c *clause.Clause) report.ClauseResult {
	out := report.ClauseResult{
		ID: string(c.ID), Title: c.Title, Level: string(c.Level), Area: c.Area, Source: c.Source.Text(), Basis: c.Basis(), Verdict: verdict.NotExercised,
	}
	if r, judged := j.results[c.ID]; judged {
		out.Verdict = worst(r.Judgements)
		out.Reason, out.Evidence = j.evidenceOf(&r, out.Verdict)
		out.Spanned = j.spanned(&r)
	}
	elsewhere := c.Applies.Environment != "" && j.environment != "" && c.Applies.Environment != j.environment
	if out.Verdict == verdict.NotExercised || out.Verdict == verdict.NotApplicable && elsewhere {
		out.Reason = cmp.Or(j.why(c.ID), "nothing on the tape had to do with it") + ": " + c.Exercise
		if elsewhere {
			out.Verdict = verdict.NotApplicable
			out.Reason = "it comes up in the " + c.Applies.Environment + " environment only; this is " + j.environment
		}
		j.miss(c, elsewhere)
	} else if out.Verdict == verdict.Inconclusive {
		j.miss(c, false)
	}
	return out
}

// miss notes a clause without evidence.
func (j *judging) miss(c *clause.Clause, elsewhere bool) {
	m := report.Missing{Clause: string(c.ID), Level: string(c.Level), Exercise: c.Exercise, Why: j.why(c.ID)}
	if elsewhere {
		m.Exercise += "; observe with --environment " + c.Applies.Environment
	}
	if j.journeys != nil {
		m.Journeys = j.journeys(string(c.ID))
	}
	j.missing = append(j.missing, m)
}

// why is what a check has against what was seen of a clause without a verdict.
func (j *judging) why(id clause.ID) string {
	r := j.results[id]
	return WhyOpen(&r)
}

// signaturesFirst says of a clause about deliveries that are refused that it has
// to wait while they are accepted.
func (j *judging) signaturesFirst() {
	const follow = "partner.webhook.no-follow-up"
	forgeries := []clause.ID{"partner.webhook.altered", "partner.webhook.unsigned", "partner.webhook.wrong-secret", "partner.webhook.stale-signature"}
	if !slices.ContainsFunc(forgeries, func(id clause.ID) bool { r := j.results[id]; return worst(r.Judgements) == verdict.Fail }) {
		return
	}
	for i := range j.missing {
		if m := &j.missing[i]; m.Clause == follow {
			m.Why = "deliveries that are not genuine are accepted: mend the clauses about signatures first"
		}
	}
}

// inVain says of clauses whose trouble was met that it has shown nothing.
func (j *judging) inVain(tried []report.Attempt) {
	for i := range j.missing {
		m := &j.missing[i]
		met := slices.ContainsFunc(tried, func(a report.Attempt) bool { return a.Clause == m.Clause && a.Met > 0 })
		if met && m.Why == "" {
			m.Why = "what met it did not bring the matter up"
		}
	}
}

// sortMissing puts the clauses of level MUST first.
func sortMissing(list []report.Missing) []report.Missing {
	slices.SortStableFunc(list, func(a, b report.Missing) int { return cmp.Compare(levelRank(a.Level), levelRank(b.Level)) })
	return list
}

// levelRank is the place of a level, the most binding first.
func levelRank(level string) int {
	return slices.Index([]string{string(clause.Must), string(clause.Should), string(clause.May)}, level)
}

// meaning is what a check's status means for a clause: the same, but what could
// not be reached was not exercised.
func meaning(s verdict.Word) verdict.Word {
	if s == verdict.NotReached {
		return verdict.NotExercised
	}
	return s
}

// worst is the most telling of a check's verdicts; none come to NotExercised.
func worst(list []verdict.Judgement) verdict.Word {
	words := make([]verdict.Word, len(list))
	for i := range list {
		words[i] = meaning(list[i].Word)
	}
	return verdict.Gravest(words...)
}
