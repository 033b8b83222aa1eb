package read_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// TestDumpedBodies: bodies of which a proxy shows the bytes, behind ten figures, or behind what a logger puts before each line.
func TestDumpedBodies(t *testing.T) {
	t.Parallel()
	const sent, got = `{"amount":50.5,"reference":"S-1","shortDescription":"x"}`, `{"title":"Bad Request","status":400}`
	dump := func(body, before string, figures int) string {
		var rows []string
		for at := 0; at < len(body); at += 16 {
			row := body[at:min(len(body), at+16)]
			rows = append(rows, fmt.Sprintf("%s%0*x  %-47s  |%s|", before, figures, at, fmt.Sprintf("% x", row), row))
		}
		return strings.Join(rows, "\n")
	}
	const stamp = "2026-03-02T17:00:04.120Z DEBUG [proxy] "
	for name, text := range map[string]string{
		"ten figures": "POST https://api.pay.example/Payment/Create HTTP/1.1\n\n" + dump(sent, "    ", 10) + "\n\n << HTTP/1.1 400 Bad Request\n\n" + dump(got, "    ", 10) + "\n",
		"of a logger": stamp + "--> POST https://api.pay.example/Payment/Create\n" + dump(sent, stamp, 8) + "\n" + stamp + "<-- 400\n" + dump(got, stamp, 8) + "\n",
	} {
		r := readAll(t, read.Options{}, source.File{Name: "proxy.log", Data: []byte(text)})
		require.Len(t, r.Exchanges, 1, name)
		require.Equal(t, sent, string(r.Exchanges[0].Body), name)
		require.Equal(t, 400, r.Exchanges[0].Answer.Status, name)
		require.Equal(t, got, string(r.Exchanges[0].Answer.Body), name)
	}
}
