package observe_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe"
)

// TestASessionThatGoesOn lifts what the one before it, which was killed, has left armed: it
// would meet the application now, and new trouble of the name could not be made.
func TestASessionThatGoesOn(t *testing.T) {
	t.Parallel()
	w := watch(t, "partner.retry.bounded", observe.Config{})
	w.unwatch()
	send := func(method, path, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, w.sandbox.URL+"/_sandbox/integrations/default"+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "paysandbox-observe/1.0")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		out, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(out)
	}
	status, said := send(http.MethodPost, "/faults", `{"name":"observe-outage-1","match":{},"effect":{"status":500},"count":26}`)
	require.Equal(t, http.StatusOK, status, said)
	s := observe.NewSession(observe.Config{Stage: w.stage, Now: time.Now, Say: w.say})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Watch(ctx) }()
	require.Eventually(t, func() bool {
		_, armed := send(http.MethodGet, "/faults", "")
		return !strings.Contains(armed, "observe-outage-1")
	}, 10*time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
}
