package mockserver_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// listening is a sandbox that listens, and a driver whose token is granted.
func listening(t *testing.T, o mockserver.Options) (*mockserver.Server, *driver, *httptest.Server) {
	t.Helper()
	s, err := mockserver.New(o)
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	d := newDriver(s)
	moves()[0](d, 0)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return s, d, server
}

// TestAClientThatGivesUp calls over a real connection, under both clocks, and
// hangs up while its answer is held back: the tape says so, a control call can
// wait for it, and a replay comes to the same bytes.
func TestAClientThatGivesUp(t *testing.T) {
	t.Parallel()
	for _, clock := range []integration.ClockMode{integration.Manual, integration.Real} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			o := rehearsalOptions(4)
			o.Integration.Clock = clock
			s, d, server := listening(t, o)
			ctx, hangUp := context.WithCancel(t.Context())
			t.Cleanup(hangUp)
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/Company/Create", strings.NewReader(`{"name":"x"}`))
			require.NoError(t, err)
			for name, value := range map[string]string{
				"Authorization": "Bearer " + d.token, "Content-Type": "application/json", "Sandbox-Fault": "latency=1m",
			} {
				r.Header.Set(name, value)
			}
			gaveUp := make(chan error, 1)
			go func() {
				resp, err := http.DefaultClient.Do(r)
				if err == nil {
					_ = resp.Body.Close()
				}
				gaveUp <- err
			}()
			held, err := http.Get(server.URL + control + "/tape?kind=exchange&operation=createCompany&wait=30s")
			require.NoError(t, err)
			_ = held.Body.Close()
			const patience = 150 * time.Millisecond // counted from when its call is surely there
			time.AfterFunc(patience, hangUp)
			require.ErrorIs(t, <-gaveUp, context.Canceled)

			heard, err := http.Get(server.URL + control + "/tape?kind=hangup&wait=30s")
			require.NoError(t, err)
			_ = heard.Body.Close()
			text, entries := tapeOf(t, s)
			last := entries[len(entries)-1]
			require.Equal(t, tape.KindHangup, last.Kind)
			took := time.Duration(last.Hangup.After)
			require.GreaterOrEqual(t, took, patience)
			require.Less(t, took, 30*time.Second)
			cause := entries[last.Cause-1]
			require.Equal(t, "createCompany", cause.Exchange.Operation)
			require.Equal(t, cause.Entities, last.Entities)
			require.Contains(t, text, `"hangup":{"afterNanos":`)
			requireReplayStandingStill(t, o, s)
		})
	}
}

// TestARefusalIsReadByWhoSendsEverythingFirst: a client that reads no answer before it has
// sent its whole body reads the refusal all the same, whoever it is.
func TestARefusalIsReadByWhoSendsEverythingFirst(t *testing.T) {
	t.Parallel()
	_, d, server := listening(t, rehearsalOptions(4))
	body := bytes.Repeat([]byte("a"), 24<<20)
	for line, want := range map[string]string{
		"POST /Payment/Create HTTP/1.1\r\nAuthorization: Bearer " + d.token: "413",
		"POST /Payment/Create HTTP/1.1\r\nAuthorization: Bearer nobody's":   "401",
		"POST /Authentication/Token HTTP/1.1":                               "413",
		"POST /_sandbox/integrations HTTP/1.1":                              "413",
	} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(c, "%s\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", line, len(body))
		require.NoError(t, err)
		_, err = c.Write(body)
		require.NoError(t, err, line)
		answer, err := bufio.NewReader(c).ReadString('\n')
		require.NoError(t, err, line)
		require.Contains(t, answer, want, line)
		require.NoError(t, c.Close())
	}
}
