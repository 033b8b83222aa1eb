package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/partner"
)

// What careless applications send.

// carelessPayments break the clauses about what identifies a payment, and its body.
func carelessPayments() []Variant {
	return []Variant{
		{Name: "reference.present", What: "Its payments carry no reference.", spoil: asks(func(_ *App, body object) { delete(body, "reference") })},
		{Name: "reference.unique", What: "All of its payments carry the same reference.", spoil: asks(func(_ *App, body object) { body["reference"] = "membership" })},
		{Name: "idempotency.key", What: "Its calls that move money carry no idempotency key.", spoil: func(a *App) {
			sends(func(_ *App, r *http.Request, _ object) { r.Header.Del("Idempotency-Key") })(a)
			a.policy.repeat = a.lookFirst
		}},
		{Name: "idempotency.same-key", What: "It draws a new idempotency key for each attempt.", spoil: func(a *App) {
			a.policy.repeat = func(ctx context.Context, r *request, lost error, into any) (bool, error) {
				done, err := a.lookFirst(ctx, r, lost, into)
				if r.key != "" {
					r.key = a.chance.id()
				}
				return done, err
			}
		}},
		{Name: "idempotency.fresh-key", What: "A refund goes out under the idempotency key of its payment.", spoil: refundsUnderKeyOfPayment},
		{Name: "idempotency.opaque", What: "Its idempotency keys are a counter and the amount.", spoil: countsKeys},
		{Name: "amount.cents", What: "It sends amounts that are not whole dollars as decimal fractions.", spoil: asks(inDollars)},
		{Name: "intent.amount", What: "It sends dollars instead of cents, where a sum has no cents.", spoil: asks(dollarsForCents)},
		{Name: "intent.split", What: "It drops the cents that are left over when a sum is split.", spoil: func(a *App) {
			a.policy.shares = func(sum, n int64) []int64 { return slices.Repeat([]int64{sum / n}, int(n)) }
		}},
		{Name: "intent.location", What: "It asks for every payment at the first location that it knows.", spoil: asks(firstLocation)},
		{Name: "intent.due-date", What: "It counts due dates from the day after.", spoil: asks(dayLater)},
		{Name: "phone.e164", What: "It sends mobile numbers as they are written on paper.", spoil: sends(numbersOnPaper)},
		{Name: "body.known-members", What: "It sends a member that the service does not have.", spoil: asks(func(_ *App, body object) { body["currency"] = "USD" })},
		{Name: "body.known-values", What: "It sends a value that the service does not have.", spoil: asks(func(_ *App, body object) { body["feePayer"] = "customer" })},
	}
}

func carelessPrivacy() []Variant {
	return []Variant{
		{Name: "privacy.urls", What: "The addresses for returning payers hold their telephone number.", spoil: sends(telephonesInAddresses)},
		{Name: "privacy.references", What: "Its references hold the payer's e-mail address.", spoil: asks(func(a *App, body object) {
			body["reference"] = or(a.payerOf(body).email, shown(body["emailAddress"])) + strings.Replace(shown(body["reference"]), "INV-", " ", 1)
		})},
		{Name: "privacy.free-text", What: "Its descriptions hold the payer's e-mail address.", spoil: sends(gossips)},
		{Name: "privacy.output", What: "It prints what it sends and hears when it fetches a token.", spoil: travels(printsTokens)},
	}
}

// trip makes an HTTP request.
type trip func(r *http.Request) (*http.Response, error)

// RoundTrip makes a trip an [http.RoundTripper].
func (t trip) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// travels puts something between the application and the service.
func travels(otherwise func(a *App, careful trip) trip) func(*App) {
	return func(a *App) {
		careful, client := http.DefaultTransport.RoundTrip, *a.o.HTTP
		if client.Transport != nil {
			careful = client.Transport.RoundTrip
		}
		client.Transport = otherwise(a, careful)
		a.o.HTTP = &client
	}
}

// sends changes what is sent; body is nil where there is none.
func sends(change func(a *App, r *http.Request, body object)) func(*App) {
	return travels(func(a *App, careful trip) trip {
		return func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			var body object
			if r.ContentLength > 0 {
				d := json.NewDecoder(r.Body)
				d.UseNumber()
				if err := d.Decode(&body); err != nil {
					return nil, err
				}
			}
			change(a, r, body)
			if body != nil {
				raw, err := json.Marshal(body)
				if err != nil {
					return nil, err
				}
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
			}
			return careful(r)
		}
	})
}

// asks is sends for the bodies that ask for a payment.
func asks(change func(a *App, body object)) func(*App) {
	return sends(func(a *App, r *http.Request, body object) {
		if strings.HasSuffix(r.URL.Path, "/Payment/Create") {
			change(a, body)
		}
	})
}

