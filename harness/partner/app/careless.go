package app

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"paysandbox/harness/partner"
)

// Carelessness names a clause that the application breaks on purpose: its id
// without "partner.", for example "token.reuse". The zero value is careful.
//
// None of it is asked for in the careful code: a careless application is a careful
// one of which spoil has replaced a decision of the policy, put something between
// it and the service or its receiver, or changed how it performs a task.
type Carelessness string

// Variant is one careless application.
type Variant struct {
	// Name chooses it.
	Name Carelessness
	// Clause is the id of the clause that it breaks.
	Clause string
	// What says in one sentence what it does wrong.
	What string

	spoil func(*App)
}

// Careless lists the careless variants, one for each clause of the integration
// catalogue, in its order.
func Careless() []Variant {
	all := slices.Concat(carelessTokens(), carelessPayments(), carelessCalls(), carelessReceivers(), carelessBusiness(), carelessPrivacy())
	for i := range all {
		all[i].Clause = "partner." + string(all[i].Name)
	}
	return all
}

// spoil makes a careful application careless.
func (c Carelessness) spoil(a *App) {
	for _, v := range Careless() {
		if v.Name == c {
			v.spoil(a)
		}
	}
}

func carelessTokens() []Variant {
	return []Variant{
		{Name: "token.reuse", What: "It fetches an access token for every call.", spoil: func(a *App) {
			a.policy.useUntil = func(time.Time, time.Duration) time.Time { // the calls of the same moment share one
				if a.o.Manual {
					return a.Now()
				}
				return a.Now().Add(50 * time.Millisecond)
			}
		}},
		{Name: "token.refresh", What: "It uses its token until the service refuses it.", spoil: func(a *App) {
			a.policy.useUntil = func(asked time.Time, _ time.Duration) time.Time { return asked.AddDate(100, 0, 0) }
		}},
		{Name: "token.recover", What: "It takes 401 for an answer: the call is not made again.", spoil: func(a *App) { a.policy.renewals = 0 }},
		{Name: "token.single-flight", What: "Each of several calls in parallel fetches a token of its own.", spoil: func(a *App) { a.policy.turn = noTurn{} }},
		{Name: "token.out-of-urls", What: "It writes the token into the address of what it reads.", spoil: sends(tokenIntoAddress)},
		{Name: "token.server-side", What: "A page in the browser fetches the token with the client secret.", spoil: sends(fromBrowser)},
	}
}

// noTurn lets everybody through.
type noTurn struct{}

func (noTurn) Lock()   {}
func (noTurn) Unlock() {}

func carelessCalls() []Variant {
	return []Variant{
		{Name: "client.user-agent", What: "Its calls do not say which product makes them.", spoil: sends(namelessly)},
		{Name: "outcome.resolved", What: "When an answer is lost it pays again, as if it were a new payment.", spoil: func(a *App) { a.policy.repeat = a.repeatAsNew }},
		{Name: "client.timeout", What: "It waits 400 milliseconds for an answer.", spoil: func(a *App) { a.o.Timeout = 400 * time.Millisecond }},
		{Name: "retry.backoff", What: "Its pauses between attempts are all the same.", spoil: func(a *App) {
			a.policy.backoff = func(int) time.Duration { return 950 * time.Millisecond }
		}},
		{Name: "retry.pause", What: "It makes a failing call again at once, and again.", spoil: func(a *App) {
			a.policy.backoff = func(int) time.Duration { return 0 }
		}},
		{Name: "retry.after", What: "It does not look at Retry-After.", spoil: travels(withoutRetryAfter)},
		{Name: "retry.not-4xx", What: "It repeats calls that were refused.", spoil: travels(refusedAgain)},
		{Name: "retry.bounded", What: "It repeats a failing call for as long as it can.", spoil: func(a *App) { a.policy.attempts = 25 }},
		{Name: "polling.gentle", What: "It asks for the state of a new payment every 20 milliseconds.", spoil: performs(partner.DoCreatePayment, thenPolls)},
	}
}

