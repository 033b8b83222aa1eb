package verify_test

import "strings"

// moneyMutants break what is owed about cards, refunds, terminals and the report.
func moneyMutants() []mutant {
	const (
		authorise = "POST /Payment/Card/Auth"
		status    = "GET /Payment/*/Status"
		charge    = "POST /Payment/ChargeSavedCard"
		refund    = "POST /Payment/Refund/*"
		terminal  = "POST /CardPayment"
		report    = "GET /Transaction/Report"
		details   = "GET /Transaction/PaymentRequest/*"
		cards     = "POST " + control + "/cards/*/"
		refunds   = "POST " + control + "/refunds/*/"
		terminals = "POST " + control + "/card-payments/*/"
	)
	return []mutant{
		{"payment.card-auth", "the payer's page is a path", tells(authorise, "url", "/card")},
		{"payment.card-auth", "the payer is not told", tells(authorise, "registrationPersonId", "00000000-0000-4000-8000-000000000000")},
		{"payment.card-auth.machine", "a decline changes nothing", ignored(cards + "decline")},
		{"payment.card-auth.machine", "what was authorised can be declined", becomes(cards+"decline", 409, 200)},
		{"payment.card-auth.outcome", "every card is good", asks(cards+"authorise", func(x *exchange) { x.send("number", "approved") })},
		{"payment.card-auth.outcome", "a challenge is always passed", asks(cards+"challenge", func(x *exchange) { x.send("pass", true) })},
		{"payment.card-auth.cancel", "the answer is yes, and nothing is done", ignored("PUT /Payment/*/Cancel")},
		{"payment.saved-card", "a cent more is charged", tells(charge, "chargedAmount", func(v any) any { return number(v) + 1 })},
		{"payment.saved-card", "the charge waits", tells(status, "status", swaps("Paid", "Processing"))},
		{"payment.saved-card", "another status for success", tells(charge, "status", swaps("success", "Succeeded"))},
		{"payment.saved-card.refused", "a declined card is charged", tells(charge, "chargedAmount", 5000)},
		{"payment.saved-card.refused", "a declined card is a success", tells(charge, "status", swaps("declined", "success"))},
		{"payment.saved-card.null-members", "null is no text", refuses(charge, "payment.saved-card.null-members", "shortDescription", func(x *exchange) bool { return x.member("shortDescription") == nil })},
		{"payment.refund", "the answer is an object", answers(refund, func(x *exchange) {
			if x.ok() {
				x.tell("{}")
			}
		})},
		{"payment.refund", "a refund is not made", moves("refund", swaps("Accepted", "Failed"))},
		{"payment.refund", "a full refund is refused", refuses(refund, "payment.refund.amount-left", "amount", func(x *exchange) bool { return number(x.member("amount")) == 5000 })},
		{"payment.refund.path", "the query names nothing", becomes("POST /Payment/Refund", 200, 404)},
		{"payment.refund.description", "a description is required", demands(refund, "payment.refund.description", "description")},
		{"payment.refund.attachment", "an attachment is required", demands(refund, "payment.refund.attachment", "attachment")},
		{"payment.refund.machine", "a failure changes nothing", ignored(refunds + "fail")},
		{"payment.refund.machine", "what is Completed can fail", becomes(refunds+"fail", 409, 200)},
		{"payment.refund.machine", "no refund ends", moves("refund", swaps("Completed", "Accepted"))},
		{"payment.refund.status-stays", "a refund makes the payment Refunded", tells(status, "status", swaps("Paid", "Refunded"))},
		{"payment.refund.notice", "the payer is not told", unsent("refund-notice", "")},
		{"card-payment.register", "the answer is an object", answers(terminal, func(x *exchange) { x.tell("{}") })},
		{"card-payment.register", "nothing is registered", ignored(terminal)},
		{"card-payment.merchant", "no merchant is tied", asks(terminal, func(x *exchange) { x.send("merchantId", "terminal 7") })},
		{"card-payment.merchant", "a company's reference is any text", asks(terminal, func(x *exchange) {
			if strings.HasPrefix(x.text("merchantId"), "loc-") {
				x.send("merchantId", "terminal 7")
			}
		})},
		{"card-payment.patient-reference", "a patient's reference is required", demands(terminal, "card-payment.patient-reference", "patientReferenceNumber")},
		{"card-payment.message", "no e-mail", unsent("card-payment", "email")},
		{"card-payment.message", "no text message", unsent("card-payment", "sms")},
		{"card-payment.machine", "every payment has succeeded", asks(terminal, func(x *exchange) { x.send("transactionStatus", "Succeeded") })},
		{"card-payment.machine", "a refund changes nothing", ignored(terminals + "refund")},
		{"card-payment.machine", "what failed can succeed", becomes(terminals+"succeed", 409, 200)},
		{"transaction.report", "more is always to come", tells(report, "hasMore", true)},
		{"transaction.report", "the newest comes first", tells(report, "transactions", reversed)},
		{"transaction.report", "a charge is paid from a bank account", tells(report, "transactions.*.paymentMethod", "BankAccount")},
		{"transaction.report.states", "everything is Completed", tells(report, "transactions.*.status", "Completed")},
		{"transaction.report.states", "what failed is Processed", tells(report, "transactions.*.status", swaps("Failed", "Processed"))},
		{"transaction.report.refunded", "refunds are not shown", tells(report, "transactions.*.refundedAmount", 0)},
		{"transaction.details", "the recipient is not named", tells(details, "recipientName", nil)},
		{"transaction.details", "no transfer is ever there", tells(details, "transferStatus", nil)},
	}
}
