package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func TestResponseNames(t *testing.T) {
	t.Parallel()
	s := knobs(t, "response-names=pascal")
	s.ok(http.MethodPost, "/Company/Create", companyJSON(t, "gym"))
	require.Regexp(t, `^{"Companies":\[{"Id":"[^"]+","Name":"Veum Dental Care","ReferenceId":"gym"}\]}$`, s.call(http.MethodGet, "/Company/List", "").Body.String())
	require.Regexp(t, `^{"AccessToken":"[^"]+","TokenType":"Bearer","ExpiresInSeconds":3600}$`, s.call(http.MethodPost, "/auth/token", goodCredentials).Body.String())
	require.Regexp(t, `^{"CompanyId":"[^"]+","Status":"Verified"}$`, s.call(http.MethodGet, "/company/status", "").Body.String())
	require.Regexp(t, `"Address":{"StreetNumberAndName"`, s.call(http.MethodGet, "/Company/gym/Locations", "").Body.String())
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/no/Status", "") // problem details keep the names of their RFC
}

func TestShapesOfAnswers(t *testing.T) {
	t.Parallel()
	plain, extra, shuffled, absent, reversed := knobs(t), knobs(t, "extra-response-fields=one"), knobs(t, "field-order=shuffled"), knobs(t, "null-or-absent=absent"), knobs(t, "list-order=reversed")
	var bodies []string
	for _, s := range []*sandbox{plain, extra, shuffled, absent, reversed} {
		s.company("gym")
		s.company("spa")
		id := s.register("+12025550123")
		require.Equal(t, http.StatusOK, s.call(http.MethodGet, "/Company/List", "").Code)
		bodies = append(bodies, s.call(http.MethodGet, "/User/"+id+"/Status", "").Body.String())
	}
	require.Equal(t, `{"status":"Pending","accountMask":null}`, bodies[0])
	require.JSONEq(t, bodies[0], bodies[2])
	require.Equal(t, bodies[0], bodies[3], "the specification itself says null")
	require.Equal(t, bodies[0], bodies[4])
	with := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(bodies[1]), &with))
	require.Len(t, with, 3)

	ordered, backwards := list(plain.ok(http.MethodGet, "/Company/List", ""), "companies"), list(reversed.ok(http.MethodGet, "/Company/List", ""), "companies")
	require.Equal(t, []any{ordered[0], ordered[1]}, []any{backwards[1], backwards[0]})
	require.JSONEq(t, plain.call(http.MethodGet, "/Company/gym/Locations", "").Body.String(), shuffled.call(http.MethodGet, "/Company/gym/Locations", "").Body.String())
	require.NotEqual(t, plain.call(http.MethodGet, "/Company/gym/Locations", "").Body.String(), shuffled.call(http.MethodGet, "/Company/gym/Locations", "").Body.String())
	first, last := reversed.pay("contactNumber", "2025550123"), reversed.pay("contactNumber", "2025550123")
	for range 60 {
		last = reversed.pay("contactNumber", "2025550123")
	}
	ids, sizes := reversed.pages(map[string][]string{})
	require.Equal(t, []int{50, 12}, sizes)
	require.Equal(t, []string{last, first}, []string{ids[0], ids[61]})
}

