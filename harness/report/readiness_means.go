package report

import "strings"

// means are how the advices on missing evidence are followed: a sentence for each
// word of theirs that a newcomer does not know, and the ways that always work.
func (r *Report) means() []string {
	if r.Readiness == nil || len(r.Readiness.Missing) == 0 {
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
		if r.Readiness.speaksOf(m.word) {
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
func (r *Readiness) speaksOf(words string) bool {
	for _, m := range r.Missing {
		if strings.Contains(m.Exercise, words) {
			return true
		}
	}
	return false
}

// maxAdvice is how many bytes of an advice are told; those of the catalogue are
// shorter.
const maxAdvice = 500

// advice is how to bring a missing clause's evidence about, with the journey in
// which it comes up.
func (m *Missing) advice() string {
	const enough = 2
	var others []string
	for _, name := range m.Journeys {
		if len(others) < enough && !strings.Contains(m.Exercise, "the journey "+name) {
			others = append(others, name)
		}
	}
	return m.Exercise + joined("; or live the journey ", strings.Join(others, " or "))
}

// notes are the report's without one that says what its reason says.
func (r *Report) notes() []string {
	var list []string
	for _, n := range r.Notes {
		if bare(n) != bare(r.Reason) {
			list = append(list, n)
		}
	}
	return list
}

// bare is a sentence as it is compared.
func bare(s string) string { return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(s), ".")) }

// by is who judged what, in words: an integration's target is no more than where it
// was seen.
func (r *Report) by() string {
	tool := strings.TrimSpace(r.Tool + " " + r.Version)
	if r.Readiness == nil {
		return tool + joined(" against ", r.Target)
	}
	return tool + joined(" on ", r.Observed) + joined(", evidence from ", r.Target)
}
