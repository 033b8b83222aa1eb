package judge

import (
	"fmt"
	"slices"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// tally is what the gate looks at: ids of clauses, in the order of the catalogue.
type tally struct {
	// conditional are of level MUST and broken, and only assumed: nobody but this sandbox
	// has said that they are required.
	conditional []string
	// must and should were broken, unseen are of level MUST and without evidence,
	// elsewhere those that this environment cannot show.
	must, should, unseen, elsewhere []string
	// unmet are of level MUST for those alone who come across them, and were not met.
	unmet []string
	// unadvised are of level SHOULD and without evidence.
	unadvised []string
	// broken are those that the harness could not judge, review those at which a
	// person has to look, and notShown those of them that are of level MUST; held
	// passed, warned passed with a remark.
	broken, review, notShown []string
	// attested hold by the word of a person, waived are broken and accepted.
	attested, waived []string
	held, warned     int
	calls            int
	// until is the last day on which the conditional ones block nothing.
	until string
	// tellsState says that the application tells its state.
	tellsState bool
	// mustOnly says that broken clauses of level SHOULD fail nothing.
	mustOnly bool
	// left is the trouble that had no turn.
	left trouble.Left
}

// conclude is what the judged clauses come to.
func (j *judging) conclude(results []report.ClauseResult, tried []report.Attempt, digests []report.Digest, gone ...string) Judgement {
	t := tally{left: j.left, calls: calls(j.entries, j.label) - j.tape.ReadyWorld(), mustOnly: j.mustOnly, tellsState: len(j.tape.Probes()) > 0, until: j.now.UTC().Add(conditionFor).Format(time.DateOnly)}
	for i := range results {
		t.count(&results[i])
	}
	out := Judgement{Clauses: results, gate: t.gate(j.allow)}
	out.gate.Gone = gone
	ready := len(t.must)+len(t.unseen)+len(t.notShown)+len(t.broken) == 0 && t.calls > 0 && t.seen()
	for _, m := range j.missing {
		if m.Level == string(clause.Must) && !clause.OnlyWhereMet(m.Clause) && !slices.Contains(t.unseen, m.Clause) {
			t.elsewhere = append(t.elsewhere, m.Clause)
		}
	}
	out.End.Readiness = &report.Readiness{
		Ready: ready && len(t.elsewhere) == 0 && !j.partial, Sentence: t.sentence(len(results), j.partial),
		Blocking: t.must, NotShown: t.notShown, Missing: sortMissing(j.missing), Attempts: tried, Digests: digests,
	}
	if len(t.conditional) > 0 {
		out.End.Readiness.Conditional, out.End.Readiness.ConditionalUntil = t.conditional, t.until
	}
	out.End.Readiness.Invisible = invisible()
	warnings, more := j.warnings()
	out.End.Readiness.Warnings = warnings
	if more > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d more kinds of warnings are on the tape.", more))
	}
	why := ""
	if out.gate.Outcome() == verdict.MetWithout {
		why = "that requirements were not seen was allowed"
	}
	if out.gate.Outcome() == verdict.DeviationGone {
		why = "take these out of the waivers, they are not broken any more: " + verdict.Some(gone)
	}
	out.settle(why)
	return out
}

// calls counts what the application has asked of the partner API under a label, if any.
func calls(entries []tape.Entry, label string) int {
	n := 0
	for i := range entries {
		if entries[i].Kind == tape.KindExchange && (label == "" || entries[i].Label == label) {
			n++
		}
	}
	return n
}

// count notes a clause.
func (t *tally) count(c *report.ClauseResult) {
	must := c.Level == string(clause.Must)
	needed := must && !clause.OnlyWhereMet(c.ID)
	switch c.Verdict {
	case verdict.Fail:
		t.fail(c, must)
	case verdict.HarnessError:
		t.broken = append(t.broken, c.ID)
	case verdict.NotExercised, verdict.NotReached, verdict.Inconclusive:
		if needed {
			t.unseen = append(t.unseen, c.ID)
		} else if must {
			t.unmet = append(t.unmet, c.ID)
		} else {
			t.unadvised = append(t.unadvised, c.ID)
		}
	case verdict.Pass:
		if c.Attested != nil {
			t.attested = append(t.attested, c.ID)
		} else {
			t.held++
		}
	case verdict.Warning:
		t.warned++
	case verdict.Review:
		t.review = append(t.review, c.ID)
		if needed {
			t.notShown = append(t.notShown, c.ID)
		}
	default:
	}
}

