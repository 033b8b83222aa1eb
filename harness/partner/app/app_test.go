package app_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/partner/tour"
	"paysandbox/mockserver/tape"
)

// TestVariantsAndClausesArePairs: one variant for each clause, in its order.
func TestVariantsAndClausesArePairs(t *testing.T) {
	t.Parallel()
	clauses := clause.Integration()
	var ids, variants []string
	for _, c := range clauses {
		ids = append(ids, string(c.ID))
	}
	for _, v := range app.Careless() {
		variants = append(variants, v.Clause)
		require.Equal(t, v.Clause, "partner."+string(v.Name))
		require.True(t, strings.HasSuffix(v.What, "."), v.What)
	}
	require.Equal(t, ids, variants, "the careless variants stand in the order of the clauses in integration.yaml")
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	good := app.Options{BaseURL: "http://127.0.0.1:1", ClientID: "a", ClientSecret: "b", Now: time.Now}
	_, err := app.New(good)
	require.NoError(t, err)
	for _, spoil := range []func(*app.Options){
		func(o *app.Options) { o.BaseURL = "" },
		func(o *app.Options) { o.ClientSecret = "" },
		func(o *app.Options) { o.Now = nil },
		func(o *app.Options) { o.Careless = "tokn.reuse" },
	} {
		o := good
		spoil(&o)
		_, err := app.New(o)
		require.Error(t, err)
	}
}

// TestTour: the careful application does all there is, on virtual time, and
// twice the same leads to the same calls.
func TestTour(t *testing.T) {
	t.Parallel()
	var tapes [2][]string
	for i := range tapes {
		b := start(t)
		require.NoError(t, tour.Play(t.Context(), b.App, b.stage))
		tapes[i] = b.called()
		requireAllOperations(t, b)
		requireState(t, b)
	}
	require.Equal(t, tapes[0], tapes[1])
}

// called are the calls as they stand on the tape, with what is captured of their headers.
func (b *bench) called() []string {
	b.settle()
	var calls []string
	for _, e := range b.exchanges("") {
		x := e.Exchange
		call := fmt.Sprint(x.Method, " ", x.Path, "?", x.Query, " ", x.Request.Header, " ", string(x.Request.Body))
		calls = append(calls, strings.NewReplacer(b.Listens(), "app", strings.TrimPrefix(b.box.URL, "http://"), "sandbox").Replace(call))
	}
	return numbered(calls)
}

