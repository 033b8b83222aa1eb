package tour

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// object is a JSON object.
type object = map[string]any

// do performs a task and gives the id of what it has made.
func (t *tour) do(ctx context.Context, what string, with object) (string, error) {
	j, err := t.begin(ctx, what, with)
	if err != nil {
		return "", err
	}
	if err := t.until(ctx, j.Over); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return j.Made(), nil
}

// begin performs a task that may be kept for later.
func (t *tour) begin(ctx context.Context, what string, with object) (*app.Job, error) {
	t.tasks++
	return t.Begin(ctx, partner.Task{ID: t.tasks, Do: what, With: with})
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

// patience is how long the tour waits for something: on a busy machine a webhook that
// trouble held up or lost comes late.
const patience = time.Minute

// until waits for something that a webhook is to bring about.
func (t *tour) until(ctx context.Context, happened func() bool) error {
	for late := t.o.Now().Add(patience); t.o.Now().Before(late); {
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
	return t.Forward(by, func() error {
		_, err := t.stage.Do(ctx, "/clock/advance", object{"by": by.String()})
		return err
	})
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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.ReturnAddress(id), nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// reaches waits until the application has heard that a payment is in a state.
func (t *tour) reaches(ctx context.Context, id, status string) error {
	if err := t.until(ctx, func() bool { return t.Payment(id).Status == status }); err != nil {
		return fmt.Errorf("payment %s should be %s: %w", id, status, err)
	}
	return nil
}
