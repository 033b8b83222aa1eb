package observe

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// tally is what the gate looks at: ids of clauses, in the order of the catalogue.
type tally struct {
	// must and should were broken, unseen are of level MUST and without evidence,
	// elsewhere those that this environment cannot show.
	must, should, unseen, elsewhere []string
	// broken are those that the harness could not judge, review those at which a
	// person has to look; held passed, warned passed with a remark.
	broken, review []string
	held, warned   int
	calls          int
	// mustOnly says that broken clauses of level SHOULD fail nothing.
	mustOnly bool
}

// end is what the judged clauses come to.
func (j *judging) end(results []report.ClauseResult, tried []report.Attempt, digests []report.Digest) report.RunEnd {
	t := tally{calls: calls(j.entries), mustOnly: j.mustOnly}
	for i := range results {
		t.count(&results[i])
	}
	end := t.gate(j.allow)
	ready := len(t.must)+len(t.unseen)+len(t.broken) == 0 && t.calls > 0 && t.seen()
	for _, m := range j.missing {
		if m.Level == string(clause.Must) && !slices.Contains(t.unseen, m.Clause) {
			t.elsewhere = append(t.elsewhere, m.Clause)
		}
	}
	end.Readiness = &report.Readiness{
		Ready: ready && len(t.elsewhere) == 0 && !j.partial, Sentence: t.sentence(len(results), j.partial),
		Blocking: t.must, Missing: sortMissing(j.missing), Attempts: tried, Digests: digests,
	}
	return end
}

// calls counts what the application has asked of the partner API.
func calls(entries []tape.Entry) int {
	n := 0
	for i := range entries {
		if entries[i].Kind == tape.KindExchange {
			n++
		}
	}
	return n
}

// count notes a clause.
func (t *tally) count(c *report.ClauseResult) {
	must := c.Level == string(clause.Must)
	switch c.Verdict {
	case verdict.Fail:
		if must {
			t.must = append(t.must, c.ID)
		} else {
			t.should = append(t.should, c.ID)
		}
	case verdict.HarnessError:
		t.broken = append(t.broken, c.ID)
	case verdict.NotExercised, verdict.NotReached, verdict.Inconclusive:
		if must {
			t.unseen = append(t.unseen, c.ID)
		}
	case verdict.Pass:
		t.held++
	case verdict.Warning:
		t.warned++
	case verdict.Review:
		t.review = append(t.review, c.ID)
	default:
	}
}

// seen says whether anything was seen that was not broken.
func (t *tally) seen() bool { return t.held+t.warned+len(t.review) > 0 }

// gate is how the run ends. What was seen to fail outweighs all that was not
// seen; a clause that a person has to review fails nothing. The reason adds to
// the sentence of the readiness.
func (t *tally) gate(allow bool) report.RunEnd {
	switch {
	case len(t.must) > 0, len(t.should) > 0 && !t.mustOnly:
		return report.RunEnd{Verdict: verdict.Fail, ExitCode: harness.CodeFailed}
	case len(t.broken) > 0:
		return report.RunEnd{Verdict: verdict.HarnessError, ExitCode: harness.CodeBroken}
	case t.calls == 0, !t.seen(), len(t.unseen) > 0 && !allow:
		return report.RunEnd{Verdict: verdict.Inconclusive, ExitCode: harness.CodeLittle}
	case len(t.unseen) > 0:
		return report.RunEnd{Verdict: verdict.Pass, ExitCode: harness.CodeMet, Reason: "that clauses of level MUST were not seen was allowed"}
	default:
		return report.RunEnd{Verdict: verdict.Pass, ExitCode: harness.CodeMet}
	}
}

// required is a number of clauses with its verb.
func required(ids []string, one, many string) string {
	if len(ids) == 1 {
		many = one
	}
	return clauses(len(ids)) + " of level MUST " + many
}

// part is the sentence when only some clauses were asked for.
func (t *tally) part(of int) string {
	said := fmt.Sprintf("Only %s asked for, which says nothing about production access: %d held", clauses(of)+was(of), t.held)
	if failed := slices.Concat(t.must, t.should); len(failed) > 0 {
		said += fmt.Sprintf(", %d broken: %s", len(failed), some(failed))
	}
	if len(t.unseen) > 0 {
		said += ", " + required(t.unseen, "was", "were") + " not seen: " + some(t.unseen)
	}
	return said + "."
}