func TestRequestShapes(t *testing.T) {
	t.Parallel()
	s := knobs(t, "request-names=camel-only")
	s.ok(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`)
	require.Equal(t, []string{"/redirectUrl user.register.redirect-url"}, s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", `{"RedirectUrl":"https://p.co"}`).clauses())

	s = knobs(t, "number-strings=accepted")
	w := s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co","amount":"5000"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Equal(t, "request.integer-string /amount", w.Header().Get("Sandbox-Warning"))
	for _, odd := range []string{"", " 5", "5 ", "5.0", "0x5", "9223372036854775808", "abc"} {
		s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", fmt.Sprintf(`{"redirectUrl":"https://p.co","amount":%q}`, odd))
	}

	s = knobs(t, "unknown-body-fields=refused")
	require.Equal(t, []string{"/colour request.unknown-member"}, s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co","colour":1}`).clauses())

	s = knobs(t, "zip=plus-four-only")
	s.refused(http.StatusBadRequest, http.MethodPost, "/Company/Create", companyJSON(t, "gym", "zipCode", "12345-"))
	s.company("gym", "zipCode", "12345-6789")

	s = knobs(t, "unknown-body-ids=404")
	s.company("gym")
	s.refused(http.StatusNotFound, http.MethodPost, "/Payment/Create", `{"amount":1,"registrationId":"`+nobody+`"}`)
	s.refused(http.StatusNotFound, http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123","locationId":"`+nobody+`"}`)
	s.refused(http.StatusNotFound, http.MethodPost, "/Account/LinkToken", `{"verificationId":"`+nobody+`"}`)

	s = knobs(t, "duplicate-reference=409")
	s.company("gym")
	p := s.refused(http.StatusConflict, http.MethodPost, "/Company/Create", companyJSON(t, "gym"))
	require.Equal(t, []string{"/companyReferenceId company.create.reference-unique"}, p.clauses())
}

func TestPathKnobs(t *testing.T) {
	t.Parallel()
	s := knobs(t, "paths=reference-only")
	s.company("gym")
	s.ok(http.MethodGet, "/company/status", "")
	for _, path := range []string{"/company/list", "/Company/List/", "/COMPANY/List", "/Company/Status"} {
		s.refused(http.StatusNotFound, http.MethodGet, path, "")
	}
	s = knobs(t, "company-path-ref=reference-only")
	id, _ := s.company("gym")
	s.ok(http.MethodGet, "/Company/gym/Status", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/"+id+"/Status", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Company/"+id+"/Locations", "")
	require.Equal(t, "Verified", s.ok(http.MethodGet, "/company/status?companyId="+id, "")["Status"], "the knob is about the path")
	s.ok(http.MethodGet, "/PaymentPlan/List?companyId="+id, "")

	s = knobs(t, "cancel-verb=put-only")
	s.company("gym")
	payment := s.pay("contactNumber", "2025550123")
	w := s.call(http.MethodPost, "/Payment/"+payment+"/Cancel", "")
	require.Equal(t, http.StatusMethodNotAllowed, w.Code, w.Body.String())
	require.Equal(t, "PUT", w.Header().Get("Allow"))
	require.Equal(t, "PUT", s.call(http.MethodGet, "/Payment/"+payment+"/Cancel", "").Header().Get("Allow"))
	s.ok(http.MethodPut, "/Payment/"+payment+"/Cancel", "")

	s = knobs(t, "refund-path=path-only")
	p := s.refused(http.StatusNotFound, http.MethodPost, "/Payment/Refund?paymentRequestId="+nobody, `{"amount":1}`)
	require.Contains(t, p.Detail, "/Payment/Refund/{paymentRequestId}")

	s = knobs(t, "debit-auth-read=off")
	payer := s.register("+12025550123")
	w = s.call(http.MethodGet, "/User/"+payer+"/DebitAuth?CompanyId="+nobody, "")
	require.Equal(t, http.StatusMethodNotAllowed, w.Code, w.Body.String())
	require.Equal(t, "POST", w.Header().Get("Allow"))

	s = knobs(t, "token-paths=reference-only")
	s.refused(http.StatusNotFound, http.MethodPost, "/auth/token", goodCredentials)
}

