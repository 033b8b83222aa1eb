// Package tour is the test suite of a partner who has built the reference
// application: it lets the application do everything that it can, and plays
// payers, banks, verifiers and time through the sandbox's control API.
//
// It owns what is asked for, and in which order. It sees of the application what a
// test of it would, and must not judge.
package tour

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// Play plays what a partner's own test suite would: it lets the application do
// everything that it can, and plays payers, banks, verifiers and time through
// the sandbox's control API. It takes some seconds.
//
// A part that fails does not end the tour; the error tells of all of them.
func Play(ctx context.Context, a *app.App, s *partner.Stage) error {
	t := &tour{App: a, o: a.Options(), stage: s}
	t.invented = fixtures.NewPeople(t.o.Seed + 1)
	t.tag = t.id()[:8]
	var err error
	if t.endpoint, err = Enter(ctx, a, s); err != nil {
		return err
	}
	if err := t.tellTime(ctx); err != nil {
		return err
	}
	var errs []error
	for _, part := range []struct {
		name string
		play func(context.Context) error
	}{
		{"companies", t.companies},
		{"payers", t.payers},
		{"open payments", t.openPayments},
		{"debits", t.debits},
		{"first payments", t.firstPayments},
		{"announced payments", t.announced},
		{"outage", t.outage},
		{"comings", t.comings},
		{"refunds", t.refunds},
		{"cancellations", t.cancellations},
		{"more payments", t.morePayments},
		{"cards", t.cards},
		{"plans", t.plans},
		{"bank returns", t.bankReturns},
		{"quick returns", t.quickReturns},
		{"refusals", t.refusals},
		{"rotation", t.rotation},
		{"report", t.reports},
		{"last payments", t.lastPayments},
		{"payments for the watcher", t.watchedPayments},
	} {
		t.o.Say("== " + part.name)
		if err := part.play(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", part.name, err))
			t.o.Say(part.name + ": " + err.Error())
		}
		if ctx.Err() != nil {
			return errors.Join(append(errs, ctx.Err())...)
		}
	}
	if n := len(errs); n > 0 && !t.o.Manual {
		errs = append(errs, t.o.Sleep(ctx, moment), t.act(ctx, "/notes", object{"kind": "tour", "text": fmt.Sprintf("the tour is over, %d of its parts have failed", n)}))
	}
	errs = append(errs, Finish(ctx, a))
	if n := t.Pending(); n > 0 {
		errs = append(errs, fmt.Errorf("%d tasks are left undone", n))
	}
	return errors.Join(errs...)
}

// moment is how much longer a tour lasts of which a part has failed, and that is over the sooner for it. Its end is told on the
// tape: before, whoever watches cannot tell whether what was refused is only about to be made again.
const moment = 1500 * time.Millisecond

// tour is what the test suite remembers.
type tour struct {
	*app.App
	o     app.Options
	stage *partner.Stage
	// endpoint is the id of the webhook endpoint.
	endpoint string
	// invented are the people who become payers, drawn counts what else was drawn.
	invented *fixtures.People
	drawn    int
	// tag makes the references of companies the tour's own.
	tag   string
	tasks int

	gym      string
	regulars []string
	// settled are payments that were paid, waiting such that nobody answers.
	settled, waiting []string
	// looks counts the looks at those that wait.
	looks int
}

// Enter tells the sandbox where webhooks go to, if the application receives any, and
// where its state can be read. It gives the id of the webhook endpoint.
func Enter(ctx context.Context, a *app.App, s *partner.Stage) (endpoint string, err error) {
	if !a.Options().Polls {
		if endpoint, err = register(ctx, a, s); err != nil {
			return "", err
		}
	}
	note := object{"kind": "state-probe", "text": "the application's state probe", "data": object{"url": a.StateURL()}}
	_, err = s.Try(ctx, "/notes", note) // an older sandbox has no notes
	return endpoint, err
}

// register makes the application's address a webhook endpoint.
func register(ctx context.Context, a *app.App, s *partner.Stage) (endpoint string, err error) {
	hook := object{"url": a.HooksURL()}
	secret := a.Options().WebhookSecret
	if secret != "" {
		hook["secret"] = secret
	}
	got, err := s.Do(ctx, "/webhooks", hook)
	if err != nil {
		return "", err
	}
	var made struct{ ID, Secret string }
	if err := got.Read(&made); err != nil {
		return "", err
	}
	if secret == "" {
		a.AcceptSecret(made.Secret)
	}
	return made.ID, nil
}

// Finish waits until nothing is left to do, and the state was asked for once more
// or some time has passed, and nobody goes on asking for it: what the bank has returned
// may be taken back late. What is still kept after that stays undone.
func Finish(ctx context.Context, a *app.App) error {
	o := a.Options()
	const calm, asks = 500 * time.Millisecond, 1500 * time.Millisecond // asks is more than a watcher's pause
	for begun := o.Now(); ; {
		if o.Manual {
			if _, err := a.Drain(ctx); err != nil {
				return err
			}
		}
		now := o.Now()
		heard, probed := a.Visited()
		looked := probed.Sub(heard) > calm || now.Sub(begun) > 2*time.Second
		asked := !o.Manual && now.Sub(probed) < asks
		if a.Pending() == 0 && looked && !asked && now.Sub(heard) > calm || now.Sub(begun) > 20*time.Second {
			return nil
		}
		if err := o.Sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// id draws something that nobody else has: the same for the same seed.
func (t *tour) id() string {
	t.drawn++
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "tour %d %d", t.o.Seed, t.drawn)).String()
}

// tellTime lets whoever judges know that the application's time is moved with the
// service's. It is not so where the service's stands still, and the application
// waits by the wall.
func (t *tour) tellTime(ctx context.Context) error {
	if !t.o.Manual {
		answer, err := t.stage.Get(ctx, "/clock")
		if err != nil {
			return err
		}
		var clock struct{ Mode string }
		if err := answer.Read(&clock); err != nil || clock.Mode != "real" {
			return err
		}
	}
	return t.act(ctx, "/notes", object{"kind": "virtual-time", "text": "the tour moves the time", "data": object{}})
}
