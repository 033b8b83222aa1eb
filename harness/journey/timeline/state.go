package timeline

import (
	"fmt"
	"strings"

	"paysandbox/harness/report/words"
	"paysandbox/mockserver/tape"
)

// transition tells a change of state.
func (n *names) transition(t *tape.Transition) string {
	born := t.From == ""
	switch t.Machine {
	case "company":
		return n.who(t.Entity) + " is " + t.To
	case "payment", "saved-card-charge":
		if born {
			return ""
		}
		return n.who(t.Entity) + " is " + t.To + because(t)
	case "registration":
		if born {
			return ""
		}
		return n.who(t.Entity) + " is " + t.To
	case "plan":
		return "the plan " + n.who(t.Entity) + " is " + t.To
	case "consent":
		return "the consent of " + n.who(t.Entity) + " is " + t.To
	case "refund":
		asked := n.refunds[n.created[t.Entity]]
		return fmt.Sprintf("the refund of %s%s is %s", Amount(asked.amount), words.After(" of ", asked.payment), t.To)
	case "card-authorisation":
		if born {
			return ""
		}
		return "the card for " + n.who(t.Entity) + " is " + t.To
	case "webhook endpoint":
		if born {
			return ""
		}
		return "the webhook endpoint is " + t.To
	case "debit-authorisation":
		return "the debit authorisation of " + n.who(t.Entity) + " is " + t.To
	case "card-payment":
		return "the card payment is registered: " + t.To
	default:
		return "the " + strings.ReplaceAll(t.Machine, "-", " ") + " is " + t.To
	}
}

// because gives the bank's reason for what did not go well.
func because(t *tape.Transition) string {
	if t.To == "Failed" && t.Reason != "" {
		return ": " + t.Reason
	}
	return ""
}
