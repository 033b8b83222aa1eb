package given

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Entries are the answers, pages, events and messages of a tape, each as a text.
func Entries(entries []tape.Entry) []string {
	var list []string
	for i := range entries {
		e := &entries[i]
		var b bytes.Buffer
		switch e.Kind {
		case tape.KindExchange, tape.KindPage:
			x := e.Exchange
			fmt.Fprintf(&b, "%s %s?%s\n%d\n", x.Method, x.Path, x.Query, x.Response.Status)
			headed(&b, x.Response.Header, x.Response.Body)
		case tape.KindAttempt:
			fmt.Fprintf(&b, "event to %s at %d\n", e.Attempt.URL, e.At)
			headed(&b, e.Attempt.Header, e.Attempt.Body)
		case tape.KindMessage:
			fmt.Fprintf(&b, "message at %d %+v", e.At, *e.Message)
		default:
			continue
		}
		list = append(list, b.String())
	}
	return list
}

// Answer is what came over the wire: of a page or of the control API.
func Answer(req *http.Request, status int, body []byte) string {
	return fmt.Sprintf("%s %s\n%d\n%s", req.Method, req.URL.RequestURI(), status, body)
}

// Drawn are the ids of a tape that are others in each run: they follow from a call in
// which a receiver's address stands, and its port is the system's choice.
func Drawn(entries []tape.Entry) []string {
	var drawn []string
	calls := map[uint64]bool{}
	for i := range entries {
		e := &entries[i]
		calls[e.Seq] = e.Kind == tape.KindExchange && bytes.Contains(e.Exchange.Request.Body, []byte("127.0.0.1:"))
		if calls[e.Seq] || calls[e.Cause] {
			drawn = append(drawn, e.Entities...)
		}
	}
	return drawn
}

// Settled are texts without what is another in each run and in each build, and without
// the ids that were drawn.
func Settled(list, drawn []string) []string {
	settled := make([]string, len(list))
	for i, text := range list {
		text = changing().ReplaceAllString(text, "$1$2…")
		for _, id := range drawn {
			text = strings.ReplaceAll(text, id, "…")
		}
		settled[i] = text
	}
	return settled
}

// headed writes headers and a body. How the tape numbers an exchange is its own.
func headed(b *bytes.Buffer, header []tape.Header, body []byte) {
	for _, h := range header {
		if h.Name != "Sandbox-Exchange" {
			fmt.Fprintf(b, "%s: %s\n", h.Name, h.Value)
		}
	}
	b.WriteByte('\n')
	b.Write(body)
}

// changing are addresses' ports, times that were measured, sizes in which the version
// counts, and the version.
var changing = trail.Pattern(`(127\.0\.0\.1:|"latencyMillis":|ytes":)\d+|(paysandbox/|ersion":")[^\s"]+`)
