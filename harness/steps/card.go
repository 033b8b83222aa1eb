package steps

import "net/http"

func cardActions() []action {
	return []action{
		{
			phrase: "asks for a card authorisation", method: http.MethodPost, path: "/Payment/Card/Auth", body: "card-auth",
			fill: []pair{{"locationId", "location"}, {"registrationId", "payer"}},
			keep: []pair{{"paymentRequestId", "card authorisation"}, {"paymentRequestId", "payment"}},
		},
		{
			phrase: "charges the saved card", method: http.MethodPost, path: "/Payment/ChargeSavedCard", body: "charge-saved-card",
			fill: []pair{{"locationId", "location"}, {"registrationId", "payer"}, {"paymentMethodId", "card"}},
			keep: []pair{{"paymentRequestId", "payment"}},
		},
		{phrase: "lists the saved cards", method: http.MethodGet, path: "/Payment/CardPaymentMethods/{payer}"},
		{phrase: "lists the saved cards of an unknown payer", method: http.MethodGet, path: "/Payment/CardPaymentMethods/{unknown}"},
	}
}
