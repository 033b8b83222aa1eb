package verify_test

// planMutants break what is owed about plans and consents.
func planMutants() []mutant {
	const (
		create   = "POST /PaymentPlan/Create"
		read     = "GET /PaymentPlan/*"
		activate = "PUT /PaymentPlan/*/Activate"
		pause    = "PUT /PaymentPlan/*/Pause"
		report   = "GET /Transaction/Report"
		plans    = "POST " + control + "/plans/*/"
		consent  = "GET /Consent/*"
		consents = "GET /Consent/List"
		decline  = "PUT /Consent/*/Decline"
		accepted = "POST " + control + "/consents/*/"
	)
	misread := func(patterns, old, to string) kind { return tells(patterns, "status", swaps(old, to)) }
	return []mutant{
		{"plan.create", "a plan begins Active", misread(read, "Draft", "Active")},
		{"plan.create", "the id is a number", tells(create, "paymentPlanId", "17")},
		{"plan.read", "the terms are not told", lacks(read, "intervalUnit")},
		{"plan.read", "a day is a moment", tells(read, "startDate", "2030-01-31T00:00:00Z")},
		{"plan.unknown", "an unknown plan is read", allowed(read)},
		{"plan.unknown", "a foreign plan is activated", allowed(activate)},
		{"plan.unknown", "a payer is added to a foreign plan", allowed("POST /PaymentPlan/*/Payers")},
		{"plan.list", "the newest comes first", tells("GET /PaymentPlan/List", "plans", reversed)},
		{"plan.list", "the company is not looked at", asks("GET /PaymentPlan/List", func(x *exchange) { x.req.URL.RawQuery = "" })},
		{"plan.payer.add", "the payer is not asked", unsent("consent-request", "")},
		{"plan.payer.add", "the page is a path", tells("POST /PaymentPlan/*/Payers", "url", "/consent")},
		{"plan.payer.remove", "the payer stays", ignored("DELETE /PaymentPlan/*/Payers/*")},
		{"plan.status.machine", "a failure changes nothing", ignored(plans + "fail")},
		{"plan.status.machine", "what is Canceled can be activated", becomes(plans+"activate", 409, 200)},
		{"plan.status.machine", "what is Paused is told as Active", misread(read, "Paused", "Active")},
		{"plan.status.partner", "a pause changes nothing", ignored(pause)},
		{"plan.status.partner", "what is Draft is paused", allowed(pause)},
		{"plan.status.partner", "what is Canceled is activated", allowed(activate)},
		{"plan.occurrence", "nobody is asked", tells(report, "transactions", []any{})},
		{"plan.occurrence", "a pause skips nothing", ignored(pause)},
		{"plan.occurrence", "who has declined is asked", ignored(decline)},
		{"plan.occurrence.month-end", "a short month ends early in the next", tells(read, "nextDueDate", swaps("2027-02-28", "2027-03-03"))},
		{"plan.occurrence.month-end", "a short month shortens all after it", tells(read, "nextDueDate", swaps("2027-03-31", "2027-03-28"))},
		{"plan.failure", "a plan that collects nothing is Completed", misread(read, "Failed", "Completed")},
		{"plan.occurrence.completed", "a plan never ends", misread(read, "Completed", "Active")},
		{"plan.recurring", "the payer is not asked", unsent("consent-request", "")},
		{"plan.recurring", "the plan waits for the partner", misread(read, "Active", "Draft")},
		{"consent.machine", "an acceptance changes nothing", ignored(accepted + "accept")},
		{"consent.machine", "what was Revoked can be accepted", becomes(accepted+"accept", 409, 200)},
		{"consent.machine", "what was Declined can be declined again", becomes(accepted+"decline", 409, 200)},
		{"consent.decline.pending", "a Pending consent is Revoked", misread(consent, "Declined", "Revoked")},
		{"consent.decline.pending", "the answer is yes, and nothing is done", ignored(decline)},
		{"consent.decline.accepted", "an Accepted consent is Declined", misread(consent, "Revoked", "Declined")},
		{"consent.decline.refused", "what is over is declined again", allowed(decline)},
		{"consent.list", "every consent is listed", listed()},
		{"consent.list", "no status in the list", lacks(consents, "consents.*.status")},
		{"consent.list", "the plan is not looked at", asks(consents, func(x *exchange) { x.req.URL.RawQuery = "" })},
		{"consent.list", "an Accepted consent is listed as Pending", tells(consents, "consents.*.status", swaps("Accepted", "Pending"))},
		{"consent.read", "the recipient's address is not told", lacks(consent, "recipientCompany.address")},
		{"consent.read", "the recipient is a name", tells(consent, "recipientCompany", "Hillside Fitness")},
		{"consent.unknown", "an unknown consent is read", allowed(consent)},
		{"consent.unknown", "a foreign consent is declined", allowed(decline)},
	}
}

// listed lists consents that are over, too.
func listed() kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		made := map[string][]any{}
		return "POST /PaymentPlan/*/Payers, GET /Consent/List", nil, func(x *exchange) {
			key := x.req.Header.Get("Sandbox-Integration")
			list, isList := x.got("consents").([]any)
			switch {
			case x.got("consentId") != nil:
				made[key] = append(made[key], map[string]any{"consentId": x.got("consentId"), "status": "Declined"})
			case isList && len(list) == 0 && x.ok():
				x.change("consents", append([]any{}, made[key]...))
			}
		}
	})
}