func carelessBusiness() []Variant {
	return []Variant{
		{Name: "company.verified-first", What: "It charges for companies that are not verified yet.", spoil: func(a *App) {
			a.policy.mayBePaid = func(string) error { return nil }
		}},
		{Name: "company.rejected", What: "Any verdict about a company is good enough to charge for it.", spoil: func(a *App) {
			a.policy.mayBePaid = func(status string) error {
				if status == rejected {
					return nil
				}
				return companyMayBePaid(status)
			}
		}},
		{Name: "payer.registered-first", What: "It charges payers who are not registered yet.", spoil: func(a *App) {
			a.policy.mayBeAsked = func(string) error { return nil }
		}},
		{Name: "payment.redirect", What: "A payer who comes back has paid, it thinks.", spoil: func(a *App) { a.policy.comeBack = a.believe }},
		{Name: "payment.paid-first", What: "It hands over when a payment is Processing: the money is sure to come, it thinks.", spoil: func(a *App) {
			a.policy.won = func(status string) bool { return won(status) || status == "Processing" }
		}},
		{Name: "payment.late-return", What: "What is paid stays paid, it thinks.", spoil: func(a *App) {
			a.policy.lost = func(string) bool { return false }
		}},
		{Name: "payment.books", What: "It hands over when it is told, and again when it looks by itself.", spoil: receives(handsOverAgain)},
		{Name: "payment.over-limit", What: "It asks again when a debit is above its limit.", spoil: asksAgainOverLimit},
		{Name: "payment.cancel-conflict", What: "It cancels again when a cancellation was refused.", spoil: performs(partner.DoCancelPayment, cancelTwice)},
		{Name: "paging.complete", What: "It reads the first page of a report.", spoil: travels(firstPageOnly)},
	}
}

// task performs a kind of task.
type task = func(ctx context.Context, j *Job) error

// performs replaces how a kind of task is performed.
func performs(what string, otherwise func(a *App, careful task) task) func(*App) {
	return func(a *App) { a.tasks[what] = otherwise(a, a.tasks[what]) }
}

// thenPolls asks for the state of a payment until it is Paid, without patience.
func thenPolls(a *App, careful task) task {
	return func(ctx context.Context, j *Job) error {
		if err := careful(ctx, j); err != nil {
			return err
		}
		var got struct{ Status string }
		for range 10 {
			if err := a.get(ctx, at("/Payment/", j.made, "/Status"), nil, &got); err != nil || got.Status == paid {
				return err
			}
			if err := a.o.Sleep(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
		return nil
	}
}

// cancelTwice does not wonder why it was refused.
func cancelTwice(a *App, _ task) task {
	return func(ctx context.Context, j *Job) error {
		path := at("/Payment/", j.text("paymentRequestId"), "/Cancel")
		err := a.put(ctx, j, path)
		if !Refused(err) {
			return err
		}
		_ = a.put(ctx, j, path)
		return nil
	}
}

// asksAgainOverLimit makes a payment again that is above the limit of a debit
// authorisation and therefore waits for the payer.
func asksAgainOverLimit(a *App) {
	var limits sync.Map
	of := func(j *Job) string {
		c, _ := a.book.company(or(j.text("locationId"), j.company()))
		return j.text("registrationId") + " " + c.reference
	}
	performs(partner.DoDebitAuth, func(_ *App, careful task) task {
		return func(ctx context.Context, j *Job) error {
			limits.Store(of(j), wholeNumber(j.with("limit")))
			return careful(ctx, j)
		}
	})(a)
	performs(partner.DoCreatePayment, func(_ *App, careful task) task {
		return func(ctx context.Context, j *Job) error {
			if err := careful(ctx, j); err != nil {
				return err
			}
			if limit, _ := limits.Load(of(j)); limit == nil || limit == int64(0) || wholeNumber(j.with("amount")) <= limit.(int64) {
				return nil
			}
			second := &Job{task: j.task}
			return a.pay(ctx, second, "/Payment/Create", a.paymentBody(second), nil)
		}
	})(a)
}

// believe takes a payer's coming back for a proof.
func (a *App) believe(_ context.Context, from place) error {
	if from.payment != "" {
		a.book.payment(from.payment, func(known *payment) { a.become(known, paid) })
	}
	if from.registration != "" {
		a.book.payer(from.registration, payer{status: registered})
		a.kept.hurry(from.registration)
	}
	return nil
}

func inDollars(_ *App, body object) {
	if cents := wholeNumber(body["amount"]); cents%100 != 0 {
		body["amount"] = float64(cents) / 100
	}
}

func dollarsForCents(_ *App, body object) {
	if cents := wholeNumber(body["amount"]); cents%100 == 0 {
		body["amount"] = cents / 100
	}
}

func firstLocation(a *App, body object) {
	if at := shown(body["locationId"]); at != "" {
		if c, known := a.book.company(at); known && len(c.locations) > 0 {
			body["locationId"] = c.locations[0]
		}
	}
}

func dayLater(_ *App, body object) {
	if day, err := time.Parse(time.DateOnly, shown(body["dueDate"])); err == nil {
		body["dueDate"] = day.AddDate(0, 0, 1).Format(time.DateOnly)
	}
}

// wholeNumber reads a number of JSON; 0 when it is none.
func wholeNumber(v any) int64 {
	n, err := strconv.ParseInt(shown(v), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
