package again_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/again"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// TestSame holds what counts as the same call once more, by what differs between two of them.
func TestSame(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*recording.Exchange)
		want   []int
	}{
		"the same bytes":            {func(*recording.Exchange) {}, []int{0, 1}},
		"the same bytes, refused":   {func(x *recording.Exchange) { x.Answer.Status = 400 }, []int{0, 1}},
		"other bytes":               {func(x *recording.Exchange) { x.Body = []byte(`{"amount":2}`) }, []int{0}},
		"another path":              {func(x *recording.Exchange) { x.Path = "/Refund" }, []int{0}},
		"a minute later":            {func(x *recording.Exchange) { x.Begin = x.Begin.Add(time.Minute) }, []int{0}},
		"by another file":           {func(x *recording.Exchange) { x.Place.Source = "other" }, []int{0}},
		"with a key":                {func(x *recording.Exchange) { x.Header = []tape.Header{{Name: "Idempotency-Key", Value: "k"}} }, []int{0}},
		"answered with the same id": {func(x *recording.Exchange) { x.Answer.Body = []byte(`{"paymentRequestId":"a"}`) }, []int{0}},
		"answered with another id":  {func(x *recording.Exchange) { x.Answer.Body = []byte(`{"paymentRequestId":"b"}`) }, []int{0, 1}},
		"while that was under way": {func(x *recording.Exchange) {
			x.Begin, x.Answer.Body = x.Begin.Add(-time.Second-900*time.Millisecond), []byte(`{"paymentRequestId":"b"}`)
		}, []int{0, 1}},
		"while that was under way, answered with the same id": {func(x *recording.Exchange) {
			x.Begin, x.Answer.Body = x.Begin.Add(-time.Second-900*time.Millisecond), []byte(`{"paymentRequestId":"a"}`)
		}, []int{0}},
		"refused for too many calls":  {func(x *recording.Exchange) { x.Answer.Status = 429 }, []int{0}},
		"refused for want of a token": {func(x *recording.Exchange) { x.Answer.Status = 401 }, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
			first := recording.Exchange{Method: "POST", Path: "/Payment", Body: []byte(`{"amount":1}`), Begin: begin, End: begin.Add(time.Second)}
			first.Answer = recording.Answer{Status: 200, Known: recording.Whole, Body: []byte(`{"paymentRequestId":"a"}`)}
			next := first
			next.Begin, next.End, next.Answer.Body = begin.Add(3*time.Second), begin.Add(4*time.Second), []byte(`{"paymentRequestId":"b"}`)
			test.change(&next)
			require.Equal(t, test.want, again.Same(&recording.Recording{Exchanges: []recording.Exchange{first, next}}, 0))
		})
	}
}
