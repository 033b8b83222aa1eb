package readiness

import (
	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// Attempt finds how often the opportunity was given.
func (v View) Attempt(clause string) report.Attempt {
	for _, a := range v.Readiness.Attempts {
		if a.Clause == clause {
			return a
		}
	}
	return report.Attempt{Clause: clause}
}

// often says how often the opportunity was given; nothing where it never was.
func often(a report.Attempt) string {
	switch {
	case a.Armed == 0 && a.Met == 0:
		return ""
	case a.Armed == 0:
		return "met " + words.Times(a.Met)
	case a.Met == 0:
		return "tried " + words.Times(a.Armed) + ", never met by traffic"
	default:
		return "tried " + words.Times(a.Armed) + ", met " + words.Times(a.Met)
	}
}

// SoFar says how often the opportunity for a missing clause was given, and why that
// was not enough; nothing where nothing is known.
func (v View) SoFar(m report.Missing) string {
	tried := often(v.Attempt(m.Clause))
	if tried == "" {
		return words.FirstLine(m.Why)
	}
	return tried + words.After(": ", words.FirstLine(m.Why))
}

// Tries is how often trouble was armed and met in all.
func (v View) Tries() (armed, met int) {
	for _, a := range v.Readiness.Attempts {
		armed, met = armed+a.Armed, met+a.Met
	}
	return armed, met
}
