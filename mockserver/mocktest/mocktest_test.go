package mocktest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestStart uses the sandbox as a partner's own test would: a call over HTTP, a
// move of time, a look at the tape.
func TestStart(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{Seed: 7, Environment: world.Rehearsal})
	for range 2 {
		body := fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, s.ClientID, s.ClientSecret)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/auth/token", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
	}
	fired := s.Advance(t, time.Hour)
	require.Empty(t, fired, "nothing was waiting")
	entries := s.Tape(t, tape.Filter{})
	require.Equal(t, []tape.Kind{tape.KindExchange, tape.KindExchange, tape.KindClock},
		[]tape.Kind{entries[0].Kind, entries[1].Kind, entries[2].Kind})
	require.Equal(t, tape.AuthCredentialsOK, entries[0].Exchange.Auth)
}
