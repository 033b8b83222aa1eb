package webhook_test

import (
	"context"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/webhook"
)

// TestAllowed never dials: it asks the rule alone.
func TestAllowed(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1": true, "127.255.255.254": true, "::1": true, "::ffff:127.0.0.1": true,
		"8.8.8.8": true, "1.1.1.1": true, "172.15.255.255": true, "172.32.0.0": true, "100.63.255.255": true, "100.128.0.0": true,
		"2606:4700::1111": true, "64:ff9b::8.8.8.8": true, "::ffff:8.8.8.8": true, "11.0.0.0": true, "169.253.255.255": true,
		"192.167.255.255": true, "198.20.0.0": true, "223.255.255.255": true, "2001:4860::8888": true,
		"0.0.0.0": false, "0.1.2.3": false, "::": false, "10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false, "192.0.0.170": false,
		"192.0.2.1": false, "198.18.0.1": false, "198.19.255.255": false, "198.51.100.7": false, "203.0.113.9": false,
		"192.88.99.1": false, "224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"fe80::1": false, "fe80::1%eth0": false, "febf::1": false, "fec0::1": false, "fc00::1": false, "fd12:3456::1": false,
		"fd12::1%2": false, "ff02::1": false, "::ffff:10.0.0.1": false, "::ffff:169.254.169.254": false, "::10.0.0.1": false,
		"::7f00:1": false, "::ffff:0:10.0.0.1": false, "64:ff9b::10.0.0.1": false, "64:ff9b::127.0.0.1": false, "64:ff9b::169.254.169.254": false,
		"64:ff9b:1::1": false, "100::1": false, "2001::1": false, "2001:2::1": false, "2001:db8::1": false,
		"2002:a00:1::": false, "3fff::1": false, "5f00::1": false,
	} {
		err := (&webhook.Options{AllowLoopback: true}).Allowed(netip.MustParseAddr(addr))
		if want {
			require.NoError(t, err, addr)
			continue
		}
		require.ErrorContains(t, err, "--allow-private-networks", addr)
		require.ErrorContains(t, err, "refused", addr)
	}
}

// TestNobodyElseReadsThisMachine: a sandbox that other machines can call does not
// call its own for them, also where private networks are open to it.
func TestNobodyElseReadsThisMachine(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "::ffff:0.0.0.0"} {
		for _, private := range []bool{false, true} {
			err := (&webhook.Options{AllowPrivate: private}).Allowed(netip.MustParseAddr(addr))
			require.ErrorContains(t, err, "of the sandbox's own machine; --allow-loopback permits it", addr)
		}
		require.NoError(t, (&webhook.Options{AllowPrivate: true, AllowLoopback: true}).Allowed(netip.MustParseAddr(addr)), addr)
	}
	require.NoError(t, (&webhook.Options{AllowPrivate: true}).Allowed(netip.MustParseAddr("10.0.0.1")))
}

// TestLoopbackIsNotCalled: neither by its address nor by a name that leads there,
// in attempts, downloads, probes, and after a redirect.
func TestLoopbackIsNotCalled(t *testing.T) {
	t.Parallel()
	real, got := receiver(t)
	u, err := url.Parse(real)
	require.NoError(t, err)
	s := webhook.New(webhook.Options{Resolve: func(hostport string) string {
		return map[string]string{"gym.partner.test:80": u.Host}[hostport]
	}})
	t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	for _, address := range []string{real, "http://gym.partner.test/", "http://localhost:" + u.Port()} {
		a, _ := deliver(s, view(address))
		require.Contains(t, a.Error, "--allow-loopback")
		require.Contains(t, fetch(s, address).Error, "--allow-loopback")
		p := s.Probe(t.Context(), address)
		require.True(t, p.Refused)
		require.Contains(t, p.Advice, "start it with --allow-loopback")
	}
	require.Empty(t, got, "nothing was asked")
}

func TestScreen(t *testing.T) {
	t.Parallel()
	o := &webhook.Options{AllowLoopback: true}
	require.NoError(t, o.Screen("tcp4", "127.0.0.1:80"))
	require.NoError(t, o.Screen("tcp6", "[::1]:80"))
	require.ErrorContains(t, o.Screen("tcp4", "192.168.0.1:80"), "private network")
	require.ErrorContains(t, o.Screen("tcp6", "[fe80::1%eth0]:80"), "link-local")
	require.Error(t, o.Screen("unix", "/run/docker.sock"))
}

func TestShown(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://u:p@host/a?b":  "http://host/a?b",
		"https://host:1/%2F?x": "https://host:1/%2F?x",
		"http://u:p@[::1":      "(an address that cannot be understood)",
	} {
		require.Equal(t, want, webhook.Shown(url))
	}
}