// fail notes a clause that is broken.
func (t *tally) fail(c *report.ClauseResult, must bool) {
	switch {
	case c.Deviation != nil:
		t.waived = append(t.waived, c.ID)
	case must && assumed(c.ID):
		t.conditional = append(t.conditional, c.ID)
	case must:
		t.must = append(t.must, c.ID)
	default:
		t.should = append(t.should, c.ID)
	}
}

// assumed says whether nobody but this sandbox has said that a clause holds.
func assumed(id string) bool {
	c, known := clause.Lookup(id)
	return known && c.Source.Kind == clause.Assumed
}

// conditionFor is how long a failure that rests on what is assumed blocks nothing.
const conditionFor = 30 * 24 * time.Hour

// seen says whether anything was seen that was not broken.
func (t *tally) seen() bool { return t.held+t.warned+len(t.review)+len(t.attested) > 0 }

// gate is what decides how the run ends. A clause at which a person has to look
// fails nothing; as long as nobody has, one of level MUST is not shown.
func (t *tally) gate(allow bool) verdict.Gate {
	g := verdict.Gate{Failed: t.must, Broken: t.broken, Unseen: t.unseen, MayMiss: allow, NotShown: t.notShown}
	if !t.mustOnly {
		g.Failed = slices.Concat(t.must, t.conditional, t.should)
	}
	if t.calls > 0 {
		g.Judged = t.held + t.warned + len(t.review) + len(t.attested)
	}
	return g
}

// settle says how the run ends. why is added to the reason.
func (j *Judgement) settle(why string) {
	outcome := j.gate.Outcome()
	j.End.Verdict, j.End.ExitCode = outcome.Word(), outcome.Code()
	j.End.Reason = joined(j.End.Reason, why)
}

// met tells whether the gate is met so far.
func (j *Judgement) met() bool { return j.gate.Outcome().Code() == verdict.CodeMet }

// CommandFailed notes that the observed command itself has failed. It spoils a
// gate that is met, and changes no verdict. Where nothing was called it is what
// people have to know.
func (j *Judgement) CommandFailed(problem string) {
	reason := "the observed command failed: " + problem
	if r := j.End.Readiness; r != nil && r.Sentence == uncalled {
		r.Sentence += " The observed command failed: " + problem + "."
	}
	if j.met() {
		reason = "the gate is met, but " + reason
	}
	j.gate.CommandFailed = true
	j.settle(reason)
}

// Broke notes that the watching itself broke. What was seen to fail stays.
func (j *Judgement) Broke(err error) {
	j.gate.Broke = err
	if j.gate.Outcome() == verdict.RunBroke {
		j.End.Readiness.Ready = false
		j.End.Readiness.Sentence = "Nothing can be said: the watching broke."
	}
	j.settle(err.Error())
}

// brokeOff notes that journeys did not come to their end: where the gate is met
// otherwise, it is too little.
func (j *Judgement) brokeOff(names []string) {
	j.gate.Unfinished = names
	j.tooLittle("these journeys did not come to their end: " + verdict.Some(names))
}

// cutOff notes that nobody knows what the tape's file told at its end.
func (j *Judgement) cutOff(ending tape.Ending) {
	why := "the tape is " + ending.String()
	j.gate.Unfinished = append(j.gate.Unfinished, why)
	j.tooLittle(why)
}

// tooLittle says why what was seen is not enough, where the gate is met otherwise.
func (j *Judgement) tooLittle(why string) {
	if j.gate.Outcome() != verdict.Unfinished {
		j.settle(why)
		return
	}
	j.End.Readiness.Ready = false
	j.End.Readiness.Sentence = "Not ready for production access yet: nothing that is required was broken, but " + why + "."
	j.settle("")
}
