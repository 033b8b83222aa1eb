package api

import (
	"net/http"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func payerRoutes() []*route {
	const tag = "Payers"
	readDebit := row("getDebitAuthorisation", http.MethodGet, "/User/{registrationId}/DebitAuth", gives(readDebitAuth), nil, world.DebitAuth{}).
		about(tag, "Read a payer's debit authorisation for a company", "latitude debit-auth-read").on(openapi.Docs).
		with(registrationID, openapi.Param{Name: "CompanyId", In: "query", Format: "uuid", Required: true, Description: "The company that is authorised."}).
		fails(http.StatusBadRequest)
	readDebit.unless = latitude.DebitAuthReadOff
	return []*route{
		row("registerUser", http.MethodPost, "/User/Register", takes(registerUser), world.NewRegistration{}, world.RegistrationCreated{}).
			about(tag, "Register a payer and get the address of the hosted registration", "Endpoints, User/Register"),
		row("getUserStatus", http.MethodGet, "/User/{registrationId}/Status", gives(userStatus), nil, world.UserStatus{}).
			about(tag, "Get a payer's registration status", "Endpoints, User/Status").with(registrationID),
		row("requestDebitAuthorisation", http.MethodPost, "/User/{registrationId}/DebitAuth", takes(requestDebitAuth), world.DebitAuthRequest{}, empty{}).
			about(tag, "Ask a payer to authorise debits up to a limit, or switch that off", "Endpoints, User/DebitAuth").with(registrationID),
		readDebit,
	}
}

func registerUser(w *world.World, in *input, req *world.NewRegistration) (world.RegistrationCreated, error) {
	return w.RegisterUser(req, in.noted()...)
}

func userStatus(w *world.World, in *input) (world.UserStatus, error) {
	return w.UserStatus(in.param("registrationId"))
}

func requestDebitAuth(w *world.World, in *input, req *world.DebitAuthRequest) (empty, error) {
	return done(w.RequestDebitAuth(in.param("registrationId"), req, in.noted()...))
}

func readDebitAuth(w *world.World, in *input) (world.DebitAuth, error) {
	return w.ReadDebitAuth(in.param("registrationId"), in.arg("CompanyId"))
}
