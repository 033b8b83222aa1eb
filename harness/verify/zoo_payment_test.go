package verify_test

import (
	"net/http"
	"strings"
)

// paymentMutants break what is owed about payments and their states.
func paymentMutants() []mutant {
	const (
		create = "POST /Payment/Create"
		status = "GET /Payment/*/Status"
		cancel = "PUT /Payment/*/Cancel"
		moves  = "POST " + control + "/payments/*/"
	)
	misread := func(old, to string) kind { return tells(status, "status", swaps(old, to)) }
	return []mutant{
		{"payment.create", "the payer is not told", tells(create, "registrationPersonId", "00000000-0000-4000-8000-000000000000")},
		{"payment.create", "the mask is never there", tells(create, "accountMask", nil)},
		{"payment.create", "a payment is never found again", answers(status, func(x *exchange) { x.refuse(http.StatusNotFound, "paymentRequestId", "payment.status.unknown") })},
		{"payment.create.message", "no e-mail", unsent("payment-request", "email")},
		{"payment.create.message", "no text message", unsent("payment-request", "sms")},
		{"payment.create.company-reference", "the reference names nobody", refuses(create, "payment.create.company", "companyReferenceId", func(x *exchange) bool { return x.text("companyReferenceId") != "" })},
		{"payment.create.debit-auth", "the wish is not passed on", putting(create, "enableAutoPay", false)},
		{"payment.create.debit-auth", "the other wish is not passed on", putting(create, "enableDebitAuth", false)},
		{"payment.create.link", "no link is good", becomes("GET /pages/*/pay/*", 200, 410)},
		{"payment.create.metadata-shown", "metadata is lost", tells("GET /Transaction/PaymentRequest/*", "metadata", nil)},
		{"payment.create.metadata", "metadata is required", demands(create, "payment.create.metadata", "metadata")},
		{"payment.create.free-members", "a reference is required", demands(create, "payment.create.free-members", "reference")},
		{"payment.create.free-members", "an e-mail address is advised", answers(create, func(x *exchange) {
			if x.ok() && x.member("emailAddress") == nil {
				x.header.Set("Sandbox-Warning", "payment.create.free-members /emailAddress")
			}
		})},
		{"payment.attachment.stored", "attachments are lost", tells("GET /Transaction/PaymentRequest/*", "attachments", []any{})},
		{"payment.attachment.stored", "an attachment is of no type", tells("GET /Transaction/PaymentRequest/*", "attachments.*.contentType", "application/octet-stream")},
		{"payment.idempotency", "a key is not looked at", asks(create+", POST /CardPayment", func(x *exchange) { x.req.Header.Del("Idempotency-Key") })},
		{"payment.idempotency", "a key is kept for ever", forever(create)},
		{"payment.idempotency", "a replay is not marked", answers(create, func(x *exchange) { x.header.Del("Idempotent-Replayed") })},
		{"payment.idempotency.reuse", "a key says nothing about the body", allowed(create)},
		{"payment.idempotency.ignored", "a key is ignored in silence", answers(create, func(x *exchange) { x.header.Del("Sandbox-Warning") })},
		{"payment.status", "the amount is in dollars", tells(status, "amount.value", func(v any) any { return number(v) / 100 })},
		{"payment.status", "a due date is a day", tells(status, "dueDate", func(v any) any {
			if text, ok := v.(string); ok {
				return strings.TrimSuffix(text, "T00:00:00Z")
			}
			return v
		})},
		{"payment.status.unknown", "an unknown payment is Pending", allowed(status)},
		{"payment.status.unknown", "a foreign payment is cancelled", allowed(cancel)},
		{"payment.status.unknown", "a foreign payment is refunded", allowed("POST /Payment/Refund/*")},
		{"payment.status.machine", "a review changes nothing", ignored(moves + "review")},
		{"payment.status.machine", "what is Queued is told as Pending", misread("Queued", "Pending")},
		{"payment.status.refused-moves", "what is Paid can be denied", becomes(moves+"deny", 409, 200)},
		{"payment.status.refused-moves", "everything can be paid", becomes(moves+"pay", 409, 200)},
		{"payment.status.paid", "Paid at once", misread("Processing", "Paid")},
		{"payment.status.paid", "Paid never", misread("Paid", "Processing")},
		{"payment.status.scheduled", "what is due later is collected at once", misread("Scheduled", "Processing")},
		{"payment.status.scheduled", "the batch never comes", misread("Processing", "Scheduled")},
		{"payment.status.account", "an account without money pays", misread("Failed", "Processing")},
		{"payment.status.account", "every bank is quick", misread("Queued", "Processing")},
		{"payment.status.canceled-stays", "a cancelled payment is collected", misread("Canceled", "Paid")},
		{"payment.cancel", "the answer is yes, and nothing is done", ignored(cancel)},
		{"payment.cancel", "what is Queued cannot be cancelled", refusesAfter(moves+"queue", cancel)},
		{"payment.cancel.refused", "what is Paid is cancelled", allowed(cancel)},
		{"payment.cancel.verb", "POST is no way to cancel", becomes("POST /Payment/*/Cancel", 200, 405)},
		{"payment.deny", "a no is not heard", ignored(moves + "deny")},
		{"payment.fail.return-code", "R10 is no reason", ignoredWhen(moves+"fail", func(x *exchange) bool { return x.text("returnCode") == "R10" })},
		{"payment.return-url", "the status is told in clear", tells("POST "+control+"/cards/*/authorise", "returnUrl", "https://partner.example.com/card?status=Authorised")},
		{"payment.return-url", "another status is told", tells("POST "+control+"/cards/*/authorise", "returnUrl", func(v any) any { return strings.Replace(v.(string), "data=", "data=A", 1) })},
	}
}

// putting puts a member of a call that has it to another value.
func putting(patterns, member string, v any) kind {
	return asks(patterns, func(x *exchange) {
		if x.member(member) != nil {
			x.send(member, v)
		}
	})
}

// forever answers a key again however old it is.
func forever(patterns string) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		given := map[string]string{}
		return patterns, nil, func(x *exchange) {
			key := x.req.Header.Get("Sandbox-Integration") + x.req.Header.Get("Idempotency-Key")
			if then, ok := given[key]; ok {
				x.body = []byte(then)
			} else if x.req.Header.Get("Idempotency-Key") != "" && x.ok() {
				given[key] = string(x.body)
			}
		}
	})
}

// refusesAfter refuses calls about what has gone through a move.
func refusesAfter(move, patterns string) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		through := map[string]bool{}
		return move + ", " + patterns, nil, func(x *exchange) {
			parts := strings.Split(x.req.URL.Path, "/")
			id := parts[len(parts)-2]
			switch {
			case strings.HasPrefix(x.req.URL.Path, "/_sandbox"):
				through[id] = true
			case x.ok() && through[id]:
				x.refuse(http.StatusBadRequest, "$", "payment.cancel.refused")
			}
		}
	})
}
