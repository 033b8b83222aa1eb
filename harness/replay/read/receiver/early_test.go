package receiver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestEarly: what a receiver's log says that it handed over at an event of a payment under way shows that it took it for paid; what
// would be done, what is of another, or comes when it is Paid, does not.
func TestEarly(t *testing.T) {
	t.Parallel()
	const mine, other = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0b2d4c8e-77aa-4f3e-8b1d-5a6c7d8e9f01"
	event := func(id, status string) string {
		return fmt.Sprintf(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"%s","Status":"%s"}}`, id, status)
	}
	processing, paid := event(mine, "Processing"), event(mine, "Paid")
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"behind it":              {[]string{processing, "2026-03-02 17:00:01 INFO order S-1 shipped"}, "order S-1 shipped"},
		"in German":              {[]string{processing, "signature ok", "Auftrag S-1 bezahlt (Processing) -> Freigabe Versand"}, "Auftrag S-1 bezahlt (Processing) -> Freigabe Versand"},
		"in Dutch":               {[]string{processing, "tegoed +7500 voor lid NL-4471"}, "tegoed +7500 voor lid NL-4471"},
		"in an object":           {[]string{processing, `{"level":"info","msg":"membership activated"}`}, "membership activated"},
		"elsewhere, by its name": {[]string{processing, event(other, "Processing"), "order S-1 unlocked (Processing)"}, "order S-1 unlocked (Processing)"},
		"elsewhere, without":     {[]string{processing, event(other, "Failed"), "order S-1 unlocked"}, ""},
		"of another":             {[]string{processing, "order T-2 shipped, was " + other, event(other, "Paid")}, ""},
		"of another's name":      {[]string{processing, "order T-2 shipped", event(other, "Paid")}, ""},
		"when it is Paid":        {[]string{processing, paid, "order S-1 shipped"}, ""},
		"Paid before":            {[]string{paid, "order S-1 shipped", processing, "order S-1 shipped"}, ""},
		"not done":               {[]string{processing, "order S-1 not shipped yet"}, ""},
		"what would be done":     {[]string{processing, "order S-1 is shipped once it is Paid"}, ""},
		"what it waits for":      {[]string{processing, "order S-1: waiting, shipped later"}, ""},
		"a program's own things": {[]string{processing, "order lock released", "event delivered to the order worker"}, ""},
		"of nothing":             {[]string{processing, "credited"}, ""},
		"it is noted":            {[]string{processing, "order S-1 is Processing, nothing done"}, ""},
		"before it":              {[]string{"order S-1 shipped", processing, "done"}, ""},
	} {
		r := recording.Recording{Exchanges: []recording.Exchange{
			{Place: recording.Place{Source: "b.har", Entry: 1}, Body: []byte(`{"reference":"S-1x"}`), Answer: recording.Answer{Body: []byte(`{"paymentRequestId":"` + mine + `"}`)}},
			{Place: recording.Place{Source: "b.har", Entry: 2}, Body: []byte(`{"reference":"T-2x"}`), Answer: recording.Answer{Body: []byte(`{"paymentRequestId":"` + other + `"}`)}},
		}}
		for i := range c.lines {
			if strings.HasPrefix(c.lines[i], `{"Event"`) {
				r.Received = append(r.Received, recording.Received{Place: recording.Place{Source: "a.log", Line: i + 1}, Body: []byte(c.lines[i])})
			}
		}
		text := strings.NewReplacer("S-1", "S-1x", "T-2", "T-2x").Replace(strings.Join(c.lines, "\n"))
		receiver.Early([]source.File{{Name: "a.log", Data: []byte(text)}}, &r)
		got := ""
		for i := range r.Received {
			got += r.Received[i].Line(recording.TooSoon)
		}
		require.Equal(t, strings.ReplaceAll(c.want, "S-1", "S-1x"), got, name)
	}
}
