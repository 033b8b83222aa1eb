package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// none is an environment without variables.
func none(string) (string, bool) { return "", false }

// ran runs the program and gives its exit code and what it wrote.
func ran(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, none, &out, &errs)
	return code, out.String(), errs.String()
}

// heard collects what a command writes while it runs.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(b)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// until waits for words, and gives all that was written.
func (h *heard) until(t *testing.T, words string) string {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(h.String(), words) }, time.Minute, 5*time.Millisecond, "%s\n%s", words, h)
	return h.String()
}

// beside runs the program until the function that it gives is called, which
// returns the exit code.
func beside(t *testing.T, args ...string) (said *heard, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	said = &heard{}
	code := make(chan int, 1)
	go func() { code <- run(ctx, args, none, said, said) }()
	return said, func() int { cancel(); return <-code }
}

// asked makes a call of a sandbox and gives the answer.
func asked(t *testing.T, method, address, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(raw)
}

// TestTail tells what was there, and what comes.
func TestTail(t *testing.T) {
	t.Parallel()
	a := started(t, "--clock", "manual")
	asked(t, http.MethodPost, a.BaseURL+"/Authentication/Token", `{"clientId":"x"}`)
	asked(t, http.MethodPost, a.BaseURL+"/Authentication/Token", `{"clientId":"`+defaultID+`","clientSecret":"`+defaultSecret+`"}`)
	code, out, errs := ran(t, "tail", "--url", a.BaseURL, "--once")
	require.Zero(t, code, errs)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 2)
	require.Regexp(t, `^17:00:00 #1 ▸ POST /Authentication/Token 40\d \w+`, lines[0])
	require.Equal(t, "17:00:00 #2 ▸ POST /Authentication/Token 200", lines[1])
	code, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--json", "--operation", "createToken")
	require.Zero(t, code)
	require.Contains(t, out, `{"seq":2,"at":"2026-03-02T17:00:00Z","kind":"exchange"`)
	_, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--failed")
	require.Equal(t, lines[0]+"\n", out)

	for range 50 {
		asked(t, http.MethodGet, a.BaseURL+"/Company/List", ``)
	}
	_, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--lines", "50")
	require.Equal(t, 50, strings.Count(out, "GET /Company/List 401"), "what was asked for is told line by line")
	_, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--operation", "createToken", "--lines", "1")
	require.Equal(t, lines[1]+"\n", out, "the last that fit, however many came behind them")
	_, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--failed", "--lines", "51")
	require.Equal(t, 51, strings.Count(out, " 40"), "the first, too")
	_, out, _ = ran(t, "tail", "--url", a.BaseURL, "--once", "--text", "nowhere-to-be-found")
	require.Empty(t, out)

	said, end := beside(t, "tail", "--url", a.BaseURL)
	said.until(t, "#52 ")
	asked(t, http.MethodPost, a.ControlURL+"/integrations/default/clock/advance", `{"by":"1h"}`)
	said.until(t, "the clock moved by 1h0m0s")
	asked(t, http.MethodPost, a.ControlURL+"/integrations/default/reset", `{}`)
	asked(t, http.MethodGet, a.BaseURL+"/Company/List", ``)
	require.Zero(t, end())

	code, _, errs = ran(t, "tail", "--url", a.BaseURL, "--integration", "nobody")
	require.Equal(t, 2, code, errs)
	code, _, errs = ran(t, "tail", "--url", a.BaseURL, "--kind", "evnt") // not waited for: it would be refused for ever
	require.Equal(t, 2, code, errs)
	require.Contains(t, errs, "nearest: event")
}

// TestListen relays an event, and takes its address out again.
func TestListen(t *testing.T) {
	t.Parallel()
	var got []*http.Request
	var refused bool
	var mu sync.Mutex
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("Sandbox-Delivery") == "" {
			return // the probe
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		got = append(got, r)
		if company := bytes.Contains(raw, []byte(`"COMPANY_`)); company && !refused { // whichever of two events comes first
			refused = true
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer receiver.Close()
	a := started(t, "--clock", "manual")
	said, end := beside(t, "listen", "--url", a.BaseURL, "--forward-to", receiver.URL+"/hooks", "--webhook-secret", "whsec_of_the_listener")
	said.until(t, "signed with whsec_of_the_listener")
	said2, end2 := beside(t, "listen", "--url", a.BaseURL, "--forward-to", "http://127.0.0.1:1/nobody")
	said2.until(t, "signed with")
	pasted(t, []string{"PAYSANDBOX_URL=" + a.BaseURL}, strings.ReplaceAll(blocksOf(t, "README.md", "sh")[0].text, "http://"+defaultAddr, a.BaseURL))
	require.Regexp(t, `(?m)^\d\d:\d\d:\d\d #\d ◂ COMPANY_VERIFICATION_STATUS_CHANGED Verified 503 in \d+m?s [0-9a-f-]{36}$`, said.until(t, "Verified 503"))
	require.Regexp(t, `(?m)#\d ◂ \w+ \w+ 200 in \d+m?s [0-9a-f-]{36}$`, said.until(t, " 200 in "))
	require.Regexp(t, `(?m)#\d ◂ \w+ \w+ no answer connection refused [0-9a-f-]{36}$`, said2.until(t, "refused"))
	require.Zero(t, end())
	require.Zero(t, end2())
	require.JSONEq(t, `{"webhooks":[]}`, asked(t, http.MethodGet, a.ControlURL+"/integrations/default/webhooks", ""))
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, "/hooks", got[0].URL.Path)
	require.Regexp(t, regexp.MustCompile(`^sha256=[0-9a-f]{64}$`), got[0].Header.Get("X-Hmac-Signature"))

	code, _, errs := ran(t, "listen", "--forward-to", "localhost:3000")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "is not an address of a receiver")
}

