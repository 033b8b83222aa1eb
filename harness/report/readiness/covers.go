package readiness

import (
	"cmp"
	"fmt"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// mostChoices is how many choices a line names.
const mostChoices = 4

// before says how many runs there were since the last one that was ready.
func before(r *report.Readiness) string {
	n := len(r.Before) + r.BeforeMore
	switch {
	case r.LastReady != "" && n == 0:
		return "; ready in the run before, at " + words.FirstLine(r.LastReady)
	case r.LastReady != "":
		return fmt.Sprintf("; %s since it was ready at %s", words.Plural(n, "run", "runs"), words.FirstLine(r.LastReady))
	case n > 0:
		return fmt.Sprintf("; %s before, none of them ready", words.Plural(n, "run", "runs"))
	default:
		return ""
	}
}

// Covers says in one line what the verdict is about: the build, the application, the
// environment, the release that judged, the choices, and until when it holds; nothing
// about a service.
func (v View) Covers() string {
	r := v.Readiness
	if r == nil {
		return ""
	}
	said := "About " + cmp.Or(words.FirstLine(r.Subject), "an unnamed build")
	switch {
	case v.Observed != "":
		said += ": " + words.FirstLine(v.Observed)
	case r.Environment != "":
		said += " in the " + words.FirstLine(r.Environment) + " environment"
	}
	said += ", judged by " + words.FirstLine(strings.TrimSpace(v.Tool+" "+v.Version))
	switch n := len(r.Choices); {
	case n == 0:
		said += " with the default choices"
	case n <= mostChoices:
		said += " with " + words.FirstLine(strings.Join(r.Choices, ", "))
	default:
		said += " with " + words.FirstLine(strings.Join(r.Choices[:mostChoices], ", ")) + " and " + words.Plural(n-mostChoices, "more choice", "more choices")
	}
	return said + words.After("; valid until ", r.ValidUntil) + before(r)
}
