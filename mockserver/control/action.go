package control

import (
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/world"
)

// action is the control call that takes steps of a machine for whoever would.
type action struct {
	// machine is whose steps these are, and call the path behind the integration's.
	machine, call string
	// events are those that it takes; none means every event of the machine.
	events []string
	// body is what the call wants to be told, as an example; empty for nothing.
	body string
}

// actions are in the order of the machines. What is not here is taken by time or
// by the partner.
var actions = []action{
	{machine: "company", call: "companies/{id}/kyb", events: []string{"verify"}, body: `{"outcome":"verified"}`},
	{machine: "company", call: "companies/{id}/kyb", events: []string{"reject"}, body: `{"outcome":"rejected"}`},
	{machine: "registration", call: "registrations/{id}/complete", events: []string{"complete"}, body: `{}`},
	{machine: "registration", call: "registrations/{id}/complete", events: []string{"kyc-fail"}, body: `{"outcome":"kyc-failed"}`},
	{machine: "registration", call: "registrations/{id}/relink", events: []string{"relink"}, body: `{"persona":"good"}`},
	{machine: "payment", call: "payments/{id}/{event}"},
	{machine: "saved-card-charge", call: "payments/{id}/{event}", events: []string{"pay", "deny", "fail"}},
	{machine: "card-authorisation", call: "cards/{id}/authorise", events: []string{"authorise"}, body: `{"number":"approved"}`},
	{machine: "card-authorisation", call: "cards/{id}/authorise", events: []string{"decline"}, body: `{"number":"declined"}`},
	{machine: "card-authorisation", call: "cards/{id}/authorise", events: []string{"challenge"}, body: `{"number":"challenge-passes"}`},
	{machine: "card-authorisation", call: "cards/{id}/authorise", events: []string{"processor-error"}, body: `{"number":"processor-error"}`},
	{machine: "card-authorisation", call: "cards/{id}/challenge", events: []string{"pass-challenge"}, body: `{"pass":true}`},
	{machine: "card-authorisation", call: "cards/{id}/challenge", events: []string{"fail-challenge"}, body: `{"pass":false}`},
	{machine: "card-authorisation", call: "cards/{id}/{event}", events: []string{"cancel"}},
	{machine: "refund", call: "refunds/{id}/{event}"},
	{machine: "debit-authorisation", call: "debit-authorisations/{id}/{event}"},
	{machine: "plan", call: "plans/{id}/{event}"},
	{machine: "consent", call: "consents/{id}/{event}"},
	{machine: "card-payment", call: "card-payments/{id}/{event}"},
	{machine: "webhook endpoint", call: "webhooks/{id}/enable", events: []string{"enable"}},
}

// actionFor finds the call that takes a step of a machine.
func actionFor(machine, event string) (action, bool) {
	for _, a := range actions {
		if a.machine == machine && (a.events == nil || slices.Contains(a.events, event)) {
			return a, true
		}
	}
	return action{}, false
}

// eventsOf lists the events that the call of a path takes, in the order of the
// machines. What makes an entity is no step of one that is there.
func eventsOf(path string) []string {
	call := strings.TrimPrefix(path, Prefix+"/integrations/{i}/")
	var events []string
	for _, a := range actions {
		if a.call != call {
			continue
		}
		for _, m := range world.Machines() {
			if m.Name != a.machine {
				continue
			}
			for _, mv := range m.Moves {
				if a, _ := actionFor(m.Name, mv.Event); a.call == call && mv.From != 0 && !slices.Contains(events, mv.Event) {
					events = append(events, mv.Event)
				}
			}
		}
	}
	return events
}

// path is where the call is, for an integration and an entity.
func (a action) path(integration, id, event string) string {
	return Prefix + "/integrations/" + integration + "/" +
		strings.NewReplacer("{id}", id, "{event}", url.PathEscape(event)).Replace(a.call)
}
