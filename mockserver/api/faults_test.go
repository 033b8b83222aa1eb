package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// rig is a sandbox whose delays are noted instead of waited for.
type rig struct {
	*sandbox
	mu       sync.Mutex
	pauses   []time.Duration
	statuses []int
}

func troubled(t *testing.T, choices ...string) *rig {
	t.Helper()
	g := &rig{sandbox: knobs(t, choices...)}
	g.api = api.New(api.Options{
		Registry: g.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now, Pause: g.pause, Observe: g.observe,
	})
	return g
}

func (g *rig) pause(_ context.Context, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pauses = append(g.pauses, d)
}

func (g *rig) observe(_ string, status int, _ time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.statuses = append(g.statuses, status)
}

// arm arms a fault as the control API does.
func (g *rig) arm(f fault.Fault) {
	g.t.Helper()
	g.did(func(*world.World) error {
		_, err := g.reg.Default().Faults().Arm(f)
		return err
	})
}

// last is the newest exchange on the tape.
func (g *rig) last() *tape.Exchange {
	g.t.Helper()
	list := g.entries(tape.KindExchange)
	return list[len(list)-1].Exchange
}

// over makes a call over a real connection of its own.
func (g *rig) over(method, path, body string, header ...string) (status int, answer string, err error) {
	g.t.Helper()
	answered := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(answered)
		g.api.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer func() { <-answered }()
	r, err := http.NewRequestWithContext(g.t.Context(), method, server.URL+path, strings.NewReader(body))
	require.NoError(g.t, err)
	r.Header.Set("Authorization", "Bearer "+g.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

// challenge is the answer's WWW-Authenticate, however its name is written.
func challenge(w *httptest.ResponseRecorder) string {
	for name, values := range w.Header() {
		if strings.EqualFold(name, "WWW-Authenticate") {
			return values[0]
		}
	}
	return ""
}

const companyList = "/Company/List"

func TestStatusFaultAnswersInsteadOfTheOperation(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	for _, tc := range []struct {
		header, retry string
		status        int
	}{
		{"status=503", "1", 503},
		{"status=429; retry-after=30", "30", 429},
		{"status=500", "", 500},
		{"status=418", "", 418},
		{"status=599", "", 599},
		{"status=401", "", 401},
	} {
		w := g.call(http.MethodPost, "/Company/Create", companyJSON(t, "ref"), fault.Header, tc.header)
		p := readProblem(t, tc.status, w)
		require.Equal(t, "urn:paysandbox:problem:fault", p.Type)
		require.Equal(t, tc.retry, w.Header().Get("Retry-After"))
		require.Equal(t, "header: "+tc.header, w.Header().Get(fault.Header))
		require.Equal(t, "header: "+tc.header, g.last().Fault)
		require.Equal(t, tc.status, g.last().Response.Status)
		require.Equal(t, tc.status == 401, challenge(w) != "")
	}
	require.Equal(t, 1, strings.Count(fmt.Sprint(g.statuses), "599"))
	g.company("ref") // nothing was created before
}

func TestFaultAnswersFollowTheLedger(t *testing.T) {
	t.Parallel()
	g := troubled(t, "error-body=plain-text")
	w := g.call(http.MethodGet, companyList, "", fault.Header, "status=502")
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	require.Contains(t, w.Body.String(), "status=502")
	g = troubled(t, "error-body=empty")
	w = g.call(http.MethodGet, companyList, "", fault.Header, "status=502")
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Zero(t, w.Body.Len())
}

func TestBadFaultHeaderNamesTheValidOnes(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	p := g.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", companyJSON(t, "ref"), fault.Header, "latncy=2s; status=1")
	require.Equal(t, []string{"header:Sandbox-Fault sandbox.fault-header", "header:Sandbox-Fault sandbox.fault-header"}, p.clauses())
	require.Contains(t, p.Findings[0].Expected, strings.Join(fault.Names(), ", "))
	require.Equal(t, "nearest: latency", p.Findings[0].Fix)
	require.Empty(t, g.last().Fault)
	g.company("ref") // nothing was done

	r := httptest.NewRequest(http.MethodGet, companyList, http.NoBody)
	r.Header.Set("Authorization", "Bearer "+g.token)
	r.Header[fault.Header] = []string{"status=503", "latency=1s"}
	w := httptest.NewRecorder()
	g.api.ServeHTTP(w, r)
	require.Equal(t, "header: status=503; latency=1s", w.Header().Get(fault.Header), "two lines are one list")
	require.Contains(t, fmt.Sprint(g.last().Request.Header), "status=503, latency=1s")
}

func TestFaultsMeetOnlyKnownCallers(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	g.arm(fault.Fault{Effect: fault.Effect{Status: 503}, Count: 1})
	for _, token := range []string{"", "Bearer x", "Bearer " + g.token + "x"} {
		w := g.call(http.MethodGet, companyList, "", "Authorization", token, fault.Header, "status=503; nonsense")
		require.Equal(t, http.StatusUnauthorized, w.Code, token)
		require.Empty(t, w.Header().Get(fault.Header))
	}
	w := g.call(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"no"}`)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	w = g.call(http.MethodGet, "/nowhere", "")
	require.Equal(t, http.StatusNotFound, w.Code, "no operation is called")
	other, err := g.reg.Create(integration.Options{Seed: 3, Clock: integration.Manual})
	require.NoError(t, err)
	theirs := g.grant(other.Options().ClientID, other.Options().ClientSecret)
	w = g.call(http.MethodGet, companyList, "", "Authorization", "Bearer "+theirs)
	require.Equal(t, http.StatusOK, w.Code, "integrations share nothing")
	w = g.call(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "fault-1: status=503", w.Header().Get(fault.Header))
	require.NotContains(t, w.Body.String(), "ccessToken")
	g.ok(http.MethodGet, companyList, "")
}

func TestArmedFaultsMatchOperationEntityNthAndCount(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	g.company("a")
	_, payment := g.paid()
	other := g.pay("contactNumber", "+12025550141")
	g.arm(fault.Fault{ID: "read", Match: fault.Match{Operation: "getPaymentStatus", Entity: strings.ToUpper(payment), Nth: 2}, Effect: fault.Effect{Status: 500}, Count: 2})
	g.arm(fault.Fault{ID: "query", Match: fault.Match{Operation: "refundPayment", Entity: payment}, Effect: fault.Effect{Status: 502}, Count: 1})
	g.arm(fault.Fault{ID: "body", Match: fault.Match{Operation: "createPayment", Entity: payment}, Effect: fault.Effect{Status: 504}, Count: 1})
	read := func(id string) int { return g.call(http.MethodGet, "/payment/"+id+"/status", "").Code }
	require.Equal(t, []int{200, 200, 500, 200, 500, 200}, []int{read(payment), read(other), read(payment), read(other), read(payment), read(payment)})
	w := g.call(http.MethodPost, "/Payment/Refund?PaymentRequestId="+payment, `{}`)
	require.Equal(t, 502, w.Code, "the other spelling of the operation")
	require.Equal(t, "query: status=502", w.Header().Get(fault.Header))
	require.Equal(t, 400, g.call(http.MethodPost, "/Payment/Create", `{"registrationId":"x`+payment+`"}`).Code)
	require.Equal(t, 504, g.call(http.MethodPost, "/Payment/Create", `{"registrationId":"`+payment+`"}`).Code)
	faults := g.reg.Default().Faults().List()
	require.Equal(t, 3, faults[0].Seen, "a spent fault looks no more")
	require.Len(t, faults[0].Log, 2)
	e, ok := g.reg.Default().Entry(faults[0].Log[1].Exchange)
	require.True(t, ok)
	require.Equal(t, "read: status=500", e.Exchange.Fault)
	require.Equal(t, e.At, faults[0].Log[1].At)
}

func TestCommitThenDrop(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	_, _, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "dropped"), fault.Header, "commit-then-drop")
	require.ErrorIs(t, err, io.EOF)
	e := g.last()
	require.Equal(t, "header: commit-then-drop", e.Fault)
	require.Equal(t, tape.Response{}, e.Response)
	require.Equal(t, []int{0}, g.statuses)
	require.Contains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"dropped"`, "it was carried out")
}

func TestCommitThenDropAndTheSameKeyAgain(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	g.company("a")
	body := `{"amount":5000,"contactNumber":"+12025550140"}`
	w := g.call(http.MethodPost, "/Payment/Create", body, "Idempotency-Key", "k", fault.Header, "commit-then-drop")
	require.Zero(t, w.Body.Len(), "a recorder is no connection to cut, and gets nothing")
	w = g.call(http.MethodPost, "/Payment/Create", body, "Idempotency-Key", "k")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "true", w.Header().Get("Idempotent-Replayed"))
}

