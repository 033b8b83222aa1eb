package readiness

import (
	"cmp"
	"strings"

	"paysandbox/harness/report/words"
)

// mostChoices is how many choices a line names.
const mostChoices = 4

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
	return said + words.After("; valid until ", r.ValidUntil)
}
