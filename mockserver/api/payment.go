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
	charge := row("chargeSavedCard", http.MethodPost, "/Payment/ChargeSavedCard", takes(chargeSavedCard), world.SavedCardCharge{}, world.SavedCardCharged{}).
		about(tag, "Charge a saved card of a registered payer", "Endpoints, Payment/ChargeSavedCard").once().fails(http.StatusPaymentRequired)
	charge.strictBody = "charge.unknown-member"
	terminal := row("registerCardPayment", http.MethodPost, "/CardPayment", takes(registerCardPayment), world.NewCardPayment{}, empty{}).
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

func createPayment(w *world.World, _ *input, req *world.NewPayment) (world.PaymentCreated, error) {
	return w.CreatePayment(req)
}

func authoriseCard(w *world.World, _ *input, req *world.NewCardAuthorisation) (world.CardAuthorisationCreated, error) {
	return w.CreateCardAuthorisation(req)
}

func chargeSavedCard(w *world.World, _ *input, req *world.SavedCardCharge) (world.SavedCardCharged, error) {
	return w.ChargeSavedCard(req)
}

func refundPayment(w *world.World, in *input, req *world.NewRefund) (empty, error) {
	id := in.param("paymentRequestId")
	if id == "" {
		id = in.arg("paymentRequestId")
	}
	return done(w.Refund(id, req))
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

func registerCardPayment(w *world.World, _ *input, req *world.NewCardPayment) (empty, error) {
	return done(w.RegisterCardPayment(req))
}
