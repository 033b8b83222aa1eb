package tour

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// The states that the tour waits for.
const (
	registered = "Registered"
	processing = "Processing"
	paid       = "Paid"
	failed     = "Failed"
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
	return t.do(ctx, partner.DoCreatePayment, object{
		"registrationId": t.regulars[n%len(t.regulars)], "companyReferenceId": t.gym, "amount": amount,
		"shortDescription": fmt.Sprintf("Membership, month %d", n+1),
	})
}

// pays is the payer who says yes, and the bank that pays.
func (t *tour) pays(ctx context.Context, id string) error {
	for _, step := range []string{"approve", "pay"} {
		if err := t.act(ctx, "/payments/"+id+"/"+step, nil); err != nil {
			return err
		}
	}
	t.settled = append(t.settled, id)
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
		if n%5 == 4 {
			if err := t.look(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// together is how many states are looked at in parallel.
const together = 6

// openPayments asks for payments that nobody answers.
func (t *tour) openPayments(ctx context.Context) error {
	for n := range 2 * together {
		id, err := t.do(ctx, partner.DoCreatePayment, object{
			"companyReferenceId": t.gym, "amount": 2300 + n, "contactNumber": fmt.Sprintf("+120255501%02d", 60+n),
		})
		if err != nil {
			return err
		}
		t.waiting = append(t.waiting, id)
	}
	return nil
}

// look reads the states of payments that wait for an answer: of one half, and of
// the other half the next time.
func (t *tour) look(ctx context.Context) error {
	if len(t.waiting) < 2*together {
		return nil
	}
	ids := make([]any, together)
	for i := range ids {
		ids[i] = t.waiting[t.looks%2*together+i]
	}
	t.looks++
	_, err := t.do(ctx, partner.DoStatusOfMany, object{"paymentRequestIds": ids})
	return err
}

// comings are payers whose browsers are back before they have said anything.
func (t *tour) comings(ctx context.Context) error {
	for n := range 3 {
		id, err := t.ask(ctx, n+1, 2100)
		if err != nil {
			return err
		}
		if err := t.comesBack(ctx, "payment", id, "Pending"); err != nil {
			return err
		}
		if err := t.until(ctx, func() bool { return t.Payment(id).Asked || t.Payment(id).Status == paid }); err != nil {
			return err
		}
		if err := t.pays(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (t *tour) firstPayments(ctx context.Context) error { return t.rounds(ctx, 20) }
func (t *tour) morePayments(ctx context.Context) error  { return t.rounds(ctx, 16) }
func (t *tour) lastPayments(ctx context.Context) error  { return t.rounds(ctx, 8) }

// watchedPayments goes on as long as somebody who watches has trouble to make, for
// a dozen rounds at most: on a busy machine it takes more traffic until all of it
// was met. Each round moves money in all ways.
func (t *tour) watchedPayments(ctx context.Context) error {
	const most = 12
	if len(t.settled) < most || len(t.regulars) == 0 {
		return errNothing
	}
	for n := range most {
		more, err := t.troubled(ctx)
		if err != nil || !more {
			return err
		}
		if err := t.all(ctx,
			partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": t.settled[len(t.settled)-1-n], "amount": 700}},
			partner.Task{Do: partner.DoChargeSavedCard, With: object{"registrationId": t.regulars[0], "companyReferenceId": t.gym, "amount": 4500 + n}},
		); err != nil {
			return err
		}
		if err := errors.Join(t.quickReturns(ctx), t.rounds(ctx, 6)); err != nil {
			return err
		}
		if err := t.look(ctx); err != nil {
			return err
		}
	}
	return nil
}

// refunds gives back in parts, in full with a document, and more than there is.
func (t *tour) refunds(ctx context.Context) error {
	if len(t.settled) < 2 {
		return errNothing
	}
	first, second := t.settled[0], t.settled[1]
	file := object{"fileName": "refund.pdf", "fileType": "application/pdf", "fileData": "JVBERi0xLjQKJSVFT0YK"}
	return t.all(ctx,
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": first, "amount": 1500}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": first, "amount": 1000, "description": "A class was canceled"}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": second, "amount": 9000, "attachment": file}},
		partner.Task{Do: partner.DoRefundPayment, With: object{"paymentRequestId": second, "amount": 9000}},
	)
}

// cancellations cancels two in time, of whose events one may come altered, and one too late.
func (t *tour) cancellations(ctx context.Context) error {
	if len(t.settled) < 3 {
		return errNothing
	}
	for _, amount := range []int64{3100, 3200} {
		inTime, err := t.ask(ctx, 2, amount)
		if err != nil {
			return err
		}
		if err := t.all(ctx, partner.Task{Do: partner.DoCancelPayment, With: object{"paymentRequestId": inTime}}); err != nil {
			return err
		}
	}
	return t.all(ctx, partner.Task{Do: partner.DoCancelPayment, With: object{"paymentRequestId": t.settled[2]}})
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
	if t.o.Polls { // neither it nor who watches it would see a state that is over at once
		err := errors.Join(t.act(ctx, "/payments/"+payment+"/approve", nil), t.reaches(ctx, payment, processing), t.o.Sleep(ctx, 2*time.Second))
		if err != nil {
			return err
		}
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

// quickReturns sees money go back before anybody has looked, several times, and more
// often when whoever watches waits for just that.
func (t *tour) quickReturns(ctx context.Context) error {
	const few, most = 6, 60
	for n := range most {
		if n >= few && !t.awaited(ctx, "returned") {
			return nil
		}
		id, err := t.ask(ctx, n, 2600)
		if err != nil {
			return err
		}
		for _, step := range []string{"approve", "pay", "return"} {
			if err := t.act(ctx, "/payments/"+id+"/"+step, nil); err != nil {
				return err
			}
		}
		if err := t.reaches(ctx, id, failed); err != nil {
			return err
		}
	}
	return nil
}

// refusals asks for what there is not.
func (t *tour) refusals(ctx context.Context) error {
	const nobody = "00000000-0000-4000-8000-000000000000"
	for _, task := range []partner.Task{
		{Do: partner.DoPaymentStatus, With: object{"paymentRequestId": nobody}},
		{Do: partner.DoDebitAuth, With: object{"registrationId": nobody, "limit": 100}},
	} {
		if _, err := t.do(ctx, task.Do, task.With); !app.Refused(err) {
			return fmt.Errorf("%s of nobody should be refused: %w", task.Do, err)
		}
	}
	return nil
}
