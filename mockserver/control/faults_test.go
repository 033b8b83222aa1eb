package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
)

// someOperations stand for the partner API.
func someOperations(o *control.Options, _ *integration.Options) {
	o.API = []openapi.Operation{
		{ID: "createToken", Method: http.MethodPost, Open: true},
		{ID: "createPayment", Method: http.MethodPost},
		{ID: "listCompanies", Method: http.MethodGet},
		{ID: "cancelPayment", Method: http.MethodPut},
		{ID: "cancelPaymentByPost", Method: http.MethodPost, AliasOf: "cancelPayment"},
	}
}

func TestFaultsAreArmedListedAndRemoved(t *testing.T) {
	t.Parallel()
	s := start(t, someOperations)
	var list control.FaultList
	s.get("/faults").ok(&list)
	require.Empty(t, list.Faults)
	require.Contains(t, s.get("/faults").Body.String(), `"faults":[]`)

	var one, two control.FaultView
	s.post("/faults", `{"name":"bank-is-down","match":{"operation":"createPayment","method":"POST","entity":"abc","nth":2},
		"effect":{"status":503,"retryAfter":30,"latency":"2s","slowBody":"1s","cutConnection":"body"},"count":0}`).ok(&one)
	require.Equal(t, control.FaultView{
		ID: "bank-is-down", Match: control.MatchView{Operation: "createPayment", Method: "POST", Entity: "abc", Nth: 2},
		Effect: "status=503; retry-after=30; latency=2s; slow-body=1s; cut-connection=body", Log: []control.HitView{},
	}, one)
	s.post("/faults", `{"effect":{"tokenRevoked":"token"}}`).ok(&two)
	require.Equal(t, "fault-1", two.ID)
	require.Equal(t, "token-revoked=token", two.Effect)
	require.Equal(t, 1, two.Count)
	require.Equal(t, 1, *two.Remaining)

	i := s.registry.Default()
	_, met := i.Faults().Next(&fault.Call{Operation: "createToken", Token: "x", Exchange: 9, At: wall().UnixNano()})
	require.True(t, met)
	s.get("/faults").ok(&list)
	require.Len(t, list.Faults, 2)
	require.Equal(t, []control.HitView{{Exchange: 9, At: "2026-03-02T17:00:00Z"}}, list.Faults[1].Log)
	require.Equal(t, 0, *list.Faults[1].Remaining)

	require.Equal(t, http.StatusConflict, s.post("/faults", `{"name":"bank-is-down","effect":{"commitThenDrop":true}}`).Code)
	s.ask(http.MethodDelete, at("/faults/bank-is-down"), nil).ok(nil)
	s.ask(http.MethodDelete, at("/faults/bank-is-down"), nil).problem(http.StatusNotFound)
	s.ask(http.MethodDelete, at("/faults"), nil).ok(nil)
	require.Empty(t, i.Faults().List())

	var kinds []string
	i.Look(tape.Filter{Kinds: []tape.Kind{tape.KindControl}}, func(e tape.Entry) bool {
		kinds = append(kinds, e.Exchange.Operation)
		return true
	})
	require.Equal(t, []string{"clearFaults", "removeFault", "removeFault", "armFault", "armFault", "armFault"}, kinds, "each call is an input on the tape")
}

// TestAFaultTellsWhenItEnds: by the virtual clock; no member says so of one that no time ends.
func TestAFaultTellsWhenItEnds(t *testing.T) {
	t.Parallel()
	s := start(t, someOperations)
	var one control.FaultView
	s.post("/faults", `{"effect":{"status":503},"for":"1h"}`).ok(&one)
	require.Equal(t, "2026-03-02T18:00:00Z", one.Until)
	require.EqualValues(t, 3600, *one.SecondsLeft)
	require.Zero(t, one.Count, "all calls until then")
	s.post("/faults", `{"effect":{"status":503},"for":"1h","count":3}`).ok(&one)
	require.Equal(t, 3, one.Count)
	require.NotContains(t, s.post("/faults", `{"effect":{"status":503}}`).Body.String(), "ntil")

	for left, by := range []string{"500ms", "59m59.5s"} {
		s.post("/clock/advance", `{"by":"`+by+`"}`).ok(nil)
		var list control.FaultList
		s.get("/faults").ok(&list)
		require.EqualValues(t, []int{3600, 0}[left], *list.Faults[0].SecondsLeft, by)
		require.Nil(t, list.Faults[2].SecondsLeft)
	}
	var fork control.IntegrationView
	s.post("/snapshots", `{"name":"outage"}`).ok(nil)
	s.post("/snapshots/outage/fork", `{}`).ok(&fork)
	require.Contains(t, s.ask(http.MethodGet, "/_sandbox/integrations/"+fork.ID+"/faults", nil).Body.String(), `"until":"2026-03-02T18:00:00Z","secondsLeft":0`)
}

