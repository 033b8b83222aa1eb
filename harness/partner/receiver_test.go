package partner_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
)

// body is an event with an amount that a float64 cannot hold.
const body = `{"Live":false,"Event":"X","Data":{"Amount":9007199254740993}}`

func post(tb testing.TB, url, signature string) int {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(tb, err)
	req.Header.Set("X-HMAC-Signature", signature)
	res, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	require.NoError(tb, res.Body.Close())
	return res.StatusCode
}

// TestReceiverHolds expects a delivery to wait for its release, and no longer than
// it has to.
func TestReceiverHolds(t *testing.T) {
	t.Parallel()
	r, err := partner.NewReceiver(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	require.False(t, r.Release(), "nothing is held")
	r.Hold(time.Minute)
	go func() {
		r.Wait(t.Context(), 1)
		r.Release()
	}()
	require.Equal(t, 200, post(t, r.URL, ""))
	require.False(t, r.Release())

	r.Hold(time.Millisecond)
	require.Equal(t, 200, post(t, r.URL, ""))
	require.True(t, r.Release())
}

func TestReceiverKeepsWhatComesIn(t *testing.T) {
	t.Parallel()
	r, err := partner.NewReceiver(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	require.Equal(t, 200, post(t, r.URL, partner.Signature("s", []byte(body))))
	r.Answer(500, 202)
	require.Equal(t, 500, post(t, r.URL, "sha256=00"))
	require.Equal(t, 202, post(t, r.URL, ""))
	require.Equal(t, 202, post(t, r.URL, ""))

	got := r.Wait(t.Context(), 4)
	require.Len(t, got, 4)
	require.True(t, got[0].Signed("s"))
	require.False(t, got[0].Signed("S"))
	require.False(t, got[1].Signed("s"))
	e, err := got[0].Read()
	require.NoError(t, err)
	require.Equal(t, "9007199254740993", e.Data["Amount"].(interface{ String() string }).String())
}

func TestReceiverStopsWaiting(t *testing.T) {
	t.Parallel()
	r, err := partner.NewReceiver(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, r.Wait(ctx, 1))
	res, err := http.Get(r.URL)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNoContent, res.StatusCode)
	require.Empty(t, r.Deliveries(), "a probe is no delivery")
}

// The vector was made with another implementation: openssl dgst -sha256 -hmac.
func TestSignature(t *testing.T) {
	t.Parallel()
	require.Equal(t, "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
		partner.Signature("key", []byte("The quick brown fox jumps over the lazy dog")))
}

func TestReadReturnRefusesWhatIsNotUnderTheKey(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://x.example.com/", "https://x.example.com/?data=AAAA", "https://x.example.com/?data=%21", "https://x.example.com/?data=" + strings.Repeat("A", 80), "://",
	} {
		_, err := partner.ReadReturn(address, "key")
		require.Error(t, err, address)
	}
}

// TestLongAnswersAreCutInErrors: an answer of 16 MiB is told in a line.
func TestLongAnswersAreCutInErrors(t *testing.T) {
	t.Parallel()
	long := partner.Answer{Status: 500, Body: bytes.Repeat([]byte("é"), 8<<20)}
	for _, err := range []error{long.Read(new(int)), &partner.Refused{Method: "GET", Path: "/x", Answer: &long}} {
		require.Less(t, len(err.Error()), 4096)
		require.Contains(t, err.Error(), "(16777216 bytes)")
		require.True(t, utf8.ValidString(err.Error()))
	}
}

// TestAnswersThatAreTooLong are kept by their beginning, whether they say how long they are.
func TestAnswersThatAreTooLong(t *testing.T) {
	t.Parallel()
	piece := bytes.Repeat([]byte("x"), 1<<20)
	for _, says := range []bool{true, false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if says {
				w.Header().Set("Content-Length", strconv.Itoa(40*len(piece)))
			}
			for range 40 {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		}))
		t.Cleanup(server.Close)
		c := partner.Client{Base: server.URL}
		a, err := c.Send(t.Context(), http.MethodGet, "/Company/List", nil)
		require.NoError(t, err)
		require.Less(t, len(a.Body), len(piece))
		require.NotEmpty(t, a.Body)
	}
}
