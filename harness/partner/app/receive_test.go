package app_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/mockserver/tape"
)

const (
	somePayment = "1a2d27ec-c3d4-44bd-be5a-ad9071d36d25"
	noon        = "2026-03-02T12:00:00Z"
	afternoon   = "2026-03-02T15:00:00Z"
)

// TestOnlyGenuineDeliveriesCount: the others are refused, and nothing follows.
func TestOnlyGenuineDeliveriesCount(t *testing.T) {
	t.Parallel()
	event := paymentEvent(somePayment, "Paid", noon)
	right := partner.Signature(secret, []byte(event))
	earlier := partner.Signature(secret, []byte(strings.Replace(event, "T12:", "T11:", 1)))
	b := start(t)
	for name, d := range map[string][2]string{
		"unsigned":       {event, ""},
		"wrong secret":   {event, partner.Signature(secret+"-1", []byte(event))},
		"altered":        {strings.Replace(event, "5000", "9000", 1), right},
		"stale":          {event, earlier},
		"not hex":        {event, "sha256=xyz"},
		"another method": {event, strings.Replace(right, "sha256", "sha1", 1)},
	} {
		require.Equal(t, 401, b.deliver(d[0], d[1]), name)
	}
	b.settle()
	require.Empty(t, b.State().Payments)
	require.Empty(t, b.exchanges(""))
	require.Equal(t, 200, b.deliver(event, "sha256="+strings.ToUpper(right[7:])))
	b.settle()
	require.Equal(t, [2]int{1, 0}, b.did(somePayment))
}

func TestOddAndUnknownDeliveriesAreAccepted(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, event := range []string{
		" {\n\t\"Data\" : { \"Timestamp\":\"" + noon + "\", \"Status\":\"\\u0050aid\", \"PaymentId\" : \"" + somePayment + "\" } ,\"Event\":\"PAYMENT_STATUS_CHANGED\"}\r\n",
		`{"Live":false,"Event":"PAYOUT_STATUS_CHANGED","Data":{"Status":1}}`,
		strings.Replace(paymentEvent(somePayment, "Paid", afternoon), `"Live"`, `"Origin":{"Labels":["x"]},"Live"`, 1),
		paymentEvent(somePayment, "Frozen", "soon"),
	} {
		require.Contains(t, []int{200, 400}, b.signed(event), event)
	}
	require.Equal(t, 400, b.signed(`{"Event":`))
	require.Equal(t, 400, b.signed(paymentEvent(somePayment, "Paid", noon)+"{}"))
	b.settle()
	require.Equal(t, [2]int{1, 0}, b.did(somePayment))
}

func TestRotation(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.AcceptSecret("")
	require.Error(t, b.try(partner.DoAcceptSecret, nil), "a task without a secret")
	known := paymentEvent(somePayment, "Queued", noon)
	require.Equal(t, 401, b.deliver(known, partner.Signature("", []byte(known))), "everybody knows the empty secret")
	b.AcceptSecret("second")
	event := paymentEvent(somePayment, "Processing", noon)
	require.Equal(t, 200, b.signed(event))
	require.Equal(t, 200, b.deliver(event, partner.Signature("second", []byte(event))))
	b.AcceptSecret("third")
	require.Equal(t, 401, b.signed(event), "two secrets are enough")
}

// garbled answers reads of a state with something that is none.
type garbled struct{}

func (garbled) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && strings.Contains(r.URL.Path, "Status") {
		_ = res.Body.Close()
		res.StatusCode, res.Body = http.StatusOK, io.NopCloser(strings.NewReader("{"))
	}
	return res, err
}

// TestOneEventDoesNotStopTheOthers: they were taken with 200, so nobody sends them
// again.
func TestOneEventDoesNotStopTheOthers(t *testing.T) {
	t.Parallel()
	b := start(t, func(o *app.Options) { o.HTTP = &http.Client{Transport: garbled{}} })
	require.Equal(t, 200, b.signed(paymentEvent("4d5c3a1e-0000-4000-8000-000000000001", "Frozen", noon)))
	require.Equal(t, 200, b.signed(paymentEvent(somePayment, "Paid", afternoon)))
	_, err := b.Drain(t.Context())
	require.ErrorContains(t, err, "read the answer")
	require.Equal(t, [2]int{1, 0}, b.did(somePayment))
}

// TestDuplicatesHaveOneEffect, one after the other and at the same moment.
func TestDuplicatesHaveOneEffect(t *testing.T) {
	t.Parallel()
	for name, want := range map[app.Carelessness]struct{ later, together int }{
		"":                           {1, 1},
		"webhook.duplicate":          {2, 1},
		"webhook.parallel-duplicate": {1, 2},
	} {
		b := start(t, careless(name))
		event := paymentEvent(somePayment, "Paid", noon)
		for range 2 {
			require.Equal(t, 200, b.signed(event))
		}
		b.settle()
		require.Equal(t, want.later, b.did(somePayment)[0], name)

		b = start(t, careless(name))
		var twins sync.WaitGroup
		for range 2 {
			twins.Go(func() { b.signed(event) })
		}
		twins.Wait()
		b.settle()
		require.Equal(t, want.together, b.did(somePayment)[0], name)
	}
}

