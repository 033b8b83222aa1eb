package infer

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Missing is a move that has to come before a call of the recording, since that was
// served there and refused here.
type Missing struct {
	Before int
	Step   play.Step
}

// Repair finds what must have happened for calls to be served that the replay has
// refused, and for cards and accounts to be there that were listed.
func Repair(r *recording.Recording, run *play.Run) []Missing {
	var list []Missing
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N == play.Prelude {
			continue
		}
		x := &r.Exchanges[a.N]
		if !prelude.Served(x) {
			list = append(append(list, final(r, x, a)...), otherwise(run, x, a)...)
			continue
		}
		list = banked(list, run, x, a)
		if a.Operation == "listPaymentMethods" && a.Status == 200 {
			list = append(list, cards(r, x, a)...)
			continue
		}
		if a.Status == 200 && (a.Operation == "listConsents" || a.Operation == "getPlan") {
			list = fewer(declined(list, r, run, a), r, a)
			continue
		}
		if a.Status < 400 {
			continue
		}
		for _, f := range trail.ReadBody(a.Body).List("findings") {
			list = append(list, mend(run, x, a, f.Text("clause"))...)
		}
	}
	return savedOnce(list, run)
}

// savedOnce leaves out what saves a card that was saved before: several calls may show the same one.
func savedOnce(list []Missing, run *play.Run) []Missing {
	saved := map[string]bool{}
	for i := range run.Script.Steps {
		if m := run.Script.Steps[i].Move; m != nil && m.Event == "save-card" {
			saved[card(m)] = true
		}
	}
	return slices.DeleteFunc(list, func(m Missing) bool {
		if m.Step.Move.Event != "save-card" || card(m.Step.Move) == "" {
			return false
		}
		before := saved[card(m.Step.Move)]
		saved[card(m.Step.Move)] = true
		return before
	})
}

// card is the recorded id of the card that a move saves, "" where none is known.
func card(m *play.Move) string {
	for _, v := range m.Stands {
		if v.Type == correlate.Card {
			return v.Text
		}
	}
	return ""
}

// otherwise is what must have happened before a call that both refuse, and the replay for
// a state too, which the recorded answer does not find wrong.
func otherwise(run *play.Run, x *recording.Exchange, a *play.Answered) []Missing {
	var was []string
	for _, f := range trail.ReadBody(x.Answer.Body).List("findings") {
		was = append(was, f.Text("clause"))
	}
	said := trail.ReadBody(x.Answer.Body).Object("errors")
	var list []Missing
	if len(x.Body) == 0 && len(was) == 0 { // it can have been for the state alone
		return nil
	}
	for _, f := range trail.ReadBody(a.Body).List("findings") {
		id, pointer := f.Text("clause"), f.Text("pointer")
		other := len(was) > 0 && !slices.Contains(was, id)
		if len(was) == 0 { // an answer of another service names members alone
			other = len(said) > 0 && !named(said, pointer[strings.LastIndexAny(pointer, "/:")+1:])
		}
		if other {
			list = append(list, mend(run, x, a, id)...)
		}
	}
	return list
}

// named says whether errors have a member of the name, in any case.
func named(said trail.Body, name string) bool {
	for key := range said {
		if strings.EqualFold(key[strings.LastIndexAny(key, "/.:")+1:], name) {
			return true
		}
	}
	return false
}

// final is what must have happened before a call was refused that the replay serves: the
// token was withdrawn, or a payment that could not be canceled was on its way already.
func final(r *recording.Recording, x *recording.Exchange, a *play.Answered) []Missing {
	if x.Answer.Status == 401 && a.Status < 400 && !trail.OperationNamed(a.Operation).Token {
		if expired(correlate.Bearer(x.Header), x.Begin) || outlived(r, a.N) || TakenLater(r, a.N) {
			return nil
		}
		return []Missing{{a.N, step(x, play.Move{Path: "/tokens/revoke"}, fmt.Sprintf("the token was withdrawn, before call %d was refused", a.N+1))}}
	}
	if s := x.Answer.Status; !trail.OperationNamed(a.Operation).Cancels || a.Status >= 400 || s != 400 && s != 409 {
		return nil
	}
	parts := strings.Split(strings.Trim(x.Path, "/"), "/")
	s := &Sight{Type: correlate.Payment, ID: parts[1], Status: "Processing", N: a.N}
	m, ok := move("payment", "approve", s)
	if !ok {
		return nil
	}
	return []Missing{{a.N, step(x, m, fmt.Sprintf("%s, before call %d could not cancel it", who(&m), a.N+1))}}
}

// consents are those that nobody has answered when a plan is to become active.
func consents(run *play.Run, x *recording.Exchange, a *play.Answered) []Missing {
	states, order := map[string]string{}, []string{}
	for i := range run.Entries {
		if t := run.Entries[i].Transition; t != nil && t.Machine == "consent" && run.Entries[i].Seq < a.Seq {
			if states[t.Entity] == "" {
				order = append(order, t.Entity)
			}
			states[t.Entity] = t.To
		}
	}
	var list []Missing
	for _, id := range order {
		if states[id] != "Pending" {
			continue
		}
		if was, ok := run.Links.Recorded(id); ok {
			id = was
		}
		if m, ok := move("consent", "accept", &Sight{ID: id}); ok && !pendingBehind(run, a.N, id) {
			list = append(list, Missing{a.N, step(x, m, fmt.Sprintf("%s, before call %d, which was served", who(&m), a.N+1))})
		}
	}
	return list
}