func TestTokenKnobs(t *testing.T) {
	t.Parallel()
	for life, seconds := range map[string]int{"60": 60, "600": 600, "3600": 3600, "86400": 86400} {
		s := knobs(t, "token-lifetime="+life)
		require.Equal(t, float64(seconds), s.ok(http.MethodPost, "/auth/token", goodCredentials)["expiresInSeconds"])
		s.pass(time.Duration(seconds)*time.Second - 1)
		s.ok(http.MethodGet, "/Company/List", "")
		s.pass(1)
		s.refused(http.StatusUnauthorized, http.MethodGet, "/Company/List", "")
	}
	s := knobs(t, "token-refusal=400")
	s.refused(http.StatusBadRequest, http.MethodPost, "/auth/token", `{"clientId":"sandbox-client","clientSecret":"no"}`)
	s.refused(http.StatusUnauthorized, http.MethodGet, "/Company/List", "", "Authorization", "")
	s = knobs(t, "unauthorised=empty-body")
	w := s.call(http.MethodGet, "/Company/List", "", "Authorization", "")
	require.Equal(t, []any{401, "", "Bearer"}, []any{w.Code, w.Body.String(), w.Header().Get("WWW-Authenticate")})
}

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	s := knobs(t, "error-body=plain-text")
	w := s.call(http.MethodPost, "/User/Register", `{"mobileNumber":"1"}`)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	require.Contains(t, w.Body.String(), "/redirectUrl: expected")
	require.Contains(t, w.Body.String(), "/mobileNumber: expected")
	require.NotEmpty(t, s.call(http.MethodGet, "/Company/no/Status", "").Body.String())
	s = knobs(t, "error-body=empty")
	for path, status := range map[string]int{"/Company/no/Status": 404, "/nothing": 404, "/Company/Create": 405} {
		w = s.call(http.MethodGet, path, "")
		require.Equal(t, status, w.Code)
		require.Empty(t, w.Body.String())
		require.Empty(t, w.Header().Get("Content-Type"))
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{10, 100} {
		s := knobs(t, "rate-limit="+strconv.Itoa(limit)+"/s")
		s.pass(time.Second)
		for n := range limit {
			require.Equal(t, http.StatusOK, s.call(http.MethodGet, "/Company/List", "").Code, n)
		}
		w := s.call(http.MethodGet, "/Company/List", "")
		readProblem(t, http.StatusTooManyRequests, w)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		s.refused(http.StatusTooManyRequests, http.MethodPost, "/auth/token", goodCredentials)
		s.pass(time.Second)
		s.ok(http.MethodGet, "/Company/List", "")
	}
	s := knobs(t)
	for range 300 {
		s.ok(http.MethodGet, "/Company/List", "")
	}
}

func TestMoneyKnobs(t *testing.T) {
	t.Parallel()
	s := knobs(t, "saved-card-status=402", "account-mask=digits", "company-status-target=most-recent", "kyb-sandbox=no-event")
	s.company("gym")
	spa, _ := s.company("spa")
	require.Empty(t, s.entries(tape.KindEvent))
	require.Equal(t, spa, s.ok(http.MethodGet, "/company/status", "")["CompanyId"])
	payer := s.payer("+12025550123", "good")
	require.Equal(t, "1111", s.ok(http.MethodGet, "/User/"+payer+"/Status", "")["accountMask"])
	charge := `{"amount":900,"registrationId":"` + payer + `","paymentMethodId":"`
	w := s.call(http.MethodPost, "/Payment/ChargeSavedCard", charge+s.card(payer, "4000000000000002")+`"}`)
	require.Equal(t, http.StatusPaymentRequired, w.Code)
	require.Contains(t, w.Body.String(), `"status":"declined","chargedAmount":0`)
	require.Equal(t, http.StatusOK, s.call(http.MethodPost, "/Payment/ChargeSavedCard", charge+s.card(payer, "4242424242424242")+`"}`).Code)

	s = knobs(t, "auto-debit=ask", "payment-timing=slow", "payment-event=amount-text", "dates=millis")
	gym, _ := s.company("gym")
	payer = s.payer("+12025550123", "good")
	s.ok(http.MethodPost, "/User/"+payer+"/DebitAuth", `{"companyId":"`+gym+`","enabled":true,"limit":9999}`)
	s.answerDebit("accept")
	id := s.pay("registrationId", payer)
	require.Equal(t, "Pending", s.status(id))
	s.did(func(w *world.World) error { return w.MovePayment(id, "approve", world.PaymentMove{}) })
	s.pass(24 * time.Hour)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	require.Equal(t, "Processing", s.status(id))
	events := s.entries(tape.KindEvent)
	require.Contains(t, string(events[len(events)-1].Event.Body), `"Amount":"5000"`)
	require.Contains(t, string(events[len(events)-1].Event.Body), `:00.000Z"`)
}
