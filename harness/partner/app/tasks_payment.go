package app

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// createPayment asks a payer for a payment. One task is one payment that is
// meant: its key and its reference are drawn once, however often the call is
// made.
func (a *App) createPayment(ctx context.Context, j *job) error {
	registration := j.text("registrationId")
	place := or(j.text("locationId"), j.company())
	if err := a.mayCharge(ctx, j, place, registration); err != nil {
		return err
	}
	body := a.paymentBody(j, a.book.payer(registration, payer{}))
	var got struct {
		PaymentRequestID string `json:"paymentRequestId"`
	}
	if err := a.pay(ctx, j, "/Payment/Create", body, &got); err != nil {
		return err
	}
	a.madePayment(j, got.PaymentRequestID)
	a.o.Say("payment " + j.made + " of " + shown(j.with("amount")) + " cents is asked for")
	if c, known := a.book.company(place); known && a.careless().asksAgainOverLimit() {
		return a.askAgain(ctx, registration, c.id, body)
	}
	if a.careless().pollsHotly() {
		return a.poll(ctx, j.made)
	}
	return nil
}

func (a *App) paymentBody(j *job, p payer) object {
	if j.reference == "" {
		j.reference = a.newReference(or(p.email, j.text("emailAddress")))
	}
	body := j.pick("amount", "registrationId", "contactNumber", "emailAddress", "locationId", "companyId", "companyReferenceId",
		"shortDescription", "feePayer", "attachment", "dueDate", "enableDebitAuth", "debitAuthLimit", "metadata", "oneTimePayment")
	return a.tidy(fill(body, object{
		"reference": j.reference, "shortDescription": "Membership", "feePayer": "client",
		"returnUrl": a.returnAddress(j, or(p.mobile, j.text("contactNumber"))),
	}), p)
}

// madePayment notes a payment with what belongs to it. Its first event may have
// come before.
func (a *App) madePayment(j *job, id string) {
	j.made = id
	a.book.payment(id, func(p *payment) { p.word, p.key = j.word, j.key })
	if j.word != "" {
		a.book.returning(j.word, place{payment: id})
	}
}

func (a *App) askPayment(ctx context.Context, j *job) error {
	id := j.text("paymentRequestId")
	status, err := a.readPayment(ctx, id)
	if err == nil {
		a.o.Say("payment " + id + " is " + status)
	}
	return err
}

// cancelPayment cancels a payment. When that comes too late the payment goes on,
// and its state says how far it is.
func (a *App) cancelPayment(ctx context.Context, j *job) error {
	id := j.text("paymentRequestId")
	path := at("/Payment/", id, "/Cancel")
	err := a.put(ctx, j, path)
	if !refused(err, http.StatusBadRequest, http.StatusConflict) {
		return err
	}
	if a.careless().cancelsAgain() {
		_ = a.put(ctx, j, path)
		return nil
	}
	status, err := a.readPayment(ctx, id)
	if err == nil {
		a.o.Say("payment " + id + " could not be canceled: it is " + status)
	}
	return err
}

// refundPayment gives money back. What the service refuses is not there to give.
func (a *App) refundPayment(ctx context.Context, j *job) error {
	id := j.text("paymentRequestId")
	if a.careless().keepsKeyOfPaymentForRefund() {
		a.book.payment(id, func(p *payment) { j.key = or(p.key, j.key) })
	}
	body := fill(j.pick("amount", "description", "attachment"), object{"description": "Refund"})
	err := a.pay(ctx, j, at("/Payment/Refund/", id, ""), body, nil)
	if refused(err) {
		a.o.Say("payment " + id + " is not refunded: " + err.Error())
		return nil
	}
	return err
}

// askMany reads the state of several payments, a few at a time.
func (a *App) askMany(ctx context.Context, j *job) error {
	ids, _ := j.with("paymentRequestIds").([]any)
	places := make(chan struct{}, a.o.Parallel)
	errs := make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		places <- struct{}{}
		ask := func() {
			_, errs[i] = a.readPayment(ctx, shown(id))
			<-places
		}
		if a.o.Parallel == 1 {
			ask()
			continue
		}
		all.Go(ask)
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// askAgain makes a payment again that is above the limit of a debit
// authorisation and therefore waits for the payer.
func (a *App) askAgain(ctx context.Context, registration, company string, body object) error {
	limit := a.book.limit(registration, company, -1)
	if limit == 0 || wholeNumber(body["amount"]) <= limit {
		return nil
	}
	second := request{method: http.MethodPost, path: "/Payment/Create", body: body}
	a.asNew(&second)
	return a.call(ctx, second, nil)
}

// poll asks for the state of a payment until it is Paid, without patience.
func (a *App) poll(ctx context.Context, id string) error {
	var got struct{ Status string }
	for range 10 {
		if err := a.get(ctx, at("/Payment/", id, "/Status"), nil, &got); err != nil || got.Status == paid {
			return err
		}
		if err := a.o.Sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// wholeNumber reads a number of JSON; 0 when it is none.
func wholeNumber(v any) int64 {
	n, err := strconv.ParseInt(shown(v), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
