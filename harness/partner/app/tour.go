package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
	// Whoever judges may know that the application's time is moved with the service's.
	if err := t.act(ctx, "/notes", object{"kind": "virtual-time", "text": "the tour moves the time", "data": object{}}); err != nil {
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
		probed := a.probed.Load() > a.last.Load() || now.Sub(begun) > 2*time.Second
		calm := now.UnixNano()-a.last.Load() > int64(500*time.Millisecond)
		if a.Pending() == 0 && probed && calm || now.Sub(begun) > 20*time.Second {
			return nil
		}
		if err := a.o.Sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// do performs a task and gives the id of what it has made.
func (t *tour) do(ctx context.Context, what string, with object) (string, error) {
	j, err := t.begin(ctx, what, with)
	if err != nil {
		return "", err
	}
	if err := t.until(ctx, func() bool { return j.over.Load() }); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return j.made, nil
}

// begin performs a task that may be kept for later.
func (t *tour) begin(ctx context.Context, what string, with object) (*job, error) {
	t.tasks++
	return t.run(ctx, partner.Task{ID: t.tasks, Do: what, With: with})
}

// all performs tasks one after the other, as far as they go.
func (t *tour) all(ctx context.Context, tasks ...partner.Task) error {
	for _, task := range tasks {
		if _, err := t.do(ctx, task.Do, task.With); err != nil {
			return err
		}
	}
	return nil
}

var errNothing = errors.New("it did not happen in time")

// until waits for something that a webhook is to bring about.
func (t *tour) until(ctx context.Context, happened func() bool) error {
	for late := t.o.Now().Add(10 * time.Second); t.o.Now().Before(late); {
		if happened() {
			return nil
		}
		if t.o.Manual {
			if _, err := t.Drain(ctx); err != nil {
				return err
			}
		}
		if err := t.o.Sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return errNothing
}

// advance moves time on: the service's, and with it the application's, while
// nothing is under way.
func (t *tour) advance(ctx context.Context, by time.Duration) error {
	t.working.Lock()
	defer t.working.Unlock()
	_, err := t.stage.Do(ctx, "/clock/advance", object{"by": by.String()})
	if err == nil && !t.o.Manual {
		t.ahead.Add(int64(by))
	}
	return err
}

// act is what somebody else does; that it cannot be done is no matter.
func (t *tour) act(ctx context.Context, path string, body any) error {
	_, err := t.stage.Try(ctx, path, body)
	return err
}

// comesBack is a payer's browser that is sent back to the application.
func (t *tour) comesBack(ctx context.Context, what, id, status string) error {
	note := object{"kind": "redirect", "text": "the payer comes back", "data": object{what: id, "status": status}}
	if err := t.act(ctx, "/notes", note); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url+"/return/"+t.book.wordFor(id), nil)
	if err != nil {
		return err
	}
	res, err := t.o.HTTP.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// known is what the application knows of a payment.
func (t *tour) known(id string) (known payment) {
	t.book.payment(id, func(p *payment) { known = *p })
	return known
}

// reaches waits until the application has heard that a payment is in a state.
func (t *tour) reaches(ctx context.Context, id, status string) error {
	if err := t.until(ctx, func() bool { return t.known(id).status == status }); err != nil {
		return fmt.Errorf("payment %s should be %s: %w", id, status, err)
	}
	return nil
}
