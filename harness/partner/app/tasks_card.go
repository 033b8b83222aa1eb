package app

import (
	"context"
	"errors"
	"net/http"
)

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
