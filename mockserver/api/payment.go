package api

import (
	"net/http"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func paymentRoutes() []*route {
	const tag = "Payments"
	cancel := row("cancelPayment", http.MethodPut, "/Payment/{paymentRequestId}/Cancel", gives(cancelPayment), nil, empty{}).
		about(tag, "Cancel a payment request", "Endpoints, Payment/Cancel").with(paymentID).fails(http.StatusBadRequest)
	refund := row("refundPayment", http.MethodPost, "/Payment/Refund/{paymentRequestId}", takes(refundPayment), world.NewRefund{}, empty{}).
		about(tag, "Refund a paid payment in part or in full", "Endpoints, Payment/Refund").with(paymentID).once()
	refundByQuery := refund.also("refundPaymentByQuery", http.MethodPost, "/Payment/Refund", latitude.RefundPathPathOnly)
	refundByQuery.Params = []openapi.Param{
		{Name: "paymentRequestId", In: "query", Format: "uuid", Required: true, Description: paymentID.Description}, idempotencyKey,
	}
	refundByQuery.Surface = openapi.Docs
	cancelByPost := cancel.also("cancelPaymentByPost", http.MethodPost, "/Payment/{paymentRequestId}/Cancel", latitude.CancelVerbPutOnly)
	cancelByPost.Surface = openapi.Docs
	charge := row("chargeSavedCard", http.MethodPost, "/Payment/ChargeSavedCard", takes(chargeSavedCard), world.NewSavedCardCharge{}, world.SavedCardCharged{}).
		about(tag, "Charge a saved card of a registered payer", "Endpoints, Payment/ChargeSavedCard").once().fails(http.StatusPaymentRequired, http.StatusNotFound)
	charge.strictBody = "charge.unknown-member"
	terminal := row("registerCardPayment", http.MethodPost, "/CardPayment", terminalEndpoint(), world.NewCardPayment{}, empty{}).
		about(tag, "Register a card payment made on an external terminal", "Endpoints, CardPayment").once()
	terminal.strictBody = "card-payment.unknown-member"
	return []*route{
		row("createPayment", http.MethodPost, "/Payment/Create", takes(createPayment), world.NewPayment{}, world.PaymentCreated{}).
			about(tag, "Request a payment from a payer", "Endpoints, Payment/Create").once().fails(http.StatusNotFound),
		row("authoriseCard", http.MethodPost, "/Payment/Card/Auth", takes(authoriseCard), world.NewCardAuthorisation{}, world.CardAuthorisationCreated{}).
			about(tag, "Authorise a card for a payer", "Endpoints, Payment/Card/Auth").once().fails(http.StatusNotFound),
		charge, refund, refundByQuery,
		row("listPaymentMethods", http.MethodGet, "/Payment/CardPaymentMethods/{registrationId}", gives(paymentMethods), nil, world.PaymentMethods{}).
			about(tag, "List a payer's saved cards", "latitude, other documented operations").on(openapi.Docs).
			with(registrationID, queryParam("companyId", "uuid", "The company that is meant."),
				queryParam("companyReferenceId", "", "The reference of the company that is meant.")).fails(http.StatusBadRequest),
		cancel, cancelByPost,
		row("getPaymentStatus", http.MethodGet, "/Payment/{paymentRequestId}/Status", gives(paymentStatus), nil, world.PaymentStatus{}).
			about(tag, "Get a payment's status", "latitude, other documented operations").on(openapi.Docs).with(paymentID),
		terminal,
	}
}

func createPayment(w *world.World, in *input, req *world.NewPayment) (world.PaymentCreated, error) {
	return w.CreatePayment(req, in.noted()...)
}

func authoriseCard(w *world.World, in *input, req *world.NewCardAuthorisation) (world.CardAuthorisationCreated, error) {
	return w.CreateCardAuthorisation(req, in.noted()...)
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

func chargeSavedCard(w *world.World, in *input, req *world.NewSavedCardCharge) (charged, error) {
	answer, err := w.ChargeSavedCard(req, in.noted()...)
	return charged{answer}, err
}

func refundPayment(w *world.World, in *input, req *world.NewRefund) (empty, error) {
	id := in.param("paymentRequestId")
	if id == "" {
		id = in.arg("paymentRequestId")
	}
	return done(w.RefundPayment(id, req, in.noted()...))
}

func cancelPayment(w *world.World, in *input) (empty, error) {
	return done(w.CancelPayment(in.param("paymentRequestId")))
}

func paymentMethods(w *world.World, in *input) (world.PaymentMethods, error) {
	return w.PaymentMethods(in.param("registrationId"), in.arg("companyId"), in.arg("companyReferenceId"))
}

func paymentStatus(w *world.World, in *input) (world.PaymentStatus, error) {
	return w.PaymentStatus(in.param("paymentRequestId"))
}

// terminalEndpoint reads the body of an external card payment as the release
// has it that the ledger chooses.
func terminalEndpoint() endpoint {
	return endpoint{
		newBody: func(s latitude.Settings) any {
			if s.Is(latitude.ReleaseV049) {
				return new(world.CardPaymentV049)
			}
			return new(world.NewCardPayment)
		},
		run: func(w *world.World, in *input, body any) (any, error) {
			if old, ok := body.(*world.CardPaymentV049); ok {
				return done(w.RegisterCardPaymentV049(old, in.noted()...))
			}
			req, _ := body.(*world.NewCardPayment)
			return done(w.RegisterCardPayment(req, in.noted()...))
		},
	}
}
