package fault

import (
	"context"
	"net/http"
	"time"
)

// Wait lets wall time pass, or less when the context ends first.
func Wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Cut closes the connection under a response. It is true when only the server
// can do that: the handler then has to panic with http.ErrAbortHandler. What is
// no connection at all, such as a recorder, stays as it is.
func Cut(w http.ResponseWriter, r *http.Request) (abort bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return r.Context().Value(http.ServerContextKey) != nil
	}
	_ = conn.Close()
	return false
}

// CutHeaders sends the first half of a response's head, as far as it can be
// split, and closes the connection. The result is that of Cut.
func CutHeaders(w http.ResponseWriter, r *http.Request, head []byte) (abort bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return r.Context().Value(http.ServerContextKey) != nil
	}
	_, _ = conn.Write(head[:len(head)/2]) // who is gone does not miss it
	_ = conn.Close()
	return false
}
