package control

import (
	"net/http"

	"paysandbox/mockserver/world"
)

func movePayment(w *world.World, x *exchange, req *world.PaymentMove) (world.PaymentStatus, error) {
	id, event := x.Param("id"), x.Param("event")
	if err := known(&world.PaymentMachine, event); err != nil {
		return world.PaymentStatus{}, err
	}
	if err := w.MovePayment(id, event, *req, x.Call.Findings...); err != nil {
		return world.PaymentStatus{}, err
	}
	return w.PaymentStatus(id)
}

func paymentRoutes() []*route {
	const tag, i = "Payments", Prefix + "/integrations/{i}"
	pay := row("movePayment", http.MethodPost, i+"/payments/{id}/{event}", actsWith(movePayment).optional().judging(), world.PaymentMove{}, world.PaymentStatus{}).
		About(tag, "Take a step of a payment, as its payer or a bank would").Fails(steps...)
	return []*route{
		pay,
		row("moveRefund", http.MethodPost, i+"/refunds/{id}/{event}",
			step(&world.RefundMachine, (*world.World).MoveRefund, ledBy(&world.RefundMachine)), nil, Moved{}).
			About(tag, "End a refund").Fails(steps...),
		row("moveCardPayment", http.MethodPost, i+"/card-payments/{id}/{event}",
			step(&world.CardPaymentMachine, (*world.World).MoveCardPayment, ledBy(&world.CardPaymentMachine)), nil, Moved{}).
			About(tag, "Take a step of an external card payment").Fails(steps...),
	}
}
