package stream

import (
	"net/http"
	"strconv"
	"strings"
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
	text := "id: " + strconv.FormatUint(id, 10) + "\n"
	if name != "" {
		text += "event: " + name + "\n"
	}
	if len(data) > 0 {
		text += "data: " + oneLine(string(data)) + "\n"
	}
	return s.send(text + "\n")
}

// Beat shows that the stream is there.
func (s Sender) Beat() bool { return s.send(": here\n\n") }

// send writes to the browser, which is let go when it does not read.
func (s Sender) send(text string) bool {
	_ = s.rc.SetWriteDeadline(integration.Wall().Add(patience))
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.rc.Flush() == nil
}

// oneLine keeps what was written in one line: an event's data ends with it.
func oneLine(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "\r", " ") }
