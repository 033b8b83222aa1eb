package api

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func consentRoutes() []*route {
	const id = "consentId"
	consent := func(id, method, path, summary string, e endpoint, answer any) *route {
		return row(id, method, path, e, nil, answer).About("Consents", summary).From(planClause).On(openapi.Provisional)
	}
	return []*route{
		consent("listConsents", http.MethodGet, "/Consent/List", "List Pending and Accepted consents", gives(listConsents), world.ConsentList{}).
			With(queryParam("planId", "uuid", "Only consents of this plan."), queryParam("registrationId", "uuid", "Only consents of this payer.")).
			Fails(http.StatusNotFound),
		consent("getConsent", http.MethodGet, "/Consent/{consentId}", "Get a consent, the plan's terms and the recipient company",
			reads(id, (*world.World).ReadConsent), world.Consent{}).With(consentID),
		consent("declineConsent", http.MethodPut, "/Consent/{consentId}/Decline", "Decline a pending consent, or revoke an accepted one",
			moves(id, (*world.World).DeclineConsent), door.Empty{}).With(consentID).Fails(http.StatusBadRequest),
	}
}

func listConsents(w *world.World, x *exchange) (world.ConsentList, error) {
	return w.ListConsents(x.arg("planId"), x.arg("registrationId"))
}
