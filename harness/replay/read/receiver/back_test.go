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

// TestBack: an event that came behind a later one of its payment is older; that its receiver went back to it is what its log tells
// of the payment, and has not taken back.
func TestBack(t *testing.T) {
	t.Parallel()
	const id = "2b7e1f40-6a3d-4c95-8e10-9f4d2c6b8a02"
	event := func(status, at string) recording.Received {
		return recording.Received{Body: fmt.Appendf(nil, `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":%q,"Status":%q,"Timestamp":"2026-03-05T%sZ"}}`, id, status, at)}
	}
	for name, c := range map[string]struct {
		first, second recording.Received
		older         int
		lines         []string
		want          string
	}{
		"it went back":           {event("Paid", "10:00:05"), event("Processing", "10:00:00"), 0, []string{"ORDER " + id + " set to Paid", "ORDER " + id + " set to Processing"}, "ORDER " + id + " set to Processing"},
		"and came right":         {event("Paid", "10:00:05"), event("Processing", "10:00:00"), 0, []string{id + " set to Paid", id + " set to Processing", id + " set to Paid"}, ""},
		"it passed it over":      {event("Paid", "10:00:05"), event("Processing", "10:00:00"), 0, []string{id + " set to Paid", id + " set to Processing? already Paid, ignored"}, ""},
		"of another":             {event("Paid", "10:00:05"), event("Processing", "10:00:00"), 0, []string{id + " set to Paid", id + "7 set to Processing"}, ""},
		"in the order they came": {event("Processing", "10:00:00"), event("Paid", "10:00:05"), -1, []string{id + " set to Processing", id + " set to Paid"}, ""},
		"a new try":              {event("Failed", "10:00:05"), event("Processing", "11:00:00"), -1, []string{id + " set to Failed", id + " set to Processing"}, ""},
	} {
		r := recording.Recording{Received: []recording.Received{c.first, c.second}}
		require.Equal(t, c.older, receiver.Older(&r)[1], name)
		receiver.Back([]source.File{{Name: "app.log", Data: []byte(strings.Join(c.lines, "\n"))}}, &r)
		require.Equal(t, c.want, r.Received[1].Line(recording.SetBack), name)
	}
}

// TestBackInTime: an event that came in time is older, too, than what came behind it: a job that ran later may have gone back to it. The
// many payments of which nothing is told leave room to look at those that came late.
func TestBackInTime(t *testing.T) {
	t.Parallel()
	const many = 40
	event := func(n int, status, at string) recording.Received {
		return recording.Received{Body: fmt.Appendf(nil, `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"2b7e1f40-6a3d-4c95-8e10-%012d","Status":%q,"Timestamp":"2026-03-05T%sZ"}}`, n, status, at)}
	}
	id := func(n int) string { return fmt.Sprintf("2b7e1f40-6a3d-4c95-8e10-%012d", n) }
	var r recording.Recording
	for n := range many {
		r.Received = append(r.Received, event(n, "Processing", "10:00:00"), event(n, "Paid", "10:00:05"))
	}
	r.Received = append(r.Received, event(many, "Paid", "10:00:05"), event(many, "Processing", "10:00:00"))
	log := []string{id(0) + " status := Paid", id(0) + " status := Processing", id(many) + " set to Paid", id(many) + " set to Processing"}
	receiver.Back([]source.File{{Name: "app.log", Data: []byte(strings.Join(log, "\n"))}}, &r)
	require.Equal(t, []int{1, -1}, receiver.Newer(&r)[:2])
	require.True(t, r.Received[0].Did(recording.SetBack), "in time")
	require.True(t, r.Received[2*many+1].Did(recording.SetBack), "late")
	require.False(t, r.Received[2].Did(recording.SetBack))
}
