package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"paysandbox/harness/report/words"
	"paysandbox/mockserver/tape"
)

// MaxExcerpt is the number of bytes of a body that an excerpt shows.
const MaxExcerpt = 2000

// Of a message's first line and of each header an excerpt shows so many bytes, and
// so many headers.
const (
	maxLine    = 1000
	maxHeaders = 40
)

// Excerpt writes an exchange as people read it: the request's line, headers and
// body, and the response's. Bodies are cut after [MaxExcerpt] bytes, and lines and
// headers where they are endless; each cut is named. Secrets are not struck out here but when a [Collector] takes them.
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
	b.WriteString(line(first))
	for i, h := range header {
		if i == maxHeaders {
			fmt.Fprintf(&b, "\n(%d more headers)", len(header)-i)
			break
		}
		b.WriteString("\n" + line(h.Name+": "+h.Value))
	}
	switch {
	case len(body) == 0:
	case !utf8.Valid(body):
		fmt.Fprintf(&b, "\n\n(%d bytes that are not text)", len(body))
	default:
		b.WriteString("\n\n" + words.Shortened(string(body), MaxExcerpt))
	}
	return b.String()
}

// line is a first line or a header that is not endless.
func line(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return fmt.Sprintf("%s… (%d more bytes)", strings.ToValidUTF8(s[:maxLine], ""), len(s)-maxLine)
}
