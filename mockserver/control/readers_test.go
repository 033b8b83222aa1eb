package control_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// stuck is a reader who has asked and does not read.
type stuck struct {
	*httptest.ResponseRecorder
	all *stuckReaders
}

// stuckReaders counts who is being written to, and the largest piece.
type stuckReaders struct {
	mu        sync.Mutex
	now, most int
	largest   int
	read      chan struct{} // closed when they read at last
}

// Write implements io.Writer.
func (w *stuck) Write(b []byte) (int, error) {
	if w.Code != http.StatusOK {
		return w.ResponseRecorder.Write(b)
	}
	a := w.all
	a.mu.Lock()
	a.now++
	a.most, a.largest = max(a.most, a.now), max(a.largest, len(b))
	a.mu.Unlock()
	<-a.read
	a.mu.Lock()
	a.now--
	a.mu.Unlock()
	return w.ResponseRecorder.Write(b)
}

// notes is how many there are on the tape that they ask for, of 60 kB each: more
// than three chunks.
const notes = 60

// TestReadersThatDoNotRead hold up neither those who write nor, for long, those who
// read, and take little memory each.
func TestReadersThatDoNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := start(t, rehearsal)
		note := map[string]any{"kind": "note", "text": "x", "data": map[string]any{"a": strings.Repeat("x", 60_000)}}
		for range notes {
			s.post("/notes", note).ok(nil)
		}
		all := &stuckReaders{read: make(chan struct{})}
		recorders := make([]*stuck, 40)
		var done sync.WaitGroup
		for n := range recorders {
			recorders[n] = &stuck{httptest.NewRecorder(), all}
			done.Go(func() {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, local+at("/tape"), http.NoBody)
				r.Host = "127.0.0.1:8484"
				s.control.ServeHTTP(recorders[n], r)
			})
		}
		synctest.Wait()
		require.Equal(t, 16, all.most)
		require.Less(t, all.largest, 2<<20, "of a tape of 3.6 MB")
		before := time.Now()
		s.post("/notes", note).ok(nil)
		require.Zero(t, time.Since(before), "who writes waits for none of them, not a moment of virtual time")

		time.Sleep(10*time.Second + time.Millisecond) // virtual: the rest have waited for their turn
		synctest.Wait()
		refused := 0
		for _, r := range recorders {
			if r.Code == http.StatusServiceUnavailable {
				refused++
				require.Equal(t, "1", r.Header().Get("Retry-After"))
			}
		}
		require.Equal(t, 24, refused)
		close(all.read)
		done.Wait()
		require.Equal(t, 24+16, refused+len(full(recorders)), "who reads at last gets everything")
		s.get("/tape").ok(nil)
	})
}

// full are the readers that got the whole tape.
func full(list []*stuck) (whole []*stuck) {
	for _, r := range list {
		if strings.Count(r.Body.String(), "\n") > notes {
			whole = append(whole, r)
		}
	}
	return whole
}
