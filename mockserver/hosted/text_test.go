package hosted_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/hosted"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]string{1: "$0.01", 99: "$0.99", 100: "$1.00", 123456: "$1,234.56", 100000000: "$1,000,000.00", 1<<63 - 1: "$92,233,720,368,547,758.07"} {
		require.Equal(t, want, hosted.Dollars(cents))
	}
	for text, want := range map[string]int64{"12": 1200, "12.5": 1250, "$1,234.56": 123456, "0.01": 1, "0": 0} {
		got, ok := hosted.ReadDollars(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", ".5", "1.", "1.234", "1.-5", "-1", "1e3", "1.2.3", "٣"} {
		_, ok := hosted.ReadDollars(text)
		require.False(t, ok, text)
	}
}