func was(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

// sentence is the verdict for a person who reads nothing else. of is how many
// clauses were looked at, partial that they were not all.
func (t *tally) sentence(of int, partial bool) string {
	var said string
	switch {
	case partial && t.calls > 0 && len(t.broken) == 0:
		return t.part(of)
	case len(t.must) > 0:
		said = "Not ready for production access: " + required(t.must, "is", "are") + " broken: " + some(t.must) + "."
	case len(t.broken) > 0:
		return "Nothing can be said: the harness could not judge " + some(t.broken) + "."
	case t.calls == 0:
		return uncalled
	case len(t.unseen) > 0:
		said = "Not ready for production access yet: nothing that is required was broken, but " + required(t.unseen, "was", "were") + " not seen: " + some(t.unseen) + "."
	case !t.seen() && (len(t.should) == 0 || t.mustOnly):
		return "Nothing can be said: nothing that was seen was found to hold."
	case len(t.elsewhere) > 0:
		said = fmt.Sprintf("Nothing that was seen blocks production access, but %s of level MUST can be seen with --environment rehearsal only: %s.", clauses(len(t.elsewhere)), some(t.elsewhere))
	case len(t.should) > 0 && !t.mustOnly:
		said = "Nothing blocks production access."
	default:
		said = fmt.Sprintf("Ready for production access: %d of %s were seen to hold%s, and none of level MUST is missing or broken.", t.held, clauses(of), t.remarks())
	}
	return t.advised(said)
}

// remarks counts those that hold with a remark, and names those at which a person
// has to look.
func (t *tally) remarks() string {
	said := ""
	if t.warned > 0 {
		said = fmt.Sprintf(", %d with a warning", t.warned)
	}
	if len(t.review) > 0 {
		said += fmt.Sprintf(", a person has to look at %d (%s)", len(t.review), some(t.review))
	}
	return said
}

// advised adds to a sentence what was advised and is broken, and whether it is what
// fails the gate.
func (t *tally) advised(said string) string {
	switch {
	case len(t.should) == 0:
		return said
	case len(t.must)+len(t.unseen) == 0 && !t.mustOnly:
		return said + " " + t.advice() + "; --fail-on must lets that pass."
	default:
		return said + " " + t.advice() + ", which does not block production access."
	}
}

// advice says which clauses of level SHOULD are broken.
func (t *tally) advice() string {
	verb := " are"
	if len(t.should) == 1 {
		verb = " is"
	}
	return clauses(len(t.should)) + " of level SHOULD" + verb + " broken: " + some(t.should)
}

// uncalled is the sentence for an application that was never heard of.
const uncalled = "Nothing can be said: the application has called nothing."

// CommandFailed notes that the observed command itself has failed. It spoils a
// gate that is met, and changes no verdict. Where nothing was called it is what
// people have to know.
func (j *Judgement) CommandFailed(problem string) {
	told := "the observed command failed: " + problem
	if r := j.End.Readiness; r != nil && r.Sentence == uncalled {
		r.Sentence += " The observed command failed: " + problem + "."
	}
	if j.End.ExitCode == harness.CodeMet {
		j.End.ExitCode, j.End.Verdict = harness.CodeBroken, verdict.HarnessError
		told = "the gate is met, but " + told
	}
	j.End.Reason = joined(j.End.Reason, told)
}

// Broke notes that the watching itself broke. What was seen to fail stays.
func (j *Judgement) Broke(err error) {
	if j.End.ExitCode != harness.CodeFailed {
		j.End.ExitCode, j.End.Verdict = harness.CodeBroken, verdict.HarnessError
		j.End.Readiness.Ready = false
		j.End.Readiness.Sentence = "Nothing can be said: the watching broke."
	}
	j.End.Reason = joined(j.End.Reason, err.Error())
}

// BrokeOff notes that journeys did not come to their end: where the gate is met
// otherwise, it is too little.
func (j *Judgement) BrokeOff(names []string) {
	told := "these journeys did not come to their end: " + some(names)
	if j.End.ExitCode != harness.CodeMet {
		j.End.Reason = joined(j.End.Reason, told)
		return
	}
	j.End.ExitCode, j.End.Verdict = harness.CodeLittle, verdict.Inconclusive
	j.End.Readiness.Ready = false
	j.End.Readiness.Sentence = "Not ready for production access yet: nothing that is required was broken, but " + told + "."
}

// some names a few of many.
func some(ids []string) string {
	const few = 5
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// clauses is a number of clauses.
func clauses(n int) string {
	if n == 1 {
		return "1 clause"
	}
	return fmt.Sprintf("%d clauses", n)
}
