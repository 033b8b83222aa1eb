package mockserver

import (
	"net"
	"net/http"
	"sync"
)

// connections are those that a client has opened. Some have not sent a byte yet,
// as browsers and clients open them ahead of need: [http.Server.Shutdown] would
// wait five seconds for what they may still ask.
type connections struct {
	mu     sync.Mutex
	states map[net.Conn]http.ConnState
	// ended is true once no more are wanted.
	ended bool
}

// watch is the servers' ConnState hook.
func (o *connections) watch(c net.Conn, state http.ConnState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case state == http.StateClosed, state == http.StateHijacked:
		delete(o.states, c)
	case state == http.StateNew && o.ended:
		_ = c.Close()
	default:
		if o.states == nil {
			o.states = map[net.Conn]http.ConnState{}
		}
		o.states[c] = state
	}
}

// end closes those that have sent nothing, and those that are still to come.
func (o *connections) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	for c, state := range o.states {
		if state == http.StateNew {
			_ = c.Close()
		}
	}
}

// active counts the connections with a request under way.
func (o *connections) active() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, state := range o.states {
		if state == http.StateActive {
			n++
		}
	}
	return n
}
