package api

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

const planClause = "latitude, recurring plans and consents"

func planRoutes() []*route {
	const tag, id = "Recurring plans", "planId"
	plan := func(id, method, path, summary string, e endpoint, sample, answer any) *route {
		return row(id, method, path, e, sample, answer).About(tag, summary).From(planClause).On(openapi.Provisional)
	}
	return []*route{
		when(plan("createPlan", http.MethodPost, "/PaymentPlan/Create", "Create a recurring payment plan",
			does((*world.World).CreatePlan), world.NewPlan{}, world.PlanCreated{}).
			Again("Not to be repeated unseen: each request makes another plan. Read GET /PaymentPlan/List first."), latitude.UnknownBodyIDsNotFound, http.StatusNotFound),
		plan("listPlans", http.MethodGet, "/PaymentPlan/List", "List recurring payment plans", gives(listPlans), nil, world.PlanList{}).
			With(queryParam("companyId", "uuid", "Only plans of this company.")).Fails(http.StatusNotFound),
		plan("getPlan", http.MethodGet, "/PaymentPlan/{planId}", "Get a plan with its payers",
			reads(id, (*world.World).ReadPlan), nil, world.Plan{}).With(planID),
		plan("activatePlan", http.MethodPut, "/PaymentPlan/{planId}/Activate", "Activate a plan that a payer has accepted",
			moves(id, (*world.World).ActivatePlan), nil, door.Empty{}).With(planID).Fails(http.StatusBadRequest),
		plan("pausePlan", http.MethodPut, "/PaymentPlan/{planId}/Pause", "Pause a plan",
			moves(id, (*world.World).PausePlan), nil, door.Empty{}).With(planID).Fails(http.StatusBadRequest),
		plan("cancelPlan", http.MethodPut, "/PaymentPlan/{planId}/Cancel", "Cancel a plan",
			moves(id, (*world.World).CancelPlan), nil, door.Empty{}).With(planID).Fails(http.StatusBadRequest),
		plan("addPlanPayer", http.MethodPost, "/PaymentPlan/{planId}/Payers", "Add a payer to a plan and ask for consent",
			doesFor(id, (*world.World).AddPlanPayer), world.NewPlanPayer{}, world.PlanPayerAdded{}).With(planID).
			Again("Not to be repeated unseen: read GET /Consent/List first."),
		plan("removePlanPayer", http.MethodDelete, "/PaymentPlan/{planId}/Payers/{registrationId}", "Remove a payer from a plan",
			gives(removePlanPayer), nil, door.Empty{}).With(planID, registrationID),
		once(when(plan("createRecurring", http.MethodPost, "/Payment/Recurring", "Create a plan for one payer in one call",
			does((*world.World).CreateRecurring), world.NewRecurring{}, world.PlanCreated{}).On(openapi.Docs), latitude.UnknownBodyIDsNotFound, http.StatusNotFound)),
	}
}

func listPlans(w *world.World, x *exchange) (world.PlanList, error) {
	return w.ListPlans(x.arg("companyId"))
}

func removePlanPayer(w *world.World, x *exchange) (door.Empty, error) {
	return door.Done(w.RemovePlanPayer(x.Param("planId"), x.Param("registrationId")))
}
