package mockserver_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

const (
	ownControl = "the-control-token-of-the-attack"
	ownRead    = "the-reading-token-of-the-attack"
)

// outside is a server that others can reach, as it is called by bytes on a connection.
type outside struct {
	t    *testing.T
	addr string
}

func fromOutside(t *testing.T) outside {
	t.Helper()
	addr, stop := serving(t, mockserver.Options{
		ControlToken: ownControl, ReadToken: ownRead, Integration: integration.Options{ClientID: "c", ClientSecret: "s-of-the-attack", Clock: integration.Manual},
	})
	t.Cleanup(func() { require.NoError(t, stop()) })
	return outside{t, addr}
}

// say sends a request's first line and its headers as they are, and gives the answer; nil
// where the connection was closed without one.
func (o outside) say(line string, header ...string) (answer *http.Response, body string) {
	o.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(o.t.Context(), "tcp", o.addr)
	require.NoError(o.t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(o.t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = fmt.Fprintf(conn, "%s\r\n%s\r\nConnection: close\r\n\r\n", line, strings.Join(header, "\r\n"))
	require.NoError(o.t, err)
	answer, err = http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: strings.Fields(line)[0]})
	if err != nil {
		return nil, ""
	}
	defer func() { _ = answer.Body.Close() }()
	all, err := io.ReadAll(answer.Body)
	require.NoError(o.t, err, line)
	return answer, string(all)
}

// TestAttackAddressesFromOutside: however an address of the operators is written, whatever
// the method, and whatever a header says of another one, nobody gets anywhere without the
// token, and nobody is led elsewhere.
func TestAttackAddressesFromOutside(t *testing.T) {
	t.Parallel()
	o := fromOutside(t)
	var lines []string
	for _, path := range []string{
		"//console/default/settings", "/./console/default/settings", "/x/../console/default/settings", "/%2e%2e/console/default/settings", "/console/%2e%2e/_sandbox/integrations",
		"/%5fsandbox/integrations", "/_sandbox%2Fintegrations", "/console%2Fdefault%2Fsettings", "/console;x/default/settings", "/console/default/settings;x=1", `/console\default\settings`,
		"/Console/default/settings", "/CONSOLE/default/settings", "/_SANDBOX/integrations", "/console/default/settings%00", "/_sandbox//integrations", "//_sandbox/integrations",
		"/_sandbox/./integrations", "/_sandbox/ready/../integrations", "/_sandbox/ready/%2e%2e/integrations", "/_sandbox/ready%2f..%2fintegrations", "/_sandbox/ready;/../integrations",
		"/_sandbox/ready//", "/_sandbox/ready/x", "//metrics", "/metrics/../metrics", "/docs/../metrics", "/docs/..%2fmetrics", "/pages/../metrics", "/pages/..%2f..%2f_sandbox/integrations",
		"/_theme/../metrics", "/console/-/assets/../../default/settings", "/console/-/assets/..%2f..%2fdefault/settings", "/console/-/login/../../default/settings", "/console/-/login/", "/console/-/login;x",
		"http://evil.example/console/default/settings", "http://127.0.0.1/_sandbox/integrations", "http:///_sandbox/integrations", "*", "/console//evil.example", `/console/\evil.example`, "//evil.example/console",
		"/console/%0d%0aLocation:%20x", "/docs//evil.example", "///evil.example/%2e%2e", "/_sandbox/integrations?token=" + ownControl, "/metrics?access_token=" + ownControl, "/console/default/settings?token=" + ownControl,
		"/console/default/stream", "/console/default/stream?screen=live&since=0", "/console/-/stream", "/_sandbox/integrations/default/tape?wait=1s", "/_sandbox/strangers", "/_sandbox/docs", "/_sandbox/openapi.json",
	} {
		lines = append(lines, "GET "+path)
	}
	for _, method := range []string{"TRACE", "CONNECT", "OPTIONS", "PUT", "PATCH", "DELETE", "POST", "HEAD", "get", "PROPFIND"} {
		for _, path := range []string{"/console/default/settings", "/_sandbox/integrations", "/_sandbox/integrations/default/reset", "/metrics", "/docs", "/console/default/do", "/console/-/file", "/console/-/logout"} {
			lines = append(lines, method+" "+path)
		}
	}
	for _, line := range lines {
		answer, body := o.say(line+" HTTP/1.1", "Host: 127.0.0.1", "Sandbox-Label: x")
		require.NotNil(t, answer, line)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound}, answer.StatusCode, line)
		require.Empty(t, answer.Header.Get("Location"), line)
		o.closed(line, answer, body)
	}
	for _, name := range []string{
		"X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-User", "X-Real-IP", "Forwarded", "X-Custom-IP-Authorization", "Client-IP", "Upgrade",
	} {
		for _, value := range []string{"GET", "/_sandbox/ready", "127.0.0.1", "for=127.0.0.1;host=localhost", "websocket"} {
			for _, path := range []string{"/_sandbox/integrations", "/console/default/settings", "/metrics", "/console/default/stream"} {
				answer, body := o.say("GET "+path+" HTTP/1.1", "Host: 127.0.0.1", name+": "+value)
				require.Equal(t, http.StatusUnauthorized, answer.StatusCode, "%s: %s %s", name, value, path)
				o.closed(path, answer, body)
			}
		}
	}
}

