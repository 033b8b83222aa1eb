package fault_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
)

func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		fault.Wait(t.Context(), time.Minute)
		require.Equal(t, time.Minute, time.Since(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		fault.Wait(ctx, time.Minute)
		require.Equal(t, time.Minute+time.Second, time.Since(start), "the client has gone")
	})
}

func TestWriterDribbles(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{"0123456789abcdefghijklmno": 10, "abc": 3, "": 1} {
		var waited time.Duration
		pauses := 0
		rec := httptest.NewRecorder()
		w := &fault.Writer{ResponseWriter: rec, Slow: 30 * time.Second, Pause: func(d time.Duration) { waited += d; pauses++ }}
		n, err := w.Write([]byte(body))
		require.NoError(t, err)
		require.Equal(t, len(body), n)
		require.Equal(t, body, rec.Body.String())
		require.Equal(t, want, pauses)
		require.Equal(t, 30*time.Second, waited)
		require.True(t, rec.Flushed)
	}
}

func TestWriterSendsHalf(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	_, err := (&fault.Writer{ResponseWriter: rec, Half: true}).Write([]byte("abcdefg"))
	require.NoError(t, err)
	require.Equal(t, "abc", rec.Body.String())
}

// gone is a client that takes a few bytes and is lost.
type gone struct {
	*httptest.ResponseRecorder
	left int
}

var errGone = errors.New("gone")

func (g *gone) Write(b []byte) (int, error) {
	if len(b) > g.left {
		return 0, errGone
	}
	g.left -= len(b)
	return g.ResponseRecorder.Write(b)
}

func TestWriterStopsWhenTheClientIsGone(t *testing.T) {
	t.Parallel()
	pauses := 0
	w := &fault.Writer{
		ResponseWriter: &gone{httptest.NewRecorder(), 2}, Slow: time.Second, Pause: func(time.Duration) { pauses++ },
	}
	n, err := w.Write([]byte("0123456789"))
	require.ErrorIs(t, err, errGone)
	require.Equal(t, 2, n)
	require.Equal(t, 3, pauses)
}

// aborting hides that a response could be hijacked, as HTTP/2's cannot.
type aborting struct{ http.ResponseWriter }

func TestSever(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	require.False(t, fault.Sever(rec, httptest.NewRequest(http.MethodGet, "/", http.NoBody), []byte("x")), "a recorder is no connection")
	require.Zero(t, rec.Body.Len())

	for name, wrap := range map[string]func(http.ResponseWriter) http.ResponseWriter{
		"hijacked": func(w http.ResponseWriter) http.ResponseWriter { return w },
		"aborted":  func(w http.ResponseWriter) http.ResponseWriter { return aborting{w} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				abort := fault.Sever(wrap(w), r, nil)
				if abort != (name == "aborted") {
					t.Errorf("abort is %v", abort)
				}
				if abort {
					panic(http.ErrAbortHandler)
				}
			}))
			server.EnableHTTP2 = name == "aborted"
			server.StartTLS()
			defer server.Close()
			resp, err := server.Client().Post(server.URL, "", http.NoBody)
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			require.Error(t, err)
		})
	}
}
