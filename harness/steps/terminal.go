package steps

import "net/http"

func terminalActions() []action {
	return []action{{
		phrase: "registers a terminal payment", method: http.MethodPost, path: "/CardPayment", body: "card-payment",
		fill: []pair{{"merchantId", "new reference"}},
	}}
}
