package trail

import (
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// KeyLife is how long an answer is remembered. Latitude, idempotency.
const KeyLife = 24 * time.Hour

// KeysIgnored is the choice by which keys are ignored, as they are unless the ledger
// has them honoured; "" where they are.
func (t *Trail) KeysIgnored() string {
	switch choice := t.Meta.Latitude["idempotency"]; choice {
	case "honoured":
		return ""
	case "":
		return "idempotency=ignored"
	default:
		return "idempotency=" + choice
	}
}

// Charges says whether an operation charges for a company, or agrees to.
func Charges(operation string) bool {
	switch operation {
	case "createPayment", "authoriseCard", "chargeSavedCard", "createPlan", "createRecurring":
		return true
	default:
		return false
	}
}

// PayerOf is the registration that a call charges, "" for none, and its body.
func PayerOf(x *tape.Exchange) (string, Body) {
	member := "registrationId"
	switch x.Operation {
	case "createRecurring":
		member = "registrationUserId"
	case "createPayment", "chargeSavedCard", "createPlan":
	default:
		return "", nil
	}
	b := ReadBody(x.Request.Body)
	return strings.ToLower(b.Text(member)), b
}

// MoneyCalls are the operations that move money and honour a key.
var MoneyCalls = map[string]bool{
	"createPayment": true, "authoriseCard": true, "chargeSavedCard": true, "refundPayment": true, "refundPaymentByQuery": true,
}

// Playing says whether by an entry somebody plays a person, as test suites do
// between what they try: it is neither the harness's trouble nor the time.
func Playing(e *tape.Entry) bool {
	if e.Kind != tape.KindControl || e.Exchange == nil || !Served(e.Exchange) {
		return false
	}
	switch e.Exchange.Operation {
	case "movePayment", "moveCard", "enterCard", "answerChallenge", "saveCard", "completeRegistration", "decideKYB", "linkCompanyBank":
		return true
	default:
		return false
	}
}

// StateReads are the operations that read a state, and the machine of those whose
// path does not name the id that events name.
var StateReads = map[string]string{
	"getCompanyStatus": "company", "getDefaultCompanyStatus": "company", "getUserStatus": "", "getPaymentStatus": "", "getTransaction": "",
	"reportTransactions": AnyMachine,
}

// AnyMachine stands for all of them: a report tells of everything.
const AnyMachine = "*"

// MovesMoney says whether an operation moves money, or stops it.
func MovesMoney(operation string) bool {
	switch operation {
	case "createPayment", "chargeSavedCard", "authoriseCard", "refundPayment", "refundPaymentByQuery",
		"cancelPayment", "cancelPaymentByPost", "createPlan", "createRecurring":
		return true
	default:
		return false
	}
}
