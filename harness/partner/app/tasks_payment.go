package app

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
)

// createPayment asks a payer for a payment. One task is one payment that is
// meant: its key and its reference are drawn once, however often the call is
// made.
func (a *App) createPayment(ctx context.Context, j *Job) error {
	registration := j.text("registrationId")
	place := or(j.text("locationId"), j.company())
	if err := a.mayCharge(ctx, j, place, registration); err != nil {
		return err
	}
	body := a.paymentBody(j)
	var got struct {
		PaymentRequestID string `json:"paymentRequestId"`
	}
	if err := a.pay(ctx, j, "/Payment/Create", body, &got); err != nil {
		return err
	}
	a.madePayment(j, got.PaymentRequestID)
	a.o.Say("payment " + j.made + " of " + shown(j.with("amount")) + " cents is asked for")
	return nil
}

func (a *App) paymentBody(j *Job) object {
	if j.reference == "" {
		j.reference = a.newReference()
	}
	body := j.pick("amount", "registrationId", "contactNumber", "emailAddress", "locationId", "companyId", "companyReferenceId",
		"shortDescription", "feePayer", "attachment", "dueDate", "enableDebitAuth", "debitAuthLimit", "metadata", "oneTimePayment")
	return fill(body, object{
		"reference": j.reference, "shortDescription": "Membership", "feePayer": "client", "returnUrl": a.returnAddress(j),
	})
}

// Split gives the parts of a sum of cents.
func (a *App) Split(sum, n int64) []int64 { return a.policy.shares(sum, n) }

// shares makes n parts of a sum of cents: what is left over goes to the first ones.
func shares(sum, n int64) []int64 {
	parts := make([]int64, n)
	for i := range parts {
		parts[i] = sum / n
		if int64(i) < sum%n {
			parts[i]++
		}
	}
	return parts
}

// newReference draws the reference of a payment: unique, short enough for a bank
// statement, and silent about the payer.
func (a *App) newReference() string {
	return "INV-" + strings.ToUpper(strings.ReplaceAll(a.chance.id(), "-", ""))[:12]
}

// madePayment notes a payment with what belongs to it. Its first event may have
// come before.
func (a *App) madePayment(j *Job, id string) {
	j.made = id
	a.book.payment(id, func(*payment) {})
	if j.word != "" {
		a.book.returning(j.word, place{payment: id})
	}
}

func (a *App) askPayment(ctx context.Context, j *Job) error {
	id := j.text("paymentRequestId")
	status, err := a.readPayment(ctx, id)
	if err == nil {
		a.o.Say("payment " + id + " is " + status)
	}
	return err
}

// cancelPayment cancels a payment. When that comes too late the payment goes on,
// and its state says how far it is.
func (a *App) cancelPayment(ctx context.Context, j *Job) error {
	id := j.text("paymentRequestId")
	err := a.put(ctx, j, at("/Payment/", id, "/Cancel"))
	if !Refused(err, http.StatusBadRequest, http.StatusConflict) {
		return err
	}
	status, err := a.readPayment(ctx, id)
	if err == nil {
		a.o.Say("payment " + id + " could not be canceled: it is " + status)
	}
	return err
}

// refundPayment gives money back. What the service refuses is not there to give.
func (a *App) refundPayment(ctx context.Context, j *Job) error {
	id := j.text("paymentRequestId")
	body := fill(j.pick("amount", "description", "attachment"), object{"description": "Refund"})
	err := a.pay(ctx, j, at("/Payment/Refund/", id, ""), body, nil)
	if Refused(err) {
		a.o.Say("payment " + id + " is not refunded: " + err.Error())
		return nil
	}
	return err
}

// askMany reads the state of several payments, a few at a time.
func (a *App) askMany(ctx context.Context, j *Job) error {
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

var errNoCard = errors.New("the payer has no saved card")

// authoriseCard asks a payer for a card. The service's page does the rest.
func (a *App) authoriseCard(ctx context.Context, j *Job) error {
	place := or(j.text("locationId"), j.company())
	if err := a.mayBePaid(ctx, j, place); err != nil {
		return err
	}
	body := fill(j.pick("amount", "registrationId", "contactNumber"), object{"returnUrl": a.returnAddress(j)})
	a.locate(body, j)
	var got struct {
		PaymentRequestID string `json:"paymentRequestId"`
	}
	if err := a.pay(ctx, j, "/Payment/Card/Auth", body, &got); err != nil {
		return err
	}
	a.madePayment(j, got.PaymentRequestID)
	return nil
}

// locate names the location: these operations know no other name of a company.
func (a *App) locate(body object, j *Job) {
	if location := j.with("locationId"); location != nil {
		body["locationId"] = location
	} else if c, known := a.book.company(j.company()); known && len(c.locations) > 0 {
		body["locationId"] = c.locations[0]
	}
}

// method is a saved card.
type method struct {
	ID string `json:"id"`
}

func (a *App) listMethods(ctx context.Context, j *Job) error {
	_, err := a.methods(ctx, j)
	return err
}

func (a *App) methods(ctx context.Context, j *Job) ([]method, error) {
	var got struct {
		PaymentMethods []method `json:"paymentMethods"`
	}
	err := a.get(ctx, at("/Payment/CardPaymentMethods/", j.text("registrationId"), ""), nil, &got)
	return got.PaymentMethods, err
}

// chargeSavedCard charges a card without the payer. A card that is declined is an
// answer like another: it is not charged again.
func (a *App) chargeSavedCard(ctx context.Context, j *Job) error {
	registration := j.text("registrationId")
	if err := a.mayCharge(ctx, j, or(j.text("locationId"), j.company()), registration); err != nil {
		return err
	}
	body := fill(j.pick("amount", "registrationId", "paymentMethodId", "shortDescription", "feePayer"), object{"shortDescription": "Membership"})
	a.locate(body, j)
	if body["paymentMethodId"] == nil {
		saved, err := a.methods(ctx, j)
		if err != nil || len(saved) == 0 {
			return errors.Join(err, errNoCard)
		}
		body["paymentMethodId"] = saved[len(saved)-1].ID // the newest
	}
	var got struct {
		PaymentRequestID string `json:"paymentRequestId"`
		Status           string `json:"status"`
	}
	err := a.pay(ctx, j, "/Payment/ChargeSavedCard", body, &got)
	if Refused(err, http.StatusPaymentRequired) { // the other way to say declined
		a.o.Say("charge of a saved card: " + err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	a.madePayment(j, got.PaymentRequestID)
	if got.Status == "success" {
		a.book.payment(got.PaymentRequestID, func(p *payment) { a.become(p, paid) })
	}
	a.o.Say("charge of a saved card: " + got.Status)
	return nil
}

// registerCardPayment tells the service of a payment at a terminal.
func (a *App) registerCardPayment(ctx context.Context, j *Job) error {
	body := fill(j.pick("amount", "mobileNumber", "email", "cardType", "transactionStatus", "merchantId", "patientReferenceNumber"),
		object{"cardType": "Visa", "transactionStatus": "Succeeded"})
	if body["merchantId"] == nil {
		if c, known := a.book.company(j.company()); known {
			body["merchantId"] = c.reference
		}
	}
	return a.pay(ctx, j, "/CardPayment", body, nil)
}