func TestCutConnection(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	_, _, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "a"), fault.Header, "cut-connection")
	require.ErrorIs(t, err, io.EOF)
	require.NotContains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"a"`, "nothing was done")

	_, _, err = g.over(http.MethodPost, "/Company/Create", companyJSON(t, "b"), fault.Header, "cut-connection=headers")
	require.Error(t, err, "the answer breaks off somewhere in its headers")
	require.Equal(t, tape.Response{}, g.last().Response)
	require.Contains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"b"`)

	status, got, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "c"), fault.Header, "cut-connection=body; slow-body=1s")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, http.StatusOK, status)
	require.NotEmpty(t, got)
	require.Equal(t, got, string(g.last().Response.Body), "the tape holds what went out")
	require.False(t, json.Valid([]byte(got)))

	status, _, err = g.over(http.MethodGet, companyList, "", fault.Header, "cut-connection=body; status=503")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 503, status)

	_, _, err = g.over(http.MethodHead, companyList, "", fault.Header, "cut-connection=body")
	require.Error(t, err, "an answer without a body is cut in its headers")
}

// unhijackable hides the connection, as HTTP/2 does.
type unhijackable struct{ http.ResponseWriter }

func TestCutWithoutHijackerAborts(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.api.ServeHTTP(unhijackable{w}, r) }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	defer server.Close()
	for _, header := range []string{"cut-connection", "cut-connection=headers", "cut-connection=body", "commit-then-drop"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+companyList, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+g.token)
		r.Header.Set(fault.Header, header)
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
		}
		require.Error(t, err, header)
	}
	g.company("after")
}

