package mockserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

// TestResolvedReceiversGiveEqualTapes runs one session twice, each time with a
// receiver on another port: by their fixed name the tapes are equal.
func TestResolvedReceiversGiveEqualTapes(t *testing.T) {
	t.Parallel()
	var tapes [2]string
	for n := range tapes {
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
		t.Cleanup(receiver.Close)
		u, err := url.Parse(receiver.URL)
		require.NoError(t, err)
		o := rehearsalOptions(9)
		o.Carrier, o.Integration.WebhookURL = nil, "http://gym.partner.test/hooks"
		o.Resolve = func(hostport string) string {
			if hostport == "gym.partner.test:80" {
				return u.Host
			}
			return ""
		}
		o.AllowLoopback = true // where the receiver is
		s, err := mockserver.New(o)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
		d := newDriver(s)
		moves()[0](d, 0)
		d.call(http.MethodPost, "/_sandbox/integrations/default/webhooks", `{"url":"http://gym.partner.test/more"}`)
		d.call(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
		d.call(http.MethodPost, "/_sandbox/integrations/default/clock/advance", `{"by":"48h"}`)
		var entries []tape.Entry
		tapes[n], entries = tapeOf(t, s)
		require.Contains(t, tapes[n], `\"reachable\":true`)
		statuses := []int{}
		for _, e := range entries {
			if e.Attempt != nil {
				statuses = append(statuses, e.Attempt.Status)
			}
		}
		require.Equal(t, []int{http.StatusAccepted, http.StatusAccepted}, statuses)
	}
	require.Empty(t, firstDifferenceOrNone(tapes[0], tapes[1]))
}
