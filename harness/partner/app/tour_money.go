package app

import (
	"context"
	"fmt"
	"time"

	"paysandbox/harness/partner"
)

// pace is the time between two payments: a watcher wants to follow.
const pace = 100 * time.Millisecond

// ask asks one of the regulars for a payment.
func (t *tour) ask(ctx context.Context, n int, amount int64) (string, error) {
	if len(t.regulars) == 0 {
		return "", errNothing
	}
	if err := t.o.Sleep(ctx, pace); err != nil {
		return "", err
	}
	id, err := t.do(ctx, partner.DoCreatePayment, object{
		"registrationId": t.regulars[n%len(t.regulars)], "companyReferenceId": t.gym, "amount": amount,
		"shortDescription": fmt.Sprintf("Membership, month %d", n+1),
	})
	if err == nil {
		t.payments = append(t.payments, id)
	}
	return id, err
}

// askAndPay is a payment from the request to the money.
func (t *tour) askAndPay(ctx context.Context, n int, amount int64) (string, error) {
	id, err := t.ask(ctx, n, amount)
	if err != nil {
		return "", err
	}
	return id, t.pays(ctx, id)
}

// pays is the payer who says yes, and the bank that pays.
func (t *tour) pays(ctx context.Context, id string) error {
	for _, step := range []string{"approve", "pay"} {
		if err := t.act(ctx, "/payments/"+id+"/"+step, nil); err != nil {
			return err
		}
	}
	return nil
}

// rounds makes so many payments. Some payers say no, some banks fail; now and
// then the states of several are looked at together.
func (t *tour) rounds(ctx context.Context, count int) error {
	for n := range count {
		id, err := t.ask(ctx, n, 3000+int64(n)*99)
		if err != nil {
			return err
		}
		switch n % 8 {
		case 3:
			err = t.act(ctx, "/payments/"+id+"/deny", nil)
		case 5:
			err = t.act(ctx, "/payments/"+id+"/approve", nil)
			if err == nil {
				err = t.act(ctx, "/payments/"+id+"/fail", object{"returnCode": "R01"})
			}
		default:
			err = t.pays(ctx, id)
		}
		if err != nil {
			return err
		}
		if n%4 == 3 {
			if err := t.look(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// together is how many states are looked at in parallel.
const together = 6

// look reads the states of those payments that were not looked at for longest.
func (t *tour) look(ctx context.Context) error {
	if t.looked+together > len(t.payments) {
		t.looked = 0
	}
	if together > len(t.payments) {
		return nil
	}
	ids := make([]any, together)
	for i := range ids {
		ids[i] = t.payments[t.looked+i]
	}
	t.looked += together
	_, err := t.do(ctx, partner.DoStatusOfMany, object{"paymentRequestIds": ids})
	return err
}

// comings are payers whose browsers are back before the bank has paid.
func (t *tour) comings(ctx context.Context) error {
	for n := range 3 {
		id, err := t.ask(ctx, n+1, 2100)
		if err != nil {
			return err
		}
		if err := t.paysAndComesBack(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (t *tour) paysAndComesBack(ctx context.Context, id string) error {
	if err := t.act(ctx, "/payments/"+id+"/approve", nil); err != nil {
		return err
	}
	if err := t.comesBack(ctx, "payment", id, "Processing"); err != nil {
		return err
	}
	if err := t.until(ctx, func() bool { return t.known(id).asked || t.careless().trustsRedirect() }); err != nil {
		return err
	}
	return t.act(ctx, "/payments/"+id+"/pay", nil)
}

func (t *tour) firstPayments(ctx context.Context) error { return t.rounds(ctx, 20) }
func (t *tour) morePayments(ctx context.Context) error  { return t.rounds(ctx, 16) }
func (t *tour) lastPayments(ctx context.Context) error  { return t.rounds(ctx, 8) }

// refunds gives back in parts, in full with a document, and more than there is.
func (t *tour) refunds(ctx context.Context) error {
	first, err := t.askAndPay(ctx, 0, 6000)
	if err != nil {
		return err
	}
	second, err := t.askAndPay(ctx, 1, 4500)
	if err != nil {
		return err
	}
	file := object{"fileName": "refund.pdf", "fileType": "application/pdf", "fileData": "JVBERi0xLjQKJSVFT0YK"}
	return t.all(ctx,
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": first, "amount": 1500}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": first, "amount": 2000, "description": "A class was canceled"}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": second, "amount": 4500, "attachment": file}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": second, "amount": 4500}},
	)
}

// cancellations cancels one in time, and one too late.
func (t *tour) cancellations(ctx context.Context) error {
	inTime, err := t.ask(ctx, 2, 3100)
	if err != nil {
		return err
	}
	late, err := t.askAndPay(ctx, 3, 3200)
	if err != nil {
		return err
	}
	return t.all(ctx,
		partner.Task{Do: partner.DoCancelPayment, With: object{"paymentRequestId": inTime}},
		partner.Task{Do: partner.DoCancelPayment, With: object{"paymentRequestId": late}},
	)
}

// bankReturns sees money come in and go back again.
func (t *tour) bankReturns(ctx context.Context) error {
	id, err := t.invite(ctx)
	if err != nil {
		return err
	}
	if err := t.arrives(ctx, id, "unauthorised-late-return"); err != nil {
		return err
	}
	payment, err := t.do(ctx, partner.DoCreatePayment, object{"registrationId": id, "companyReferenceId": t.gym, "amount": 5200})
	if err != nil {
		return err
	}
	if err := t.pays(ctx, payment); err != nil {
		return err
	}
	if err := t.reaches(ctx, payment, paid); err != nil {
		return err
	}
	if err := t.advance(ctx, 7*24*time.Hour); err != nil {
		return err
	}
	return t.reaches(ctx, payment, failed)
}

// refusals asks for what there is not.
func (t *tour) refusals(ctx context.Context) error {
	const nobody = "00000000-0000-4000-8000-000000000000"
	for _, task := range []partner.Task{
		{Do: partner.DoPaymentStatus, With: object{"paymentRequestId": nobody}},
		{Do: partner.DoDebitAuth, With: object{"registrationId": nobody, "limit": 100}},
	} {
		if _, err := t.do(ctx, task.Do, task.With); !refused(err) {
			return fmt.Errorf("%s of nobody should be refused: %w", task.Do, err)
		}
	}
	return nil
}
