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

// TestFollowedConnections: both sides of a connection are counted for themselves, and a side goes on behind the other's, whether a margin
// tells them apart alone, or an empty line does, too.
func TestFollowedConnections(t *testing.T) {
	t.Parallel()
	const other = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{\"ok\":true}"
	for margin, between := range map[string]string{"\t": "", "    ": "\n"} {
		var out strings.Builder
		sent, got := 0, 0
		dump := func(text, before string, from *int) {
			for at := 0; at < len(text); at += 16 {
				row := text[at:min(len(text), at+16)]
				fmt.Fprintf(&out, "%s%08X  %-49s %s\n", before, *from+at, fmt.Sprintf("% x", row), strings.Map(func(r rune) rune {
					if r < ' ' {
						return '.'
					}
					return r
				}, row))
			}
			*from += len(text)
			out.WriteString(between)
		}
		out.WriteString("===================================================================\nFollow: tcp,hex\nFilter: tcp.stream eq 6\n")
		for _, status := range []string{"Processing", "Paid", "Failed"} {
			event := fmt.Sprintf(`{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","Status":%q}}`, status)
			dump(fmt.Sprintf("POST /hooks HTTP/1.1\r\nhost: shop.example\r\nx-hmac-signature: sha256=%s\r\ncontent-length: %d\r\n\r\n%s", strings.Repeat("ab", 32), len(event), event), "", &sent)
			dump(other, margin, &got)
		}
		r := readAll(t, read.Options{}, source.File{Name: "stream.txt", Data: []byte(out.String())})
		require.Len(t, r.Received, 3, "%q", margin)
		for i, status := range []string{"Processing", "Paid", "Failed"} {
			require.Contains(t, string(r.Received[i].Body), `"Status":"`+status+`"`)
			require.Equal(t, 200, r.Received[i].Status)
		}
	}
}
