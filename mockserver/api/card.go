package api

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func cardRoutes() []*route {
	const tag = "Payments"
	return []*route{
		once(when(row("authoriseCard", http.MethodPost, "/Payment/Card/Auth",
			does((*world.World).CreateCardAuthorisation), world.NewCardAuthorisation{}, world.CardAuthorisationCreated{}).
			About(tag, "Authorise a card for a payer").From("Endpoints, Payment/Card/Auth"), latitude.UnknownBodyIDsNotFound, http.StatusNotFound)),
		once(when(when(row("chargeSavedCard", http.MethodPost, "/Payment/ChargeSavedCard",
			takes(chargeSavedCard).strict("charge.unknown-member"), world.NewSavedCardCharge{}, world.SavedCardCharged{}).
			About(tag, "Charge a saved card of a registered payer").From("Endpoints, Payment/ChargeSavedCard"),
			latitude.SavedCardStatusPaymentRequired, http.StatusPaymentRequired), latitude.UnknownBodyIDsNotFound, http.StatusNotFound)),
		row("listPaymentMethods", http.MethodGet, "/Payment/CardPaymentMethods/{registrationId}", gives(paymentMethods), nil, world.PaymentMethods{}).
			About(tag, "List a payer's saved cards").From("latitude, other documented operations").On(openapi.Docs).
			With(registrationID, queryParam("companyId", "uuid", "The company that is meant."),
				queryParam("companyReferenceId", "", "The reference of the company that is meant.")).Fails(http.StatusBadRequest),
		once(row("registerCardPayment", http.MethodPost, "/CardPayment",
			terminal().strict("card-payment.unknown-member"), world.NewCardPayment{}, door.Empty{}).
			About(tag, "Register a card payment made on an external terminal").From("Endpoints, CardPayment")),
	}
}

// charged is the answer to a saved-card charge, whose status the ledger can
// change when the card was refused.
type charged struct{ world.SavedCardCharged }

// HTTPStatus is 402 for a refused card where the ledger says so.
func (c charged) HTTPStatus(s latitude.Settings) int {
	if c.Status != world.ChargeSucceeded && s.Is(latitude.SavedCardStatusPaymentRequired) {
		return http.StatusPaymentRequired
	}
	return http.StatusOK
}

func chargeSavedCard(w *world.World, x *exchange, req *world.NewSavedCardCharge) (charged, error) {
	answer, err := w.ChargeSavedCard(req, x.Call.Findings...)
	return charged{answer}, err
}

func paymentMethods(w *world.World, x *exchange) (world.PaymentMethods, error) {
	return w.PaymentMethods(x.Param("registrationId"), x.arg("companyId"), x.arg("companyReferenceId"))
}

// terminal reads the body of an external card payment as the release has it that
// the ledger chooses.
func terminal() endpoint {
	return endpoint{
		newBody: func(s latitude.Settings) any {
			if s.Is(latitude.ReleaseV049) {
				return new(world.CardPaymentV049)
			}
			return new(world.NewCardPayment)
		},
		run: func(w *world.World, x *exchange, body any) (any, error) {
			if old, ok := body.(*world.CardPaymentV049); ok {
				return door.Done(w.RegisterCardPaymentV049(old, x.Call.Findings...))
			}
			return door.Done(w.RegisterCardPayment(door.As[world.NewCardPayment](body), x.Call.Findings...))
		},
	}
}
