package api

import (
	"net/http"

	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func planRoutes() []*route {
	const tag, clause = "Recurring plans", "latitude, recurring plans and consents"
	plan := func(id, method, path, summary string, e endpoint, sample, answer any) *route {
		return row(id, method, path, e, sample, answer).about(tag, summary, clause).on(openapi.Provisional)
	}
	consent := func(id, method, path, summary string, e endpoint, answer any) *route {
		return row(id, method, path, e, nil, answer).about("Consents", summary, clause).on(openapi.Provisional)
	}
	return []*route{
		plan("createPlan", http.MethodPost, "/PaymentPlan/Create", "Create a recurring payment plan", takes(createPlan), world.NewPlan{}, world.PlanCreated{}).
			fails(http.StatusNotFound),
		plan("listPlans", http.MethodGet, "/PaymentPlan/List", "List recurring payment plans", gives(listPlans), nil, world.PlanList{}).
			with(queryParam("companyId", "uuid", "Only plans of this company.")).fails(http.StatusNotFound),
		plan("getPlan", http.MethodGet, "/PaymentPlan/{planId}", "Get a plan with its payers", gives(readPlan), nil, world.Plan{}).with(planID),
		plan("activatePlan", http.MethodPut, "/PaymentPlan/{planId}/Activate", "Activate a plan that a payer has accepted", gives(activatePlan), nil, empty{}).
			with(planID).fails(http.StatusBadRequest),
		plan("pausePlan", http.MethodPut, "/PaymentPlan/{planId}/Pause", "Pause a plan", gives(pausePlan), nil, empty{}).
			with(planID).fails(http.StatusBadRequest),
		plan("cancelPlan", http.MethodPut, "/PaymentPlan/{planId}/Cancel", "Cancel a plan", gives(cancelPlan), nil, empty{}).
			with(planID).fails(http.StatusBadRequest),
		plan("addPlanPayer", http.MethodPost, "/PaymentPlan/{planId}/Payers", "Add a payer to a plan and ask for consent",
			takes(addPlanPayer), world.NewPlanPayer{}, world.PlanPayerAdded{}).with(planID),
		plan("removePlanPayer", http.MethodDelete, "/PaymentPlan/{planId}/Payers/{registrationId}", "Remove a payer from a plan",
			gives(removePlanPayer), nil, empty{}).with(planID, registrationID),
		consent("listConsents", http.MethodGet, "/Consent/List", "List Pending and Accepted consents", gives(listConsents), world.ConsentList{}).
			with(queryParam("planId", "uuid", "Only consents of this plan."), queryParam("registrationId", "uuid", "Only consents of this payer.")).
			fails(http.StatusNotFound),
		consent("getConsent", http.MethodGet, "/Consent/{consentId}", "Get a consent, the plan's terms and the recipient company",
			gives(readConsent), world.Consent{}).with(consentID),
		consent("declineConsent", http.MethodPut, "/Consent/{consentId}/Decline", "Decline a pending consent, or revoke an accepted one",
			gives(declineConsent), empty{}).with(consentID).fails(http.StatusBadRequest),
		row("createRecurring", http.MethodPost, "/Payment/Recurring", takes(createRecurring), world.NewRecurring{}, world.PlanCreated{}).
			about(tag, "Create a plan for one payer in one call", clause).on(openapi.Docs).once().fails(http.StatusNotFound),
	}
}

func createPlan(w *world.World, in *input, req *world.NewPlan) (world.PlanCreated, error) {
	return w.CreatePlan(req, in.noted()...)
}

func listPlans(w *world.World, in *input) (world.PlanList, error) {
	return w.ListPlans(in.arg("companyId"))
}

func readPlan(w *world.World, in *input) (world.Plan, error) { return w.ReadPlan(in.param("planId")) }

func activatePlan(w *world.World, in *input) (empty, error) {
	return done(w.ActivatePlan(in.param("planId")))
}

func pausePlan(w *world.World, in *input) (empty, error) {
	return done(w.PausePlan(in.param("planId")))
}

func cancelPlan(w *world.World, in *input) (empty, error) {
	return done(w.CancelPlan(in.param("planId")))
}

func addPlanPayer(w *world.World, in *input, req *world.NewPlanPayer) (world.PlanPayerAdded, error) {
	return w.AddPlanPayer(in.param("planId"), req, in.noted()...)
}

func removePlanPayer(w *world.World, in *input) (empty, error) {
	return done(w.RemovePlanPayer(in.param("planId"), in.param("registrationId")))
}

func listConsents(w *world.World, in *input) (world.ConsentList, error) {
	return w.ListConsents(in.arg("planId"), in.arg("registrationId"))
}

func readConsent(w *world.World, in *input) (world.Consent, error) {
	return w.ReadConsent(in.param("consentId"))
}

func declineConsent(w *world.World, in *input) (empty, error) {
	return done(w.DeclineConsent(in.param("consentId")))
}

func createRecurring(w *world.World, in *input, req *world.NewRecurring) (world.PlanCreated, error) {
	return w.CreateRecurring(req, in.noted()...)
}