// cards are those that an answer lists and the replay does not have: the payer has
// saved them.
func cards(r *recording.Recording, x *recording.Exchange, a *play.Answered) []Missing {
	was, is := trail.ReadBody(x.Answer.Body), trail.ReadBody(a.Body)
	listed := was.List("paymentMethods")
	var list []Missing
	for _, one := range listed[min(len(is.List("paymentMethods")), len(listed)):] {
		list = append(list, Missing{a.N, step(x, play.Move{
			Path: "/payment-methods", Body: trail.Quote(map[string]any{"registrationId": was.Text("registrationId"), "card": prelude.CardOf(r, one.Text("id"), one.Text("last4"))}),
			Entity: was.Text("registrationId"), Machine: "registration", Event: "save-card",
			Stands: []correlate.Value{{Type: correlate.Card, Text: one.Text("id"), Where: "/id"}},
		}, fmt.Sprintf("the payer saved a card, before call %d lists it", a.N+1))})
	}
	return list
}

func step(x *recording.Exchange, m play.Move, why string) play.Step {
	return play.Step{At: x.Begin, Move: &m, Why: why}
}

// mend is what has to happen so that a clause does not refuse a call.
func mend(run *play.Run, x *recording.Exchange, a *play.Answered, id string) []Missing {
	sent := trail.ReadBody(x.Body)
	because := fmt.Sprintf("before call %d, which was served", a.N+1)
	to := func(t correlate.Type, entity, status, machine string) []Missing {
		var list []Missing
		s := &Sight{Type: t, ID: entity, Status: status, N: a.N}
		events, _ := way(machine, state(run, entity, machine, a.Seq), status)
		for _, event := range events {
			if m, ok := move(machine, event, s); ok {
				list = append(list, Missing{a.N, step(x, m, who(&m)+", "+because)})
			}
		}
		return list
	}
	switch {
	case strings.HasSuffix(id, ".company-verified"):
		return to(correlate.Company, company(run, sent), "Verified", "company")
	case id == "payment.refund.after-paid":
		return to(correlate.Payment, payment(x), "Paid", "payment")
	case strings.HasPrefix(id, "payment.saved-card.registration"), id == "plan.payer.registration":
		return to(correlate.Registration, sent.Text("registrationId"), "Registered", "registration")
	case strings.HasPrefix(id, "plan.activate"):
		return consents(run, x, a)
	case id == "payment.saved-card.payment-method-known":
		return []Missing{{a.N, step(x, play.Move{
			Path: "/payment-methods", Body: trail.Quote(map[string]any{"registrationId": sent.Text("registrationId"), "card": prelude.Card("")}),
			Entity: sent.Text("registrationId"), Machine: "registration", Event: "save-card",
			Stands: []correlate.Value{{Type: correlate.Card, Text: sent.Text("paymentMethodId"), Where: "/id"}},
		}, "the payer saved a card, "+because)}}
	default:
		return nil
	}
}

// state is where a resource stood before an entry of the replay's tape.
func state(run *play.Run, recorded, machine string, before uint64) string {
	id, _ := run.Links.Find("", recorded)
	found := map[string]string{"company": "Unverified"}[machine]
	for i := range run.Entries {
		if e := &run.Entries[i]; e.Seq < before && e.Transition != nil && strings.EqualFold(e.Transition.Entity, id) {
			found = e.Transition.To
		}
	}
	return found
}

// company is the one that a body names, else the first that was made.
func company(run *play.Run, sent trail.Body) string {
	for _, name := range []string{"companyReferenceId", "companyId"} {
		if v := sent.Text(name); v != "" {
			return v
		}
	}
	for i := range run.Script.Steps {
		if c := run.Script.Steps[i].Call; c != nil && strings.EqualFold(c.Exchange.Path, "/Company/Create") {
			return trail.ReadBody(c.Exchange.Body).Text("companyReferenceId")
		}
	}
	return ""
}

// payment is the one that a refund is about.
func payment(x *recording.Exchange) string {
	for arg := range strings.SplitSeq(x.Query, "&") {
		if name, value, _ := strings.Cut(arg, "="); strings.EqualFold(name, "paymentRequestId") {
			return value
		}
	}
	parts := strings.Split(strings.Trim(x.Path, "/"), "/")
	return parts[len(parts)-1]
}

// Insert puts moves before the calls that need them.
func Insert(s *play.Script, list []Missing) play.Script {
	out := play.Script{World: s.World}
	for _, step := range s.Steps {
		for _, m := range list {
			if step.Call != nil && step.Call.N == m.Before {
				m.Step.At = step.At
				out.Steps = append(out.Steps, m.Step)
			}
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
