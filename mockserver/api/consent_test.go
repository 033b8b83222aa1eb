package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

func TestConsentIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	plan, other := s.plan("name", "Gold"), s.plan()
	ann, bob := s.payer("+12025550123", "good"), s.register("+12025550124")
	c1, c2, c3 := s.joins(plan, ann), s.joins(plan, bob), s.joins(other, ann)
	ids := func(query string) (out []any) {
		for _, c := range list(s.ok(http.MethodGet, "/consent/list"+query, ""), "consents") {
			out = append(out, c["consentId"])
		}
		return out
	}
	require.Equal(t, []any{c1, c2, c3}, ids(""))
	require.Equal(t, []any{c1, c2}, ids("?planId="+plan))
	require.Equal(t, []any{c1, c3}, ids("?RegistrationId="+ann))
	require.Equal(t, []any{c3}, ids("?planId="+other+"&registrationId="+ann))
	require.Empty(t, ids("?planId="+other+"&registrationId="+bob))
	got := s.ok(http.MethodGet, "/Consent/"+c1, "")
	require.Equal(t, []any{c1, plan, ann, "Pending"}, []any{got["consentId"], got["paymentPlanId"], got["registrationId"], got["status"]})
	require.Equal(t, "Gold", got["plan"].(map[string]any)["name"])
	require.Equal(t, map[string]any{
		"name": "Veum Dental Care", "contactNumber": "+13025550100", "emailAddress": "veum.dental.care1@example.com", "websiteUrl": "https://veum-dental-care.example.com",
		"address": map[string]any{"streetNumberAndName": "5071 Barton Street", "apartmentNumber": "Suite 7", "city": "Jackson", "zipCode": "39201", "state": "MS", "country": "US"},
	}, got["recipientCompany"])
	for _, query := range []string{"?planId=" + nobody, "?registrationId=" + nobody, "?planId=x"} {
		s.refused(http.StatusNotFound, http.MethodGet, "/Consent/List"+query, "")
	}
	s.refused(http.StatusNotFound, http.MethodGet, "/Consent/"+nobody, "")
}

// TestConsentDecline: Pending becomes Declined, Accepted becomes Revoked, and
// neither is listed any more.
func TestConsentDecline(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	plan := s.plan()
	ann, bob := s.payer("+12025550123", "good"), s.payer("+12025550124", "good")
	c1, c2 := s.joins(plan, ann), s.joins(plan, bob)
	s.did(func(w *world.World) error { return w.AcceptConsent(c2) })
	require.Equal(t, "Accepted", list(s.ok(http.MethodGet, "/Consent/List", ""), "consents")[1]["status"])
	for id, state := range map[string]string{c1: "Declined", c2: "Revoked"} {
		w := s.call(http.MethodPut, "/Consent/"+id+"/decline/", "")
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Empty(t, w.Body.String())
		require.Equal(t, state, s.ok(http.MethodGet, "/Consent/"+id, "")["status"])
		require.Equal(t, state, s.refused(http.StatusBadRequest, http.MethodPut, "/Consent/"+id+"/Decline", "").State)
	}
	require.Equal(t, `{"consents":[]}`, s.call(http.MethodGet, "/Consent/List", "").Body.String())
	require.Equal(t, 0., s.ok(http.MethodGet, "/PaymentPlan/"+plan, "")["payers"])
	s.refused(http.StatusNotFound, http.MethodPut, "/Consent/"+nobody+"/Decline", "")
	require.NotEqual(t, c1, s.joins(plan, ann)) // who declined can be asked again
}

func TestRemovePlanPayer(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	plan, ann := s.plan(), s.payer("+12025550123", "good")
	consent := s.joins(plan, ann)
	s.refused(http.StatusNotFound, http.MethodDelete, "/PaymentPlan/"+plan+"/Payers/"+nobody, "")
	s.refused(http.StatusNotFound, http.MethodDelete, "/PaymentPlan/"+nobody+"/Payers/"+ann, "")
	require.Empty(t, s.ok(http.MethodDelete, "/paymentplan/"+plan+"/payers/"+ann, ""))
	require.Equal(t, "Declined", s.ok(http.MethodGet, "/Consent/"+consent, "")["status"])
	s.refused(http.StatusNotFound, http.MethodDelete, "/PaymentPlan/"+plan+"/Payers/"+ann, "")
}
