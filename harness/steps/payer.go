package steps

import "net/http"

func payerActions() []action {
	return []action{
		{
			phrase: "registers a payer", method: http.MethodPost, path: "/User/Register", body: "user-register",
			keep: []pair{{"registrationId", "payer"}, {"registrationUrl", "registration page"}},
		},
		{phrase: "asks for the payer's status", method: http.MethodGet, path: "/User/{payer}/Status"},
		{phrase: "asks for the status of an unknown payer", method: http.MethodGet, path: "/User/{unknown}/Status"},
		{
			phrase: "asks for a debit authorisation", method: http.MethodPost, path: "/User/{payer}/DebitAuth", body: "debit-auth",
			fill: []pair{{"companyId", "company"}},
		},
		{
			phrase: "asks an unknown payer for a debit authorisation", method: http.MethodPost, path: "/User/{unknown}/DebitAuth", body: "debit-auth",
			fill: []pair{{"companyId", "company"}},
		},
		{phrase: "reads the debit authorisation", method: http.MethodGet, path: "/User/{payer}/DebitAuth", fill: []pair{{"CompanyId", "company"}}},
		{phrase: "reads the debit authorisation of an unknown payer", method: http.MethodGet, path: "/User/{unknown}/DebitAuth", fill: []pair{{"CompanyId", "company"}}},
	}
}
