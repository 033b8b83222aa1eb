package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

// possessions are one id of each kind that an integration owns.
type possessions struct{ company, location, payer, payment, card, plan, consent, linkToken string }

// own fills the default integration.
func (s *sandbox) own() possessions {
	s.t.Helper()
	var p possessions
	var locations []string
	p.company, locations = s.company("gym")
	p.location = locations[0]
	p.payer, p.payment = s.paid()
	p.card = s.card(p.payer, "4242424242424242")
	p.plan = s.plan()
	p.consent = s.joins(p.plan, p.payer)
	p.linkToken = s.ok(http.MethodPost, "/Account/LinkToken", fmt.Sprintf(`{"verificationId":%q}`, p.payer))["tokenId"].(string)
	return p
}

// fill puts ids into a path or body.
func (p possessions) fill(text string) string {
	return strings.NewReplacer("COMPANY", p.company, "LOCATION", p.location, "PAYER", p.payer, "PAYMENT", p.payment,
		"CARD", p.card, "PLAN", p.plan, "CONSENT", p.consent, "LINK", p.linkToken).Replace(text)
}

// idCalls is every operation that takes an id, once for each id that it takes.
// The ids in paths and queries are 404 when they are another's; those in bodies
// are 400, or 404 where the ledger says so.
var idCalls = []struct{ method, path, body string }{
	{"GET", "/company/status?companyId=COMPANY", ""},
	{"GET", "/Company/COMPANY/Status", ""},
	{"POST", "/Company/COMPANY/Locations", locationBody},
	{"GET", "/Company/COMPANY/Locations", ""},
	{"POST", "/Company/COMPANY/ExternalAuthLink", `{"mobileNumber":"+12025550123"}`},
	{"GET", "/User/PAYER/Status", ""},
	{"POST", "/User/PAYER/DebitAuth", `{"companyId":"COMPANY","limit":5}`},
	{"GET", "/User/PAYER/DebitAuth?CompanyId=COMPANY", ""},
	{"GET", "/Payment/CardPaymentMethods/PAYER", ""},
	{"PUT", "/Payment/PAYMENT/Cancel", ""},
	{"POST", "/Payment/PAYMENT/Cancel", ""},
	{"POST", "/Payment/Refund/PAYMENT", `{"amount":1}`},
	{"POST", "/Payment/Refund?paymentRequestId=PAYMENT", `{"amount":1}`},
	{"GET", "/Payment/PAYMENT/Status", ""},
	{"GET", "/Transaction/PaymentRequest/PAYMENT", ""},
	{"GET", "/Transaction/Report?companyId=COMPANY", ""},
	{"GET", "/PaymentPlan/List?companyId=COMPANY", ""},
	{"GET", "/PaymentPlan/PLAN", ""},
	{"PUT", "/PaymentPlan/PLAN/Activate", ""},
	{"PUT", "/PaymentPlan/PLAN/Pause", ""},
	{"PUT", "/PaymentPlan/PLAN/Cancel", ""},
	{"POST", "/PaymentPlan/PLAN/Payers", `{"phoneNumber":"2025550123"}`},
	{"DELETE", "/PaymentPlan/PLAN/Payers/PAYER", ""},
	{"GET", "/Consent/List?planId=PLAN", ""},
	{"GET", "/Consent/List?registrationId=PAYER", ""},
	{"GET", "/Consent/CONSENT", ""},
	{"PUT", "/Consent/CONSENT/Decline", ""},
}

var bodyIDCalls = []struct{ path, body string }{
	{"/User/OWNPAYER/DebitAuth", `{"companyId":"COMPANY","limit":5}`},
	{"/Payment/Create", `{"amount":1,"registrationId":"PAYER"}`},
	{"/Payment/Create", `{"amount":1,"contactNumber":"2025550123","locationId":"LOCATION"}`},
	{"/Payment/Create", `{"amount":1,"contactNumber":"2025550123","companyId":"COMPANY"}`},
	{"/Payment/Create", `{"amount":1,"contactNumber":"2025550123","companyReferenceId":"COMPANY"}`},
	{"/Payment/Card/Auth", `{"amount":1,"registrationId":"PAYER"}`},
	{"/Payment/Card/Auth", `{"amount":1,"contactNumber":"2025550123","locationId":"LOCATION"}`},
	{"/Payment/ChargeSavedCard", `{"amount":1,"registrationId":"PAYER","paymentMethodId":"CARD"}`},
	{"/Payment/ChargeSavedCard", `{"amount":1,"registrationId":"OWNPAYER","paymentMethodId":"CARD"}`},
	{"/Payment/ChargeSavedCard", `{"amount":1,"registrationId":"OWNPAYER","paymentMethodId":"OWNCARD","locationId":"LOCATION"}`},
	{"/Account/LinkToken", `{"verificationId":"PAYER"}`},
	{"/PaymentPlan/Create", `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","companyId":"COMPANY"}`},
	{"/PaymentPlan/OWNPLAN/Payers", `{"registrationId":"PAYER"}`},
	{"/Payment/Recurring", `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","registrationUserId":"PAYER"}`},
	{"/Payment/Recurring", `{"amount":1,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123","companyId":"COMPANY"}`},
}

