package steps

import "net/http"

func paymentActions() []action {
	return []action{
		{
			phrase: "requests a payment", method: http.MethodPost, path: "/Payment/Create", body: "payment-create",
			fill: []pair{{"locationId", "location"}, {"registrationId", "payer"}},
			keep: []pair{{"paymentRequestId", "payment"}, {"?registrationPersonId", "paying person"}, {"?url", "payment page"}},
		},
		{phrase: "asks for the payment's status", method: http.MethodGet, path: "/Payment/{payment}/Status"},
		{phrase: "asks for the status of an unknown payment", method: http.MethodGet, path: "/Payment/{unknown}/Status"},
		{phrase: "cancels the payment", method: http.MethodPut, path: "/Payment/{payment}/Cancel"},
		{phrase: "cancels the payment by POST", method: http.MethodPost, path: "/Payment/{payment}/Cancel"},
		{phrase: "cancels an unknown payment", method: http.MethodPut, path: "/Payment/{unknown}/Cancel"},
		{phrase: "refunds the payment", method: http.MethodPost, path: "/Payment/Refund/{payment}", body: "refund"},
		{phrase: "refunds the payment named in the query", method: http.MethodPost, path: "/Payment/Refund?paymentRequestId={payment}", body: "refund"},
		{phrase: "refunds an unknown payment", method: http.MethodPost, path: "/Payment/Refund/{unknown}", body: "refund"},
	}
}
