package diagnose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// TestOneSignatureOfTwoBodies is the service's fault where an event is delivered again with another body; where nothing is signed, or all
// signatures look alike since they were struck out, it shows nothing.
func TestOneSignatureOfTwoBodies(t *testing.T) {
	t.Parallel()
	one, two, gone := "sha256="+strings.Repeat("ab", 32), "sha256="+strings.Repeat("cd", 32), "sha256=[removed]"
	event := func(status, at, signature string) recording.Received {
		w := recording.Received{Body: fmt.Appendf(nil, `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":%q,"Timestamp":%q}}`, status, at), Status: 200}
		for _, name := range []string{"Host", "User-Agent", "Content-Type", "Content-Length"} {
			w.Header = append(w.Header, tape.Header{Name: name, Value: "x"})
		}
		if signature != "" {
			w.Header = append(w.Header, tape.Header{Name: "X-HMAC-Signature", Value: signature})
		}
		return w
	}
	for name, c := range map[string]struct {
		list []recording.Received
		told bool
	}{
		"another body":          {[]recording.Received{event("Processing", "1", one), event("Processing", "2", one), event("Paid", "3", two)}, true},
		"the same body":         {[]recording.Received{event("Processing", "1", one), event("Processing", "1", one), event("Paid", "3", two)}, false},
		"another event":         {[]recording.Received{event("Processing", "1", one), event("Failed", "2", one), event("Paid", "3", two)}, false},
		"struck out, all":       {[]recording.Received{event("Processing", "1", gone), event("Processing", "2", gone), event("Paid", "3", gone)}, false},
		"unsigned, beside some": {[]recording.Received{event("Processing", "1", ""), event("Processing", "2", ""), event("Paid", "3", two), event("Created", "4", one)}, false},
	} {
		in := newInput()
		in.Recording.Received = c.list
		for i := range c.list {
			in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Heard: i + 1})
		}
		d := diagnose.Of(&in.Input)
		told := false
		for _, f := range d.Faults {
			told = told || f.Side == diagnose.Service && f.Clause == "event.signature"
		}
		require.Equal(t, c.told, told, "%s: %v", name, d.Lines)
	}
}

// TestAnEventSignedAsTheOneBefore is the service's fault where it is delivered so again and refused; once it may be forged, and of another
// sender, or where no secret tells which of the two is right, it shows nothing.
func TestAnEventSignedAsTheOneBefore(t *testing.T) {
	t.Parallel()
	event := func(status, sender string, answered int, said recording.Signature) recording.Received {
		w := recording.Received{Body: fmt.Appendf(nil, `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":%q,"Timestamp":"1"}}`, status), Status: answered, Signature: said}
		for _, name := range []string{"Host", "Content-Type", "Content-Length"} {
			w.Header = append(w.Header, tape.Header{Name: name, Value: "x"})
		}
		w.Header = append(w.Header, tape.Header{Name: "User-Agent", Value: sender}, tape.Header{Name: "X-HMAC-Signature", Value: "sha256=" + strings.Repeat("ab", 32)})
		return w
	}
	first, wrong := event("Processing", "hooks/1", 200, recording.Valid), event("Paid", "hooks/1", 401, recording.Wrong)
	for name, c := range map[string]struct {
		list []recording.Received
		told bool
	}{
		"refused twice":     {[]recording.Received{first, wrong, wrong}, true},
		"refused once":      {[]recording.Received{first, wrong}, false},
		"of another sender": {[]recording.Received{first, event("Paid", "curl/8", 401, recording.Wrong), event("Paid", "curl/8", 401, recording.Wrong)}, false},
		"of a sandbox":      {[]recording.Received{event("Processing", "paysandbox/1", 200, recording.Valid), event("Paid", "paysandbox/1", 401, recording.Wrong), event("Paid", "paysandbox/1", 401, recording.Wrong)}, false},
		"taken":             {[]recording.Received{first, event("Paid", "hooks/1", 200, recording.Wrong), event("Paid", "hooks/1", 200, recording.Wrong)}, false},
		"before it":         {[]recording.Received{wrong, wrong, first}, false},
		"without a secret":  {[]recording.Received{event("Processing", "hooks/1", 200, ""), event("Paid", "hooks/1", 401, ""), event("Paid", "hooks/1", 401, "")}, false},
	} {
		in := newInput()
		in.Recording.Received = c.list
		for i := range c.list {
			in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Heard: i + 1})
		}
		d := diagnose.Of(&in.Input)
		told := slices.ContainsFunc(d.Faults, func(f diagnose.Fault) bool { return f.Side == diagnose.Service && f.Clause == "event.signature" })
		require.Equal(t, c.told, told, "%s: %v", name, d.Lines)
	}
}

// TestADifferenceThatIsThereAgain: a status that is another than it was is another refusal; a value may be drawn anew.
func TestADifferenceThatIsThereAgain(t *testing.T) {
	t.Parallel()
	status := compare.Difference{N: 4, Operation: "createPayment", Where: "status", Recorded: "400", Replayed: "200"}
	refused := status
	refused.Replayed = "401"
	require.True(t, diagnose.Different([]compare.Difference{status}, &status))
	require.False(t, diagnose.Different([]compare.Difference{refused}, &status))
	value := compare.Difference{N: 4, Operation: "createPayment", Where: "/rows/0/id", Replayed: "a"}
	require.True(t, diagnose.Different([]compare.Difference{{N: 4, Operation: "createPayment", Where: "/rows/1/id", Replayed: "b"}}, &value))
}

// TestALimitOfRequests: calls that were answered with 429 show a choice of the service where as many as it admits were served in the
// second before each; others show that it was asked too often, by whatever it counts.
func TestALimitOfRequests(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 1, 6, 5, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		served, refused int
		apart           time.Duration
		knob            string
	}{
		"ten, and others":       {10, 6, 20 * time.Millisecond, "rate-limit=10/s"},
		"a hundred":             {100, 2, 2 * time.Millisecond, "rate-limit=100/s"},
		"fewer":                 {9, 6, 20 * time.Millisecond, ""},
		"more than ten, by far": {40, 2, 5 * time.Millisecond, ""},
		"slowly":                {20, 1, 200 * time.Millisecond, ""},
		"none refused":          {10, 0, 20 * time.Millisecond, ""},
	} {
		in := newInput()
		for i := range c.served + c.refused {
			status := map[bool]int{true: 200, false: 429}[i < c.served]
			in.call("createPayment", "POST /Payment/Create", recording.Answer{Known: recording.WithoutBody, Status: status}, status, "")
			in.last(func(x *recording.Exchange) {
				x.Begin, x.BodyMissing = at.Add(time.Duration(i)*c.apart), c.refused == 7
				if status == 429 {
					x.Answer.Header = []tape.Header{{Name: "Retry-After", Value: "1"}}
				}
			})
		}
		d := diagnose.Of(&in.Input)
		knob, first := "", 0
		for _, f := range d.Faults {
			if f.Side == diagnose.Choice {
				require.True(t, f.Unseen())
				knob, first = f.Knob, f.N
			}
		}
		require.Equal(t, c.knob, knob, "%s: %v", name, d.Lines)
		if knob != "" {
			require.Equal(t, c.served, first, name)
			ledger := latitude.Ledger()
			require.True(t, slices.ContainsFunc(ledger, func(e latitude.Entry) bool {
				return strings.HasPrefix(knob, e.Name+"=") && slices.Contains(e.Others(), strings.TrimPrefix(knob, e.Name+"="))
			}), "the ledger has it")
		}
	}
}
