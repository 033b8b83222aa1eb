package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// plan creates a monthly plan and gives its id.
func (s *sandbox) plan(pairs ...any) string {
	s.t.Helper()
	body := change(s.t, `{"amount":5000,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Month"}`, pairs...)
	return s.ok(http.MethodPost, "/PaymentPlan/Create", body)["paymentPlanId"].(string)
}

// joins adds a payer to a plan and gives the consent's id.
func (s *sandbox) joins(plan, payer string) string {
	s.t.Helper()
	return s.ok(http.MethodPost, "/PaymentPlan/"+plan+"/Payers", fmt.Sprintf(`{"registrationId":%q}`, payer))["consentId"].(string)
}

func TestPlanIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	gym, _ := s.company("gym")
	spa, _ := s.company("spa")
	id := s.plan("name", "Gold", "shortDescription", "Membership", "feePayer", "partner", "occurrences", 12, "companyReferenceId", "spa", "endDate", "2027-03-01")
	other := s.ok(http.MethodPost, "/paymentplan/create/", `{"Amount":1,"StartDate":"2026-03-09","IntervalValue":2,"IntervalUnit":"week"}`)["paymentPlanId"]
	plan := s.ok(http.MethodGet, "/PaymentPlan/"+id, "")
	require.Equal(t, map[string]any{
		"paymentPlanId": id, "name": "Gold", "status": "Draft", "companyId": spa, "amount": 5000., "startDate": "2026-03-02", "endDate": "2027-03-01",
		"occurrences": 12., "intervalValue": 1., "intervalUnit": "Month", "shortDescription": "Membership", "feePayer": "partner", "nextDueDate": nil, "payers": 0., "acceptedPayers": 0.,
	}, plan)
	all := list(s.ok(http.MethodGet, "/PaymentPlan/List", ""), "plans")
	require.Len(t, all, 2)
	require.Equal(t, plan, all[0])
	require.Equal(t, []any{other, gym, "Week", nil, nil}, []any{all[1]["paymentPlanId"], all[1]["companyId"], all[1]["intervalUnit"], all[1]["name"], all[1]["endDate"]})
	require.Len(t, list(s.ok(http.MethodGet, "/paymentplan/list?companyId="+gym, ""), "plans"), 1)
	s.refused(http.StatusNotFound, http.MethodGet, "/PaymentPlan/List?companyId="+nobody, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/PaymentPlan/"+nobody, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/PaymentPlan/Create/x", "")
}

func TestPlanRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/PaymentPlan/Create", `{"amount":0,"intervalValue":0,"intervalUnit":"Fortnight","startDate":"2026-02-30","endDate":"x","occurrences":0,"companyId":"gym"}`)
	require.ElementsMatch(t, []string{
		"/amount plan.create.amount", "/companyId plan.create.company-id", "/intervalValue plan.create.interval-value", "/intervalUnit plan.create.interval-unit",
		"/startDate plan.create.start-date", "/endDate plan.create.end-date", "/occurrences plan.create.occurrences",
	}, p.clauses())
	require.Len(t, s.refused(http.StatusBadRequest, http.MethodPost, "/PaymentPlan/Create", `{}`).clauses(), 4)
	p = s.refused(http.StatusBadRequest, http.MethodPost, "/PaymentPlan/Create", `{"amount":1,"intervalValue":1,"intervalUnit":"Day","startDate":"2026-03-05","endDate":"2026-03-04"}`)
	require.Equal(t, []string{"/endDate plan.create.end-date-order"}, p.clauses())
	require.Equal(t, `{"plans":[]}`, s.call(http.MethodGet, "/PaymentPlan/List", "").Body.String())
	plan := s.plan()
	for body, want := range map[string][]string{
		`{}`:                                  {"/registrationId plan.payer"},
		`{"phoneNumber":"x"}`:                 {"/phoneNumber plan.payer.phone"},
		`{"registrationId":"x"}`:              {"/registrationId plan.payer.registration"},
		`{"registrationId":"` + nobody + `"}`: {"/registrationId plan.payer.registration-known"},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodPost, "/PaymentPlan/"+plan+"/Payers", body).clauses(), body)
	}
	s.refused(http.StatusNotFound, http.MethodPost, "/PaymentPlan/"+nobody+"/Payers", `{"phoneNumber":"2025550123"}`)
}

