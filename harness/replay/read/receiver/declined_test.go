package receiver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestDeclined: what a log says right behind a charge that was declined shows that it was taken for paid; what it says of one that was
// not, or behind another call, does not.
func TestDeclined(t *testing.T) {
	t.Parallel()
	for said, c := range map[string]struct {
		status string
		next   int
		told   bool
	}{
		"invoice 3312: charge ok, receipt mailed": {"declined", 0, true},
		"invoice 3312 marked as paid":             {"Denied", 0, true},
		"invoice 3312 not marked as paid":         {"declined", 0, false},
		"charge failed, status := paid undone":    {"declined", 0, false},
		"invoice 3313 marked paid":                {"success", 0, false},
		"invoice 3314 marked paid":                {"declined", 4, false},
	} {
		r := &recording.Recording{Exchanges: []recording.Exchange{{
			Place:  recording.Place{Source: "app.log", Line: 2},
			Answer: recording.Answer{Status: 200, Body: []byte(`{"paymentRequestId":"p-1","status":"` + c.status + `","chargedAmount":0}`)},
		}}}
		if c.next > 0 {
			r.Exchanges = append(r.Exchanges, recording.Exchange{Place: recording.Place{Source: "app.log", Line: c.next}})
		}
		receiver.Declined([]source.File{{Name: "app.log", Data: []byte("start\nPOST\n200\n" + said + "\n" + said + "\n")}}, r)
		require.Equal(t, c.told, r.Exchanges[0].TooSoon != "", said)
	}
}