// ownFirst fills the ids that are the caller's own, then the others.
func ownFirst(own, other possessions, text string) string {
	text = strings.NewReplacer("OWNPAYER", own.payer, "OWNCARD", own.card, "OWNPLAN", own.plan).Replace(text)
	return other.fill(text)
}

// TestForeignIDs: what another integration owns does not exist, byte for byte as
// if nobody owned it.
func TestForeignIDs(t *testing.T) {
	t.Parallel()
	mine, theirs := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 8})
	other := theirs.own()
	i, token := mine.neighbour(8) // the same ids, in the same house
	neighbour := &sandbox{t: t, api: mine.api, reg: mine.reg, token: token}
	id, _ := neighbour.company("gym")
	require.Equal(t, other.company, id)
	require.Equal(t, id, list(neighbour.ok(http.MethodGet, "/Company/List", ""), "companies")[0]["id"])
	require.NotNil(t, i)
	own := mine.own()
	for _, c := range idCalls {
		mine.refused(http.StatusNotFound, c.method, other.fill(c.path), own.fill(c.body))
		require.NotEqual(t, http.StatusNotFound, mine.call(c.method, own.fill(c.path), own.fill(c.body)).Code, "%s: the call itself is good", c.path)
	}
	mine.token = mine.grant("sandbox-client", "sandbox-secret")
	before := mine.call(http.MethodGet, "/Transaction/Report", "").Body.String()
	for _, c := range bodyIDCalls {
		p := mine.refused(http.StatusBadRequest, http.MethodPost, ownFirst(own, other, c.path), ownFirst(own, other, c.body))
		require.Len(t, p.clauses(), 1, c.body)
		require.Contains(t, p.clauses()[0], "-known")
	}
	answer := mine.ok(http.MethodPut, "/Account/Link", other.fill(`{"tokenId":"LINK","publicToken":"public-good"}`))
	require.Equal(t, false, answer["isOk"])
	require.Equal(t, before, mine.call(http.MethodGet, "/Transaction/Report", "").Body.String())
	require.Len(t, list(mine.ok(http.MethodGet, "/Company/List", ""), "companies"), 1)
}

// TestForeignIDsNotFound is TestForeignIDs for bodies where the ledger says 404.
func TestForeignIDsNotFound(t *testing.T) {
	t.Parallel()
	s := knobs(t, "unknown-body-ids=404")
	own := s.own()
	other := possessions{company: nobody, location: nobody, payer: nobody, card: "pm_" + strings.Repeat("0", 32)}
	for _, c := range bodyIDCalls {
		p := s.refused(http.StatusNotFound, http.MethodPost, ownFirst(own, other, c.path), ownFirst(own, other, c.body))
		require.Len(t, p.clauses(), 1, c.body)
	}
}

// TestZeroID: the uuid of zeros is an id like any other that nobody has.
func TestZeroID(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	own := s.own()
	const zero = "00000000-0000-0000-0000-000000000000"
	none := possessions{company: zero, location: zero, payer: zero, payment: zero, card: "pm_" + strings.ReplaceAll(zero, "-", ""), plan: zero, consent: zero, linkToken: zero}
	for _, c := range idCalls {
		status := http.StatusNotFound
		if strings.HasPrefix(c.path, "/Transaction/Report?") {
			status = http.StatusBadRequest // a query is judged as a body is: no uuid that names anything
		}
		s.refused(status, c.method, none.fill(c.path), own.fill(c.body))
	}
	for _, c := range bodyIDCalls {
		body := ownFirst(own, none, c.body)
		require.NotPanics(t, func() {
			p := s.refused(http.StatusBadRequest, http.MethodPost, ownFirst(own, none, c.path), body)
			require.Len(t, p.clauses(), 1, c.body)
		}, c.body)
	}
}
