package control

import (
	"net/http"

	"paysandbox/mockserver/world"
)

func movePayment(w *world.World, x *exchange, req *world.PaymentEvent) (world.PaymentStatus, error) {
	id, event := x.param("id"), x.param("event")
	if err := known(&world.PaymentMachine, event); err != nil {
		return world.PaymentStatus{}, err
	}
	if err := w.MovePayment(id, event, *req); err != nil {
		return world.PaymentStatus{}, err
	}
	return w.PaymentStatus(id)
}

func paymentRoutes() []*route {
	const tag, i = "Payments", Prefix + "/integrations/{i}"
	pay := row("movePayment", http.MethodPost, i+"/payments/{id}/{event}", actsWith(movePayment), world.PaymentEvent{}, world.PaymentStatus{}).
		about(tag, "Take a step of a payment, as its payer or a bank would").moves().optional()
	pay.judged = true
	return []*route{
		pay,
		row("moveRefund", http.MethodPost, i+"/refunds/{id}/{event}",
			step(&world.RefundMachine, (*world.World).MoveRefund, ledBy(&world.RefundMachine)), nil, Moved{}).
			about(tag, "End a refund").moves(),
		row("moveCardPayment", http.MethodPost, i+"/card-payments/{id}/{event}",
			step(&world.CardPaymentMachine, (*world.World).MoveCardPayment, ledBy(&world.CardPaymentMachine)), nil, Moved{}).
			about(tag, "Take a step of an external card payment").moves(),
	}
}
