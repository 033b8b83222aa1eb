package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// nobody is a well-formed id that nothing has.
const nobody = "00000000-0000-4000-8000-000000000000"

func TestSavedCardChargeIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	_, locations := s.company("gym")
	payer := s.payer("+12025550123", "good")
	require.Equal(t, fmt.Sprintf(`{"registrationId":%q,"paymentMethods":[]}`, payer), s.call(http.MethodGet, "/Payment/CardPaymentMethods/"+payer, "").Body.String())
	for number, want := range map[string]struct{ status, state, report string }{
		"4242424242424242": {"success", "Paid", "Completed"}, "4000000000000002": {"declined", "Denied", "Failed"}, "4000000000000119": {"failed", "Failed", "Failed"},
	} {
		card := s.card(payer, number)
		answer := s.ok(http.MethodPost, "/payment/chargesavedcard", fmt.Sprintf(`{"Amount":2147483647,"locationId":%q,"registrationId":%q,"paymentMethodId":%q,
			"shortDescription":null,"feePayer":null,"attachment":null,"dueDate":null}`, locations[1], payer, card))
		id := answer["paymentRequestId"].(string)
		charged := 0.
		if want.status == "success" {
			charged = 2147483647
		}
		require.Equal(t, map[string]any{"paymentRequestId": id, "registrationId": payer, "status": want.status, "chargedAmount": charged}, answer)
		require.Equal(t, want.state, s.status(id))
		require.Equal(t, "SavedCard", s.ok(http.MethodGet, "/Transaction/PaymentRequest/"+id, "")["paymentType"])
		lines := list(s.ok(http.MethodGet, "/Transaction/Report?status="+want.report, ""), "transactions")
		require.Equal(t, []any{id, "SavedCard"}, []any{lines[len(lines)-1]["paymentRequestId"], lines[len(lines)-1]["paymentMethod"]})
		s.refused(http.StatusBadRequest, http.MethodPut, "/Payment/"+id+"/Cancel", "")
	}
	methods := list(s.ok(http.MethodGet, "/payment/cardpaymentmethods/"+payer+"?companyReferenceId=gym", ""), "paymentMethods")
	require.Len(t, methods, 3)
	require.Equal(t, []any{"card", "visa", 12., 2029.}, []any{methods[0]["type"], methods[0]["brand"], methods[0]["expMonth"], methods[0]["expYear"]})
	s.refused(http.StatusNotFound, http.MethodGet, "/Payment/CardPaymentMethods/"+nobody, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Payment/CardPaymentMethods/"+payer+"?companyId="+nobody, "")
	s.refused(http.StatusBadRequest, http.MethodGet, "/Payment/CardPaymentMethods/"+payer+"?companyId=gym", "")
}

func TestSavedCardChargeRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	payer, other := s.payer("+12025550123", "good"), s.payer("+12025550124", "good")
	card := s.card(payer, "4242424242424242")
	good := fmt.Sprintf(`{"amount":100,"registrationId":%q,"paymentMethodId":%q}`, payer, card)
	for name, c := range map[string]struct {
		pairs []any
		want  []string
	}{
		"all missing":              {[]any{"amount", gone{}, "registrationId", gone{}, "paymentMethodId", gone{}}, []string{"/amount payment.saved-card.amount", "/registrationId payment.saved-card.registration", "/paymentMethodId payment.saved-card.payment-method"}},
		"amount zero":              {[]any{"amount", 0}, []string{"/amount payment.saved-card.amount-range"}},
		"amount of 33 bits":        {[]any{"amount", 2147483648}, []string{"/amount request.integer-range"}},
		"company member":           {[]any{"companyId", nobody}, []string{"/companyId charge.unknown-member"}},
		"reference member":         {[]any{"companyReferenceId", "gym"}, []string{"/companyReferenceId charge.unknown-member"}},
		"any other member":         {[]any{"metadata", map[string]any{}}, []string{"/metadata charge.unknown-member"}},
		"card of another":          {[]any{"registrationId", other}, []string{"/paymentMethodId payment.saved-card.payment-method-known"}},
		"card unknown":             {[]any{"paymentMethodId", "pm_1"}, []string{"/paymentMethodId payment.saved-card.payment-method-known"}},
		"payer unknown":            {[]any{"registrationId", nobody}, []string{"/registrationId payment.saved-card.registration-id-known"}},
		"payer no uuid":            {[]any{"registrationId", "x"}, []string{"/registrationId payment.saved-card.registration-id"}},
		"location unknown":         {[]any{"locationId", nobody}, []string{"/locationId payment.saved-card.location-id-known"}},
		"date out of the calendar": {[]any{"dueDate", "2026-02-30"}, []string{"/dueDate payment.saved-card.due-date"}},
		"attachment broken":        {[]any{"attachment", "%"}, []string{"/attachment payment.saved-card.attachment"}},
	} {
		require.Equal(t, c.want, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/ChargeSavedCard", change(t, good, c.pairs...)).clauses(), name)
	}
	require.Empty(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"))
	s.ok(http.MethodPost, "/Payment/ChargeSavedCard", good)
}

func TestCardAuthorisationIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	_, locations := s.company("gym")
	payer := s.payer("+12025550123", "good")
	for _, path := range []string{"/Payment/Card/Auth", "/payment/card/auth/"} {
		answer := s.ok(http.MethodPost, path, fmt.Sprintf(`{"locationId":%q,"amount":900,"registrationId":%q,"contactNumber":"+12025550199","returnUrl":"https://p.example.com/"}`, locations[0], payer))
		id := answer["paymentRequestId"].(string)
		require.Equal(t, map[string]any{"paymentRequestId": id, "url": "http://example.com/pages/default/card/" + id, "registrationPersonId": payer}, answer)
		require.Equal(t, "Pending", s.status(id))
		s.did(func(w *world.World) error {
			_, err := w.AuthoriseCard(id, world.CardEntry{Number: "4242 4242 4242 4242", Expiry: "12/28", Code: "123"})
			return err
		})
		require.Equal(t, "Authorised", s.status(id))
		methods := list(s.ok(http.MethodGet, "/Payment/CardPaymentMethods/"+payer, ""), "paymentMethods")
		require.Equal(t, "4242", methods[len(methods)-1]["last4"])
		charge := s.ok(http.MethodPost, "/Payment/ChargeSavedCard", fmt.Sprintf(`{"amount":900,"registrationId":%q,"paymentMethodId":%q}`, payer, methods[len(methods)-1]["id"]))
		require.Equal(t, "success", charge["status"])
	}
	for body, want := range map[string][]string{
		`{}`: {" payment.card-auth.payer", "/amount payment.card-auth.amount"},
		`{"amount":-1,"contactNumber":"x","locationId":"y","returnUrl":"z"}`: {"/contactNumber payment.card-auth.contact-number", "/amount payment.card-auth.amount-range", "/locationId payment.card-auth.location-id", "/returnUrl payment.card-auth.return-url"},
		`{"amount":1,"registrationId":"` + nobody + `"}`:                     {"/registrationId payment.card-auth.registration-id-known"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Card/Auth", body).clauses(), body)
	}
	n := 0
	for _, e := range s.entries(tape.KindTransition) {
		if e.Transition.Machine == "card-authorisation" && e.Transition.From == "" {
			n++
		}
	}
	require.Equal(t, 2, n)
}
