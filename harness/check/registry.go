package check

import (
	"cmp"

	"paysandbox/harness/check/partner/lifecycle"
	"paysandbox/harness/check/partner/privacy"
	"paysandbox/harness/check/partner/request"
	"paysandbox/harness/check/partner/retry"
	"paysandbox/harness/check/partner/token"
	"paysandbox/harness/check/partner/webhook"
	"paysandbox/harness/check/service"
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Service lists the checks that hold for every tape whatever a scenario has asserted:
// what the service has promised, one for each rule of the catalogue, in its order.
func Service(o service.Options) []Check {
	judges := service.Rules(o)
	var list []Check
	for _, r := range clause.Rules() {
		if judge := judges[r.ID]; judge != nil {
			list = append(list, Check{ID: string(r.ID), Title: r.Title, Clauses: r.Clauses, Run: withAdvice(judge, &clause.Clause{ID: r.ID, Hint: r.Hint, Hints: r.Hints})})
		}
	}
	return list
}

// Integration lists the checks of what a partner's integration owes the service,
// one for each clause of that catalogue, in its order. The id of a check is the
// id of its clause.
//
// A check whose matter does not come up on the tape is NotExercised, never Pass.
// Calls that a note announces as wrong on purpose are left out, see
// [trail.NoteDeliberate].
func Integration() []Check {
	judges := map[clause.ID]trail.Judge{}
	for _, family := range []func() map[clause.ID]trail.Judge{
		token.Clauses, request.Clauses, retry.Clauses, webhook.Clauses, lifecycle.Clauses, privacy.Clauses,
	} {
		for id, judge := range family() {
			judges[id] = judge
		}
	}
	var list []Check
	for _, c := range clause.Integration() {
		if judge := judges[c.ID]; judge != nil {
			list = append(list, Check{ID: string(c.ID), Title: c.Title, Clauses: []string{string(c.ID)}, Run: withAdvice(own(judge), &c)})
		}
	}
	return list
}

// own judges a trail without what was wrong on purpose.
func own(judge trail.Judge) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement { return judge(t.Own()) }
}

// withAdvice adds to what is judged what the catalogue says: how to mend what is broken,
// and what has to happen where it was not exercised.
func withAdvice(judge trail.Judge, c *clause.Clause) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		list := judge(t)
		for i := range list {
			advise(&list[i], c)
		}
		return list
	}
}

// advise gives a judgement the hint of its clause or rule. What stands there already is what the
// check has found on the tape itself, or stands in the way of judging at all.
func advise(j *verdict.Judgement, c *clause.Clause) {
	switch {
	case j.Word == verdict.NotExercised:
		j.Hint = cmp.Or(j.Hint, c.Exercise)
	case j.Word == verdict.Fail && j.Hint != "":
		j.Hint += "; " + c.HintFor(j.Way)
	case j.Word == verdict.Fail, j.Word == verdict.Warning, j.Way != "":
		j.Hint = cmp.Or(j.Hint, c.HintFor(j.Way))
	}
	j.Way = ""
}
