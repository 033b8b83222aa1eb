package control_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// TestWebhooks: secrets are in answers and never on the tape; the probe is in both.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *control.Options, _ *integration.Options) {
		o.Probe = func(_ context.Context, address string) control.Probe {
			return control.Probe{Error: "connection refused", Advice: "start it at " + address}
		}
	})
	var made control.Endpoint
	s.post("/webhooks", `{"url":"http://localhost:9/hooks","secret":"hush-hush-1234","profile":"duplicate"}`).ok(&made)
	require.Equal(t, "hush-hush-1234", made.Secret)
	require.Equal(t, "duplicate", made.Profile)
	require.Equal(t, &control.Probe{Error: "connection refused", Advice: "start it at http://localhost:9/hooks"}, made.Probe)

	twice := s.post("/webhooks", `{"url":"http://localhost:9/hooks"}`)
	require.Empty(t, twice.Header().Get("Sandbox-Warning"), "advice leaves no entry of its own")
	var again control.Endpoint
	twice.ok(&again)
	require.Contains(t, again.Probe.Advice, "start it at http://localhost:9/hooks Another endpoint has this address")
	s.ask(http.MethodDelete, at("/webhooks/"+again.ID), nil).ok(nil)

	var drawn, turned, unsigned, given delivery.EndpointView
	s.post("/webhooks", `{"url":"http://localhost:9/other"}`).ok(&drawn)
	require.NotEmpty(t, drawn.Secret)
	s.post("/webhooks/"+made.ID+"/rotate-secret", nil).ok(&turned)
	require.NotContains(t, []string{"", made.Secret, drawn.Secret}, turned.Secret)
	s.post("/webhooks/"+made.ID+"/rotate-secret", `{"secret":"given-secret-77"}`).ok(&given)
	require.Equal(t, "given-secret-77", given.Secret)
	s.post("/webhooks/"+drawn.ID+"/rotate-secret", `{"secret":""}`).ok(&unsigned)
	require.Empty(t, unsigned.Secret)
	p := s.post("/webhooks/"+made.ID+"/enable", nil).problem(http.StatusConflict)
	require.Equal(t, []string{"disable"}, p.LegalEvents)

	var list control.EndpointList
	s.get("/webhooks").ok(&list)
	require.Equal(t, []string{made.ID, drawn.ID}, []string{list.Webhooks[0].ID, list.Webhooks[1].ID})
	s.ask(http.MethodDelete, at("/webhooks/"+made.ID), nil).ok(nil)
	s.get("/webhooks").ok(&list)
	require.Len(t, list.Webhooks, 1)

	bad := s.post("/webhooks", `{"url":"file:///etc/passwd","events":["NOPE"],"profile":"dup","extra":1,"secret":"hush-5678"}`).problem(http.StatusBadRequest)
	pointers := []string{}
	for _, f := range bad.Findings {
		pointers = append(pointers, f.Pointer)
	}
	require.Equal(t, []string{"/extra", "/url", "/events/0", "/profile"}, pointers)

	taped := text(t, s.entries())
	for _, secret := range []string{"hush-hush-1234", drawn.Secret, turned.Secret, "given-secret-77", "hush-5678"} {
		require.NotContains(t, taped, secret)
	}
	require.Contains(t, taped, "Sandbox-Probe")
	require.Contains(t, taped, "connection refused")
	require.Contains(t, taped, `\"secret\":\"••••\"`)
}

// TestNumbersOnTheTape: published test numbers stay, others are cut to what
// every mask shows.
func TestNumbersOnTheTape(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.people()
	s.post("/payment-methods", `{"registrationId":"`+c.payer+`","card":"4242 4242 4242 4242"}`).ok(nil)
	s.post("/payment-methods", `{"registrationId":"`+c.payer+`","card":"4929 1111 2222 3334"}`).problem(http.StatusBadRequest)
	s.post("/cards/"+c.card+"/authorise", `{"number":"4000000000003220","expiry":"11/29","code":"987"}`).ok(nil)
	s.post("/registrations/"+c.payer+"/complete", `{"accountNumber":"5512345200","outcome":"kyc-failed"}`).ok(nil)
	s.post("/registrations/"+c.payer+"/complete", `{"accountNumber":"55123310010","outcome":"kyc-failed"}`).ok(nil)
	s.post("/registrations/"+c.payer+"/complete", `{"accountNumber":"55 1234-5678","outcome":"kyc-failed","more":1}`).problem(http.StatusBadRequest)
	s.post("/registrations/"+c.payer+"/complete", `{"accountNumber":55123456789}`).problem(http.StatusBadRequest)
	s.post("/registrations/"+c.payer+"/complete", `{"accountNumber":"5512a3456"}`).problem(http.StatusBadRequest)
	s.post("/registrations/"+c.payer+"/complete", `{"persona":"slow"}`).ok(nil)
	taped := text(t, s.entries(tape.KindControl))
	for _, stays := range []string{"4242 4242 4242 4242", "4000000000003220", `4929 1199 9999 3334`, `9999995200`, `99999310010`, `99 9999-5678`, "*3334"} {
		require.Contains(t, taped, stays)
	}
	for _, gone := range []string{"1111 2222", "987", "551234", "55123", "55 12", "5512a"} {
		require.NotContains(t, taped, gone)
	}
}

