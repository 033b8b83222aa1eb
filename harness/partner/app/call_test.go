package app_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// samePayments requires that all attempts were the same: key and body.
func samePayments(t *testing.T, b *bench, want int) {
	t.Helper()
	calls := b.exchanges("createPayment")
	require.Len(t, calls, want)
	for _, c := range calls[1:] {
		require.Equal(t, header(calls[0], "Idempotency-Key"), header(c, "Idempotency-Key"))
		require.Equal(t, string(calls[0].Exchange.Request.Body), string(c.Exchange.Request.Body))
	}
}

func TestFailuresAreRepeatedAfterGrowingPauses(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.slept = nil
	b.arm("createPayment", 3, map[string]any{"status": 500})
	b.payment(5000)
	samePayments(t, b, 4)
	require.Len(t, b.slept, 3)
	for n, pause := range b.slept {
		middle := 100 * time.Millisecond << n
		require.InDelta(t, middle, pause, float64(middle)/4)
		require.NotEqual(t, middle, pause, "chance spreads the pauses")
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 503} {
		b := start(t)
		b.gym()
		b.slept = nil
		b.arm("createPayment", 1, map[string]any{"status": status, "retryAfter": 30})
		b.payment(5000)
		require.Equal(t, []time.Duration{30 * time.Second}, b.slept)
	}
}

// TestLostAnswerIsLookedUp: without keys the report tells what became of the call,
// and only what is not there is asked for again.
func TestLostAnswerIsLookedUp(t *testing.T) {
	t.Parallel()
	b := start(t, keyless)
	b.gym()
	asked := map[string]any{"companyReferenceId": "gym", "amount": 5000, "contactNumber": "+12025550142"}
	b.arm("createPayment", 1, map[string]any{"commitThenDrop": true})
	b.do(partner.DoCreatePayment, asked)
	require.Len(t, b.exchanges("createPayment"), 1, "it is not made again")
	require.Len(t, b.exchanges("reportTransactions"), 1)
	require.Empty(t, header(b.exchanges("createPayment")[0], "Idempotency-Key"))
	require.Len(t, b.State().Payments, 1)

	b.arm("createPayment", 1, map[string]any{"cutConnection": "start"})
	b.do(partner.DoCreatePayment, asked)
	require.Len(t, b.exchanges("createPayment"), 3, "one that came to nothing is")
	require.Len(t, b.State().Payments, 2)
}

// TestLostAnswer: the same call tells what became of the first one.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.arm("createPayment", 1, map[string]any{"commitThenDrop": true})
	b.payment(5000)
	samePayments(t, b, 2)
	require.Len(t, b.State().Payments, 1)
}

func TestLostAnswerOfACompany(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.arm("createCompany", 1, map[string]any{"commitThenDrop": true})
	b.gym()
	b.payment(5000)
	require.Len(t, b.exchanges("createCompany"), 2)
	require.Len(t, b.exchanges("listCompanies"), 1)
}

// TestTokenIsReplacedOnce: 401 leads to one new token and one more call.
func TestTokenIsReplacedOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.arm("createPayment", 1, map[string]any{"tokenRevoked": "token"})
	b.payment(5000)
	samePayments(t, b, 2)
	require.Len(t, b.exchanges("createToken"), 2)
	b.arm("createPayment", 2, map[string]any{"tokenRevoked": "call"})
	require.Error(t, b.try(partner.DoCreatePayment, map[string]any{"companyReferenceId": "gym", "amount": 1, "contactNumber": "+12025550142"}))
	require.Len(t, b.exchanges("createPayment"), 4)
}

func TestTokenIsReplacedBeforeItExpires(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.box.Advance(t, 58*time.Minute)
	b.payment(5000)
	require.Len(t, b.exchanges("createToken"), 1)
	b.box.Advance(t, 90*time.Second)
	b.payment(5000)
	require.Len(t, b.exchanges("createToken"), 2)
	for _, e := range b.exchanges("") {
		require.Less(t, e.Exchange.Response.Status, 400)
	}
}

// TestOutage: after four attempts the task is kept, and goes out unchanged when
// the service is back.
func TestOutage(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.arm("createPayment", 6, map[string]any{"status": 503})
	task := partner.Task{ID: 100, Do: partner.DoCreatePayment, With: map[string]any{
		"companyReferenceId": "gym", "amount": 5000, "contactNumber": "+12025550142",
	}}
	require.NoError(t, b.Do(t.Context(), task))
	require.Equal(t, 1, b.Pending())
	require.Len(t, b.exchanges("createPayment"), 4)
	b.settle()
	require.Len(t, b.exchanges("createPayment"), 4, "not due yet")
	b.box.Advance(t, 10*time.Second)
	b.settle()
	require.Len(t, b.exchanges("createPayment"), 5, "one look")
	require.NoError(t, b.Do(t.Context(), task))
	b.box.Advance(t, time.Minute)
	b.settle()
	samePayments(t, b, 7)
	require.Zero(t, b.Pending())
}

// meeting holds the first call for a token until there is a second one, once it has begun.
type meeting struct {
	begun atomic.Bool
	calls atomic.Int32
	met   chan struct{}
}

func (m *meeting) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.begun.Load() && r.URL.Path == "/Authentication/Token" {
		switch m.calls.Add(1) {
		case 1:
			select {
			case <-m.met:
			case <-r.Context().Done():
			}
		case 2:
			close(m.met)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestParallelCallsShareAToken works with goroutines, as a process does.
func TestParallelCallsShareAToken(t *testing.T) {
	t.Parallel()
	for name, want := range map[app.Carelessness]int{"": 1, "token.single-flight": 8} {
		m := &meeting{met: make(chan struct{})}
		b := start(t, careless(name), func(o *app.Options) { o.Parallel, o.HTTP = 8, &http.Client{Transport: m} })
		b.gym()
		ids := make([]any, 8)
		for i := range ids {
			ids[i] = b.payment(5000)
		}
		before := len(b.exchanges("createToken"))
		b.box.Advance(t, 2*time.Hour)
		m.begun.Store(want > 1)
		b.do(partner.DoStatusOfMany, map[string]any{"paymentRequestIds": ids})
		require.Len(t, b.exchanges("getPaymentStatus"), 8)
		fetched := len(b.exchanges("createToken")) - before
		if want == 1 {
			require.Equal(t, 1, fetched)
		} else {
			require.Greater(t, fetched, 1)
		}
	}
}

// TestSecretsAreNotPrinted, but by the variant that does.
func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	for name, want := range map[app.Carelessness]bool{"": false, "privacy.output": true} {
		var said []string
		b := start(t, careless(name), func(o *app.Options) { o.Say = func(line string) { said = append(said, line) } })
		b.gym()
		all := strings.Join(said, "\n")
		require.Equal(t, want, strings.Contains(all, b.box.ClientSecret), name)
		require.Equal(t, want, strings.Contains(all, "eyJ"), name)
	}
}
