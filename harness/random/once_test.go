package random

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCallsAreMadeOnce although their connections are cut after they were used before.
func TestCallsAreMadeOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 || len(r.TransferEncoding) > 0 {
			t.Errorf("a body of %d bytes came, %v", r.ContentLength, r.TransferEncoding)
		}
		if calls.Add(1)%2 == 0 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	client := sentOnce(server.Client())
	for range 10 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
		require.NoError(t, err)
		if answer, err := client.Do(r); err == nil {
			require.NoError(t, answer.Body.Close())
		}
	}
	require.EqualValues(t, 10, calls.Load())
}
