// Package app is the reference partner application: a small, correct integration
// with the payment service, with a server for webhooks and returning payers, a
// store in memory, and a client that is prepared for trouble.
//
// It owns what an integration owns: when to call, what to send, what to believe.
// It must not know the harness that watches it: nothing here reads a tape or
// plays a payer. Package tour is the partner's own test suite for it.
//
// Whoever builds an integration may read it in this order:
//
//   - call.go, payment.go: one call until it has an outcome. Pauses,
//     Retry-After, lost answers, and one token for everybody.
//   - receive.go: a delivery from its bytes to the inbox.
//   - payment.go, app.go: what is believed, in which order, and what is done
//     about it; why a payer who comes back proves nothing.
//   - kept.go, tasks_*.go: what is done, or waits until it may be.
//   - policy.go: the decisions in which others go wrong, in one place.
//
// The files careless*.go hold its careless variants, each of which breaks one
// clause: no other file knows more of them than the option that chooses one.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paysandbox/fixtures"
	"paysandbox/harness/partner"
)

// App is the application. Its methods are safe for concurrent use.
type App struct {
	o       Options
	policy  policy
	tasks   map[string]func(context.Context, *Job) error
	chance  *chance
	tokens  tokens
	secrets secrets
	book    *book
	inbox   *inbox
	kept    kept
	drawing sync.Mutex // is held to draw people
	people  *fixtures.People
	// ahead is by how many nanoseconds the service's time was moved on.
	ahead atomic.Int64
	// probed is when the state was asked for last, and heard when a webhook came
	// in, in nanoseconds.
	probed, heard atomic.Int64

	// working is held by whoever works through the inbox and the kept tasks.
	working sync.Mutex
	server  *http.Server
	url     string
	stop    context.CancelFunc
	stopped chan struct{}
	ended   sync.WaitGroup
}

// New prepares an application; nothing runs before Start.
func New(o Options) (*App, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a := &App{
		o: o.withDefaults(), chance: newChance(o.Seed), book: newBook(), inbox: newInbox(),
		people: fixtures.NewPeople(o.Seed), kept: kept{all: map[int]*Job{}}, stopped: make(chan struct{}),
	}
	a.policy, a.tasks = a.decide(), a.operations()
	a.AcceptSecret(o.WebhookSecret)
	o.Careless.spoil(a)
	return a, nil
}

// Start listens for webhooks and returning payers and, without Manual, works on
// what comes in. It ends with Close or with the context.
func (a *App) Start(ctx context.Context) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", a.o.Addr)
	if err != nil {
		return err
	}
	a.url = "http://" + l.Addr().String()
	ctx, a.stop = context.WithCancel(ctx)
	a.server = &http.Server{Handler: a.handler(), ReadHeaderTimeout: 10 * time.Second}
	a.ended.Go(func() { _ = a.server.Serve(l) })
	if !a.o.Manual {
		a.ended.Go(func() { a.work(ctx) })
	}
	return nil
}

// Close ends the server and what is under way.
func (a *App) Close() error {
	if a.server == nil {
		return nil
	}
	close(a.stopped)
	a.stop()
	err := a.server.Close()
	a.ended.Wait()
	return err
}

// URL is the application's own address as the service knows it.
func (a *App) URL() string { return or(a.o.PublicURL, a.url) }

// Listens is the host and port of its own server, "" before Start.
func (a *App) Listens() string { return strings.TrimPrefix(a.url, "http://") }

// HooksURL is where it receives webhooks.
func (a *App) HooksURL() string { return a.URL() + "/hooks" }

// ReturnURL is where payers come back to; what follows it in a payment or a
// registration is an opaque word of the application's own.
func (a *App) ReturnURL() string { return a.URL() + "/return" }

// StateURL is its state probe.
func (a *App) StateURL() string { return a.URL() + "/state" }

// ReturnAddress is where the payer of a payment or a registration comes back to, at
// the application's own server.
func (a *App) ReturnAddress(id string) string { return a.url + "/return/" + a.book.wordFor(id) }

// Options are those in use, with the defaults filled in.
func (a *App) Options() Options { return a.o }

// Visited says when a webhook came in last, and when the state was asked for.
func (a *App) Visited() (webhook, probe time.Time) {
	return time.Unix(0, a.heard.Load()), time.Unix(0, a.probed.Load())
}

