package judge

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// required is a number of clauses of level MUST with its verb: a person who reads nothing
// else knows neither clauses nor levels.
func required(ids []string, one, many string) string {
	if len(ids) == 1 {
		many = one
	}
	return words.Plural(len(ids), "requirement", "requirements") + " " + many
}

// part is the sentence when only some clauses were asked for.
func (t *tally) part(of int) string {
	said := fmt.Sprintf("Only %s asked for, which says nothing about production access: %d held", rules(of)+was(of), t.held)
	if failed := slices.Concat(t.must, t.conditional, t.should); len(failed) > 0 {
		said += fmt.Sprintf(", %d broken: %s", len(failed), verdict.Some(failed))
	}
	if len(t.unseen) > 0 {
		said += ", " + required(t.unseen, "was", "were") + " not seen: " + verdict.Some(t.unseen)
	}
	if len(t.notShown) > 0 {
		said += ", " + required(t.notShown, "was", "were") + " not shown: " + verdict.Some(t.notShown)
	}
	return said + "."
}

func was(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

func is(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// sentence is the verdict for a person who reads nothing else. of is how many
// clauses were looked at, partial that they were not all.
func (t *tally) sentence(of int, partial bool) string {
	var said string
	switch {
	case partial && t.calls > 0 && len(t.broken) == 0:
		return t.part(of)
	case len(t.must) > 0:
		said = "Not ready for production access: " + required(t.must, "is", "are") + " broken: " + verdict.Some(t.must) + "."
	case len(t.broken) > 0:
		return "Nothing can be said: the harness could not judge " + verdict.Some(t.broken) + "."
	case t.calls == 0:
		return uncalled
	case len(t.unseen) > 0:
		said = "Not ready for production access yet: nothing that is required was broken, but " + required(t.unseen, "was", "were") + " not seen: " + verdict.Some(t.unseen) + "." + t.besides() + turn(&t.left, slices.Concat(t.unseen, t.notShown))
	case len(t.notShown) > 0:
		said = "Not shown to be ready for production access: nothing that is required was seen to be broken, but calls and answers alone do not show " +
			words.Plural(len(t.notShown), "requirement", "requirements") + ": " + verdict.Some(t.notShown) + ". " + t.toShow() + turn(&t.left, t.notShown)
	case !t.seen() && (len(t.should) == 0 || t.mustOnly):
		return "Nothing can be said: nothing that was seen was found to hold."
	case len(t.elsewhere) > 0:
		said = "Nothing that was seen blocks production access, but " + required(t.elsewhere, "can", "can") + " be seen with --environment rehearsal only: " + verdict.Some(t.elsewhere) + "."
	default:
		said = t.readiness(of)
	}
	return t.advised(said)
}

// readiness is the sentence of an integration that is ready.
func (t *tally) readiness(of int) string {
	switch {
	case len(t.conditional) > 0:
		return t.condition()
	case len(t.should) > 0 && !t.mustOnly:
		return ready + t.mend() + ":"
	case len(t.unmet) == 0:
		return fmt.Sprintf(ready+t.mend()+": %d of %s were seen to hold%s, and no requirement is missing or broken%s.", t.held, rules(of), t.remarks(), t.unjudged("; "))
	default:
		return fmt.Sprintf(ready+t.mend()+": %d of %s were seen to hold%s, and no requirement is broken%s.", t.held, rules(of), t.remarks(), t.unjudged("; "))
	}
}

// unjudged names, behind a sign, what nothing was seen of although it keeps nobody from
// being ready; empty where there is no such thing.
func (t *tally) unjudged(sign string) string {
	var said []string
	if len(t.unmet) > 0 {
		said = append(said, verdict.Some(t.unmet))
	}
	if n := len(t.unadvised); n > 0 {
		said = append(said, words.Plural(n, "recommendation", "recommendations")+" ("+verdict.Some(t.unadvised)+")")
	}
	if len(said) == 0 {
		return ""
	}
	return sign + "not judged, for want of evidence: " + strings.Join(said, " and ")
}

// condition is the sentence of an integration that is ready but for what is assumed.
func (t *tally) condition() string {
	return ready + t.mend() + ", on condition: by " + t.until + " " + rules(len(t.conditional)) + is(len(t.conditional)) + " to be mended, or shown not to be required: " +
		verdict.Some(t.conditional) + ". Nobody but this sandbox has said that it is. Until then the run fails (exit code 1)."
}

// ready begins the sentence of an integration that is ready.
const ready = "Ready for production access"

// toShow is what to do about clauses that traffic alone does not show.
func (t *tally) toShow() string {
	const orAttest = "or have a person look and attest (--attest)."
	if t.tellsState {
		return "The state that the application tells does not show it yet: the report says what would; " + orAttest
	}
	return "Let the application tell its state (--state-url, or notes of kind state), " + orAttest
}

// besides names what is not shown where something else comes first.
func (t *tally) besides() string {
	if len(t.notShown) == 0 {
		return ""
	}
	return " Calls and answers alone do not show " + verdict.Some(t.notShown) + ". " + t.toShow() + turn(&t.left, t.notShown)
}

// mend says how much is broken, or accepted as broken, although the integration is
// ready.
func (t *tally) mend() string {
	var said []string
	switch n := len(t.should); n {
	case 0:
	case 1:
		said = append(said, "1 thing to mend")
	default:
		said = append(said, fmt.Sprintf("%d things to mend", n))
	}
	if n := len(t.waived); n > 0 {
		said = append(said, fmt.Sprintf("%d waived", n))
	}
	if len(said) == 0 {
		return ""
	}
	return ", with " + strings.Join(said, " and ")
}

// remarks counts those that hold with a remark, and names those at which a person
// has to look.
func (t *tally) remarks() string {
	said := ""
	if t.warned > 0 {
		said = fmt.Sprintf(", %d with a warning", t.warned)
	}
	if len(t.attested) > 0 {
		said += fmt.Sprintf(", %d attested (%s)", len(t.attested), verdict.Some(t.attested))
	}
	if len(t.waived) > 0 {
		said += fmt.Sprintf(", %d waived (%s)", len(t.waived), verdict.Some(t.waived))
	}
	if len(t.review) > 0 {
		said += fmt.Sprintf(", a person has to look at %d (%s)", len(t.review), verdict.Some(t.review))
	}
	return said
}

// advised adds to a sentence what was advised and is broken, and whether it is what
// fails the gate.
func (t *tally) advised(said string) string {
	if len(t.conditional) > 0 && len(t.must)+len(t.unseen)+len(t.notShown)+len(t.elsewhere) > 0 {
		said += " Broken on condition, until " + t.until + ": " + verdict.Some(t.conditional) + "."
	}
	switch {
	case len(t.should) == 0:
		return said
	case len(t.must)+len(t.unseen)+len(t.notShown) == 0 && !t.mustOnly:
		return said + " " + t.advice() + ", which blocks nothing and fails this run (exit code 1); --fail-on must lets that pass" + t.unjudged("; ") + "."
	default:
		return said + " " + t.advice() + ", which does not block production access."
	}
}

// advice says which clauses of level SHOULD are broken.
func (t *tally) advice() string {
	return words.Plural(len(t.should), "recommendation", "recommendations") + is(len(t.should)) + " not followed: " + verdict.Some(t.should)
}

// uncalled is the sentence for an application that was never heard of.
const uncalled = "Nothing can be said: the application has called nothing."

// rules is a number of clauses.
func rules(n int) string { return words.Plural(n, "rule", "rules") }