func tokenIntoAddress(_ *App, r *http.Request, _ object) {
	if r.Method == http.MethodGet {
		query := r.URL.Query()
		query.Set("access_token", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		r.URL.RawQuery = query.Encode()
	}
}

func fromBrowser(_ *App, r *http.Request, _ object) {
	if strings.HasSuffix(r.URL.Path, "/Authentication/Token") {
		r.Header.Set("Origin", "https://shop.partner.example.com")
		r.Header.Set("Referer", "https://shop.partner.example.com/checkout")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "cors")
	}
}

// namelessly sends no User-Agent, instead of the library's own.
func namelessly(_ *App, r *http.Request, _ object) { r.Header.Set("User-Agent", "") }

// countsKeys gives each idempotency key a number.
func countsKeys(a *App) {
	var mu sync.Mutex
	numbers := map[string]int{}
	sends(func(_ *App, r *http.Request, body object) {
		key := r.Header.Get("Idempotency-Key")
		if key == "" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if numbers[key] == 0 {
			numbers[key] = len(numbers) + 1
		}
		r.Header.Set("Idempotency-Key", "payment-"+strconv.Itoa(numbers[key])+"-"+shown(body["amount"]))
	})(a)
}

// numbersOnPaper writes a mobile number as people in the country do, except of who
// registers or is asked for a payment.
func numbersOnPaper(_ *App, r *http.Request, body object) {
	number := shown(body["mobileNumber"])
	onPaper := strings.HasSuffix(r.URL.Path, "/CardPayment") || strings.HasSuffix(r.URL.Path, "/ExternalAuthLink")
	if onPaper && len(number) == len("+12025550123") {
		body["mobileNumber"] = "(" + number[2:5] + ") " + number[5:8] + "-" + number[8:]
	}
}

// payerOf is what is known of the payer whom a body names.
func (a *App) payerOf(body object) payer { return a.book.payer(shown(body["registrationId"]), payer{}) }

func telephonesInAddresses(a *App, _ *http.Request, body object) {
	for _, name := range []string{"returnUrl", "redirectUrl"} {
		if address := shown(body[name]); address != "" {
			number := or(or(a.payerOf(body).mobile, shown(body["contactNumber"])), shown(body["mobileNumber"]))
			body[name] = address + "?phone=" + strings.Replace(number, "+", "%2B", 1)
		}
	}
}

func gossips(a *App, r *http.Request, body object) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/User/Register"):
		body["shortDescription"] = "Membership of " + shown(body["email"])
	case strings.HasSuffix(r.URL.Path, "/Payment/Create"):
		body["shortDescription"] = shown(body["shortDescription"]) + " for " + or(a.payerOf(body).email, shown(body["contactNumber"]))
	}
}

// refundsUnderKeyOfPayment remembers the keys of payments.
func refundsUnderKeyOfPayment(a *App) {
	var keys sync.Map
	for _, what := range []string{partner.DoCreatePayment, partner.DoAuthoriseCard, partner.DoChargeSavedCard} {
		performs(what, func(_ *App, careful task) task {
			return func(ctx context.Context, j *Job) error {
				err := careful(ctx, j)
				keys.Store(j.made, j.key)
				return err
			}
		})(a)
	}
	performs(partner.DoRefundPayment, func(_ *App, careful task) task {
		return func(ctx context.Context, j *Job) error {
			if key, known := keys.Load(j.text("paymentRequestId")); known {
				j.key = key.(string)
			}
			return careful(ctx, j)
		}
	})(a)
}

// How careless applications take answers.

func withoutRetryAfter(_ *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err == nil {
			res.Header.Del("Retry-After")
		}
		return res, err
	}
}

// refusedAgain is what a careless caller thinks of refusals: all but 401, and those
// of a cancellation, might be different the next time.
func refusedAgain(a *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || res.StatusCode < 400 || res.StatusCode >= 500 || r.Method == http.MethodPut ||
			res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusTooManyRequests {
			return res, err
		}
		_ = res.Body.Close()
		if err := a.o.Sleep(r.Context(), firstPause); err != nil {
			return nil, err
		}
		again := r.Clone(r.Context())
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
		return careful(again)
	}
}

// firstPageOnly does not want to know that there is more.
func firstPageOnly(_ *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/Transaction/Report") {
			return res, err
		}
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		res.Body = io.NopCloser(bytes.NewReader(bytes.Replace(raw, []byte(`"hasMore":true`), []byte(`"hasMore":false`), 1)))
		return res, err
	}
}

// printsTokens tells everybody who reads along.
func printsTokens(a *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/Authentication/Token") {
			return res, err
		}
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		a.o.Say("a token for " + a.o.ClientSecret + ": " + string(raw))
		res.Body = io.NopCloser(bytes.NewReader(raw))
		return res, err
	}
}

// repeatAsNew makes a call whose answer was lost another one: nothing tells that it
// was tried before.
func (a *App) repeatAsNew(_ context.Context, r *request, lost error, _ any) (bool, error) {
	if r.key != "" && lost != nil {
		r.key = a.chance.id()
		if _, has := r.body["reference"]; has {
			r.body = fill(object{"reference": a.newReference()}, r.body)
		}
	}
	return false, nil
}
