package tree

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// spelled are the messages of the one call that an object is, or of an answer alone, as they were sent; "" for any other object.
func (p *printed) spelled(value string) string {
	roots, _, err := parse([]byte(value))
	if err != nil || len(roots) != 1 {
		return ""
	}
	part := source.NewPart(&source.File{}, "tree")
	(&finder{part: part, counts: map[uintptr]int{}}).find(plain(roots[0], 0))
	var b strings.Builder
	all := leaves(plain(roots[0], 0), nil, nil)
	if asked := slices.ContainsFunc(all, func(l leaf) bool { return side(l.way) == "request" }); !asked && len(part.Exchanges) == 0 && told(value) {
		x := recording.Exchange{Method: http.MethodPost}
		answered(&x, all)
		p.spellAnswer(&b, &x.Answer)
	}
	if len(part.Exchanges) != 1 {
		return b.String()
	}
	x := &part.Exchanges[0]
	target := x.Path
	if x.Host != "" {
		target = cmp.Or(x.Scheme, "http") + "://" + x.Host + x.Path
	}
	if x.Query != "" {
		target += "?" + x.Query
	}
	spell(&b, fmt.Sprintf("%s %s HTTP/1.1", x.Method, target), x.Header, p.shown(x.Body))
	p.spellAnswer(&b, &x.Answer)
	return b.String()
}

func (p *printed) spellAnswer(b *strings.Builder, a *recording.Answer) {
	switch a.Known {
	case recording.NotRecorded:
	case recording.NeverArrived:
		b.WriteString("\nno response\n")
	default:
		spell(b, fmt.Sprintf("HTTP/1.1 %d %s", a.Status, http.StatusText(a.Status)), a.Header, p.shown(a.Body))
	}
}

// shown is a body, nil where a part of it may be hidden.
func (p *printed) shown(body []byte) []byte {
	if p.hidden && strings.Contains(string(body), "null") {
		return nil
	}
	return body
}

func spell(b *strings.Builder, first string, header []tape.Header, body []byte) {
	b.WriteString("\n" + first + "\n")
	for _, h := range header {
		if !strings.ContainsAny(h.Value+h.Name, "\r\n") {
			b.WriteString(h.Name + ": " + h.Value + "\n")
		}
	}
	b.WriteString("\n")
	if len(body) > 0 {
		b.Write(body)
		b.WriteString("\n\n")
	}
}

// told says whether an object tells the status of a call beside what was answered.
func told(object string) bool {
	roots, _, err := parse([]byte(object))
	if err != nil || len(roots) != 1 {
		return false
	}
	all := leaves(plain(roots[0], 0), nil, nil)
	return statusOf(all) > 0 && slices.ContainsFunc(all, func(l leaf) bool { return side(l.way) == "response" })
}
