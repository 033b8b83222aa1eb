package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func TestRegistrationIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	answer := s.ok(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.example.com/x?y=1","mobileNumber":"+12025550123","email":"p@example.com","shortDescription":"Gym","amount":5000,"period":"weekly"}`)
	id := answer["registrationId"].(string)
	require.Equal(t, "http://example.com/pages/default/register/"+id, answer["registrationUrl"])
	require.Equal(t, `{"status":"Pending","accountMask":null}`, s.call(http.MethodGet, "/User/"+id+"/Status", "").Body.String())
	guide := s.ok(http.MethodPost, "/user/register", `{"RedirectUrl":"https://p.example.com/"}`)
	require.NotEqual(t, id, guide["registrationId"])

	var redirect string
	s.did(func(w *world.World) (err error) {
		redirect, err = w.CompleteRegistration(id, world.LinkedBank{Last4: "1111"}, world.OutcomeRegistered)
		return err
	})
	require.Equal(t, "https://p.example.com/x?y=1", redirect)
	require.Equal(t, `{"status":"Registered","accountMask":"*1111"}`, s.call(http.MethodGet, "/user/"+id+"/status", "").Body.String())
	s.refused(http.StatusNotFound, http.MethodGet, "/User/"+id[:35]+"/Status", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/User/{"+id+"}/Status", "")
}

func TestRegistrationForOnePayment(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	id := s.ok(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.example.com/","amount":700,"period":"once","shortDescription":"Drop-in"}`)["registrationId"].(string)
	require.Empty(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"))
	s.did(func(w *world.World) error {
		_, err := w.CompleteRegistration(id, world.LinkedBank{Last4: "1111"}, "")
		return err
	})
	s.pass(time.Minute)
	lines := list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")
	require.Len(t, lines, 1)
	require.Equal(t, []any{700., "Completed"}, []any{lines[0]["amount"], lines[0]["status"]})
}

func TestRegistrationRules(t *testing.T) {
	t.Parallel()
	s, twin := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 7})
	for body, want := range map[string][]string{
		`{}`:                                    {"/redirectUrl user.register.redirect-url"},
		`{"redirectUrl":null}`:                  {"/redirectUrl user.register.redirect-url"},
		`{"redirectUrl":"p.example.com"}`:       {"/redirectUrl user.register.redirect-url-form"},
		`{"redirectUrl":"javascript:alert(1)"}`: {"/redirectUrl user.register.redirect-url-form"},
		`{"redirectUrl":"https://"}`:            {"/redirectUrl user.register.redirect-url-form"},
		`{"redirectUrl":"https://p.co","mobileNumber":"12"}`:                {"/mobileNumber user.register.mobile-number"},
		`{"redirectUrl":"https://p.co","amount":0}`:                         {"/amount user.register.amount"},
		`{"redirectUrl":"https://p.co","amount":-5}`:                        {"/amount user.register.amount"},
		`{"redirectUrl":"https://p.co","amount":"5"}`:                       {"/amount request.type"},
		`{"redirectUrl":1,"mobileNumber":"1","amount":0.5}`:                 {"/redirectUrl request.type", "/amount request.integer", "/mobileNumber user.register.mobile-number"},
		`{"redirectUrl":"https://p.co","mobileNumber":"+1234567890123456"}`: {"/mobileNumber user.register.mobile-number"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, "/User/Register", body).clauses(), body)
	}
	require.Empty(t, s.entries(tape.KindTransition, tape.KindMessage))
	w := s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co","email":"nobody","period":"fortnightly"}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "user.register.email /email, user.register.period /period", w.Header().Get("Sandbox-Warning"))
	require.Equal(t, withoutIDs(twin.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`)), withoutIDs(w))
}

func TestDebitAuthorisation(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	gym, _ := s.company("gym")
	other, _ := s.company("other")
	id := s.payer("+12025550123", "good")
	read := func(company string) string {
		return s.call(http.MethodGet, "/User/"+id+"/DebitAuth?CompanyId="+company, "").Body.String()
	}
	ask := func(path, body string) {
		t.Helper()
		w := s.call(http.MethodPost, path, body)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Empty(t, w.Body.String())
	}
	require.Equal(t, `{"enabled":false,"limit":0}`, read(gym))
	ask("/User/"+id+"/DebitAuth", fmt.Sprintf(`{"companyId":%q,"enabled":true,"limit":6000}`, gym))
	require.Equal(t, `{"enabled":false,"limit":0}`, read(gym)) // the payer has not said yes
	require.Equal(t, "Pending", s.status(s.pay("registrationId", id)))
	s.answerDebit("accept")
	require.Equal(t, `{"enabled":true,"limit":6000}`, read(gym))
	require.Equal(t, `{"enabled":false,"limit":0}`, read(other))
	require.Equal(t, "Processing", s.status(s.pay("registrationId", id, "amount", 6000)))
	require.Equal(t, "Pending", s.status(s.pay("registrationId", id, "amount", 6001)))
	require.Equal(t, "Pending", s.status(s.pay("registrationId", id, "companyReferenceId", "other")))

	ask("/user/"+id+"/debitauth", fmt.Sprintf(`{"CompanyId":%q,"Limit":1}`, gym)) // enabled absent: false
	require.Equal(t, `{"enabled":false,"limit":0}`, read(gym))
	require.Equal(t, "Pending", s.status(s.pay("registrationId", id)))
	for body, want := range map[string][]string{
		`{}`:                           {"/companyId user.debit-auth.company-id", "/limit user.debit-auth.limit"},
		`{"companyId":"x","limit":-1}`: {"/companyId user.debit-auth.company-id-form", "/limit user.debit-auth.limit-range"},
		fmt.Sprintf(`{"companyId":%q,"limit":1}`, id):                   {"/companyId user.debit-auth.company-id-known"},
		fmt.Sprintf(`{"companyId":%q,"enabled":"true","limit":5}`, gym): {"/enabled request.type"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, "/User/"+id+"/DebitAuth", body).clauses(), body)
	}
	s.refused(http.StatusNotFound, http.MethodPost, "/User/"+gym+"/DebitAuth", fmt.Sprintf(`{"companyId":%q,"limit":1}`, gym))
	s.refused(http.StatusBadRequest, http.MethodGet, "/User/"+id+"/DebitAuth", "")
	s.refused(http.StatusBadRequest, http.MethodGet, "/User/"+id+"/DebitAuth?CompanyId=gym", "")
	s.refused(http.StatusNotFound, http.MethodGet, "/User/"+id+"/DebitAuth?CompanyId="+id, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/User/"+gym+"/DebitAuth?CompanyId="+gym, "")
}

// answerDebit is the payer's answer to the newest request for an authorisation.
func (s *sandbox) answerDebit(event string) {
	s.t.Helper()
	id := ""
	for _, e := range s.entries(tape.KindTransition) {
		if e.Transition.Machine == "debit-authorisation" && e.Transition.To == "Pending" {
			id = e.Transition.Entity
		}
	}
	s.did(func(w *world.World) error { return w.MoveDebitAuth(id, event) })
}

// withoutIDs is an answer's body with an x for each id.
func withoutIDs(w *httptest.ResponseRecorder) string {
	return regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllString(w.Body.String(), "x")
}
