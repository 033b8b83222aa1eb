package receiver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestIgnored: what a receiver's log says of a late return shows that it did nothing about it; what may be said of anything else,
// or beside what it did, does not.
func TestIgnored(t *testing.T) {
	t.Parallel()
	const mine, other = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0b2d4c8e-77aa-4f3e-8b1d-5a6c7d8e9f01"
	event := func(id, status, at string) string {
		return fmt.Sprintf(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"%s","Status":"%s","Timestamp":"2026-03-0%sZ"}}`, id, status, at)
	}
	paid, failed := event(mine, "Paid", "2T17:00:01"), event(mine, "Failed", "5T09:00:00")
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"the status":                   {[]string{paid, "order 1 shipped", failed, "2026-03-05 09:00:00 status Failed ignored"}, "status Failed ignored"},
		"the event":                    {[]string{paid, failed, "unhandled event PAYMENT_STATUS_CHANGED, skipped"}, "unhandled event PAYMENT_STATUS_CHANGED, skipped"},
		"one word":                     {[]string{paid, failed, "ignoring"}, "ignoring"},
		"in an object":                 {[]string{paid, failed, `{"time":"2026-03-05T09:00:00Z","msg":"no handler for Failed, skipping"}`}, "no handler for Failed, skipping"},
		"in German":                    {[]string{paid, failed, "Status Failed wird ignoriert"}, "Status Failed wird ignoriert"},
		"in French":                    {[]string{paid, failed, "statut Failed ignoré"}, "statut Failed ignoré"},
		"in Spanish":                   {[]string{paid, failed, "pedido ya en estado final, se omite"}, "pedido ya en estado final, se omite"},
		"in Polish":                    {[]string{paid, failed, "status Failed pominięto"}, "status Failed pominięto"},
		"no such transition":           {[]string{paid, failed, "2026-03-05T09:00:00.651Z  WARN 1 --- [shop] [  exec-1] c.shop.pay.StateService : order 7 PAID -> FAILED rejected, PAID is terminal"}, "order 7 PAID -> FAILED rejected, PAID is terminal"},
		"an error, and no decision":    {[]string{paid, failed, "illegal transition of payment " + mine + " from PAID to FAILED"}, ""},
		"parked":                       {[]string{paid, failed, "PAID -> FAILED rejected, event parked"}, ""},
		"that cannot be taken back":    {[]string{paid, failed, "event ignored", mine + ": a state can't be taken back"}, "event ignored"},
		"not revoked":                  {[]string{paid, failed, "event ignored, order 1 not revoked"}, "event ignored, order 1 not revoked"},
		"an allowed transition":        {[]string{paid, failed, "transition PAID -> FAILED, order 1 locked"}, ""},
		"beside the event":             {[]string{paid, "hook " + failed + " -> event ignored"}, "hook  -> event ignored"},
		"elsewhere, by the id":         {[]string{paid, failed, "GET /health", event(other, "Paid", "5T10:00:00"), mine + " Failed: ignored"}, mine + " Failed: ignored"},
		"the newest first":             {[]string{"ignoring event", failed, "order 1 shipped", paid}, "ignoring event"},
		"the newest first, of another": {[]string{"ignoring event", event(other, "Paid", "6T10:00:00"), "done", failed, "order 1 shipped", paid}, ""},
		"never Paid":                   {[]string{event(mine, "Processing", "2T17:00:01"), failed, "status Failed ignored"}, ""},
		"not Failed":                   {[]string{event(mine, "Processing", "2T17:00:01"), paid, "status Paid ignored"}, ""},
		"it came before":               {[]string{paid, failed, "order 1 reopened", failed, "event ignored"}, ""},
		"seen before":                  {[]string{paid, failed, "duplicate event ignored"}, ""},
		"of another event":             {[]string{paid, failed, "done", event(other, "Failed", "5T10:00:00"), "event ignored"}, ""},
		"by another's id":              {[]string{event(other, "Paid", "1T10:00:00"), paid, failed, "event of " + other + " ignored"}, ""},
		"of something else":            {[]string{paid, failed, "unknown header X-Trace ignored", "ignored parameter status"}, ""},
		"and taken back":               {[]string{paid, failed, "ignoring status for the ledger", "order 1 revoked"}, ""},
		"said, and not done":           {[]string{paid, failed, "events are ignored if the order is closed"}, ""},
		"before it":                    {[]string{paid, "status update ignored", failed, "done"}, ""},
		"far behind":                   {append([]string{paid, failed}, append(slices.Repeat([]string{"tick"}, 40), "event ignored")...), ""},
	} {
		var r recording.Recording
		for i, line := range c.lines {
			if at, end := strings.IndexByte(line, '{'), strings.LastIndexByte(line, '}'); at >= 0 && strings.Contains(line, `"Event"`) {
				body := []byte(line[at : end+1])
				when, err := time.Parse(time.RFC3339, line[end-22:end-2])
				require.NoError(t, err)
				r.Received = append(r.Received, recording.Received{Place: recording.Place{Source: "a.log", Line: i + 1}, At: when, Body: body})
			}
		}
		slices.SortStableFunc(r.Received, func(a, b recording.Received) int { return a.At.Compare(b.At) })
		receiver.Ignored([]source.File{{Name: "a.log", Data: []byte(strings.Join(c.lines, "\n"))}}, &r)
		got := ""
		for i := range r.Received {
			got += r.Received[i].Line(recording.Ignored)
		}
		require.Equal(t, c.want, got, name)
	}
}
