package trail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
)

// TestReadState: books of another shape say nothing, and why is told; none are books, too.
func TestReadState(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{}`: "", `{"payments":null}`: "", `{"payments":[]}`: "",
		`{"payments":[{"paymentRequestId":"p","fulfilled":1,"reversed":0,"status":"Paid"}],"orders":3}`: "",
		`{"orders":[]}`:        "the member payments is missing",
		`{"payments":{"p":1}}`: "payments is of the type object",
		`{"payments":[{"id":"p","fulfilled":1,"reversed":0}]}`:                  "payments[0].paymentRequestId is missing",
		`{"payments":[{"paymentRequestId":"p","booked":2500}]}`:                 "payments[0].fulfilled is missing",
		`{"payments":[{"paymentRequestId":"p","fulfilled":1}]}`:                 "payments[0].reversed is missing",
		`{"payments":[{"paymentRequestId":"p","fulfilled":true,"reversed":0}]}`: "payments.fulfilled is of the type bool",
		`{"payments":[{"paymentRequestId":"p","fulfilled":-1,"reversed":0}]}`:   "payments[0].fulfilled is missing, or no count",
		`[]`: "is of the type array",
	} {
		_, err := trail.ReadState([]byte(raw))
		if want == "" {
			require.NoError(t, err, raw)
			continue
		}
		require.ErrorContains(t, err, want, raw)
		require.ErrorContains(t, err, trail.StateShape, raw)
	}
	s, err := trail.ReadState([]byte(`{"payments":[{"paymentRequestId":"p","fulfilled":2,"reversed":1}],"others":"unchanged","more":true,"tookMs":7}`))
	require.NoError(t, err)
	require.Equal(t, trail.State{Payments: []trail.Book{{ID: "p", Fulfilled: 2, Reversed: 1}}, Others: "unchanged", More: true, Took: 7}, s)
}

func FuzzReadState(f *testing.F) {
	f.Add([]byte(`{"payments":[{"paymentRequestId":"p","fulfilled":2,"reversed":1}],"others":"unchanged","more":true,"tookMs":7}`))
	f.Add([]byte(`{"payments":[null]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := trail.ReadState(raw)
		if err != nil {
			require.Empty(t, s.Payments)
		}
		for _, b := range s.Payments {
			require.NotEmpty(t, b.ID)
			require.GreaterOrEqual(t, min(b.Fulfilled, b.Reversed), 0)
		}
	})
}
