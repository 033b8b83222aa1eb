package control_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func rehearsal(_ *control.Options, o *integration.Options) { o.Environment = world.Rehearsal }

// paid takes a payment to Paid.
func (s *sandbox) paid(id string) {
	s.post("/payments/"+id+"/approve", nil).ok(nil)
	s.post("/payments/"+id+"/pay", nil).ok(nil)
}

// TestPeopleAndBanksMove takes one legal step of every machine.
func TestPeopleAndBanksMove(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before func(s *sandbox, c cast) string // gives the id, the payment's when nil
		path   string                          // with ID in the id's place
		body   any
		want   string
	}{
		"kyb verified":       {path: "/companies/COMPANY/kyb", body: `{"outcome":"verified"}`, want: `"Verified"`},
		"kyb rejected":       {path: "/companies/loc-001/kyb", body: `{"outcome":"rejected"}`, want: `"Rejected"`},
		"bank link":          {path: "/companies/COMPANY/bank-link", want: ``},
		"registration":       {path: "/registrations/PAYER/complete", want: `"accountMask":"*1111"`},
		"registration, slow": {path: "/registrations/PAYER/complete", body: `{"persona":"slow"}`, want: `"accountMask":"*3333"`},
		"registration, own":  {path: "/registrations/PAYER/complete", body: `{"accountNumber":"5512-3456 9012"}`, want: `"accountMask":"*9012"`},
		"registration, kyc":  {path: "/registrations/PAYER/complete", body: `{"outcome":"kyc-failed"}`, want: `"status":"Pending"`},
		"payment approve":    {path: "/payments/PAYMENT/approve", want: `"status":"Processing"`},
		"payment deny":       {path: "/payments/PAYMENT/deny", body: `{"reason":"no"}`, want: `"status":"Denied"`},
		"payment return": {path: "/payments/PAYMENT/return", body: `{"returnCode":"R10"}`, want: `"status":"Failed"`, before: func(s *sandbox, c cast) string {
			s.paid(c.payment)
			return ""
		}},
		"refund": {path: "/refunds/ID/complete", want: `"status":"Completed"`, before: func(s *sandbox, c cast) string {
			s.paid(c.payment)
			amount := int64(100)
			s.do(func(w *world.World) {
				require.NoError(s.t, w.RefundPayment(c.payment, &world.NewRefund{Amount: &amount}))
			})
			return s.lastOf("refund")
		}},
		"card payment": {path: "/card-payments/ID/succeed", want: `"status":"Succeeded"`, before: func(s *sandbox, _ cast) string {
			body := payload[world.NewCardPayment](s.t, "card-payment")
			body.TransactionStatus = "Pending"
			s.do(func(w *world.World) { require.NoError(s.t, w.RegisterCardPayment(body)) })
			return s.lastOf("card-payment")
		}},
		"save card":             {path: "/payment-methods", body: `{"registrationId":"PAYER","card":"4000 0000 0000 0341"}`, want: `"last4":"0341"`},
		"save card by outcome":  {path: "/payment-methods", body: `{"registrationId":"PAYER","card":"later-decline"}`, want: `"last4":"0341"`},
		"authorise":             {path: "/cards/CARD/authorise", body: `{"number":"4242424242424242"}`, want: `"status":"Authorised"`},
		"authorise amex":        {path: "/cards/CARD/authorise", body: `{"number":"378282246310005"}`, want: `"status":"Authorised"`},
		"authorise in full":     {path: "/cards/CARD/authorise", body: `{"number":"declined","expiry":"12/2030","code":"999"}`, want: `"reason":"declined"`},
		"challenge":             {path: "/cards/CARD/challenge", want: `"status":"Authorised"`, before: challenged},
		"challenge not passed":  {path: "/cards/CARD/challenge", body: `{"pass":false}`, want: `"reason":"challenge-failed"`, before: challenged},
		"card event":            {path: "/cards/CARD/cancel", want: `"status":"Canceled"`},
		"debit accept":          {path: "/debit-authorisations/DEBIT/accept", want: `"status":"Accepted"`},
		"debit disable":         {path: "/debit-authorisations/DEBIT/disable", want: `"status":"Disabled"`},
		"consent accept":        {path: "/consents/CONSENT/accept", want: `"status":"Accepted"`},
		"consent decline":       {path: "/consents/CONSENT/decline", want: `"status":"Declined"`},
		"plan cancel":           {path: "/plans/PLAN/cancel", want: `"status":"Canceled"`},
		"tokens":                {path: "/tokens/revoke", want: ``},
		"percent-encoded paths": {path: "/companies/loc%2D001/kyb", body: `{"Outcome":"verified"}`, want: `"Verified"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, rehearsal)
			c := s.people()
			id := ""
			if tc.before != nil {
				id = tc.before(s, c)
			}
			body := tc.body
			if text, ok := body.(string); ok {
				body = c.names(id).Replace(text)
			}
			got := s.post(c.names(id).Replace(tc.path), body)
			got.ok(nil)
			require.Contains(t, got.Body.String(), tc.want)
			require.NotEmpty(t, got.Header().Get("Sandbox-Exchange"))
			calls := s.entries(tape.KindControl)
			last := calls[len(calls)-1]
			require.Equal(t, got.Body.String(), string(last.Exchange.Response.Body))
			require.NotEmpty(t, last.Exchange.Operation)
		})
	}
}

func challenged(s *sandbox, c cast) string {
	s.post("/cards/"+c.card+"/authorise", `{"number":"challenge-passes"}`).ok(nil)
	return ""
}

// names puts the cast's ids in the places of their names.
func (c cast) names(id string) *strings.Replacer {
	return strings.NewReplacer("COMPANY", c.company, "PAYER", c.payer, "PAYMENT", c.payment, "CARD", c.card,
		"PLAN", c.plan, "CONSENT", c.consent, "DEBIT", c.debit, "ID", id)
}

// TestUnknownMagicNamesTheNearest misspells events, outcomes and test data.
func TestUnknownMagicNamesTheNearest(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	tests := map[string]struct{ path, body, pointer, says string }{
		"payment event":  {"/payments/PAYMENT/aprove", "", "path:event", "nearest: approve"},
		"refund event":   {"/refunds/PAYMENT/complet", "", "path:event", "nearest: complete"},
		"card payment":   {"/card-payments/PAYMENT/succed", "", "path:event", "nearest: succeed"},
		"card event":     {"/cards/CARD/cancle", "", "path:event", "nearest: cancel"},
		"debit event":    {"/debit-authorisations/DEBIT/acept", "", "path:event", "nearest: accept"},
		"consent event":  {"/consents/CONSENT/declin", "", "path:event", "nearest: decline"},
		"plan event":     {"/plans/PLAN/paus", "", "path:event", "nearest: pause"},
		"kyb":            {"/companies/COMPANY/kyb", `{"outcome":"verifed"}`, "/outcome", "nearest: verified"},
		"kyb without":    {"/companies/COMPANY/kyb", `{}`, "/outcome", "one of verified, rejected"},
		"registration":   {"/registrations/PAYER/complete", `{"outcome":"kyc-fail"}`, "/outcome", "nearest: kyc-failed"},
		"persona":        {"/registrations/PAYER/complete", `{"persona":"insuficient-funds"}`, "/persona", "nearest: insufficient-funds"},
		"both banks":     {"/registrations/PAYER/complete", `{"persona":"good","accountNumber":"1111"}`, "/persona", "not both"},
		"account":        {"/registrations/PAYER/complete", `{"accountNumber":"000000910001"}`, "/accountNumber", "010001"},
		"account code":   {"/registrations/PAYER/complete", `{"accountNumber":"000000010099"}`, "/accountNumber", "R85"},
		"card":           {"/payment-methods", `{"registrationId":"PAYER","card":"4242424242424243"}`, "/card", "4242424242424242 (visa, approved)"},
		"card by name":   {"/payment-methods", `{"registrationId":"PAYER","card":"aproved"}`, "/card", "nearest: approved"},
		"card missing":   {"/payment-methods", `{"registrationId":"PAYER"}`, "/card", "nearest: "},
		"card typed":     {"/cards/CARD/authorise", `{"number":"4000000000009994"}`, "/number", "4000000000009995"},
		"return code":    {"/payments/PAYMENT/fail", `{"returnCode":"R1"}`, "/returnCode", "R01"},
		"code not asked": {"/payments/PAYMENT/approve", `{"returnCode":"R01"}`, "/returnCode", "only fail and return"},
		"unknown member": {"/payments/PAYMENT/approve", `{"returncod":"R01"}`, "/returncod", "returnCode"},
		"wrong type":     {"/cards/CARD/challenge", `{"pass":"yes"}`, "/pass", "true or false"},
		"two problems":   {"/registrations/PAYER/complete", `{"persona":7,"x":1}`, "/x", "members"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body any
			if tc.body != "" {
				body = c.names("").Replace(tc.body)
			}
			got := s.post(c.names("").Replace(tc.path), body)
			p := got.problem(http.StatusBadRequest)
			found := false
			for _, f := range p.Findings {
				require.NotEmpty(t, f.Clause)
				require.False(t, f.Advisory)
				found = found || f.Pointer == tc.pointer && strings.Contains(f.Expected+" "+f.Fix, tc.says)
			}
			require.True(t, found, got.Body.String())
		})
	}
}

// What no payer could do is done for one who has linked no account, and said.
func TestApprovingWithoutAnAccountSaysSo(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	got := s.post("/payments/"+c.payment+"/approve", nil)
	got.ok(nil)
	require.Equal(t, "control.payment.linked path:id", got.Header().Get("Sandbox-Warning"))

	linked := start(t, rehearsal)
	c = linked.people()
	linked.post("/registrations/"+c.payer+"/complete", nil).ok(nil)
	got = linked.post("/payments/"+c.payment+"/approve", nil)
	got.ok(nil)
	require.Empty(t, got.Header().Get("Sandbox-Warning"))
}

// Who is Registered can have another account, and nobody else.
func TestRelink(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	p := s.post("/registrations/"+c.payer+"/relink", nil).problem(http.StatusConflict)
	require.Equal(t, []any{"Pending", "relink"}, []any{p.State, p.Event})
	s.post("/registrations/"+c.payer+"/complete", `{"persona":"closed-account"}`).ok(nil)
	var v control.Completed
	s.post("/registrations/"+c.payer+"/relink", `{"accountNumber":"000000003333"}`).ok(&v)
	require.Equal(t, []string{"Registered", "*3333", ""}, []string{v.Status, *v.AccountMask, v.RedirectURL})
	require.Equal(t, "/persona", s.post("/registrations/"+c.payer+"/relink", `{"persona":"nobody"}`).problem(http.StatusBadRequest).Findings[0].Pointer)
	var e control.EntityView
	s.get("/entities/" + c.payer).ok(&e)
	require.Equal(t, "/_sandbox/integrations/default/registrations/"+c.payer+"/relink", e.Moves[0].Path)
}

func TestIllegalMovesNameTheLegalOnes(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	s.post("/companies/"+c.company+"/kyb", `{"outcome":"verified"}`).ok(nil)
	s.post("/registrations/"+c.payer+"/complete", nil).ok(nil)
	s.post("/consents/"+c.consent+"/accept", nil).ok(nil)
	tests := []struct {
		path, body, machine, state, event string
		legal                             []string
	}{
		{"/companies/COMPANY/kyb", `{"outcome":"rejected"}`, "company", "Verified", "reject", nil},
		{"/registrations/PAYER/complete", "", "registration", "Registered", "complete", []string{"relink"}},
		{"/payments/PAYMENT/pay", "", "payment", "Pending", "pay", []string{"approve", "schedule", "queue", "review", "deny", "cancel"}},
		{"/consents/CONSENT/accept", "", "consent", "Accepted", "accept", []string{"decline"}},
		{"/consents/CONSENT/create", "", "consent", "Accepted", "create", []string{"decline"}},
		{"/plans/PLAN/pause", "", "plan", "Draft", "pause", []string{"activate", "cancel"}},
	}
	for _, tc := range tests {
		var body any
		if tc.body != "" {
			body = tc.body
		}
		p := s.post(c.names("").Replace(tc.path), body).problem(http.StatusConflict)
		require.Equal(t, []any{tc.machine, tc.state, tc.event, tc.legal}, []any{p.Machine, p.State, p.Event, p.LegalEvents}, tc.path)
	}
}

func TestUnknownEntities(t *testing.T) {
	t.Parallel()
	s := start(t)
	const id = "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"
	for _, path := range []string{
		"/companies/ID/bank-link", "/registrations/ID/complete", "/payments/ID/approve", "/refunds/ID/complete",
		"/card-payments/ID/fail", "/cards/ID/cancel", "/cards/ID/challenge", "/debit-authorisations/ID/accept", "/consents/ID/accept",
		"/consents/ID/create", "/plans/ID/pause", "/deliveries/ID/resend", "/webhooks/ID/enable", "/webhooks/ID/rotate-secret",
	} {
		for _, given := range []string{id, "nonsense"} {
			s.post(strings.Replace(path, "ID", given, 1), nil).problem(http.StatusNotFound)
		}
	}
	s.ask(http.MethodDelete, at("/webhooks/"+id), nil).problem(http.StatusNotFound)
	s.get("/why/" + id).problem(http.StatusNotFound)
	s.ask(http.MethodGet, "/_sandbox/integrations/nobody/clock", nil).problem(http.StatusNotFound)
	s.ask(http.MethodPost, "/_sandbox/integrations/nobody/tokens/revoke", nil).problem(http.StatusNotFound)
}
