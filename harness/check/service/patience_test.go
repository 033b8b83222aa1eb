package service_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPatienceAskedFor: who is asked for patience may wait as long as that, or as long as
// the schedule has it when that is longer. A date is read by the receiver's own clock.
func TestPatienceAskedFor(t *testing.T) {
	t.Parallel()
	const own = "Mon, 02 Mar 2026 16:30:00 GMT"
	for _, c := range []struct {
		after, date string
		wait        time.Duration
		want        verdict.Word
	}{
		{"60", "", time.Minute, verdict.Pass},
		{"60", "", 5 * time.Second, verdict.Fail},
		{"1", "", time.Second, verdict.Pass},
		{"1", "", 5 * time.Second, verdict.Pass},
		{"1", "", 3 * time.Second, verdict.Fail},
		{"soon", "", 5 * time.Second, verdict.Pass},
		{"-60", "", 5 * time.Second, verdict.Pass},
		{"99999999999999999999", "", 24 * time.Hour, verdict.Pass},
		{"Mon, 02 Mar 2026 16:31:00 GMT", own, time.Minute, verdict.Pass},
		{"Mon, 02 Mar 2026 16:31:00 GMT", own, 5 * time.Second, verdict.Fail},
		{"Mon, 02 Mar 2026 17:01:00 GMT", "", time.Minute, verdict.Pass},
		{"Mon, 02 Mar 2026 16:00:00 GMT", own, 5 * time.Second, verdict.Pass},
	} {
		at := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC).UnixNano()
		header := []tape.Header{{Name: "Retry-After", Value: c.after}}
		if c.date != "" {
			header = append(header, tape.Header{Name: "Date", Value: c.date})
		}
		first := tape.Entry{Seq: 1, At: at, Kind: tape.KindAttempt, Attempt: &tape.Attempt{
			Delivery: "d", Endpoint: "e", Event: "v", Number: 1, Status: 503, ResponseHeader: header, Next: at + int64(c.wait),
		}}
		require.Equal(t, c.want, status(t, bare(first), "delivery.retry"), "%+v", c)
	}
}

// TestBodyOfSomebodysOwn: a delivery that was sent once more with a body that a tester
// wrote is not held to its event; one without is.
func TestBodyOfSomebodysOwn(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]verdict.Word{`{"body":"{}"}`: verdict.NotApplicable, `{}`: verdict.Fail} {
		text := `{"tape":1,"seed":1,"start":"2028-01-01T00:00:00Z"}
{"seq":1,"at":"2028-01-01T00:00:00Z","kind":"event","entities":["p"],"event":{"id":"v","name":"PAYMENT_STATUS_CHANGED","body":"{\"Live\":false}"}}
{"seq":2,"at":"2028-01-01T00:00:00Z","kind":"control","exchange":{"operation":"resendDelivery","request":{"body":` + quoted(t, body) + `},"response":{"status":200,"body":"{\"id\":\"d\"}"}}}
{"seq":3,"cause":2,"at":"2028-01-01T00:00:00Z","kind":"attempt","attempt":{"delivery":"d","endpoint":"e","event":"v","number":1,"status":200,"body":"{}"}}
`
		_, entries, err := tape.Read(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, want, status(t, bare(entries...), "delivery.bytes"), body)
	}
}

func quoted(tb testing.TB, text string) string {
	tb.Helper()
	b, err := json.Marshal(text)
	require.NoError(tb, err)
	return string(b)
}
