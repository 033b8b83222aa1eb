// Package readtest is what the tests of several readers share.
package readtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// Reader reads one file.
type Reader func(*source.File, source.Variables) (*source.Part, error)

// Reads holds what a reader makes of a text to short lines, as Told writes them, in any order.
func (read Reader) Reads(tb testing.TB, name, text, want string) {
	tb.Helper()
	p, err := read(&source.File{Name: name, Data: []byte(text)}, nil)
	require.NoError(tb, err, name)
	told := Told(p)
	require.ElementsMatch(tb, strings.Split(strings.TrimPrefix(want, "\n"), "\n"), strings.Split(told, "\n"), "%s:\n%s", name, told)
}

// Survives holds that of any text, with variables that stand for one another, a reader makes whole calls or an error.
func (read Reader) Survives(tb testing.TB, text string) {
	tb.Helper()
	p, err := read(&source.File{Name: "f", Data: []byte(text)}, source.Variables{"a": "{{b}}", "b": "{{a}}"})
	if err != nil {
		return
	}
	for _, x := range p.Exchanges {
		require.NotEmpty(tb, x.Method)
		require.Positive(tb, x.Place.Line)
		require.NotEqual(tb, recording.Known(""), x.Answer.Known)
	}
}

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

// HAR is a HAR file with these entries.
func HAR(entries ...string) string {
	return `{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"entries":[` + strings.Join(entries, ",") + `]}}`
}

// HAREntry is one entry of a HAR file.
func HAREntry(at, method, url, body string, status int, date, answer string) string {
	return fmt.Sprintf(`{"startedDateTime":%q,"time":100,"request":{"method":%q,"url":%q,"headers":[{"name":":authority","value":"x"},{"name":"Authorization","value":"Bearer t"}],"postData":{"mimeType":"application/json","text":%q}},`+
		`"response":{"status":%d,"headers":[{"name":"Date","value":%q},{"name":"content-type","value":"application/json"}],"content":{"size":%d,"mimeType":"application/json","text":%q}}}`,
		at, method, url, body, status, date, len(answer), answer)
}