// closed looks at an answer to who knows nothing.
func (o outside) closed(line string, answer *http.Response, body string) {
	o.t.Helper()
	for _, word := range []string{"s-of-the-attack", "clientId", "go_goroutines", "<nav", ownControl, ownRead, `"kind":"`} {
		require.NotContains(o.t, body, word, line)
	}
	require.Empty(o.t, answer.Header.Get("Access-Control-Allow-Origin"), line)
	if answer.Header.Get("Sandbox-Time") != "" || answer.StatusCode == http.StatusBadRequest { // the partner API's, or no request
		return
	}
	if media := answer.Header.Get("Content-Type"); !strings.HasPrefix(media, "text/html") {
		require.Equal(o.t, "nosniff", answer.Header.Get("X-Content-Type-Options"), "%s %s", line, media)
	}
}

// TestAttackHostsFromOutside: a name that the sandbox is called by opens nothing.
func TestAttackHostsFromOutside(t *testing.T) {
	t.Parallel()
	o := fromOutside(t)
	for _, host := range []string{
		"", "localhost", "LOCALHOST", "127.0.0.1.", "[::1]:8484", "[::ffff:127.0.0.1]", "[::1%25eth0]", "evil.example", "127.0.0.1:99999", "127.0.0.1:x", "a,b", "[::1",
		"user@127.0.0.1", "127.0.0.1@evil.example", "a b", `a\b`, "a/b", `"><script>`, "127.0.0.1\r\nHost: evil.example",
	} {
		for _, path := range []string{"/_sandbox/integrations", "/console/default/settings", "/metrics"} {
			answer, body := o.say("GET "+path+" HTTP/1.1", "Host: "+host)
			require.Contains(t, []int{http.StatusBadRequest, http.StatusUnauthorized}, answer.StatusCode, "%q %s", host, path)
			o.closed(host, answer, body)
		}
	}
	for _, line := range []string{"GET /_sandbox/integrations HTTP/1.0", "GET /_sandbox/integrations HTTP/2.0", "GET /_sandbox/integrations", "PRI * HTTP/2.0"} {
		answer, _ := o.say(line, "X-A: b")
		require.True(t, answer == nil || answer.StatusCode >= http.StatusBadRequest, line)
	}
}

// TestAttackTokensOnTheTape: who looks must not find the control token where somebody has
// sent it by mistake.
func TestAttackTokensOnTheTape(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{
		ControlToken: ownControl, ReadToken: ownRead, Integration: integration.Options{ClientID: "c", ClientSecret: "s", Clock: integration.Manual},
	})
	require.NoError(t, err)
	c := newCaller(s, s.Registry().Default())
	ask := func(method, path, body string, header ...string) string {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", c.token)
		r.Header.Set("Content-Type", "application/json")
		for n := 0; n < len(header); n += 2 {
			r.Header.Set(header[n], header[n+1])
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w.Body.String()
	}
	company, err := json.Marshal(fixtures.NewPeople(3).Company())
	require.NoError(t, err)
	require.Contains(t, ask(http.MethodPost, "/Company/Create", string(company)), "companyId")
	made := ask(http.MethodPost, "/Payment/Create", `{"amount":100,"contactNumber":"+12025550142","shortDescription":"with `+ownControl+`","metadata":{"k":"`+ownRead+`"}}`)
	require.Contains(t, made, "paymentRequestId", "what was struck refuses nothing")
	require.NotContains(t, ask(http.MethodPost, "/Payment/Create", `{"amount":"`+ownControl+`"}`), ownControl)
	for _, path := range []string{
		"/Company/List?x=" + ownControl, "/Company/" + ownControl, "/Company/List?token=" + ownRead, "/Company/List?a%5B%5D=" + ownControl, "/_sandbox/integrations?token=" + ownControl,
		"/pages/default/pay/" + ownControl, "/console/default/live?token=" + ownControl,
	} {
		body := ask(http.MethodGet, path, "", "User-Agent", "curl "+ownControl, "Sandbox-Label", ownControl, "X-Request-Id", ownControl, "Cookie", "token="+ownControl)
		require.NotContains(t, body, ownControl, path)
	}
	for _, path := range []string{"/_sandbox/integrations/default/tape", "/_sandbox/strangers", "/_sandbox/integrations/default/entities?kind=payment", "/metrics"} {
		body := ask(http.MethodGet, path, "", "Authorization", "Bearer "+ownRead)
		require.NotEmpty(t, body)
		for _, token := range []string{ownControl, ownRead} {
			require.NotContains(t, body, token, path)
		}
	}
}