// Forward moves the application's time on with the service's, which move does,
// while nothing is under way. In Manual mode the clock of the options is the
// service's.
func (a *App) Forward(by time.Duration, move func() error) error {
	a.working.Lock()
	defer a.working.Unlock()
	err := move()
	if err == nil && !a.o.Manual {
		a.ahead.Add(int64(by))
	}
	return err
}

// State is what the state probe answers.
func (a *App) State() State { return a.book.state() }

// Do performs a task. What may not be done yet (the company is not Verified, the
// payer not Registered, the service is out) is kept and done when an event or a
// status shows that it may; that is no error, and neither is a refusal that is
// part of business: a declined card, a cancellation that comes too late. An error
// means that the task is lost. The same task, by its id, goes out with the same
// reference and idempotency key whenever it is performed again.
func (a *App) Do(ctx context.Context, t partner.Task) error {
	_, err := a.Begin(ctx, t)
	return err
}

// Drain does what has become due: events, payers who came back, kept tasks. It
// says how many things it has done; 0 means that there is nothing left for now.
// Without Manual the application calls it by itself.
func (a *App) Drain(ctx context.Context) (int, error) {
	a.working.Lock()
	defer a.working.Unlock()
	done := a.poll(ctx)
	var all error
	for _, l := range a.inbox.take(a.o.Manual) {
		if err := l.work(ctx); err != nil {
			all = errors.Join(all, err) // the others were taken, too: nobody sends them again
			continue
		}
		done++
	}
	n, err := a.doKept(ctx)
	return done + n, errors.Join(all, err)
}

// Pending says how many tasks are kept for later.
func (a *App) Pending() int { return a.kept.len() }

// lookEvery is how often the worker looks for kept tasks that are due.
const lookEvery = 250 * time.Millisecond

// work drains whenever something comes in, and now and then.
func (a *App) work(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-a.inbox.news:
		case <-look.C:
		case <-ctx.Done():
			return
		}
		if _, err := a.Drain(ctx); err != nil && ctx.Err() == nil {
			a.o.Say("could not work on what came in: " + err.Error())
		}
	}
}

// handler is the application's own server.
func (a *App) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hooks", a.hook)
	mux.HandleFunc("GET /return/{word}", a.comeBack)
	mux.HandleFunc("GET /state", a.showState)
	return mux
}

// showState is the state probe, for test builds only.
func (a *App) showState(w http.ResponseWriter, _ *http.Request) {
	a.probed.Store(a.o.Now().UnixNano())
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a.book.state())
}

// comeBack receives a payer whose browser the service has sent back. That, and
// whatever the address says, proves nothing: the state is read from the service.
func (a *App) comeBack(w http.ResponseWriter, r *http.Request) {
	word := r.PathValue("word")
	a.inbox.put(letter{order: " " + word, work: func(ctx context.Context) error {
		return a.policy.comeBack(ctx, a.book.comesFor(word))
	}})
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("Thank you. We are looking into it.\n"))
}

// hear works on an event.
func (a *App) hear(ctx context.Context, e *event) error {
	if e.Event == eventPayment {
		return a.hearOfPayment(ctx, e)
	}
	a.book.judged(e.Data.CompanyID, e.Data.Status, e.at())
	a.o.Say("company " + e.Data.CompanyID + " is " + e.Data.Status)
	a.kept.hurry(e.Data.CompanyID)
	return nil
}

// hearOfPayment believes an event of a payment, unless it contradicts what is
// known: then the service is asked.
func (a *App) hearOfPayment(ctx context.Context, e *event) error {
	var worth weight
	a.book.payment(e.Data.PaymentID, func(p *payment) {
		if worth = a.policy.weigh(*p, e.Data.Status, e.at()); worth == news {
			p.at = e.at()
			a.become(p, e.Data.Status)
		}
	})
	if worth == doubtful {
		return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", e.Data.PaymentID)
	}
	return nil
}

// lookAfter reads the state of what a payer came back from.
func (a *App) lookAfter(ctx context.Context, from place) error {
	switch {
	case from.payment != "":
		return a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", from.payment)
	case from.registration != "":
		return a.ask(ctx, partner.DoUserStatus, "registrationId", from.registration)
	default:
		return nil // not a word of ours
	}
}

// ask reads a state, as a task of the application's own: it is kept while the
// service is out. What the service does not know changes nothing.
func (a *App) ask(ctx context.Context, do, name, id string) error {
	err := a.try(ctx, &Job{task: partner.Task{Do: do, With: object{name: id}}})
	if Refused(err) {
		return nil
	}
	return err
}
