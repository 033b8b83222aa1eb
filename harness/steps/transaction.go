package steps

import "net/http"

func transactionActions() []action {
	return []action{
		{
			phrase: "asks for the transaction report", method: http.MethodGet, path: "/Transaction/Report",
			keep: []pair{{"?nextCursor", "next cursor"}, {"?transactions[0].externalTransferId", "transfer"}},
		},
		{phrase: "asks for the payment's details", method: http.MethodGet, path: "/Transaction/PaymentRequest/{payment}"},
		{phrase: "asks for the details of an unknown payment", method: http.MethodGet, path: "/Transaction/PaymentRequest/{unknown}"},
	}
}
