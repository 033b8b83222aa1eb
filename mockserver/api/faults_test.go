package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

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
		require.EqualValues(t, "header: "+tc.header, g.last().Fault)
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
	require.EqualValues(t, "read: status=500", e.Exchange.Fault)
	require.Equal(t, e.At, faults[0].Log[1].At)
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
	require.NoError(t, g.reg.Default().Reset())
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
