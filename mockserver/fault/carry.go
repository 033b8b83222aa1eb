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

// Sever closes the connection under a response, after the given bytes. It is
// true when only the server can do that, as under HTTP/2: the handler then has
// to panic with http.ErrAbortHandler, and the bytes are lost. What is no
// connection at all, such as a recorder, stays as it is.
func Sever(w http.ResponseWriter, r *http.Request, last []byte) (abort bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return r.Context().Value(http.ServerContextKey) != nil
	}
	if len(last) > 0 {
		_, _ = conn.Write(last) // who is gone does not miss them
	}
	_ = conn.Close()
	return false
}
