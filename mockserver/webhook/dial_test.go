package webhook_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/webhook"
)

// TestResolve gives a receiver a name that no name server knows, in attempts,
// downloads and probes; the receiver sees the name, and the rule of which
// addresses may be called holds for what is dialled.
func TestResolve(t *testing.T) {
	t.Parallel()
	real, got := receiver(t)
	u, err := url.Parse(real)
	require.NoError(t, err)
	s := newSender(t, webhook.Options{Resolve: func(hostport string) string {
		return map[string]string{"gym.partner.test:80": u.Host, "inside.partner.test:80": "10.0.0.1:80"}[hostport]
	}})
	a, _ := deliver(s, view("http://gym.partner.test/hooks"))
	require.Equal(t, []any{200, "", "http://gym.partner.test/hooks"}, []any{a.Status, a.Error, a.URL})
	<-got
	require.Equal(t, 200, fetch(s, "http://gym.partner.test/a.pdf").Status)
	<-got
	require.True(t, s.Probe(t.Context(), "http://gym.partner.test/hooks").Reachable)
	<-got

	a, _ = deliver(s, view("http://inside.partner.test/hooks"))
	require.Contains(t, a.Error, "address 10.0.0.1 is refused")
	require.True(t, s.Probe(t.Context(), "http://inside.partner.test/").Refused)
	a, _ = deliver(s, view(real))
	require.Equal(t, 200, a.Status, "who is not resolved is called as ever")
	<-got
}
