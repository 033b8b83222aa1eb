// Package readtest is what the tests of several readers share.
package readtest

import (
	"fmt"
	"strings"

	"paysandbox/harness/replay/read/source"
)

// Reader reads one file.
type Reader func(*source.File, source.Variables) (*source.Part, error)

// Told writes what was read in short lines: each call with its answer, and what was left out.
func Told(p *source.Part) string {
	var b strings.Builder
	for _, x := range p.Exchanges {
		body := string(x.Body)
		if x.BodyMissing {
			body = "(missing)"
		}
		fmt.Fprintf(&b, "%s %s://%s%s?%s", x.Method, x.Scheme, x.Host, x.Path, x.Query)
		for _, h := range x.Header {
			fmt.Fprintf(&b, " [%s: %s]", h.Name, h.Value)
		}
		fmt.Fprintf(&b, "%s -> %s %d %s\n", strings.TrimSuffix(" "+body, " "), x.Answer.Known, x.Answer.Status, x.Answer.Body)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "line %d: %s\n", s.Place.Line, s.Why)
	}
	return b.String()
}