func TestLatencyAndSlowBody(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	status, _, err := g.over(http.MethodGet, companyList, "", fault.Header, "latency=20s")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, []time.Duration{20 * time.Second}, g.pauses)
	status, body, err := g.over(http.MethodGet, "/nowhere", "", fault.Header, "slow-body=30s; latency=1s")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, status, "the header counts for any call")
	require.True(t, json.Valid([]byte(body)))
	require.Equal(t, time.Second, g.pauses[1])
	require.Len(t, g.pauses, 12)
	require.Equal(t, 3*time.Second, g.pauses[11])
}

func TestReplayIsNeitherHeldUpNorCut(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	i := g.reg.Default()
	for _, header := range []string{"latency=20s", "slow-body=20s", "latency=1s; commit-then-drop", "latency=1s; cut-connection=body"} {
		ctx := integration.WithAgain(t.Context(), &integration.Again{Integration: i, At: integration.DefaultStart.UnixNano(), Auth: tape.AuthValid})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.api.ServeHTTP(w, r.WithContext(ctx)) }))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+companyList, http.NoBody)
		require.NoError(t, err)
		r.Header.Set(fault.Header, header)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		server.Close()
		require.Equal(t, "header: "+header, g.last().Fault)
	}
	require.Empty(t, g.pauses)
}

