package app

import (
	"context"
	"encoding/json"
	"net/http"

	"paysandbox/harness/partner"
)

// handler is the application's own server.
func (a *App) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hooks", a.hook)
	mux.HandleFunc("GET /return/{word}", a.comeBack)
	mux.HandleFunc("GET /state", a.showState)
	return mux
}

// showState is the state probe, for test builds only.
func (a *App) showState(w http.ResponseWriter, _ *http.Request) {
	a.probed.Store(a.o.Now().UnixNano())
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a.book.state())
}

// comeBack receives a payer whose browser the service has sent back. That, and
// whatever the address says, proves nothing: the state is read from the service.
func (a *App) comeBack(w http.ResponseWriter, r *http.Request) {
	word := r.PathValue("word")
	a.inbox.put(letter{order: " " + word, work: func(ctx context.Context) error {
		return a.policy.comeBack(ctx, a.book.comesFor(word))
	}})
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("Thank you. We are looking into it.\n"))
}

// hear works on an event.
func (a *App) hear(ctx context.Context, e *event) error {
	if e.Event == eventPayment {
		return a.hearOfPayment(ctx, e)
	}
	a.book.judged(e.Data.CompanyID, e.Data.Status, e.at())
	a.o.Say("company " + e.Data.CompanyID + " is " + e.Data.Status)
	a.kept.hurry(e.Data.CompanyID)
	return nil
}

// hearOfPayment believes an event of a payment, unless it contradicts what is
// known: then the service is asked.
func (a *App) hearOfPayment(ctx context.Context, e *event) error {
	var worth weight
	a.book.payment(e.Data.PaymentID, func(p *payment) {
		if worth = a.policy.weigh(*p, e.Data.Status, e.at()); worth == news {
			p.at = e.at()
			a.become(p, e.Data.Status)
		}
	})
	if worth == doubtful {
		return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", e.Data.PaymentID)
	}
	return nil
}

// lookAfter reads the state of what a payer came back from.
func (a *App) lookAfter(ctx context.Context, from place) error {
	switch {
	case from.payment != "":
		return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", from.payment)
	case from.registration != "":
		return a.ask(ctx, partner.DoUserStatus, "registrationId", from.registration)
	default:
		return nil // not a word of ours
	}
}

// ask reads a state, as a task of the application's own: it is kept while the
// service is out. What the service does not know changes nothing.
func (a *App) ask(ctx context.Context, do, name, id string) error {
	err := a.try(ctx, &Job{task: partner.Task{Do: do, With: object{name: id}}})
	if Refused(err) {
		return nil
	}
	return err
}
