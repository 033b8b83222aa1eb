package api

import (
	"cmp"
	"net/http"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func refundRoutes() []*route {
	refund := once(row("refundPayment", http.MethodPost, "/Payment/Refund/{paymentRequestId}", takes(refundPayment), world.NewRefund{}, door.Empty{}).
		About("Payments", "Refund a paid payment in part or in full").From("Endpoints, Payment/Refund").With(paymentID))
	byQuery := also(refund, "refundPaymentByQuery", http.MethodPost, "/Payment/Refund", latitude.RefundPathPathOnly).On(openapi.Docs)
	byQuery.Params = []openapi.Param{
		{Name: "paymentRequestId", In: "query", Format: "uuid", Required: true, Description: paymentID.Description}, idempotencyKey,
	}
	return []*route{refund, byQuery}
}

func refundPayment(w *world.World, x *exchange, req *world.NewRefund) (door.Empty, error) {
	return door.Done(w.RefundPayment(x.payment(), req, x.Call.Findings...))
}

// payment is the id of a payment request that the path or the query names.
func (x *exchange) payment() string {
	return cmp.Or(x.Param("paymentRequestId"), x.arg("paymentRequestId"))
}