func TestBadFaultsNameTheValidOnes(t *testing.T) {
	t.Parallel()
	s := start(t, someOperations)
	tests := map[string]struct{ pointer, expected, fix string }{
		`{}`:                                  {"/effect", "an object with at least one of status, retryAfter, latency, slowBody, cutConnection, commitThenDrop, tokenRevoked", ""},
		`{"effect":{}}`:                       {"/effect", "at least one effect of status, retry-after, latency", ""},
		`{"effect":"status=503"}`:             {"/effect", "an object", ""},
		`{"effect":{"stat":503}}`:             {"/effect/stat", "one of status, retryAfter, latency", "send it as status, or leave it out"},
		`{"effect":{"status":503},"mach":{}}`: {"/mach", "one of name, match, effect, count, for", ""},
		`{"effect":{"status":503},"match":{"operatoin":"x"}}`:                            {"/match/operatoin", "one of operation, method, entity, nth", ""},
		`{"effect":{"status":200}}`:                                                      {"/effect/status", "from 400 to 599", ""},
		`{"effect":{"status":0}}`:                                                        {"/effect/status", "from 400 to 599", ""},
		`{"effect":{"retryAfter":5}}`:                                                    {"/effect/retryAfter", "beside a status", ""},
		`{"effect":{"latency":"2"}}`:                                                     {"/effect/latency", "at most 1m", ""},
		`{"effect":{"slowBody":"2h"}}`:                                                   {"/effect/slowBody", "at most 1m", ""},
		`{"effect":{"cutConnection":"tail"}}`:                                            {"/effect/cutConnection", "start, headers or body", ""},
		`{"effect":{"tokenRevoked":"yes"}}`:                                              {"/effect/tokenRevoked", "call or token", ""},
		`{"effect":{"status":503,"commitThenDrop":true}}`:                                {"/effect/commitThenDrop", "without status", ""},
		`{"effect":{"status":503},"match":{"operation":"createPayments"}}`:               {"/match/operation", "one of createToken, createPayment", "nearest: createPayment"},
		`{"effect":{"status":503},"match":{"operation":"cancelPayment","method":"GET"}}`: {"/match/method", "one of PUT, POST", ""},
		`{"effect":{"status":503},"match":{"method":"get"}}`:                             {"/match/method", "one of POST, GET, HEAD, PUT", "nearest: GET"},
		`{"effect":{"status":503},"match":{"nth":0}}`:                                    {"/match/nth", "from 1 to", ""},
		`{"effect":{"status":503},"for":"an hour"}`:                                      {"/for", "a duration from 1s to 366d", "for example 90s, 1h or 2d"},
		`{"effect":{"status":503},"for":"1ms"}`:                                          {"/for", "a duration from 1s to 366d", ""},
		`{"effect":{"status":503},"for":"8785h"}`:                                        {"/for", "a duration from 1s to 366d", ""},
		`{"effect":{"status":503},"for":"-1h"}`:                                          {"/for", "a duration from 1s to 366d", ""},
		`{"effect":{"status":503},"for":60}`:                                             {"/for", "", ""},
		`{"effect":{"status":503},"count":-1}`:                                           {"/count", "from 0 to", ""},
		`{"effect":{"status":503},"name":"a/b"}`:                                         {"/name", "at most 64 letters", ""},
		`{"effect":{"status":503},"name":".."}`:                                          {"/name", "at most 64 letters", ""},
		`{"effect":{"status":503},"name":"header"}`:                                      {"/name", "not header", ""},
		`{"effect":{"tokenRevoked":"call"},"match":{"operation":"createToken"}}`:         {"/effect/tokenRevoked", "an operation that needs a token", ""},
	}
	for body, want := range tests {
		p := s.post("/faults", body).problem(http.StatusBadRequest)
		require.Len(t, p.Findings, 1, body)
		require.Equal(t, want.pointer, p.Findings[0].Pointer, body)
		require.Contains(t, p.Findings[0].Expected, want.expected, body)
		require.Contains(t, p.Findings[0].Fix, want.fix, body)
	}
	require.Len(t, s.post("/faults", `{"effect":{"status":1,"latency":"x"},"count":-1,"match":{"nth":0,"operation":"x"}}`).problem(http.StatusBadRequest).Findings, 5)
	require.Empty(t, s.registry.Default().Faults().List(), "nothing was armed")
}

func TestFaultsAreLimited(t *testing.T) {
	t.Parallel()
	s := start(t)
	for range fault.MaxArmed {
		_, err := s.registry.Default().Faults().Arm(fault.Fault{Effect: fault.Effect{Status: 503}}, 0)
		require.NoError(t, err)
	}
	p := s.post("/faults", `{"effect":{"status":503}}`).problem(http.StatusConflict)
	require.Contains(t, p.Detail, "too many armed faults")
}
