package steps

import "net/http"

func planActions() []action {
	const plan = "/PaymentPlan/{plan}"
	return []action{
		{
			phrase: "makes a plan", method: http.MethodPost, path: "/PaymentPlan/Create", body: "plan-create",
			fill: []pair{{"companyReferenceId", "company's reference"}}, keep: []pair{{"paymentPlanId", "plan"}},
		},
		{phrase: "lists the plans", method: http.MethodGet, path: "/PaymentPlan/List"},
		{phrase: "reads the plan", method: http.MethodGet, path: plan},
		{phrase: "reads an unknown plan", method: http.MethodGet, path: "/PaymentPlan/{unknown}"},
		{phrase: "activates the plan", method: http.MethodPut, path: plan + "/Activate"},
		{phrase: "pauses the plan", method: http.MethodPut, path: plan + "/Pause"},
		{phrase: "cancels the plan", method: http.MethodPut, path: plan + "/Cancel"},
		{
			phrase: "adds the payer to the plan", method: http.MethodPost, path: plan + "/Payers", body: "plan-payer",
			fill: []pair{{"registrationId", "payer"}}, keep: []pair{{"consentId", "consent"}},
		},
		{phrase: "takes the payer out of the plan", method: http.MethodDelete, path: plan + "/Payers/{payer}"},
		{
			phrase: "sets up a recurring payment", method: http.MethodPost, path: "/Payment/Recurring", body: "recurring",
			fill: []pair{{"companyReferenceId", "company's reference"}, {"registrationUserId", "payer"}}, keep: []pair{{"paymentPlanId", "plan"}},
		},
		{phrase: "lists the consents", method: http.MethodGet, path: "/Consent/List", keep: []pair{{"?consents[0].consentId", "consent"}}},
		{phrase: "reads the consent", method: http.MethodGet, path: "/Consent/{consent}"},
		{phrase: "reads an unknown consent", method: http.MethodGet, path: "/Consent/{unknown}"},
		{phrase: "declines the consent", method: http.MethodPut, path: "/Consent/{consent}/Decline"},
	}
}
