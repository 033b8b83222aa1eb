package fault

import (
	"net/http"
	"time"
)

// drops is in how many pieces a slow body arrives.
const drops = 10

// Writer sends a body as an effect has it: in drops, or its first half only.
// The body must come in one Write, after the headers.
type Writer struct {
	http.ResponseWriter
	// Slow is how long the body takes; 0 sends it at once.
	Slow time.Duration
	// Half leaves out the second half of the body.
	Half bool
	// Pause lets wall time pass.
	Pause func(time.Duration)
}

// Half is how much of a body of n bytes is sent before a cut.
func Half(n int) int { return n / 2 }

// Unwrap gives the response to http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write sends what the effect lets through; the rest is lost.
func (w *Writer) Write(body []byte) (int, error) {
	send := body
	if w.Half {
		send = body[:Half(len(body))]
	}
	pieces := 1
	if w.Slow > 0 {
		pieces = max(1, min(drops, len(send)))
	}
	out := http.NewResponseController(w.ResponseWriter)
	for n := range pieces {
		if w.Slow > 0 {
			_ = out.Flush() // what cannot flush comes all at once, but as late
			w.Pause(w.Slow / time.Duration(pieces))
		}
		from, to := n*len(send)/pieces, (n+1)*len(send)/pieces
		if sent, err := w.ResponseWriter.Write(send[from:to]); err != nil {
			return from + sent, err
		}
	}
	if w.Half {
		_ = out.Flush()
	}
	return len(body), nil
}
