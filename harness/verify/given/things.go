package given

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Answer is what came over the wire: of a page or of the control API. A file holds ports, which are the system's choice.
func Answer(req *http.Request, status int, body []byte) string {
	if !utf8.Valid(body) {
		body = []byte("a file")
	}
	return fmt.Sprintf("%s %s\n%d\n%s", req.Method, req.URL.RequestURI(), status, body)
}

// seen are the parts of the control API that tell what has become of everything.
var seen = []string{"/messages", "/deliveries", "/entities?limit=200", "/webhooks", "/clock", "/clock/due", "/faults"}

// mostEntities bounds the entities that are looked at one by one.
const mostEntities = 3

// Places are what one looks at when a scenario is over: what the control API tells of an
// integration, of each entity and why it is as it is, and every page that somebody was
// sent the address of.
func Places(entries []tape.Entry) (control, pages []string) {
	control = slices.Clone(seen)
	var known []string
	for i := range entries {
		if m := entries[i].Message; m != nil {
			for _, p := range m.Params {
				if strings.Contains(p.Value, "://") && strings.Contains(p.Value, "/pages/") && !slices.Contains(pages, p.Value) {
					pages = append(pages, p.Value)
				}
			}
		}
		for _, id := range entries[i].Entities {
			if entries[i].Transition != nil && !slices.Contains(known, id) && len(known) < mostEntities {
				known = append(known, id)
				control = append(control, "/entities/"+id, "/why/"+id)
			}
		}
	}
	return control, pages
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
		for _, marker := range changing {
			text = blank(text, marker)
		}
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

// changing is what stands before addresses' ports, times that were measured, sizes in
// which the version counts, the version, and tokens that are drawn for a browser.
var changing = []string{"127.0.0.1:", `"latencyMillis":`, `ytes":`, "paysandbox/", `ersion":"`, `ersion": "`, `name="csrf" value="`}

// blank takes out what follows each marker, as far as it is one word.
func blank(text, marker string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, marker)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(marker)
		text = strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.+", r) })
	}
}