// TestLatencyEndsEarly waits in virtual time: for the client, and for the stop.
func TestLatencyEndsEarly(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{})
	hold := func(ctx context.Context, a *api.API) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, companyList, http.NoBody)
		r.Header.Set("Authorization", "Bearer "+s.token)
		r.Header.Set(fault.Header, "latency=1m")
		a.ServeHTTP(httptest.NewRecorder(), r)
	}
	synctest.Test(t, func(t *testing.T) {
		a := api.New(api.Options{Registry: s.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now})
		began := time.Now()
		hold(t.Context(), a)
		require.Equal(t, time.Minute, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		hold(ctx, a)
		require.Equal(t, time.Minute+3*time.Second, time.Since(began), "the client has gone away")
		time.AfterFunc(5*time.Second, a.Stop)
		hold(t.Context(), a)
		require.Equal(t, time.Minute+8*time.Second, time.Since(began), "the server stops")
		hold(t.Context(), a)
		require.Equal(t, time.Minute+8*time.Second, time.Since(began), "and holds nothing back any more")
	})
}

// TestLatencyEndsWhenTheClientHangsUp goes over a real connection.
func TestLatencyEndsWhenTheClientHangsUp(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	held, over := make(chan struct{}), make(chan struct{})
	g.api = api.New(api.Options{
		Registry: g.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now,
		Pause: func(ctx context.Context, _ time.Duration) { close(held); <-ctx.Done(); close(over) },
	})
	server := httptest.NewServer(g.api)
	defer server.Close()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "POST /Company/Create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nSandbox-Fault: latency=60s\r\nContent-Length: 2\r\n\r\n{}", g.token)
	require.NoError(t, err)
	<-held
	require.NoError(t, conn.Close())
	<-over
}

func TestTokenRevoked(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	w := g.call(http.MethodGet, companyList, "", fault.Header, "token-revoked")
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Equal(t, []string{"Bearer"}, w.Header()["Www-Authenticate"])
	require.Equal(t, tape.AuthRevoked, g.last().Auth)
	g.ok(http.MethodGet, companyList, "")

	g.arm(fault.Fault{ID: "gone", Match: fault.Match{Operation: "listCompanies"}, Effect: fault.Effect{Revoke: fault.RevokeToken}, Count: 1})
	other := g.grant("sandbox-client", "sandbox-secret")
	for range 2 {
		w = g.call(http.MethodGet, companyList, "")
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.Equal(t, "gone: token-revoked=token", w.Header().Get(fault.Header))
	}
	w = g.call(http.MethodPost, "/Company/Create", companyJSON(t, "x"))
	require.Equal(t, http.StatusUnauthorized, w.Code, "every later call")
	require.Equal(t, tape.AuthRevoked, g.last().Auth)
	g.token = other
	g.company("x")

	p := g.refused(http.StatusBadRequest, http.MethodPost, "/Authentication/Token",
		`{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`, fault.Header, "token-revoked")
	require.Equal(t, "an operation that needs a token", p.Findings[0].Expected)
}

func TestResetTakesFaultsOut(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	g.arm(fault.Fault{Effect: fault.Effect{Status: 503}})
	g.reg.Default().Reset()
	require.Empty(t, g.reg.Default().Faults().List())
	g.token = g.grant("sandbox-client", "sandbox-secret")
	g.ok(http.MethodGet, companyList, "")
}

func TestCountIsExactUnderParallelCallers(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	g.arm(fault.Fault{Match: fault.Match{Nth: 11}, Effect: fault.Effect{Status: 503, Latency: time.Second}, Count: 40})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				g.call(http.MethodGet, companyList, "")
			}
		})
	}
	wg.Wait()
	var met []uint64
	for n, e := range g.entries(tape.KindExchange)[1:] {
		if e.Exchange.Fault != "" {
			met = append(met, uint64(n)+1)
		}
	}
	require.Len(t, met, 40)
	require.Equal(t, uint64(11), met[0])
	require.Equal(t, uint64(50), met[39], "in the order of the tape")
	require.Len(t, g.pauses, 40)
}
