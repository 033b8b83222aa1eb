package infer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// declined adds the consents that a whole answer lists no more, and none behind it shows again: the payer said no, or has
// taken back a yes.
func declined(list []Missing, r *recording.Recording, run *play.Run, a *play.Answered) []Missing {
	x := &r.Exchanges[a.N]
	if x.Answer.Known != recording.Whole || !json.Valid(x.Answer.Body) {
		return list
	}
	for _, row := range trail.ReadBody(a.Body).List("consents") {
		id, known := run.Links.Recorded(row.Text("consentId"))
		if !known || lists(x, id) || slices.ContainsFunc(r.Exchanges[a.N+1:], func(later recording.Exchange) bool { return lists(&later, id) }) {
			continue
		}
		known = slices.ContainsFunc(list, func(m Missing) bool { return m.Step.Move.Machine == "consent" && m.Step.Move.Entity == id })
		if m, ok := move("consent", "decline", &Sight{Type: correlate.Consent, ID: id, Status: "Declined", N: a.N}); ok && !known {
			list = append(list, Missing{a.N, step(x, m, fmt.Sprintf("%s, before call %d lists it no more", who(&m), a.N+1))})
		}
	}
	return list
}

// fewer adds the consents of a plan that an answer counts no more: those that none behind it shows as given or asked for.
func fewer(list []Missing, r *recording.Recording, a *play.Answered) []Missing {
	x := &r.Exchanges[a.N]
	was, told := trail.ReadBody(x.Answer.Body).Whole("payers")
	is, counted := trail.ReadBody(a.Body).Whole("payers")
	plan := trail.ReadBody(x.Answer.Body).Text("paymentPlanId")
	if a.Operation != "getPlan" || !told || !counted || plan == "" {
		return list
	}
	for _, id := range askedFor(r.Exchanges[:a.N], plan) {
		if was >= is || slices.ContainsFunc(r.Exchanges[a.N+1:], shows(id)) {
			continue
		}
		is--
		known := slices.ContainsFunc(list, func(m Missing) bool { return m.Step.Move.Machine == "consent" && m.Step.Move.Entity == id })
		if m, ok := move("consent", "decline", &Sight{Type: correlate.Consent, ID: id, Status: "Declined", N: a.N}); ok && !known {
			list = append(list, Missing{a.N, step(x, m, fmt.Sprintf("%s, before call %d counts it no more", who(&m), a.N+1))})
		}
	}
	return list
}

// askedFor are the consents to a plan that answers show, the newest standing of which is no end.
func askedFor(list []recording.Exchange, plan string) []string {
	var ids []string
	for i := range list {
		if !mentions(list[i].Answer.Body, "consentid") {
			continue
		}
		b, path := trail.ReadBody(list[i].Answer.Body), strings.ToLower(list[i].Path)
		for _, row := range append(b.List("consents"), b) {
			id := row.Text("consentId")
			if id == "" || !strings.EqualFold(row.Text("paymentPlanId"), plan) && !strings.Contains(path, strings.ToLower(plan)) {
				continue
			}
			ids = slices.DeleteFunc(ids, func(known string) bool { return strings.EqualFold(known, id) })
			if over := row.Text("status"); over != "Declined" && over != "Revoked" {
				ids = append(ids, id)
			}
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { // what was declined by a call needs no other to
		return slices.ContainsFunc(list, func(x recording.Exchange) bool {
			path := strings.ToLower(x.Path)
			return x.Answer.Status/100 == 2 && strings.Contains(path, strings.ToLower(id)) && (strings.HasSuffix(path, "/decline") || strings.HasSuffix(path, "/revoke"))
		})
	})
}

// shows says of an answer whether it shows a consent as given, or asked for.
func shows(id string) func(recording.Exchange) bool {
	return func(x recording.Exchange) bool { return lists(&x, id) || stands(&x, id) }
}

// stands says whether an answer shows a consent that is given, or may be.
func stands(x *recording.Exchange, id string) bool {
	b := trail.ReadBody(x.Answer.Body)
	return strings.EqualFold(b.Text("consentId"), id) && slices.Contains([]string{"Pending", "Accepted"}, b.Text("status"))
}

// lists says whether an answer lists a consent.
func lists(x *recording.Exchange, id string) bool {
	return slices.ContainsFunc(trail.ReadBody(x.Answer.Body).List("consents"), func(row trail.Body) bool { return strings.EqualFold(row.Text("consentId"), id) })
}

// pendingBehind says whether an answer behind a call still shows a consent that nobody has answered.
func pendingBehind(run *play.Run, n int, id string) bool {
	return slices.ContainsFunc(run.Script.Steps, func(s play.Step) bool {
		if s.Call == nil || s.Call.N <= n {
			return false
		}
		b := trail.ReadBody(s.Call.Exchange.Answer.Body)
		return slices.ContainsFunc(append(b.List("consents"), b), func(row trail.Body) bool {
			return strings.EqualFold(row.Text("consentId"), id) && row.Text("status") == "Pending"
		})
	})
}
