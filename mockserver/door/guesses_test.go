package door_test

import (
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/door"
)

// TestGuesses: ten at once and one each six seconds, for each caller; what was right is no
// guess.
func TestGuesses(t *testing.T) {
	t.Parallel()
	var g door.Guesses
	one, two, now := netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32"), time.Unix(1_000_000, 0)
	for range 10 {
		wait, _ := g.Try(one, now)
		require.Zero(t, wait)
	}
	wait, _ := g.Try(one, now)
	require.Equal(t, 6*time.Second, wait)
	wait, _ = g.Try(one, now.Add(5*time.Second))
	require.Equal(t, time.Second, wait)
	wait, _ = g.Try(one, now.Add(6*time.Second))
	require.Zero(t, wait)
	for range 100 {
		wait, right := g.Try(two, now)
		require.Zero(t, wait)
		right()
	}
	for n := range 20_000 { // who is forgotten is not slowed, and nothing grows
		_, _ = g.Try(netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}), 32), now.Add(time.Hour))
	}
	require.LessOrEqual(t, g.Known(), 4096)
}

// TestCallerOf: who sends many addresses of one network, or names itself, is one caller.
func TestCallerOf(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		remote    string
		forwarded []string
		behind    bool
		want      string
	}{
		{"192.0.2.7:1234", []string{"198.51.100.1"}, false, "192.0.2.7/32"},
		{"[::ffff:192.0.2.7]:1234", nil, false, "192.0.2.7/32"},
		{"[2001:db8:1:2:3:4:5:6]:1234", nil, false, "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:1234", nil, false, "fe80::/64"},
		{"127.0.0.1:1", []string{"203.0.113.9, 198.51.100.1"}, true, "198.51.100.1/32"},
		{"127.0.0.1:1", []string{"203.0.113.9", "198.51.100.1"}, true, "198.51.100.1/32"},
		{"127.0.0.1:1", []string{"203.0.113.9, 198.51.100.1:4711"}, true, "198.51.100.1/32"},
		{"127.0.0.1:1", []string{"2001:db8:1:2:3:4:5:6"}, true, "2001:db8:1:2::/64"},
		{"127.0.0.1:1", []string{`"[2001:db8:1:2::6]:4711"`}, true, "2001:db8:1:2::/64"},
		{"127.0.0.1:1", []string{"[2001:db8:1:2::6]"}, true, "2001:db8:1:2::/64"},
		{"127.0.0.1:1", []string{"unknown"}, true, "127.0.0.1/32"},
		{"127.0.0.1:1", []string{"198.51.100.1,"}, true, "127.0.0.1/32"},
		{"127.0.0.1:1", nil, true, "127.0.0.1/32"},
		{"@", nil, false, "invalid Prefix"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = row.remote
		for _, one := range row.forwarded {
			r.Header.Add("X-Forwarded-For", one)
		}
		require.Equal(t, row.want, door.CallerOf(r, row.behind).String(), "%+v", row)
	}
}