// TestOrder: what was heard does not depend on the order in which it came.
func TestOrder(t *testing.T) {
	t.Parallel()
	type heard struct{ status, at string }
	for name, c := range map[string]struct {
		events []heard
		did    [2]int
	}{
		"in order":                {[]heard{{"Processing", noon}, {"Paid", afternoon}}, [2]int{1, 0}},
		"turned round":            {[]heard{{"Paid", afternoon}, {"Processing", noon}}, [2]int{1, 0}},
		"in the same second":      {[]heard{{"Paid", noon}, {"Processing", noon}}, [2]int{1, 0}},
		"returned":                {[]heard{{"Paid", noon}, {"Failed", afternoon}}, [2]int{1, 1}},
		"returned, turned round":  {[]heard{{"Failed", afternoon}, {"Paid", noon}}, [2]int{0, 0}},
		"failed, and then failed": {[]heard{{"Failed", noon}, {"Failed", afternoon}}, [2]int{0, 0}},
	} {
		b := start(t)
		for _, h := range c.events {
			require.Equal(t, 200, b.signed(paymentEvent(somePayment, h.status, h.at)))
			b.settle() // one after the other
		}
		require.Equal(t, c.did, b.did(somePayment), name)
		require.Empty(t, b.exchanges(""), name)
	}
}

// TestDoubt: an event that contradicts what is known is held against the service.
func TestDoubt(t *testing.T) {
	t.Parallel()
	b, id := paying(t)
	b.play("/payments/"+id+"/approve", nil)
	require.Empty(t, b.exchanges("getPaymentStatus"))
	require.Equal(t, 200, b.signed(paymentEvent(id, "Paid", "2001-01-01T00:00:00Z")))
	b.settle()
	require.Len(t, b.exchanges("getPaymentStatus"), 1)
	require.Equal(t, [2]int{0, 0}, b.did(id), "the service says Processing")
	b.play("/payments/"+id+"/pay", nil)
	require.Equal(t, [2]int{1, 0}, b.did(id))
}

// TestManualOrder: a batch is worked on in the order of time, however it came.
func TestManualOrder(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, at := range []string{afternoon, noon} {
		require.Equal(t, 200, b.signed(paymentEvent(somePayment[:35]+at[12:13], "Paid", at)))
	}
	b.settle()
	require.Equal(t, somePayment[:35]+"2", b.State().Payments[0].PaymentRequestID)
}

func polls(o *app.Options) { o.Polls = true }

// TestPollingLearnsByReading: without webhooks the state is read again, also after Paid,
// and not in a hurry; what does not change any more is left alone.
func TestPollingLearnsByReading(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		careless app.Carelessness
		after    [2]int
	}{
		"careful": {"", [2]int{1, 1}}, "what is paid stays paid": {"payment.late-return", [2]int{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t, polls, careless(c.careless))
			b.gym()
			id := b.payment(5000)
			wait := func(d time.Duration) {
				b.box.Advance(t, d)
				b.settle()
			}
			b.play("/payments/"+id+"/approve", nil)
			wait(2 * time.Second)
			require.Equal(t, [2]int{0, 0}, b.did(id))
			b.play("/payments/"+id+"/pay", nil)
			wait(5 * time.Second)
			require.Equal(t, [2]int{1, 0}, b.did(id))
			b.play("/payments/"+id+"/return", nil)
			wait(5 * time.Second)
			require.Equal(t, c.after, b.did(id))
			reads := len(b.exchanges("getPaymentStatus"))
			require.LessOrEqual(t, reads, 8)
			wait(time.Hour)
			require.Len(t, b.exchanges("getPaymentStatus"), reads)
		})
	}
}

// FuzzEvent: whatever a delivery with the right signature says, it is taken or refused as one
// that cannot be read, and what follows are calls that look, each of which is answered.
func FuzzEvent(f *testing.F) {
	b := start(f)
	for _, event := range []string{
		paymentEvent(somePayment, "Paid", noon), paymentEvent("..", "Paid", noon), paymentEvent("../../Authentication", "Paid", noon), paymentEvent(somePayment, "Returned", "0000-01-01T00:00:00Z"),
		`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"a/b?c#d%zz","Status":"Paid"}}`, `{"Event":"PAYMENT_STATUS_CHANGED","Data":null}`,
		`{"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"\u0000"}}`, `{}{}`, `{"Event":`, "",
	} {
		f.Add([]byte(event))
	}
	since := uint64(0)
	f.Fuzz(func(t *testing.T, event []byte) {
		b.tb = t
		defer func() { b.tb = f }()
		require.Contains(t, []int{200, 400}, b.deliver(string(event), partner.Signature(secret, event)))
		require.Equal(t, 401, b.deliver(string(event), partner.Signature(secret+"-1", event)))
		b.settle()
		for _, e := range b.box.Tape(t, tape.Filter{Since: since, Kinds: []tape.Kind{tape.KindExchange}}) {
			require.True(t, e.Exchange.Method == http.MethodGet || e.Exchange.Operation == "createToken", "%s %s after %q", e.Exchange.Method, e.Exchange.Path, event)
			require.Less(t, e.Exchange.Response.Status, 500, "%s after %q", e.Exchange.Path, event)
			since = e.Seq
		}
	})
}
