package hosted_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/world"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]string{1: "$0.01", 99: "$0.99", 100: "$1.00", 123456: "$1,234.56", 100000000: "$1,000,000.00", 1<<63 - 1: "$92,233,720,368,547,758.07"} {
		require.Equal(t, want, world.Dollars(cents))
	}
	for text, want := range map[string]int64{"12": 1200, "12.5": 1250, "$1,234.56": 123456, "0.01": 1, "0": 0} {
		got, ok := hosted.ReadDollars(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", ".5", "1.", "1.234", "1.-5", "-1", "1e3", "1.2.3", "٣", "1,5", "1,50", "12,34", "1,234,5", "1234,567", ",500", "1,,000", "1.000,50"} {
		_, ok := hosted.ReadDollars(text)
		require.False(t, ok, text)
	}
}

// An amount that may mean two things is asked back, not guessed.
func TestUnreadDollars(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Is this $1.50 or $15.00? Type it with a point before the cents and no comma.", hosted.Unread("1,5"))
	require.Equal(t, "Is this $12.34 or $1,234.00? Type it with a point before the cents and no comma.", hosted.Unread("12,34"))
	require.Equal(t, "Type an amount in dollars, for example 12.50.", hosted.Unread("1.000,50"))
	require.Equal(t, "Type an amount in dollars, for example 12.50.", hosted.Unread("much"))
}
