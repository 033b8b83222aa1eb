package check

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// pays says who is to pay what by a call, and under which reference: a payment is
// the same whether it is requested, or taken from a card.
func pays(c *try) (about, reference string) {
	about, reference = intent(c)
	if !strings.HasPrefix(c.x.Operation, "refund") {
		about = strings.TrimPrefix(about, strings.ToLower(c.x.Operation))
	}
	return about, reference
}

// playing says whether by an entry somebody plays a person, as test suites do
// between what they try: it is neither the harness's trouble nor the time.
func playing(e *tape.Entry) bool {
	if e.Kind != tape.KindControl || e.Exchange == nil || !served(e.Exchange) {
		return false
	}
	switch e.Exchange.Operation {
	case "movePayment", "moveCard", "enterCard", "answerChallenge", "saveCard", "completeRegistration", "decideKYB", "linkCompanyBank":
		return true
	default:
		return false
	}
}
