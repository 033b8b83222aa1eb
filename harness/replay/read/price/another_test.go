package price_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/price"
	"paysandbox/harness/replay/recording"
)

// TestAnother: a refund that sends what stays says so itself.
func TestAnother(t *testing.T) {
	t.Parallel()
	fix := func(path, body string) string {
		r := &recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: path, Body: []byte(body)}}}
		price.Read(nil, r)
		x := &r.Exchanges[0]
		_, fix := price.Another(x)
		require.Equal(t, fix != "", price.Is(x.Dollars))
		return fix
	}
	require.Contains(t, fix("/Payment/Refund/1", `{"amount":18000,"description":"total corrected from 240.00 to 180.00"}`), "send 6000:")
	require.Empty(t, fix("/Payment/Refund/1", `{"amount":6000,"description":"total corrected from 240.00 to 180.00"}`))
	require.Empty(t, fix("/Payment/Refund/1", `{"amount":12000,"description":"from 240.00 to 120.00"}`), "both are the same")
	require.Empty(t, fix("/Payment/Create", `{"amount":18000,"description":"from 240.00 to 180.00"}`), "no refund")
}
