package mockserver

import (
	"net"
	"net/http"
	"sync"
)

// fresh are the connections that have not sent a byte yet, as browsers and
// clients open them ahead of need. [http.Server.Shutdown] would wait five seconds
// for what they may still ask.
type fresh struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
	// ended is true once no more are wanted.
	ended bool
}

// watch is the server's ConnState hook.
func (f *fresh) watch(c net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(f.conns, c)
	case f.ended:
		_ = c.Close()
	default:
		if f.conns == nil {
			f.conns = map[net.Conn]struct{}{}
		}
		f.conns[c] = struct{}{}
	}
}

// end closes them, and those that are still to come.
func (f *fresh) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for c := range f.conns {
		_ = c.Close()
	}
}
