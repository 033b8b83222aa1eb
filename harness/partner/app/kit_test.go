package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/partner/tour"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// secret signs the deliveries of every test.
const secret = "whsec_of_the_tests"

// bench is an application in Manual mode beside a sandbox whose clock stands
// still.
type bench struct {
	*app.App
	box   *mocktest.Sandbox
	stage *partner.Stage
	tb    testing.TB
	tasks int
	slept []time.Duration
}

// with changes the application's options.
type with func(*app.Options)

func careless(name app.Carelessness) with { return func(o *app.Options) { o.Careless = name } }

// keyless is for a service that ignores idempotency keys, as it does by default.
func keyless(o *app.Options) { o.Keys = false }

// paying is start with a company, and a payment of 50.00 that was requested.
func paying(tb testing.TB) (b *bench, payment string) {
	tb.Helper()
	b = start(tb)
	b.gym()
	return b, b.payment(5000)
}

// start runs both, in the environment rehearsal, with keys that are honoured.
func start(tb testing.TB, changes ...with) *bench {
	tb.Helper()
	b := &bench{box: mocktest.Start(tb, mocktest.Options{
		Seed: 5, Environment: world.Rehearsal, Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured),
	}), tb: tb}
	b.stage = &partner.Stage{Base: b.box.URL, Integration: "default"}
	o := app.Options{
		BaseURL: b.box.URL, ClientID: b.box.ClientID, ClientSecret: b.box.ClientSecret, WebhookSecret: secret,
		Seed: 3, Manual: true, Keys: true, Now: b.now, Sleep: b.sleep,
	}
	for _, change := range changes {
		change(&o)
	}
	var err error
	b.App, err = app.New(o)
	require.NoError(tb, err)
	require.NoError(tb, b.Start(context.WithoutCancel(tb.Context())))
	tb.Cleanup(func() { _ = b.Close() })
	_, err = tour.Enter(tb.Context(), b.App, b.stage)
	require.NoError(tb, err)
	return b
}

func (b *bench) now() time.Time {
	_, now, _ := b.box.Server.Registry().Default().Clock()
	return now
}

// sleep moves the sandbox's clock.
func (b *bench) sleep(ctx context.Context, d time.Duration) error {
	b.slept = append(b.slept, d)
	b.box.Advance(b.tb, d)
	return ctx.Err()
}

// do performs a task.
func (b *bench) do(what string, members map[string]any) {
	b.tb.Helper()
	require.NoError(b.tb, b.try(what, members))
}

func (b *bench) try(what string, members map[string]any) error {
	b.tasks++
	return b.Do(b.tb.Context(), partner.Task{ID: b.tasks, Do: what, With: members})
}

// settle lets every delivery arrive and the application work on it.
func (b *bench) settle() {
	b.tb.Helper()
	for {
		b.box.Server.Registry().Default().Settle()
		n, err := b.Drain(b.tb.Context())
		require.NoError(b.tb, err)
		if n == 0 {
			return
		}
	}
}

// play is what payers, banks and verifiers do, and a moment for it to be heard.
func (b *bench) play(path string, body any) {
	b.tb.Helper()
	_, err := b.stage.Do(b.tb.Context(), path, body)
	require.NoError(b.tb, err)
	b.settle()
}

// exchanges are the calls of an operation, "" being any.
func (b *bench) exchanges(operation string) []tape.Entry {
	var found []tape.Entry
	for _, e := range b.box.Tape(b.tb, tape.Filter{}) {
		if e.Kind == tape.KindExchange && (operation == "" || e.Exchange.Operation == operation) {
			found = append(found, e)
		}
	}
	return found
}

// body reads what a call has sent.
func body(tb testing.TB, e tape.Entry) map[string]any {
	tb.Helper()
	var o map[string]any
	require.NoError(tb, json.Unmarshal(e.Exchange.Request.Body, &o))
	return o
}

func header(e tape.Entry, name string) string {
	for _, h := range e.Exchange.Request.Header {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// gym makes a verified company.
func (b *bench) gym() {
	b.tb.Helper()
	b.do(partner.DoCreateCompany, map[string]any{"companyReferenceId": "gym", "name": "Fit Gym"})
	b.play("/companies/gym/kyb", map[string]any{"outcome": "verified"})
}

// payment asks somebody with a telephone number, and gives the payment's id.
func (b *bench) payment(amount int) string {
	b.tb.Helper()
	b.do(partner.DoCreatePayment, map[string]any{"companyReferenceId": "gym", "amount": amount, "contactNumber": "+12025550142"})
	calls := b.exchanges("createPayment")
	return paymentOf(b.tb, calls[len(calls)-1])
}

func paymentOf(tb testing.TB, e tape.Entry) string {
	tb.Helper()
	var made struct{ PaymentRequestID string }
	require.NoError(tb, json.Unmarshal(e.Exchange.Response.Body, &made))
	return made.PaymentRequestID
}

// payer registers somebody and gives the id.
func (b *bench) payer(members map[string]any) string {
	b.tb.Helper()
	b.do(partner.DoRegisterUser, members)
	calls := b.exchanges("registerUser")
	var made struct{ RegistrationID string }
	require.NoError(b.tb, json.Unmarshal(calls[len(calls)-1].Exchange.Response.Body, &made))
	return made.RegistrationID
}

// arm arms a fault for the next calls of an operation.
func (b *bench) arm(operation string, times int, effect map[string]any) {
	b.tb.Helper()
	_, err := b.stage.Do(b.tb.Context(), "/faults", map[string]any{
		"match": map[string]any{"operation": operation}, "effect": effect, "count": times,
	})
	require.NoError(b.tb, err)
}

// deliver posts a body to the application's receiver and gives the status.
func (b *bench) deliver(content, signature string) int {
	b.tb.Helper()
	req, err := http.NewRequestWithContext(b.tb.Context(), http.MethodPost, b.HooksURL(), strings.NewReader(content))
	require.NoError(b.tb, err)
	if signature != "" {
		req.Header.Set("X-HMAC-Signature", signature)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(b.tb, err)
	require.NoError(b.tb, res.Body.Close())
	return res.StatusCode
}

// paymentEvent writes an event as the service does.
func paymentEvent(id, status, at string) string {
	return `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","RegistrationId":"r","Amount":5000,` +
		`"Currency":"USD","Status":"` + status + `","Timestamp":"` + at + `","AccountNumberMasked":"*1111"}}`
}

// signed delivers a genuine event.
func (b *bench) signed(content string) int {
	b.tb.Helper()
	return b.deliver(content, partner.Signature(secret, []byte(content)))
}

// did is how often a payment was fulfilled and reversed.
func (b *bench) did(id string) [2]int {
	for _, p := range b.State().Payments {
		if p.PaymentRequestID == id {
			return [2]int{p.Fulfilled, p.Reversed}
		}
	}
	return [2]int{}
}

// comesBack is a payer's browser at the address that a call has named.
func (b *bench) comesBack(call tape.Entry, member string) {
	b.tb.Helper()
	address, _ := body(b.tb, call)[member].(string)
	res, err := http.Get(address)
	require.NoError(b.tb, err)
	require.NoError(b.tb, res.Body.Close())
	require.Equal(b.tb, http.StatusOK, res.StatusCode)
	b.settle()
}
