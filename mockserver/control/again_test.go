package control_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// TestAgain plays a recorded session on a fresh world: nobody is asked for the
// token or probed again, and the tape comes out the same, byte for byte.
func TestAgain(t *testing.T) {
	t.Parallel()
	probed := 0
	locked := func(o *control.Options, io *integration.Options) {
		o.Token, io.Environment = "right-token", "rehearsal"
		o.Probe = func(context.Context, string) control.Probe {
			probed++
			return control.Probe{Reachable: probed == 1, Error: strings.Repeat("e", probed)}
		}
	}
	play := func(method, path string, body any) func(*sandbox, cast) {
		return func(s *sandbox, c cast) {
			if text, ok := body.(string); ok {
				body = c.names("").Replace(text)
			}
			s.ask(method, at(c.names("").Replace(path)), body, "Authorization", "Bearer right-token", "X-Request-Id", "r1")
		}
	}
	session := []func(*sandbox, cast){
		play("POST", "/webhooks", `{"url":"http://localhost:1/hooks","secret":"hush-hush-0123"}`),
		play("POST", "/webhooks", `{"url":"ftp://nowhere"}`),
		play("POST", "/webhooks", `{"url":"http://localhost:1/again"}`),
		play("POST", "/companies/COMPANY/kyb", `{"outcome":"verified"}`),
		play("POST", "/companies/COMPANY/kyb", `{"outcome":"verified"}`),
		play("POST", "/registrations/PAYER/complete", `{"accountNumber":"9876543210987"}`),
		play("POST", "/registrations/PAYER/complete", `{"accountNumber":"987650099"`),
		play("POST", "/payment-methods", `{"registrationId":"PAYER","card":"4242-4242-4242-4242"}`),
		play("POST", "/payment-methods", `{"registrationId":"PAYER","card":"4242424242424241"}`),
		play("POST", "/payment-methods", `{"registrationId":"PAYER","card":"aproved"}`),
		play("POST", "/cards/CARD/authorise", `{"number":"4000000000003220","expiry":"01/29","code":"123"}`),
		play("POST", "/cards/CARD/challenge", nil),
		play("POST", "/payments/PAYMENT/approve", ``),
		play("POST", "/payments/PAYMENT/aprove", nil),
		play("POST", "/payments/PAYMENT/approve?x=%zz", nil),
		play("POST", "/consents/CONSENT/accept", nil),
		play("POST", "/deliveries/"+someID+"/resend", nil),
		play("POST", "/tokens/revoke", nil),
	}
	first := start(t, locked)
	c := first.people()
	for _, step := range session {
		step(first, c)
	}
	recorded := first.entries(tape.KindControl)
	require.Len(t, recorded, len(session))
	require.Equal(t, 3, probed)

	second := start(t, locked)
	require.Equal(t, c, second.people())
	for _, e := range recorded {
		second.again(e)
	}
	require.Equal(t, 3, probed, "a replay asks nobody")
	// Deliveries leave in the live session only; what they brought is not fed here.
	kinds := []tape.Kind{tape.KindControl, tape.KindTransition, tape.KindMessage, tape.KindEvent}
	require.Equal(t, text(t, first.entries(kinds...)), text(t, second.entries(kinds...)))
}

// again plays a recorded call.
func (s *sandbox) again(e tape.Entry) answer {
	x := e.Exchange
	r := httptest.NewRequestWithContext(s.t.Context(), x.Method, x.Path, strings.NewReader(string(x.Request.Body)))
	r.URL.RawQuery = x.Query
	for _, h := range x.Request.Header {
		if r.Header.Set(h.Name, h.Value); h.Name == "Host" {
			r.Host = h.Value
		}
	}
	again := &integration.Again{Integration: s.registry.Default(), At: e.At}
	w := httptest.NewRecorder()
	s.control.ServeHTTP(w, r.WithContext(integration.WithAgain(r.Context(), again)))
	return answer{w, s.t}
}

// TestAgainLater: the wall clock of a replay is later than the tape, and looking
// for an event must not bring the world there.
func TestAgainLater(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal, func(_ *control.Options, o *integration.Options) {
		o.Clock, o.Start = integration.Real, wall().AddDate(0, 0, 3)
	})
	s.at = wall().UnixNano()
	c := s.people()
	call := tape.Entry{Kind: tape.KindControl, At: s.at, Exchange: &tape.Exchange{Method: http.MethodPost, Path: at("/deliveries/" + someID + "/resend")}}
	s.again(call).problem(http.StatusNotFound)
	call.Exchange.Path = at("/companies/" + c.company + "/kyb")
	call.Exchange.Request.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
	call.Exchange.Request.Body = []byte(`{"outcome":"rejected"}`)
	s.again(call).ok(nil)
}

// text writes entries as a tape file does.
func text(t *testing.T, entries []tape.Entry) string {
	t.Helper()
	var b strings.Builder
	for _, e := range entries {
		b.Write(wire.Append(nil, e, wire.Shape{}))
		b.WriteByte('\n')
	}
	return b.String()
}