// TestASlowReceiverIsTold: not the receiver has failed, but the sandbox waits no longer.
func TestASlowReceiverIsTold(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := relay{to: "http://127.0.0.1:1/hooks", client: http.DefaultClient, out: textFor(&out, nil)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p1","Status":"Paid"}}`))
	req.Header.Set("Sandbox-Delivery", "d1")
	r.ServeHTTP(httptest.NewRecorder(), req)
	require.Contains(t, out.String(), "PAYMENT_STATUS_CHANGED Paid no answer the sandbox waited 0s, and no longer p1")
}

// TestServeTells writes a record for each call where JSON is asked for, and nothing
// where nobody reads along.
func TestServeTells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		told bool
	}{{[]string{"--log-format", "json"}, true}, {[]string{"--log-format", "json", "--quiet"}, false}, {nil, false}} {
		a, log := startedLogged(t, c.args...)
		asked(t, http.MethodPost, a.BaseURL+"/Authentication/Token", `{"clientId":"`+defaultID+`","clientSecret":"`+defaultSecret+`"}`)
		if c.told {
			log.until(t, `"msg":"POST /Authentication/Token 200","integration":"default","entry":1`)
			other := asked(t, http.MethodPost, a.ControlURL+"/integrations", `{"name":"shop"}`)
			_, id, _ := strings.Cut(other, `"id":"`)
			asked(t, http.MethodPost, a.ControlURL+"/integrations/"+id[:36]+"/notes", `{"kind":"x","text":"y"}`)
			log.until(t, "/notes 200") // of an integration that was made later
			continue
		}
		require.NotContains(t, log.String(), "/Authentication/Token")
	}
}

// TestAwayAndBack: a gap is told with how much came meanwhile, and nothing of it is
// left out.
func TestAwayAndBack(t *testing.T) {
	t.Parallel()
	looks := 0
	var errs bytes.Buffer
	source := (&tailFlags{}).patient(func(_ context.Context, since uint64, _ int) (traffic.Reading, error) {
		if looks++; looks == 2 {
			return traffic.Reading{}, io.ErrUnexpectedEOF
		}
		return traffic.Reading{Entries: []tape.Entry{{Seq: since + 1}, {Seq: since + 2}}}, nil
	}, &errs)
	first, err := source(t.Context(), 5, 1000)
	require.NoError(t, err)
	require.Equal(t, uint64(7), first.Entries[1].Seq)
	require.Empty(t, errs.String())
	second, err := source(t.Context(), 7, 1000)
	require.NoError(t, err)
	require.Equal(t, uint64(8), second.Entries[0].Seq)
	require.Regexp(t, `^not live since \d\d:\d\d:\d\d: .*\nlive again: 2 while you were away\n$`, errs.String())
	require.Equal(t, "1000 or more", missed(1000, 1000))
}

// TestTailGoesOnAfterARestart at once, also where the sandbox has forgotten what it had and
// counts from 1 again: nobody waits for the end of a long look to see it.
func TestTailGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	var at atomic.Pointer[http.Handler]
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*at.Load()).ServeHTTP(w, r) }))
	t.Cleanup(front.Close)
	start := func(seed uint64) {
		s, err := mockserver.New(mockserver.Options{Loopback: true, Integration: integration.Options{ClientID: "c", ClientSecret: "s", Seed: seed}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
		at.Store(new(s.Handler()))
	}
	call := func(path string) {
		res, err := http.Get(front.URL + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
	}
	start(1)
	said, end := beside(t, "tail", "--url", front.URL)
	for range 3 {
		call("/Company/List")
	}
	said.until(t, "#3 ")
	gone := http.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	at.Store(&gone)
	front.CloseClientConnections()
	said.until(t, "not live since")
	start(2)
	call("/Nowhere/AfterTheRestart")
	began := time.Now()
	said.until(t, "/Nowhere/AfterTheRestart")
	require.Less(t, time.Since(began), tailWait/2, said.String())
	require.Contains(t, said.String(), "its tape begins anew")
	require.Zero(t, end())
}

// TestListenSaysWhenTheSandboxIsAway, and how much waits when it is back.
func TestListenSaysWhenTheSandboxIsAway(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{Loopback: true, AllowLoopback: true, Integration: integration.Options{ClientID: "c", ClientSecret: "s", Seed: 1}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	var gone atomic.Bool
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		s.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	said, end := beside(t, "listen", "--url", front.URL, "--forward-to", "http://127.0.0.1:1/nobody")
	said.until(t, "events go to")
	gone.Store(true)
	said.until(t, "not live since")
	gone.Store(false)
	require.Contains(t, said.until(t, "live again: "), "live again: no event waits to be delivered")
	require.Equal(t, 1, strings.Count(said.String(), "not live since"), said.String())
	require.Zero(t, end())
}
