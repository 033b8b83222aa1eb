package api

import (
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func paymentRoutes() []*route {
	const tag, id, cancelPath = "Payments", "paymentRequestId", "/Payment/{paymentRequestId}/Cancel"
	cancel := row("cancelPayment", http.MethodPut, cancelPath, moves(id, (*world.World).CancelPayment), nil, door.Empty{}).
		About(tag, "Cancel a payment request").From("Endpoints, Payment/Cancel").With(paymentID).Fails(http.StatusBadRequest).
		Again("A repeat is refused, says in which state the payment is, and changes nothing.")
	return []*route{
		once(when(row("createPayment", http.MethodPost, "/Payment/Create", does((*world.World).CreatePayment), world.NewPayment{}, world.PaymentCreated{}).
			About(tag, "Request a payment from a payer").From("Endpoints, Payment/Create"), latitude.UnknownBodyIDsNotFound, http.StatusNotFound)),
		cancel, also(cancel, "cancelPaymentByPost", http.MethodPost, cancelPath, latitude.CancelVerbPutOnly).On(openapi.Docs),
		row("getPaymentStatus", http.MethodGet, "/Payment/{paymentRequestId}/Status",
			reads(id, (*world.World).PaymentStatus).wrapping(), nil, world.PaymentStatus{}).
			About(tag, "Get a payment's status").From("latitude, other documented operations").On(openapi.Docs).With(paymentID),
	}
}
