package stream

import (
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/integration"
)

// patience is how long a browser may take to take what it is sent.
const patience = 10 * time.Second

// Sender writes server-sent events to one browser. Its methods say whether the
// browser is still there.
type Sender struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// NewSender takes the server's deadlines off an answer that is to last.
func NewSender(w http.ResponseWriter) Sender {
	s := Sender{w, http.NewResponseController(w)}
	_ = s.rc.SetReadDeadline(time.Time{})
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	return s
}

// Event sends one event; the id is where to go on after a gap.
func (s Sender) Event(name string, data []byte, id uint64) bool {
	return s.Send(Framed(name, data, id))
}

// Framed is one event as it is sent, so that many browsers can be sent the same bytes.
func Framed(name string, data []byte, id uint64) []byte {
	text := make([]byte, 0, len(data)+len(name)+64)
	text = append(strconv.AppendUint(append(text, "id: "...), id, 10), '\n')
	if name != "" {
		text = append(append(append(text, "event: "...), name...), '\n')
	}
	if len(data) > 0 {
		begin := len(text) + len("data: ")
		text = append(append(text, "data: "...), data...)
		for n, c := range text[begin:] { // what was written stays in one line: an event's data ends with it
			if c == '\n' || c == '\r' {
				text[begin+n] = ' '
			}
		}
		text = append(text, '\n')
	}
	return append(text, '\n')
}

// Beat shows that the stream is there.
func (s Sender) Beat() bool { return s.Send([]byte(": here\n\n")) }

// Send writes what was framed to the browser, which is let go when it does not read.
func (s Sender) Send(text []byte) bool {
	_ = s.rc.SetWriteDeadline(integration.Wall().Add(patience))
	if _, err := s.w.Write(text); err != nil {
		return false
	}
	return s.rc.Flush() == nil
}
