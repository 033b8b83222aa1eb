package readiness

import (
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// Means are how the advices on missing evidence are followed: a sentence for each
// word of theirs that a newcomer does not know, and the ways that always work.
func (v View) Means() []string {
	if v.Readiness == nil || len(v.Readiness.Missing) == 0 {
		return nil
	}
	var told []string
	for _, m := range []struct{ word, means string }{
		{
			"the fault ", "A fault is trouble with a call. paysandbox observe makes it by itself while calls that it fits keep coming, unless --no-faults is given: " +
				"let the application work for longer. By hand: POST …/faults.",
		},
		{
			"the delivery profile ", "A delivery profile is trouble with an event. paysandbox observe sends it by itself while events keep coming; for events the application " +
				"has to give its address, with --webhook-url or POST …/webhooks. By hand: POST …/webhooks/{id}/profile.",
		},
		{
			"the persona ", "A persona is a bank account for tests: the payer gives its number on the bank's page, or the test names it in POST …/registrations/{id}/complete.",
		},
		{"the clock", "The clock is moved by POST …/clock/advance, for example by {\"by\":\"2h\"}."},
	} {
		if v.speaksOf(m.word) {
			told = append(told, m.means)
		}
	}
	if len(told) > 0 {
		told = append(told, "Here … stands for $PAYSANDBOX_CONTROL_URL/integrations/$PAYSANDBOX_INTEGRATION, which the application finds in its environment.")
	}
	return append(told, "A journey is lived with paysandbox observe NAME, and all of them with paysandbox observe --all: it tells the application what to do, "+
		"step by step, and plays everybody else. paysandbox journey list names them with their clauses.")
}

// speaksOf tells whether one of the advices has these words.
func (v View) speaksOf(words string) bool {
	for _, m := range v.Readiness.Missing {
		if strings.Contains(m.Exercise, words) {
			return true
		}
	}
	return false
}

// MaxAdvice is how many bytes of an advice are told; those of the catalogue are
// shorter.
const MaxAdvice = 500

// Advice is how to bring a missing clause's evidence about, with the journey in
// which it comes up.
func Advice(m report.Missing) string {
	const enough = 2
	var others []string
	for _, name := range m.Journeys {
		if len(others) < enough && !strings.Contains(m.Exercise, "the journey "+name) {
			others = append(others, name)
		}
	}
	return m.Exercise + words.After("; or live the journey ", strings.Join(others, " or "))
}

// Remarks are the report's without one that says what its reason says.
func (v View) Remarks() []string {
	var list []string
	for _, n := range v.Notes {
		if bare(n) != bare(v.Reason) {
			list = append(list, n)
		}
	}
	return list
}

// bare is a sentence as it is compared.
func bare(s string) string { return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(s), ".")) }

// By is who judged what, in words: an integration's target is no more than where it
// was seen.
func (v View) By() string {
	tool := strings.TrimSpace(v.Tool + " " + v.Version)
	if v.Readiness == nil {
		return tool + words.After(" against ", v.Target)
	}
	return tool + words.After(" on ", v.Observed) + words.After(", evidence from ", v.Target)
}
