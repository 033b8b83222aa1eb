package infer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/check/service"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
)

// way is the shortest way of a machine from one state to another: its events. Of
// equally short ones the first in the order of the table counts.
func way(machine, from, to string) ([]string, bool) {
	type at struct {
		state  string
		events []string
	}
	queue, been := []at{{state: from}}, []string{from}
	for len(queue) > 0 {
		here := queue[0]
		queue = queue[1:]
		if here.state == to {
			return here.events, true
		}
		for _, m := range service.Moves(machine) {
			if m[1] == here.state && m[1] != "" && !slices.Contains(been, m[2]) {
				been = append(been, m[2])
				queue = append(queue, at{m[2], append(slices.Clone(here.events), m[0])})
			}
		}
	}
	return nil, false
}

// Reachable says whether a machine can come from one state to another.
func Reachable(machine, from, to string) bool {
	_, ok := way(machine, from, to)
	return ok
}

// move is the call of the control API by which an event of a machine happens.
func move(machine, event string, s *Sight) (play.Move, bool) {
	m := play.Move{Entity: s.ID, Machine: machine, Event: event}
	body := map[string]any{}
	switch machine {
	case "payment", "saved-card-charge":
		m.Path = "/payments/" + s.ID + "/" + event
		if event == "fail" || event == "return" {
			body["returnCode"] = cmp.Or(s.Code, "R01") // where none was told
		}
	case "card-authorisation":
		m.Path = "/cards/" + s.ID + "/" + event
		if event == "authorise" {
			body["number"] = prelude.Card("")
		}
	case "registration":
		m.Path = "/registrations/" + s.ID + "/complete"
		if event == "kyc-fail" {
			body["outcome"] = "kyc-failed"
		} else {
			body["accountNumber"] = prelude.Account(s.Mask)
		}
	case "company":
		m.Path, body["outcome"] = "/companies/"+s.ID+"/kyb", map[string]string{"verify": "verified", "reject": "rejected"}[event]
	case string(debit):
		m.Path = "/debit-authorisations/" + s.ID + "/" + event
	case "consent":
		m.Path = "/consents/" + s.ID + "/" + event
	case "plan":
		m.Path = "/plans/" + s.ID + "/" + event
	default:
		return m, false
	}
	raw, err := json.Marshal(body)
	m.Body = raw
	return m, err == nil
}

// who says in words who moves a machine by an event.
func who(m *play.Move) string {
	words := map[string]string{
		"payment approve": "the payer approved the payment", "payment deny": "the payer denied the payment",
		"payment pay": "the bank collected the payment", "payment fail": "the bank refused the payment",
		"payment return": "the bank took back the payment", "payment process": "the payment %s went to the bank",
		"payment queue": "the payment %s was queued", "payment review": "the payment %s was held for review",
		"payment schedule": "the payment %s was scheduled", "payment cancel": "the payment %s was canceled by somebody else",
		"saved-card-charge pay": "the card was charged for %s", "registration complete": "the payer %s linked a bank account",
		"registration kyc-fail": "the payer %s failed the identity check",
		"company verify":        "the company %s was verified", "company reject": "the company %s was rejected",
		"card-authorisation authorise": "the payer authorised the card", "consent accept": "the payer accepted the consent", "consent decline": "the payer declined, or took back, the consent",
		"debit-authorisation accept": "the payer accepted the debit authorisation",
	}
	if text := words[m.Machine+" "+m.Event]; strings.Contains(text, "%s") {
		return fmt.Sprintf(text, m.Entity)
	} else if text != "" {
		return text + " " + m.Entity
	}
	return fmt.Sprintf("%s of the %s %s", m.Event, m.Machine, m.Entity)
}