func TestPlanMoves(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	plan, payer := s.plan(), s.payer("+12025550123", "good")
	put := func(event string) string { return "/PaymentPlan/" + plan + "/" + event }
	state := func() any { return s.ok(http.MethodGet, "/PaymentPlan/"+plan, "")["status"] }
	require.Equal(t, []string{"path:planId plan.activate.consent"}, s.refused(http.StatusBadRequest, http.MethodPut, put("Activate"), "").clauses())
	require.Equal(t, "Draft", s.refused(http.StatusBadRequest, http.MethodPut, put("Pause"), "").State)
	consent := s.joins(plan, payer)
	require.Equal(t, consent, s.joins(plan, payer)) // asked once
	s.refused(http.StatusBadRequest, http.MethodPut, put("Activate"), "")
	s.did(func(w *world.World) error { return w.AcceptConsent(consent) })
	for _, step := range []struct{ event, state string }{{"Activate", "Active"}, {"pause", "Paused"}, {"activate/", "Active"}, {"Cancel", "Canceled"}} {
		w := s.call(http.MethodPut, put(step.event), "")
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Empty(t, w.Body.String())
		require.Equal(t, step.state, state())
	}
	for _, event := range []string{"Activate", "Pause", "Cancel"} {
		require.Equal(t, "Canceled", s.refused(http.StatusBadRequest, http.MethodPut, put(event), "").State)
		s.refused(http.StatusNotFound, http.MethodPut, "/PaymentPlan/"+nobody+"/"+event, "")
	}
	s.refused(http.StatusBadRequest, http.MethodPost, put("Payers"), `{"phoneNumber":"2025550199"}`)
}

// TestPlanOccurrences: each due date asks each payer who has accepted.
func TestPlanOccurrences(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7, Start: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)})
	gym, _ := s.company("gym")
	plan := s.plan("startDate", "2026-01-31", "occurrences", 3)
	covered, asked := s.payer("+12025550123", "good"), s.payer("+12025550124", "good")
	declined, silent := s.payer("+12025550125", "good"), s.payer("+12025550126", "good")
	s.ok(http.MethodPost, "/User/"+covered+"/DebitAuth", fmt.Sprintf(`{"companyId":%q,"enabled":true,"limit":5000}`, gym))
	s.answerDebit("accept")
	for _, payer := range []string{covered, asked, declined, silent} {
		consent := s.joins(plan, payer)
		if payer == silent {
			continue
		}
		if payer == declined {
			s.ok(http.MethodPut, "/Consent/"+consent+"/Decline", "")
			continue
		}
		s.did(func(w *world.World) error { return w.AcceptConsent(consent) })
	}
	s.ok(http.MethodPut, "/PaymentPlan/"+plan+"/Activate", "")
	dates := []string{}
	for range 3 {
		dates = append(dates, fmt.Sprint(s.ok(http.MethodGet, "/PaymentPlan/"+plan, "")["nextDueDate"]))
		s.pass(20 * 24 * time.Hour)
		s.token = s.grant("sandbox-client", "sandbox-secret")
	}
	require.Equal(t, []string{"2026-01-31", "2026-02-28", "2026-03-31"}, dates)
	require.Equal(t, "Active", s.ok(http.MethodGet, "/PaymentPlan/"+plan, "")["status"], "a payer has not answered")
	lines := list(s.ok(http.MethodGet, "/Transaction/Report", ""), "transactions")
	require.Len(t, lines, 6)
	for n, due := range []string{"2026-01-31", "2026-02-28", "2026-03-31"} {
		require.Equal(t, []any{"Completed", due + "T00:00:00Z"}, []any{lines[2*n]["status"], lines[2*n]["dueDate"]})
		require.Equal(t, []any{"Created", due + "T00:00:00Z"}, []any{lines[2*n+1]["status"], lines[2*n+1]["dueDate"]})
	}
	require.Equal(t, "RecurringPayment", s.ok(http.MethodGet, "/Transaction/PaymentRequest/"+lines[0]["externalTransferId"].(string), "")["paymentType"])
}

func TestRecurringInOneCall(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	gym, _ := s.company("gym")
	payer := s.payer("+12025550123", "good")
	body := `{"amount":2500,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Quarter"`
	for _, who := range []string{`,"registrationUserId":"` + payer + `"}`, `,"phoneNumber":"+12025550123","companyId":"` + gym + `"}`} {
		id := s.ok(http.MethodPost, "/payment/recurring", body+who)["paymentPlanId"].(string)
		consents := list(s.ok(http.MethodGet, "/Consent/List?planId="+id, ""), "consents")
		require.Len(t, consents, 1)
		require.Equal(t, []any{"Pending", payer}, []any{consents[0]["status"], consents[0]["registrationId"]})
		require.Equal(t, "Draft", s.ok(http.MethodGet, "/PaymentPlan/"+id, "")["status"])
		s.did(func(w *world.World) error { return w.AcceptConsent(consents[0]["consentId"].(string)) })
		require.Equal(t, "Active", s.ok(http.MethodGet, "/PaymentPlan/"+id, "")["status"])
	}
	before := len(s.entries(tape.KindTransition))
	require.Equal(t, []string{"/registrationUserId plan.payer"}, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Recurring", body+`}`).clauses())
	require.Len(t, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Recurring", `{}`).clauses(), 5)
	require.Equal(t, []string{"/amount request.integer-range"}, s.refused(http.StatusBadRequest, http.MethodPost, "/Payment/Recurring", `{"amount":2147483648,"startDate":"2026-03-02","intervalValue":1,"intervalUnit":"Day","phoneNumber":"2025550123"}`).clauses())
	require.Len(t, s.entries(tape.KindTransition), before)
}
