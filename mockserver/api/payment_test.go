package api_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func TestPaymentIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	_, locations := s.company("spa", "name", "Spa")
	payer := s.payer("+12025550123", "good")
	file := base64.StdEncoding.EncodeToString([]byte("%PDF-1.4 hello"))
	body := fmt.Sprintf(`{"amount":5000,"locationId":%q,"registrationId":%q,"contactNumber":"+12025550123","emailAddress":"p@example.com",
		"shortDescription":"March","feePayer":"ASK","reference":"inv-1","attachment":%q,"dueDate":"2026-03-05","enableAutoPay":true,"autoPayLimit":9000,
		"metadata":{"a":[1,{"B":null}],"x":1.0},"returnUrl":"https://p.example.com/r","oneTimePayment":true}`, locations[0], payer, file)
	w := s.call(http.MethodPost, "/Payment/Create", body)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Empty(t, w.Header().Get("Sandbox-Warning"))
	answer := s.ok(http.MethodPost, "/payment/create", body)
	id := answer["paymentRequestId"].(string)
	require.Equal(t, map[string]any{
		"paymentRequestId": id, "accountMask": "*1111", "url": "http://example.com/pages/default/pay/" + id, "registrationPersonId": payer,
	}, answer)

	require.Equal(t, fmt.Sprintf(`{"id":%q,"status":"Pending","amount":{"value":5000,"currency":"USD"},"creationDate":"2026-03-02T17:00:00Z","dueDate":"2026-03-05T00:00:00Z"}`, id),
		s.call(http.MethodGet, "/Payment/"+id+"/Status", "").Body.String())
	d := s.ok(http.MethodGet, "/Transaction/PaymentRequest/"+id, "")
	require.Equal(t, "Spa", d["recipientName"])
	require.Equal(t, map[string]any{"limit": 9000.}, d["debitAuth"])
	require.Equal(t, "attachment.pdf", list(d, "attachments")[0]["name"])
	require.Equal(t, "application/pdf", list(d, "attachments")[0]["contentType"])
	require.Nil(t, d["transferId"])
	line := list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")[1]
	require.Equal(t, []any{id, "Created", "inv-1", "Spa", "*1111", 5000., 0.}, []any{line["paymentRequestId"], line["status"], line["reference"], line["recipientName"], line["senderAccount"], line["amount"], line["refundedAmount"]})
	s.did(func(w *world.World) error {
		v, err := w.PaymentView(id)
		require.Equal(t, `{"a":[1,{"B":null}],"x":1.0}`, v.Metadata)
		require.Equal(t, []any{"ask", "March", "https://p.example.com/r", true}, []any{v.FeePayer, v.ShortDescription, v.ReturnURL, v.OneTime})
		return err
	})
	// The payer of one request can be named by registrationPersonId in the next.
	stranger := s.ok(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"(202) 555-0177"}`)["registrationPersonId"]
	require.Equal(t, stranger, s.ok(http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":1,"registrationId":%q}`, stranger))["registrationPersonId"])
	require.Equal(t, stranger, s.ok(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"+12025550177"}`)["registrationPersonId"])
	require.Equal(t, `{"status":"Pending","accountMask":null}`, s.call(http.MethodGet, fmt.Sprintf("/User/%s/Status", stranger), "").Body.String())
}

func TestPaymentRules(t *testing.T) {
	t.Parallel()
	s, twin := start(t, integration.Options{Seed: 7}), start(t, integration.Options{Seed: 7})
	empty := s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123"}`)
	require.Equal(t, []string{"/companyId payment.create.company"}, empty.clauses()) // no company yet
	gym, _ := s.company("gym")
	twin.company("gym")
	_, spa := s.company("spa")
	_, _ = twin.company("spa")
	phone := `"contactNumber":"2025550123",`
	for body, want := range map[string][]string{
		`{}`:           {" payment.create.target", "/amount payment.create.amount"},
		`{"amount":1}`: {" payment.create.target"},
		`{"amount":1,"contactNumber":"1","emailAddress":"x"}`:                                                        {"/contactNumber payment.create.contact-number", "/emailAddress payment.create.email"},
		`{"amount":"50.00","contactNumber":12}`:                                                                      {"/amount request.type", "/contactNumber request.type"}, // a payer was named
		`{"amount":1,"registrationId":"x"}`:                                                                          {"/registrationId payment.create.registration-id"},
		`{"amount":1,"registrationId":"` + gym + `"}`:                                                                {"/registrationId payment.create.registration-id-known"},
		`{` + phone + `"amount":1,"locationId":"` + gym + `"}`:                                                       {"/locationId payment.create.location-id-known"},
		`{` + phone + `"amount":1,"locationId":"1"}`:                                                                 {"/locationId payment.create.location-id"},
		`{` + phone + `"amount":1,"companyId":"gym"}`:                                                                {"/companyId payment.create.company-id"},
		`{` + phone + `"amount":1,"companyId":"` + spa[0] + `"}`:                                                     {"/companyId payment.create.company-id-known"},
		`{` + phone + `"amount":1,"companyReferenceId":"no"}`:                                                        {"/companyReferenceId payment.create.company-reference-known"},
		`{` + phone + `"amount":1,"companyId":"` + gym + `","companyReferenceId":"spa"}`:                             {"/companyReferenceId payment.create.company-same"},
		`{` + phone + `"amount":1,"locationId":"` + spa[0] + `","companyId":"` + gym + `"}`:                          {"/companyId payment.create.company-same"},
		`{` + phone + `"amount":1,"dueDate":"2026-02-30"}`:                                                           {"/dueDate payment.create.due-date"},
		`{` + phone + `"amount":1,"dueDate":20260301}`:                                                               {"/dueDate request.type"},
		`{` + phone + `"amount":1,"enableDebitAuth":true,"enableAutoPay":false,"debitAuthLimit":5,"autoPayLimit":6}`: {"/enableAutoPay payment.create.auto-pay", "/autoPayLimit payment.create.auto-pay-limit"},
		`{` + phone + `"amount":1,"enableDebitAuth":true,"debitAuthLimit":0}`:                                        {"/debitAuthLimit payment.create.debit-auth-limit"},
		`{` + phone + `"amount":1,"returnUrl":"ftp://x"}`:                                                            {"/returnUrl payment.create.return-url"},
		`{` + phone + `"amount":1,"attachment":"not base64!"}`:                                                       {"/attachment payment.create.attachment"},
		`{` + phone + `"amount":1,"metadata":[1]}`:                                                                   {"/metadata request.type"},
		`{` + phone + `"amount":1,"metadata":{"a":1,"a":2}}`:                                                         {"/metadata/a request.duplicate-member"},
		`{` + phone + `"amount":1,"oneTimePayment":1}`:                                                               {"/oneTimePayment request.type"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Create", body).clauses(), body)
	}
	for _, amount := range []string{`"50.00"`, `50.5`, `5e3`} { // or 50 is sent for 50.00, and taken
		require.Contains(t, s.call(http.MethodPost, "/Payment/Create", `{`+phone+`"amount":`+amount+`}`).Body.String(), "5000 for 50.00 dollars", amount)
	}
	require.Empty(t, list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions"))
	require.Equal(t, twin.pay("contactNumber", "2025550123"), s.pay("contactNumber", "2025550123"))
	w := s.call(http.MethodPost, "/Payment/Create", `{"amount":1,"emailAddress":"p@example.com","feePayer":"me","dueDate":"2026-03-01","debitAuthLimit":5,"colour":"red"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	for _, clause := range []string{"payment.create.fee-payer", "payment.create.due-date-past", "payment.create.debit-auth-limit-unused", "request.unknown-member /colour"} {
		require.Contains(t, w.Header().Get("Sandbox-Warning"), clause)
	}
}

func TestPaymentStates(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	good := s.payer("+12025550123", "good")
	approve := func(id string) {
		s.did(func(w *world.World) error { return w.MovePayment(id, "approve", world.PaymentMove{}) })
	}
	now := s.pay("registrationId", good)
	approve(now)
	require.Equal(t, "Processing", s.status(now))
	s.pass(5 * time.Second)
	require.Equal(t, "Paid", s.status(now))
	require.Equal(t, "Completed", s.ok(http.MethodGet, "/Transaction/PaymentRequest/"+now, "")["transferStatus"])
	require.Contains(t, s.call(http.MethodPut, "/Payment/"+now+"/Cancel", "").Body.String(), "refunded: POST /Payment/Refund/"+now)

	later := s.pay("registrationId", good, "dueDate", "2026-03-04")
	approve(later)
	require.Equal(t, "Scheduled", s.status(later))
	s.token = s.reached(time.Date(2026, 3, 4, 18, 59, 59, 0, time.UTC)) // one second before 11:00 in Los Angeles
	require.Equal(t, "Scheduled", s.status(later))
	s.pass(time.Second)
	require.Equal(t, "Processing", s.status(later))

	for persona, state := range map[string]string{"under-review": "InReview", "slow": "Queued", "insufficient-funds": "Failed"} {
		id := s.pay("registrationId", s.payer("+12025550191", persona))
		approve(id)
		require.Equal(t, state, s.status(id), persona)
	}
	denied := s.pay("registrationId", good)
	s.did(func(w *world.World) error { return w.MovePayment(denied, "deny", world.PaymentMove{}) })
	require.Equal(t, "Denied", s.status(denied))
	events := s.entries(tape.KindEvent)
	require.Equal(t, "PAYMENT_STATUS_CHANGED", events[len(events)-1].Event.Name)
	require.Contains(t, string(events[len(events)-1].Event.Body), `"Status":"Denied"`)
}

// reached moves the clock to a moment and gives a fresh token.
func (s *sandbox) reached(to time.Time) string {
	s.t.Helper()
	_, err := s.reg.Default().Advance(integration.Move{To: to})
	require.NoError(s.t, err)
	return s.grant("sandbox-client", "sandbox-secret")
}

func TestCancelPayment(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	for _, method := range []string{http.MethodPut, http.MethodPost} {
		id := s.pay("contactNumber", "2025550123")
		w := s.call(method, "/Payment/"+id+"/Cancel", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.Empty(t, w.Body.String())
		require.Equal(t, "Canceled", s.status(id))
		p := s.refused(http.StatusBadRequest, method, "/payment/"+id+"/cancel/", "")
		require.Equal(t, "Canceled", p.State)
		require.Equal(t, "cancel", p.Event)
		require.Equal(t, "Cancelled", list(s.ok(http.MethodGet, "/Transaction/Report?status=cancelled", ""), "transactions")[0]["status"])
		s.refused(http.StatusNotFound, method, "/Payment/nothing/Cancel", "")
	}
	good := s.payer("+12025550123", "good")
	for persona, event := range map[string]string{"Scheduled": "schedule", "Queued": "queue", "InReview": "review"} {
		id := s.pay("registrationId", good)
		s.did(func(w *world.World) error { return w.MovePayment(id, event, world.PaymentMove{}) })
		require.Equal(t, persona, s.status(id))
		s.ok(http.MethodPut, "/Payment/"+id+"/Cancel", "")
		require.Equal(t, "Canceled", s.status(id))
	}
	_, paid := s.paid()
	require.Equal(t, "Paid", s.refused(http.StatusBadRequest, http.MethodPut, "/Payment/"+paid+"/Cancel", "").State)
	require.Equal(t, "Paid", s.status(paid))
}
