package webhook_test

import (
	"bufio"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

// FuzzAnswer lets a receiver answer anything at all.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 302 \r\nLocation: \xff\x00://\r\nRetry-After: \t9\xc3\r\n\r\n",
		"HTTP/1.0 999 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 101 s\r\n\r\n", "HTTP/1.1 100 c\r\n\r\n", "", "\x16\x03\x01",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
	} {
		f.Add([]byte(text))
	}
	answer := make(chan []byte, 1)
	url := rawReceiver(f, func(c *net.TCPConn) {
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		_ = req.Body.Close() // reads it
		select {
		case text := <-answer:
			_, _ = c.Write(text)
		default:
		}
	})
	s := newSender(f, webhook.Options{Timeout: 5 * time.Second})
	n := 0
	f.Fuzz(func(t *testing.T, text []byte) {
		select { // one may be left of an attempt that did not get through
		case <-answer:
		default:
		}
		answer <- text
		d := view(url)
		n++
		d.Attempt = n
		a, after := deliver(s, d)
		require.True(t, a.Status != 0 || a.Error != "")
		require.LessOrEqual(t, len(a.ResponseBody), 4<<10)
		texts := append([]tape.Header{{Name: after, Value: a.Error}}, a.ResponseHeader...)
		for _, h := range texts {
			require.True(t, utf8.ValidString(h.Name+h.Value))
			require.LessOrEqual(t, len(h.Value), 1<<10)
			require.NotContains(t, h.Value, "\x00")
		}
	})
}

// FuzzTarget: an address that may be called says over HTTP whom to call, and neither as whom
// nor which part; what is shown of any address holds no password.
func FuzzTarget(f *testing.F) {
	for _, address := range []string{
		"http://localhost:3000/hooks?a=1", "https://user:sesame-1@example.com/", "http://[::1%25eth0]/", "http://a b/", "//example.com", "https://example.com#part",
		"http://example.com\\@127.0.0.1/", "http://0x7f.1/", "HTTP://EXAMPLE.COM", "http://\u2024/", "http://:80/", "javascript:alert(1)", "http://a/%zz", "",
	} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := webhook.Target(address)
		if err != nil {
			require.Nil(t, u)
			require.NotContains(t, err.Error(), "sesame-1")
		} else {
			require.Contains(t, []string{"http", "https"}, u.Scheme)
			require.NotEmpty(t, u.Hostname())
			require.Nil(t, u.User)
			require.Empty(t, u.Fragment)
			require.LessOrEqual(t, len(address), 2048)
			again, err := webhook.Target(u.String())
			require.NoError(t, err, "%q became %q", address, u)
			require.Equal(t, u.Host, again.Host)
		}
		if parsed, err := url.Parse(address); err == nil && parsed.User != nil {
			password, _ := parsed.User.Password()
			require.False(t, len(password) > 8 && strings.Contains(webhook.Shown(address), ":"+password+"@"), "%q is shown as %q", address, webhook.Shown(address))
		}
	})
}
