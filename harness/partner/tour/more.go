package tour

import (
	"context"
	"fmt"
	"time"

	"paysandbox/harness/partner"
)

// debits asks for an authorisation, and debits within and above its limit.
func (t *tour) debits(ctx context.Context) error {
	if len(t.regulars) == 0 {
		return errNothing
	}
	who := t.regulars[0]
	if _, err := t.do(ctx, partner.DoDebitAuth, object{"registrationId": who, "companyReferenceId": t.gym, "limit": 5000}); err != nil {
		return err
	}
	asked, err := t.newest(ctx, "debit-authorisation")
	if err != nil {
		return err
	}
	if err := t.act(ctx, "/debit-authorisations/"+asked+"/accept", nil); err != nil {
		return err
	}
	within, err := t.ask(ctx, 0, 4000)
	if err != nil {
		return err
	}
	above, err := t.ask(ctx, 0, 9000)
	if err != nil {
		return err
	}
	if err := t.pays(ctx, within); err != nil {
		return err
	}
	return t.pays(ctx, above) // the payer says yes after all
}

// outage is out for one reading for longer than its call is made. The application
// keeps it for later, and then nobody wants to know any more.
func (t *tour) outage(ctx context.Context) error {
	id, err := t.ask(ctx, 0, 2700)
	if err != nil {
		return err
	}
	fault := object{"name": "outage", "match": object{"operation": partner.DoPaymentStatus}, "effect": object{"status": 503}, "count": 12}
	if err := t.act(ctx, "/faults", fault); err != nil {
		return err
	}
	j, err := t.begin(ctx, partner.DoPaymentStatus, object{"paymentRequestId": id})
	if err != nil {
		return err
	}
	t.Drop(j)
	return t.stage.Remove(ctx, "/faults/outage")
}

// newest is the entity of a machine that changed last.
func (t *tour) newest(ctx context.Context, machine string) (string, error) {
	entries, err := t.stage.Tape(ctx, "transition")
	if err != nil {
		return "", err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Transition.Machine == machine {
			return entries[i].Transition.Entity, nil
		}
	}
	return "", fmt.Errorf("there is no %s", machine)
}

// cards authorises a card, charges saved ones, and registers terminal payments.
func (t *tour) cards(ctx context.Context) error {
	if len(t.regulars) < 2 {
		return errNothing
	}
	auth, err := t.do(ctx, partner.DoAuthoriseCard, object{"amount": 3300, "registrationId": t.regulars[1], "companyReferenceId": t.gym})
	if err != nil {
		return err
	}
	if err := t.act(ctx, "/cards/"+auth+"/authorise", object{"number": "approved"}); err != nil {
		return err
	}
	for n, card := range []string{"approved", "later-decline"} {
		who := t.regulars[n]
		if err := t.act(ctx, "/payment-methods", object{"registrationId": who, "card": card}); err != nil {
			return err
		}
		if err := t.all(ctx,
			partner.Task{Do: partner.DoPaymentMethods, With: object{"registrationId": who}},
			partner.Task{Do: partner.DoChargeSavedCard, With: object{"registrationId": who, "companyReferenceId": t.gym, "amount": 4100 + n}},
			partner.Task{Do: partner.DoChargeSavedCard, With: object{"registrationId": who, "companyReferenceId": t.gym, "amount": 4300 + n}},
		); err != nil {
			return err
		}
	}
	for n := range 6 {
		mobile := fmt.Sprintf("+1202555015%d", n)
		if _, err := t.do(ctx, partner.DoCardPayment, object{"companyReferenceId": t.gym, "amount": 1200 + n*50, "mobileNumber": mobile}); err != nil {
			return err
		}
	}
	return nil
}

// plans collects a membership every month until it is paused and canceled.
func (t *tour) plans(ctx context.Context) error {
	if len(t.regulars) < 2 {
		return errNothing
	}
	start := t.Now().AddDate(0, 0, 2).Format(time.DateOnly)
	plan, err := t.do(ctx, partner.DoCreatePlan, object{
		"name": "Monthly membership", "companyReferenceId": t.gym, "amount": 2900, "startDate": start,
		"intervalValue": 1, "intervalUnit": "Month",
	})
	if err != nil {
		return err
	}
	var consents []string
	for _, who := range t.regulars[:2] {
		consent, err := t.do(ctx, partner.DoAddPlanPayer, object{"planId": plan, "registrationId": who})
		if err != nil {
			return err
		}
		consents = append(consents, consent)
	}
	if err := t.act(ctx, "/consents/"+consents[0]+"/accept", nil); err != nil {
		return err
	}
	if err := t.all(ctx,
		partner.Task{Do: partner.DoListConsents, With: object{"planId": plan}},
		partner.Task{Do: partner.DoActivatePlan, With: object{"planId": plan}},
		partner.Task{Do: partner.DoDeclineConsent, With: object{"consentId": consents[1]}},
	); err != nil {
		return err
	}
	if err := t.advance(ctx, 4*24*time.Hour); err != nil {
		return err
	}
	return t.all(ctx,
		partner.Task{Do: partner.DoPausePlan, With: object{"planId": plan}},
		partner.Task{Do: partner.DoCancelPlan, With: object{"planId": plan}},
	)
}

// rotation changes the secret of the webhook endpoint: the application learns
// it first.
func (t *tour) rotation(ctx context.Context) error {
	if t.endpoint == "" {
		return nil
	}
	secret := "whsec_" + t.id()
	t.AcceptSecret(secret)
	return t.act(ctx, "/webhooks/"+t.endpoint+"/rotate-secret", object{"secret": secret})
}

// reports reads the report, which by now has more than one page, and the states
// of many payments after the token has expired.
func (t *tour) reports(ctx context.Context) error {
	if err := t.advance(ctx, 2*time.Hour); err != nil {
		return err
	}
	if err := t.look(ctx); err != nil {
		return err
	}
	return t.all(ctx, partner.Task{Do: partner.DoReport, With: object{"companyReferenceId": t.gym}})
}
