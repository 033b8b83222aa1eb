package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/harness/partner"
)

// Tour plays what a partner's own test suite would: it lets the application do
// everything that it can, and plays payers, banks, verifiers and time through
// the sandbox's control API. It takes some seconds.
//
// A part that fails does not end the tour; the error tells of all of them.
func Tour(ctx context.Context, a *App, s *partner.Stage) error {
	t := &tour{App: a, stage: s, tag: a.chance.id()[:8]}
	if err := t.Enter(ctx, s); err != nil {
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
		{"outage", t.outage},
		{"comings", t.comings},
		{"refunds", t.refunds},
		{"cancellations", t.cancellations},
		{"more payments", t.morePayments},
		{"cards", t.cards},
		{"plans", t.plans},
		{"bank returns", t.bankReturns},
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
	errs = append(errs, t.Finish(ctx))
	if n := t.Pending(); n > 0 {
		errs = append(errs, fmt.Errorf("%d tasks are left undone", n))
	}
	return errors.Join(errs...)
}

// tour is what the test suite remembers.
type tour struct {
	*App
	stage *partner.Stage
	// tag makes the references of companies the tour's own.
	tag   string
	tasks int

	gym, shop string
	house     string
	regulars  []string
	// settled are payments that were paid, waiting such that nobody answers.
	settled, waiting []string
	// looks counts the looks at those that wait.
	looks int
}

// Enter tells the sandbox where webhooks go to, and where the application's
// state can be read.
func (a *App) Enter(ctx context.Context, s *partner.Stage) error {
	hook := map[string]any{"url": a.HooksURL()}
	if a.o.WebhookSecret != "" {
		hook["secret"] = a.o.WebhookSecret
	}
	got, err := s.Do(ctx, "/webhooks", hook)
	if err != nil {
		return err
	}
	var endpoint struct{ ID, Secret string }
	if err := got.Read(&endpoint); err != nil {
		return err
	}
	a.endpoint = endpoint.ID
	if a.o.WebhookSecret == "" {
		a.AcceptSecret(endpoint.Secret)
	}
	note := map[string]any{"kind": "state-probe", "text": "the application's state probe", "data": object{"url": a.StateURL()}}
	_, err = s.Try(ctx, "/notes", note) // an older sandbox has no notes
	return err
}

// Finish waits until nothing is left to do, and the state was asked for once more
// or some time has passed. What is still kept after that stays undone.
func (a *App) Finish(ctx context.Context) error {
	for begun := a.o.Now(); ; {
		if a.o.Manual {
			if _, err := a.Drain(ctx); err != nil {
				return err
			}
		}
		now := a.o.Now()
		probed := a.probed.Load()-a.last.Load() > int64(500*time.Millisecond) || now.Sub(begun) > 2*time.Second
		calm := now.UnixNano()-a.last.Load() > int64(500*time.Millisecond)
		if a.Pending() == 0 && probed && calm || now.Sub(begun) > 20*time.Second {
			return nil
		}
		if err := a.o.Sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
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