// hooked is a sandbox with an endpoint and a payment that was paid.
func hooked(t *testing.T, statuses ...int) (*sandbox, cast, string) {
	t.Helper()
	s := start(t, rehearsal, func(o *control.Options, _ *integration.Options) {
		o.Latency = func(_ string, attempt int) (time.Duration, bool) { return 1500 * time.Microsecond, attempt == 1 }
	})
	s.carrier.statuses = statuses
	c := s.people()
	var made control.Endpoint
	s.post("/webhooks", `{"url":"http://localhost:9/hooks","events":["PAYMENT_STATUS_CHANGED"]}`).ok(&made)
	s.post("/payments/"+c.payment+"/approve", nil).ok(nil)
	return s, c, made.ID
}

func TestLedger(t *testing.T) {
	t.Parallel()
	s, c, endpoint := hooked(t, 500, 302, 200, 200, 503)
	ledger := func(query string) control.DeliveryList {
		var list control.DeliveryList
		s.get("/deliveries" + query).ok(&list)
		return list
	}
	list := ledger("")
	require.Len(t, list.Deliveries, 1)
	d := list.Deliveries[0]
	require.Equal(t, []string{endpoint, "PAYMENT_STATUS_CHANGED", c.payment, "scheduled"}, []string{d.Endpoint, d.Event, d.Entity, d.State})
	require.Equal(t, "2026-03-02T17:00:05Z", *d.Next)
	require.Contains(t, d.Why, "status 500")
	a := d.Attempts[0]
	require.Contains(t, a.Body, `"Status":"Processing"`)
	require.Equal(t, []any{"5f0c", 500, "said", 1, int64(1)}, []any{a.Signature, a.Status, a.ResponseBody, a.Number, *a.LatencyMillis})

	s.post("/payments/"+c.payment+"/pay", nil).ok(nil)
	list = ledger("")
	require.Equal(t, []string{"scheduled", "queued"}, states(list), "in the order of the entity's events")
	require.Equal(t, "an earlier event of its entity has to go first", list.Deliveries[1].Why)
	require.Len(t, ledger("?state=queued").Deliveries, 1)

	s.post("/clock/advance", `{"by":"5s"}`).ok(nil)
	s.post("/clock/advance", `{"by":"5m"}`).ok(nil)
	list = ledger("")
	require.Equal(t, []string{"delivered", "delivered"}, states(list))
	require.Equal(t, []int{500, 302, 200}, []int{list.Deliveries[0].Attempts[0].Status, list.Deliveries[0].Attempts[1].Status, list.Deliveries[0].Attempts[2].Status})
	require.Nil(t, list.Deliveries[0].Attempts[2].LatencyMillis)
	require.Nil(t, list.Gap)

	var again control.Resent
	s.post("/deliveries/"+d.ID+"/resend", nil).ok(&again)
	require.Equal(t, []string{endpoint, d.EventID}, []string{again.Endpoint, again.EventID})
	list = ledger("?event=" + strings.ToUpper(d.EventID))
	require.Equal(t, []string{"delivered", "scheduled"}, states(list))
	require.Equal(t, again.ID, list.Deliveries[1].ID)
	require.Equal(t, d.Attempts[0].Body, list.Deliveries[1].Attempts[0].Body)
	s.post("/deliveries/"+again.ID+"/resend", nil).ok(&again)
	s.post("/deliveries/"+d.EventID+"/resend", nil).ok(&again)
	s.post("/deliveries/"+d.EventID+"/resend", map[string]string{"endpoint": endpoint}).ok(&again)
	require.Len(t, ledger("?endpoint="+endpoint+"&event=payment_status_changed&state=delivered").Deliveries, 5)

	s.post("/webhooks", `{"url":"http://localhost:9/second"}`).ok(nil)
	p := s.post("/deliveries/"+d.EventID+"/resend", nil).problem(http.StatusBadRequest)
	require.Equal(t, "/endpoint", p.Findings[0].Pointer)
	s.ask(http.MethodDelete, at("/webhooks/"+endpoint), nil).ok(nil)
	require.Equal(t, "abandoned", states(ledger("?state=abandoned"))[0])
	s.post("/deliveries/"+d.ID+"/resend", nil).problem(http.StatusNotFound)
	s.query("/deliveries", "state=givn-up").problem(http.StatusBadRequest)
}

func states(list control.DeliveryList) []string {
	all := []string{}
	for _, d := range list.Deliveries {
		all = append(all, d.State)
	}
	return all
}

func TestGivenUp(t *testing.T) {
	t.Parallel()
	s, _, endpoint := hooked(t, 410)
	var list control.DeliveryList
	s.get("/deliveries").ok(&list)
	require.Equal(t, []string{"given-up"}, states(list))
	var hook delivery.EndpointView
	p := s.post("/deliveries/"+list.Deliveries[0].ID+"/resend", nil).problem(http.StatusConflict)
	require.Equal(t, []string{"enable"}, p.LegalEvents)
	s.post("/webhooks/"+endpoint+"/enable", nil).ok(&hook)
	require.Equal(t, "Enabled", hook.Status)
	s.post("/deliveries/"+list.Deliveries[0].ID+"/resend", nil).ok(nil)
}

// TestDroppedEvents: what may have been dropped is never said not to have been.
func TestDroppedEvents(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal, func(_ *control.Options, o *integration.Options) { o.Tape.Entries = 8 })
	c := s.people()
	for range 10 {
		s.post("/tokens/revoke", nil).ok(nil)
	}
	p := s.post("/deliveries/"+c.payment+"/resend", nil).problem(http.StatusNotFound)
	require.Contains(t, p.Detail, "may have been among them")
	p = s.get("/why/" + c.payment).problem(http.StatusNotFound)
	require.Contains(t, p.Detail, "may have been about it")
	var list control.DeliveryList
	s.get("/deliveries").ok(&list)
	require.NotNil(t, list.Gap)
}
