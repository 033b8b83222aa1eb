package app

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// book is what the application knows, in memory; a real one would keep it in a
// database. Its methods are safe for concurrent use.
type book struct {
	mu        sync.Mutex
	companies []*company
	payers    map[string]*payer
	payments  map[string]*payment
	// order holds the ids of payments as they became known.
	order []string
	// words are the opaque ends of return addresses, and what they stand for.
	words map[string]place
	// questions are about the states of entities.
	questions map[string]*question
}

// place is what a payer comes back to: one of the two is set.
type place struct{ payment, registration string }

// company is a company of the partner's.
type company struct {
	reference, id, status string
	at                    time.Time
	locations             []string
}

// payer is somebody who pays.
type payer struct {
	mobile, email, status string
}

// The states that the application knows by name.
const (
	verified   = "Verified"
	rejected   = "Rejected"
	registered = "Registered"
	paid       = "Paid"
	failed     = "Failed"
)

func newBook() *book {
	return &book{
		payers: map[string]*payer{}, payments: map[string]*payment{}, words: map[string]place{},
		questions: map[string]*question{},
	}
}

// company finds a company by reference, id or location; "" is the first one,
// which is the integration's default.
func (b *book) company(name string) (company, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.find(name); c != nil {
		return *c, true
	}
	return company{}, false
}

func (b *book) find(name string) *company {
	for _, c := range b.companies {
		if name == "" || name == c.reference || name == c.id || slices.Contains(c.locations, name) {
			return c
		}
	}
	return nil
}

// addCompany notes a company with its locations.
func (b *book) addCompany(reference, id string, locations []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.find(reference)
	if c == nil {
		c = &company{reference: reference}
		b.companies = append(b.companies, c)
	}
	if id != "" {
		c.id = id
	}
	for _, l := range locations {
		if !slices.Contains(c.locations, l) {
			c.locations = append(c.locations, l)
		}
	}
}

// judged notes the outcome of a verification; one from an earlier time changes
// nothing.
func (b *book) judged(name, status string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.find(name)
	if c == nil {
		c = &company{id: name, reference: name}
		b.companies = append(b.companies, c)
	}
	if !at.Before(c.at) {
		c.status, c.at = status, at
	}
}

// payer notes somebody, or what is new about them, and gives what is known.
func (b *book) payer(id string, news payer) payer {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.payers[id]
	if p == nil {
		p = &payer{}
		b.payers[id] = p
	}
	p.mobile, p.email, p.status = or(news.mobile, p.mobile), or(news.email, p.email), or(news.status, p.status)
	return *p
}

// returning notes what the word at the end of a return address stands for.
func (b *book) returning(word string, to place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.words[word] = to
}

func (b *book) comesFor(word string) place {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.words[word]
}

// wordFor is the word with which the payer of a payment or a registration comes
// back.
func (b *book) wordFor(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for word, to := range b.words {
		if id == to.payment || id == to.registration {
			return word // there is one at most
		}
	}
	return ""
}

// question is the turn of asking for the state of one entity.
type question struct {
	sync.Mutex
	// last is when the last answer came.
	last time.Time
}

func (b *book) question(entity string) *question {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.questions[entity]
	if q == nil {
		q = &question{}
		b.questions[entity] = q
	}
	return q
}

func or(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

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
