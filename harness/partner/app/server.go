package app

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

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
	a.inbox.put(letter{word: r.PathValue("word")})
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("Thank you. We are looking into it.\n"))
}

// inOrder sorts letters in Manual mode, so that it does not matter in which
// order they came in at the same moment.
func (a *App) inOrder(letters []letter) []letter {
	if a.o.Manual {
		slices.SortStableFunc(letters, func(l, m letter) int {
			return cmp.Or(cmp.Compare(l.event.key(), m.event.key()), cmp.Compare(l.word, m.word))
		})
	}
	return letters
}

// open works on one letter.
func (a *App) open(ctx context.Context, l letter) error {
	e := &l.event
	switch {
	case l.word != "":
		return a.lookAfter(ctx, a.book.comesFor(l.word))
	case l.suspect:
		a.book.payment(e.entity(), func(p *payment) { p.become(e.Data.Status, a.careless()) })
		return nil
	case e.Event == eventCompany:
		a.book.judged(e.Data.CompanyID, e.Data.Status, e.at())
		a.o.Say("company " + e.Data.CompanyID + " is " + e.Data.Status)
		a.kept.hurry(e.Data.CompanyID)
		return nil
	default:
		return a.hearOfPayment(ctx, e)
	}
}

// hearOfPayment believes an event of a payment, unless it contradicts what is
// known: then the service is asked.
func (a *App) hearOfPayment(ctx context.Context, e *event) error {
	doubt := false
	a.book.payment(e.Data.PaymentID, func(p *payment) {
		if p.heard == e.key() { // the door lets it in once, if it is careful
			p.again(e.Data.Status)
			return
		}
		p.heard = e.key()
		doubt = p.hear(e.Data.Status, e.at(), a.careless())
	})
	if doubt {
		return a.doubt(ctx, e)
	}
	return nil
}

// doubt asks the service about what an event names.
func (a *App) doubt(ctx context.Context, e *event) error {
	if e.Event == eventCompany {
		return a.ask(ctx, partner.DoCompanyStatus, "companyId", e.Data.CompanyID)
	}
	return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", e.Data.PaymentID)
}

// lookAfter reads the state of what a payer came back from.
func (a *App) lookAfter(ctx context.Context, p place) error {
	switch {
	case a.careless().trustsRedirect():
		a.believe(p)
		return nil
	case p.payment != "":
		return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", p.payment)
	case p.registration != "":
		return a.ask(ctx, partner.DoUserStatus, "registrationId", p.registration)
	default:
		return nil // not a word of ours
	}
}

// ask reads a state, as a task of the application's own: it is kept while the
// service is out. What the service does not know changes nothing.
func (a *App) ask(ctx context.Context, do, name, id string) error {
	err := a.try(ctx, &job{task: partner.Task{Do: do, With: object{name: id}}})
	if refused(err) {
		return nil
	}
	return err
}
