package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTriggerTheNewestThatAdmits takes the newest payment that admits the event,
// not the one that changed last.
func TestTriggerTheNewestThatAdmits(t *testing.T) {
	t.Parallel()
	a := started(t, "--clock", "manual")
	script := strings.ReplaceAll(blocksOf(t, "README.md", "sh")[0].text, "http://"+defaultAddr, a.BaseURL) +
		`echo; curl -s $B/Payment/Create -H "$J" -H "Authorization: Bearer $T" -d '{"amount":700,"contactNumber":"+12025550142"}' | field paymentRequestId` + "\n"
	said := strings.Split(strings.TrimSpace(pasted(t, nil, script)), "\n")
	pending := said[len(said)-1]
	code, out, errs := ran(t, append([]string{"trigger", "--url", a.BaseURL}, "--list", "payment")...)
	require.Zero(t, code, errs)
	require.Regexp(t, `payment.approve +Pending → Processing\n +now `+pending, out)
	require.Regexp(t, `payment.return +Paid → Failed\n +now [0-9a-f-]{36}`, out)
	code, out, errs = ran(t, append([]string{"trigger", "--url", a.BaseURL}, "payment.return")...)
	require.Zero(t, code, errs)
	require.Contains(t, out, `"status": "Failed"`)
	require.NotContains(t, out, pending)
	code, _, errs = ran(t, append([]string{"trigger", "--url", a.BaseURL}, "payment.return")...)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "no payment of 2 admits return: the newest, "+pending+", is Pending")
	code, _, errs = ran(t, append([]string{"trigger", "--url", a.BaseURL}, "refund.complete")...)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "knows no refund")
}

// TestClockForPeople says in words where the clock stands.
func TestClockForPeople(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"mode":"manual","now":"2026-03-02T17:00:00Z","next":null}`:                 "It is 2026-03-02 17:00:00 UTC; the clock stands still until it is moved.\nNothing is due.\n",
		`{"mode":"real","now":"2026-03-02T17:00:00Z","next":"2026-03-02T17:00:05Z"}`: "It is 2026-03-02 17:00:00 UTC; the clock runs with the wall clock.\nSomething is due in 5s, at 2026-03-02 17:00:05 UTC.\n",
	} {
		var b bytes.Buffer
		require.NoError(t, printClock(&b, []byte(answer)))
		require.Equal(t, want, b.String())
	}
}
