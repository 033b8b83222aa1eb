package receiver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

const (
	paid  = `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","Status":"Paid","Timestamp":"2026-03-02T17:00:13Z"}}`
	other = `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","Status":"Failed","Timestamp":"2026-03-05T17:00:13Z"}}`
)

// TestEffects: only the same act, behind each of two deliveries of one event or with the name of what it is about, says
// that a receiver did it twice.
func TestEffects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines      []string
		did        int
		passedOver bool
	}{
		"the same twice":              {[]string{paid, "17:00:13 order 1 fulfilled, list 8", "-> 500", paid, "17:01:13 order 1 fulfilled, list 9", "-> 200"}, 1, false},
		"in the past of other words":  {[]string{paid, "credits were added to account 7", paid, "credits were added to account 7"}, 1, false},
		"once":                        {[]string{paid, "order 1 fulfilled", "-> 500", paid, "-> 200"}, 0, false},
		"twice behind one delivery":   {[]string{paid, "order 1 fulfilled", "order 1 fulfilled", paid, "-> 200"}, 0, false},
		"passed over":                 {[]string{paid, "order 1 fulfilled", paid, "order 1 was fulfilled already, skipped"}, 0, true},
		"not done at first":           {[]string{paid, "order 1 could not be fulfilled: not enough", paid, "order 1 fulfilled"}, 0, false},
		"of other events":             {[]string{paid, "order 1 fulfilled", other, "order 1 released", paid, "-> 200"}, 0, false},
		"elsewhere, by the id":        {[]string{"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10 shipped", "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10 shipped", paid, paid}, 1, false},
		"elsewhere, of something":     {[]string{"order 1 shipped", "order 2 shipped", paid, paid}, 0, false},
		"members of the body, no act": {[]string{paid, `"sent": true`, paid, `"sent": true`}, 0, false},
		"behind a time in brackets":   {[]string{paid, "[2026-03-02 17:00:01] [INFO] order S-1 shipped, label 1Z9966C66733", paid, "[2026-03-02 17:00:09] [INFO] order S-1 shipped, label 1Z47D3FD6A56"}, 1, false},
		"rows of a table":             {[]string{paid, `2026-03-02T17:00:13Z,web-1,app,info,"order 1 fulfilled, list 8"`, paid, `2026-03-02T17:00:19Z,web-1,app,info,"order 1 fulfilled, list 9"`}, 1, false},
		"in German":                   {[]string{paid, "Bestellung 7 freigeschaltet", paid, "Bestellung 7 freigeschaltet"}, 1, false},
		"in Spanish":                  {[]string{paid, "saldo acreditado: 45.00", paid, "saldo acreditado: 45.00"}, 1, false},
		"passed over in Portuguese":   {[]string{paid, "pedido liberado", paid, "evento duplicado, nada a fazer"}, 0, true},
		"passed over in French":       {[]string{paid, "commande expédiée", paid, "événement déjà traité"}, 0, true},
		"an answer that was sent":     {[]string{paid, "response 204 sent", paid, "response 204 sent"}, 0, false},
		"not done, in German":         {[]string{paid, "Ware wird versandt", paid, "Ware wird versandt"}, 0, false},
	} {
		var r recording.Recording
		for i, line := range c.lines {
			if line == paid || line == other {
				r.Received = append(r.Received, recording.Received{Place: recording.Place{Source: "a.log", Line: i + 1}, Body: []byte(line)})
			}
		}
		receiver.Effects([]source.File{{Name: "a.log", Data: []byte(strings.Join(c.lines, "\n"))}}, &r)
		last := r.Received[len(r.Received)-1]
		require.Len(t, last.Lines(recording.DidAgain), c.did, name)
		require.Equal(t, c.passedOver, last.Did(recording.PassedOver), name)
		require.NotContains(t, strings.Join(last.Lines(recording.DidAgain), ""), "web-1", "what a row tells, and not its columns")
	}
}

// TestRefusals: what a receiver's log says of a signature is of the webhook before it, and a refusal; what tells of none is not.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"webhook.go:52: signature mismatch, want sha256=5d41":     "signature mismatch",
		"WARN Invalid webhook signature":                          "Invalid webhook signature",
		"HMAC check failed for /hooks":                            "HMAC check failed",
		"signature does not match":                                "signature does not match",
		"PayHub::SignatureVerificationError: no signatures found": "SignatureVerificationError",
		"signature ok":                       "",
		"signature verified, payment failed": "",
		"no invalid signature was seen":      "",
		"the signature is checked; a wrong one would be refused with 401": "",
	} {
		for _, lines := range [][]string{{"got a webhook", line, "done"}, {"got a webhook: " + line}, {"got a webhook", "GET /Company/List", line}} {
			r := recording.Recording{Received: []recording.Received{{Place: recording.Place{Source: "a.log", Line: 1}}}}
			apart := len(lines) == 3 && lines[2] == line
			if apart { // another's
				r.Exchanges = []recording.Exchange{{Place: recording.Place{Source: "a.log", Line: 2}}}
			}
			receiver.Refusals([]source.File{{Name: "a.log", Data: []byte(strings.Join(lines, "\n"))}}, &r)
			if apart {
				require.Empty(t, r.Received[0].Line(recording.Refused), line)
				continue
			}
			require.Equal(t, want, r.Received[0].Line(recording.Refused), line)
			require.Equal(t, want, receiver.RefusedWords(want), line)
		}
	}
	require.Empty(t, receiver.RefusedWords("signature mismatch and more that a stranger says"))
}
