package mockserver_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// from is a listener whose callers seem to come from an address.
type from struct {
	net.Listener
	addr net.Addr
}

type fromConn struct {
	net.Conn
	addr net.Addr
}

func (c fromConn) RemoteAddr() net.Addr { return c.addr }

func (f from) Accept() (net.Conn, error) {
	c, err := f.Listener.Accept()
	return fromConn{c, f.addr}, err
}

// apart serves the operators at an address of their own, and gives the partners' and the
// operators' port.
func apart(t *testing.T, o mockserver.Options, operators string, caller net.Addr) (partner, port string) {
	t.Helper()
	o.Integration = integration.Options{ClientID: "c", ClientSecret: "s", Clock: integration.Manual}
	s, err := mockserver.New(o)
	require.NoError(t, err)
	listen := func(at string) net.Listener {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", at)
		require.NoError(t, err)
		return l
	}
	p, c := listen("127.0.0.1:0"), listen(operators)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, mockserver.Listeners{Partner: from{p, caller}, Operator: c}) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	_, port, err = net.SplitHostPort(c.Addr().String())
	require.NoError(t, err)
	return p.Addr().String(), port
}

// TestTheConsoleIsFoundFromThePartners: what leads to the console from the partners'
// address, as a problem's instance does, leads on to where the caller reaches it, and where
// nobody can know that, it is said what to do.
func TestTheConsoleIsFoundFromThePartners(t *testing.T) {
	t.Parallel()
	here, there := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4000}, &net.TCPAddr{IP: net.IPv4(198, 51, 100, 7), Port: 4000}
	for name, row := range map[string]struct {
		operators  string
		caller     net.Addr
		host       string
		proxy      bool
		to, advice string
	}{
		"this machine":                    {"127.0.0.1:0", here, "pay.example:80", false, "http://127.0.0.1:PORT", ""},
		"another machine, loopback":       {"127.0.0.1:0", there, "pay.example:80", false, "", "at port PORT of the machine that the sandbox runs on (--control-addr), which answers that machine alone"},
		"another machine, every address":  {"0.0.0.0:0", there, "pay.example:80", false, "http://pay.example:PORT", ""},
		"another machine, by its address": {"[::]:0", there, "[2001:db8::1]:80", false, "http://[2001:db8::1]:PORT", ""},
		"a name that is none":             {"0.0.0.0:0", there, "", false, "", "at port PORT of"},
		"behind a proxy":                  {"127.0.0.1:0", here, "pay.example", true, "", "at port PORT of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			partner, port := apart(t, mockserver.Options{ControlToken: "token", BehindProxy: row.proxy}, row.operators, row.caller)
			code, header, body := lookedFor(t, partner, row.host, "/console/refusals/12?x=1")
			if row.to == "" {
				require.Equal(t, http.StatusNotFound, code)
				require.Contains(t, body, strings.ReplaceAll(row.advice, "PORT", port))
				require.Contains(t, body, "open /console/refusals/12 there")
				return
			}
			require.Equal(t, http.StatusTemporaryRedirect, code, body)
			require.Equal(t, strings.ReplaceAll(row.to, "PORT", port)+"/console/refusals/12?x=1", header.Get("Location"))
		})
	}
}

// lookedFor makes a call under a name, which may be empty, and follows nothing.
func lookedFor(t *testing.T, addr, host, path string) (status int, header http.Header, body string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, res.Header, string(text)
}
