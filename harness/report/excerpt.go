package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// MaxExcerpt is the number of bytes of a body that an excerpt shows.
const MaxExcerpt = 2000

// Excerpt writes an exchange as people read it: the request's line, headers and
// body, and the response's. Bodies are cut after [MaxExcerpt] bytes, and the cut
// is named. Secrets are not struck out here but when a [Collector] takes them.
func Excerpt(x *tape.Exchange) (request, response string) {
	line := x.Method + " " + x.Path
	if x.Query != "" {
		line += "?" + x.Query
	}
	status := fmt.Sprint(x.Response.Status)
	if x.Response.Status == 0 {
		status = "(the connection was dropped)"
	}
	return message(line, x.Request.Header, x.Request.Body), message(status, x.Response.Header, x.Response.Body)
}

// message is a first line, headers and a body.
func message(first string, header []tape.Header, body []byte) string {
	var b strings.Builder
	b.WriteString(first)
	for _, h := range header {
		b.WriteString("\n" + h.Name + ": " + h.Value)
	}
	switch {
	case len(body) == 0:
	case !utf8.Valid(body):
		fmt.Fprintf(&b, "\n\n(%d bytes that are not text)", len(body))
	case len(body) > MaxExcerpt:
		fmt.Fprintf(&b, "\n\n%s\n(%d more bytes)", strings.ToValidUTF8(string(body[:MaxExcerpt]), ""), len(body)-MaxExcerpt)
	default:
		b.WriteString("\n\n" + string(body))
	}
	return b.String()
}
