package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
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
