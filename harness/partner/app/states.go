package app

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// askGap is the least time between two questions for the state of one entity.
// Webhooks tell what changes; asking is for what they cannot tell.
const askGap = 1200 * time.Millisecond

// get reads from the service.
func (a *App) get(ctx context.Context, path string, query url.Values, into any) error {
	return a.call(ctx, request{method: http.MethodGet, path: path, query: query}, into)
}

// askFor reads the state of an entity, one question at a time and not sooner than
// a moment after the last answer.
func (a *App) askFor(ctx context.Context, entity, path string) (string, error) {
	turn := a.book.question(entity)
	turn.Lock()
	defer turn.Unlock()
	if wait := turn.last.Add(askGap).Sub(a.o.Now()); wait > 0 && !turn.last.IsZero() {
		if err := a.o.Sleep(ctx, wait); err != nil {
			return "", err
		}
	}
	var got struct {
		Status string `json:"status"`
	}
	err := a.get(ctx, path, nil, &got)
	turn.last = a.o.Now()
	return got.Status, err
}

// readPayment takes over the state of a payment from the service.
func (a *App) readPayment(ctx context.Context, id string) (string, error) {
	status, err := a.askFor(ctx, id, "/Payment/"+url.PathEscape(id)+"/Status")
	if err == nil {
		a.book.payment(id, func(p *payment) {
			p.asked = true
			a.become(p, status)
		})
	}
	return status, err
}

// readPayer takes over the state of a payer from the service.
func (a *App) readPayer(ctx context.Context, registration string) (string, error) {
	status, err := a.askFor(ctx, registration, "/User/"+url.PathEscape(registration)+"/Status")
	if err == nil {
		a.book.payer(registration, payer{status: status})
	}
	return status, err
}

// readCompany takes over the state of a company from the service. name is its
// reference or its id.
func (a *App) readCompany(ctx context.Context, name string) (string, error) {
	if c, known := a.book.company(name); known {
		name = c.reference
	}
	status, err := a.askFor(ctx, name, "/Company/"+url.PathEscape(name)+"/Status")
	if err == nil {
		a.book.judged(name, status, time.Time{})
	}
	return status, err
}

// companyStatus is what is known of a company, else what the service says. A
// verdict is final, so it is asked for once.
func (a *App) companyStatus(ctx context.Context, c company) (string, error) {
	if c.status == verified || c.status == rejected {
		return c.status, nil
	}
	return a.readCompany(ctx, c.reference)
}

// Payer is what the application knows of the state of a registration, "" for nothing.
func (a *App) Payer(registration string) string { return a.book.payer(registration, payer{}).status }

// payerStatus is the same as companyStatus of a payer.
func (a *App) payerStatus(ctx context.Context, registration string) (string, error) {
	if status := a.Payer(registration); status == registered {
		return status, nil
	}
	return a.readPayer(ctx, registration)
}