// numbered gives the ids in calls numbers in the order of their appearance: what
// the sandbox makes follows from what it is sent, and so from the application's
// address.
func numbered(calls []string) []string {
	numbers := map[string]string{}
	id := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|pm_[0-9a-f]{32}`)
	for i, call := range calls {
		calls[i] = id.ReplaceAllStringFunc(call, func(id string) string {
			if numbers[id] == "" {
				numbers[id] = "id-" + strconv.Itoa(len(numbers)+1)
			}
			return numbers[id]
		})
	}
	return calls
}

// requireAllOperations: the tour makes every call that a task can ask for.
func requireAllOperations(t *testing.T, b *bench) {
	t.Helper()
	for _, operation := range []string{
		partner.DoCreateCompany, partner.DoCompanyStatus, partner.DoAddLocation, partner.DoListLocations, partner.DoBankLink,
		partner.DoRegisterUser, partner.DoUserStatus, partner.DoDebitAuth, partner.DoCreatePayment, partner.DoPaymentStatus,
		partner.DoCancelPayment, partner.DoRefundPayment, partner.DoAuthoriseCard, partner.DoPaymentMethods,
		partner.DoChargeSavedCard, partner.DoCardPayment, partner.DoCreatePlan, partner.DoAddPlanPayer, partner.DoActivatePlan,
		partner.DoPausePlan, partner.DoCancelPlan, partner.DoListConsents, partner.DoDeclineConsent, partner.DoReport,
	} {
		require.NotEmpty(t, b.exchanges(operation), operation)
	}
	require.Greater(t, len(b.exchanges(partner.DoReport)), 1, "a second page")
	require.GreaterOrEqual(t, len(b.exchanges(partner.DoCreatePayment)), 45)
}

// requireState: what the application believes is what the service knows.
func requireState(t *testing.T, b *bench) {
	t.Helper()
	state := map[string]string{}
	for _, e := range b.box.Tape(t, tape.Filter{}) {
		if e.Kind == tape.KindTransition && e.Transition.Machine == "payment" {
			state[e.Transition.Entity] = e.Transition.To
		}
	}
	for _, p := range b.State().Payments {
		want := 0
		if state[p.PaymentRequestID] == "Paid" {
			want = 1
		}
		if state[p.PaymentRequestID] != "" {
			require.Equal(t, want, p.Fulfilled-p.Reversed, p)
		}
		require.LessOrEqual(t, p.Fulfilled, 1, p)
	}
}

func TestCallsAreIntroduced(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	b.payment(1999)
	for _, e := range b.exchanges("") {
		require.Regexp(t, `^paysandbox-example/\d`, header(e, "User-Agent"))
		require.Empty(t, header(e, "Origin"))
	}
	sent := body(t, b.exchanges("createPayment")[0])
	require.InDelta(t, 1999, sent["amount"], 0)
	require.Regexp(t, `^INV-[0-9A-F]{12}$`, sent["reference"])
	require.Regexp(t, `/return/[0-9a-f-]{36}$`, sent["returnUrl"])
	require.Regexp(t, `^[0-9a-f-]{36}$`, header(b.exchanges("createPayment")[0], "Idempotency-Key"))
	require.Len(t, b.exchanges("createToken"), 1)
}

func TestTasksOfNobodyAreRefused(t *testing.T) {
	t.Parallel()
	b := start(t)
	require.ErrorContains(t, b.try("dance", nil), "dance")
	require.Error(t, b.try(partner.DoPaymentStatus, map[string]any{"paymentRequestId": "nobody"}))
	require.Len(t, b.exchanges("getPaymentStatus"), 1, "a refusal is not repeated")
}

// TestWaits: companies are charged for once Verified, payers once Registered.
func TestWaits(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.do(partner.DoCreateCompany, map[string]any{"companyReferenceId": "gym", "name": "Fit Gym"})
	b.do(partner.DoCreateCompany, map[string]any{"companyReferenceId": "bad", "name": "Bad Gym"})
	id := b.payer(map[string]any{"mobileNumber": "+12025550142"})
	for _, company := range []string{"gym", "bad"} {
		b.do(partner.DoCreatePayment, map[string]any{"companyReferenceId": company, "amount": 100, "registrationId": id})
	}
	b.settle()
	require.Equal(t, 2, b.Pending())
	b.play("/companies/gym/kyb", map[string]any{"outcome": "verified"})
	b.play("/companies/bad/kyb", map[string]any{"outcome": "rejected"})
	require.Equal(t, 1, b.Pending(), "what a rejected company wanted is given up")
	require.Empty(t, b.exchanges("createPayment"))
	b.play("/registrations/"+id+"/complete", nil)
	b.comesBack(b.exchanges("registerUser")[0], "redirectUrl")
	require.Len(t, b.exchanges("createPayment"), 1)
	require.Zero(t, b.Pending())
}

// TestReturn: a payer who comes back proves nothing; the state is read.
func TestReturn(t *testing.T) {
	t.Parallel()
	b, id := paying(t)
	b.play("/payments/"+id+"/approve", nil)
	for range 2 {
		b.comesBack(b.exchanges("createPayment")[0], "returnUrl")
	}
	reads := b.exchanges("getPaymentStatus")
	require.Len(t, reads, 2)
	require.GreaterOrEqual(t, reads[1].At-reads[0].At, int64(time.Second))
	require.Equal(t, [2]int{0, 0}, b.did(id))
}

// TestLateReturn: what the bank takes back is taken back, once.
func TestLateReturn(t *testing.T) {
	t.Parallel()
	b, id := paying(t)
	for n, step := range []string{"approve", "pay", "return"} {
		b.play("/payments/"+id+"/"+step, nil)
		require.Equal(t, [][2]int{{0, 0}, {1, 0}, {1, 1}}[n], b.did(id), step)
	}
}

func TestLateCancellation(t *testing.T) {
	t.Parallel()
	b, id := paying(t)
	b.play("/payments/"+id+"/approve", nil)
	b.do(partner.DoCancelPayment, map[string]any{"paymentRequestId": id})
	require.Len(t, b.exchanges("cancelPayment"), 1)
	require.Len(t, b.exchanges("getPaymentStatus"), 1)
}

func TestReportIsReadToTheEnd(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.gym()
	for n := range 51 {
		b.do(partner.DoCardPayment, map[string]any{"amount": 100 + n, "mobileNumber": "+120255501" + strconv.Itoa(10+n)})
	}
	b.do(partner.DoReport, map[string]any{"companyReferenceId": "gym"})
	require.Len(t, b.exchanges("reportTransactions"), 2)
}
