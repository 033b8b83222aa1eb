package api

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func payerRoutes() []*route {
	const tag = "Payers"
	readDebit := gives(readDebitAuth)
	readDebit.unless = latitude.DebitAuthReadOff
	status := row("getUserStatus", http.MethodGet, "/User/{registrationId}/Status",
		reads("registrationId", (*world.World).UserStatus), nil, world.UserStatus{}).
		About(tag, "Get a payer's registration status").From("Endpoints, User/Status").With(registrationID)
	status.KeepsNulls = true
	return []*route{
		row("registerUser", http.MethodPost, "/User/Register", does((*world.World).RegisterUser), world.NewRegistration{}, world.RegistrationCreated{}).
			About(tag, "Register a payer and get the address of the hosted registration").From("Endpoints, User/Register").
			Again("Not to be repeated unseen: each request makes another registration."),
		status,
		row("requestDebitAuthorisation", http.MethodPost, "/User/{registrationId}/DebitAuth",
			takes(requestDebitAuth), world.DebitAuthRequest{}, door.Empty{}).
			About(tag, "Ask a payer to authorise debits up to a limit, or switch that off").From("Endpoints, User/DebitAuth").With(registrationID).
			Again("May be repeated: the newest request replaces the one before."),
		row("getDebitAuthorisation", http.MethodGet, "/User/{registrationId}/DebitAuth", readDebit, nil, world.DebitAuth{}).
			About(tag, "Read a payer's debit authorisation for a company").From("latitude debit-auth-read").On(openapi.Docs).
			With(registrationID, openapi.Param{Name: "CompanyId", In: "query", Format: "uuid", Required: true, Description: "The company that is authorised."}).
			Fails(http.StatusBadRequest),
	}
}

func requestDebitAuth(w *world.World, x *exchange, req *world.DebitAuthRequest) (door.Empty, error) {
	return door.Done(w.RequestDebitAuth(x.Param("registrationId"), req, x.Call.Findings...))
}

func readDebitAuth(w *world.World, x *exchange) (world.DebitAuth, error) {
	return w.ReadDebitAuth(x.Param("registrationId"), x.arg("CompanyId"))
}
