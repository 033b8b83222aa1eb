package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// debitPayer is a payer with an e-mail address.
func debitPayer(t *testing.T, w *world.World) string {
	t.Helper()
	return register(t, w, func(r *world.NewRegistration) { r.Email = "pat@example.com" })
}

// debitWorld has a company, and a payer with an e-mail address.
func debitWorld(t *testing.T) (w *world.World, company, payer string) {
	t.Helper()
	w = payerWorld()
	company, _ = payerCompany(t, w, "gym")
	return w, company, debitPayer(t, w)
}

// askDebit sends a new request and gives its id, taken from the payer's mail.
func askDebit(t *testing.T, w *world.World, payer, company string, limit int64) string {
	t.Helper()
	w.Take()
	require.NoError(t, w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: company, Enabled: ptr(true), Limit: &limit}))
	sent := messages(w)
	require.Len(t, sent, 1)
	require.Equal(t, "debit-authorisation-request", sent[0].Template)
	return lastPart(linkOf(sent[0]))
}

func debitState(t *testing.T, w *world.World, id string) string {
	t.Helper()
	view, err := w.DebitAuthView(id)
	require.NoError(t, err)
	return view.State
}

func readDebit(t *testing.T, w *world.World, payer, company string) world.DebitAuth {
	t.Helper()
	d, err := w.ReadDebitAuth(payer, company)
	require.NoError(t, err)
	return d
}

func TestDebitAuthorisationMachine(t *testing.T) {
	t.Parallel()
	m := &world.DebitAuthorisationMachine
	paths := map[string][]string{"Pending": nil, "Accepted": {"accept"}, "Declined": {"decline"}, "Disabled": {"accept", "disable"}}
	everyStep(t, m, m.Events(), func(from string) (*world.World, func(string) error, func() string) {
		w, company, payer := debitWorld(t)
		id := askDebit(t, w, payer, company, 100)
		for _, step := range paths[from] {
			require.NoError(t, w.MoveDebitAuth(id, step))
		}
		return w, func(event string) error { return w.MoveDebitAuth(id, event) }, func() string { return debitState(t, w, id) }
	})
}

func TestDebitAuthRules(t *testing.T) {
	t.Parallel()
	w, company, payer := debitWorld(t)
	for name, c := range map[string]struct {
		req  world.DebitAuthRequest
		want []string
	}{
		"nothing":         {world.DebitAuthRequest{}, []string{"/companyId", "/limit"}},
		"no limit":        {world.DebitAuthRequest{CompanyID: company}, []string{"/limit"}},
		"no company":      {world.DebitAuthRequest{Limit: ptr(int64(1))}, []string{"/companyId"}},
		"negative limit":  {world.DebitAuthRequest{CompanyID: company, Limit: ptr(int64(-1))}, []string{"/limit"}},
		"a reference":     {world.DebitAuthRequest{CompanyID: "gym", Limit: ptr(int64(1))}, []string{"/companyId"}},
		"unknown company": {world.DebitAuthRequest{CompanyID: unknownPayer, Limit: ptr(int64(1))}, []string{"/companyId"}},
	} {
		w.Take()
		err := w.RequestDebitAuth(payer, &c.req)
		require.Equal(t, kernel.Invalid, codeOf(t, err), name)
		require.Equal(t, c.want, pointers(t, err), name)
		records, _ := w.Take()
		require.Empty(t, records, name)
	}
	for _, limit := range []int64{0, 1<<63 - 1} {
		require.NoError(t, w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: company, Limit: &limit}))
	}
	for _, id := range []string{"", "gym", unknownPayer} {
		err := w.RequestDebitAuth(id, &world.DebitAuthRequest{})
		require.Equal(t, kernel.NotFound, codeOf(t, err))
	}
}

func TestUnknownCompanyIsNotFoundWhereTheLedgerSaysSo(t *testing.T) {
	t.Parallel()
	w := payerWorld(latitude.UnknownBodyIDsNotFound)
	payer := debitPayer(t, w)
	err := w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: unknownPayer, Limit: ptr(int64(1))})
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	require.Equal(t, []string{"/companyId"}, pointers(t, err))
}

func TestDebitAuthFromRequestToSwitchOff(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	company, _ := payerCompany(t, w, "gym")
	other, _ := payerCompany(t, w, "practice")
	payer := debitPayer(t, w)
	require.Zero(t, readDebit(t, w, payer, company))

	id := askDebit(t, w, payer, company, 100)
	require.Zero(t, readDebit(t, w, payer, company), "a request is not yet an authorisation")
	view, err := w.DebitAuthView(id)
	require.NoError(t, err)
	require.Equal(t, world.DebitAuthView{ID: id, State: "Pending", RegistrationID: payer, Company: "Fit Gym", Limit: 100}, view)
	require.NoError(t, w.AnswerDebitAuth(id, true))
	require.Equal(t, world.DebitAuth{Enabled: true, Limit: 100}, readDebit(t, w, payer, company))
	require.Zero(t, readDebit(t, w, payer, other), "another company has nothing")

	off := &world.DebitAuthRequest{CompanyID: company, Limit: ptr(int64(0))}
	require.NoError(t, w.RequestDebitAuth(payer, off), "without enabled it is switched off")
	require.Zero(t, readDebit(t, w, payer, company))
	require.Equal(t, "Disabled", debitState(t, w, id))
	w.Take()
	off.Enabled = ptr(false)
	require.NoError(t, w.RequestDebitAuth(payer, off), "nothing is left to switch off")
	records, _ := w.Take()
	require.Empty(t, records)
}

func TestSwitchingOffAlsoEndsTheRequest(t *testing.T) {
	t.Parallel()
	w, company, payer := debitWorld(t)
	accepted := askDebit(t, w, payer, company, 1)
	require.NoError(t, w.AnswerDebitAuth(accepted, true))
	waiting := askDebit(t, w, payer, company, 2)
	require.NoError(t, w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: company, Limit: ptr(int64(0))}))
	require.Equal(t, "Disabled", debitState(t, w, accepted))
	require.Equal(t, "Disabled", debitState(t, w, waiting))
	require.Equal(t, kernel.IllegalTransition, codeOf(t, w.AnswerDebitAuth(waiting, true)))
}

func TestNewDebitAuthReplacesTheOldOne(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	company, _ := payerCompany(t, w, "gym")
	other, _ := payerCompany(t, w, "practice")
	payer := debitPayer(t, w)
	elsewhere := askDebit(t, w, payer, other, 9)
	require.NoError(t, w.AnswerDebitAuth(elsewhere, true))

	first := askDebit(t, w, payer, company, 1)
	require.NoError(t, w.AnswerDebitAuth(first, true))
	second := askDebit(t, w, payer, company, 2)
	third := askDebit(t, w, payer, company, 3)
	require.Equal(t, []string{"Accepted", "Disabled", "Pending"}, []string{
		debitState(t, w, first), debitState(t, w, second), debitState(t, w, third),
	})
	require.Equal(t, int64(1), readDebit(t, w, payer, company).Limit, "the old one is in force until the payer accepts")
	require.NoError(t, w.AnswerDebitAuth(third, true))
	require.Equal(t, "Disabled", debitState(t, w, first))
	require.Equal(t, int64(3), readDebit(t, w, payer, company).Limit)

	fourth := askDebit(t, w, payer, company, 4)
	require.NoError(t, w.AnswerDebitAuth(fourth, false))
	require.Equal(t, int64(3), readDebit(t, w, payer, company).Limit, "a declined request changes nothing")
	require.Equal(t, int64(9), readDebit(t, w, payer, other).Limit)
}

func TestReadDebitAuthRules(t *testing.T) {
	t.Parallel()
	w, company, payer := debitWorld(t)
	for _, bad := range []string{"", "gym"} {
		_, err := w.ReadDebitAuth(payer, bad)
		require.Equal(t, []string{"query:CompanyId"}, pointers(t, err))
	}
	_, err := w.ReadDebitAuth(payer, unknownPayer)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	_, err = w.ReadDebitAuth(unknownPayer, company)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	_, err = w.DebitAuthView(unknownPayer)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
	require.Equal(t, kernel.NotFound, codeOf(t, w.MoveDebitAuth("x", "accept")))

	off := payerWorld(latitude.DebitAuthReadOff)
	company, _ = payerCompany(t, off, "gym")
	_, err = off.ReadDebitAuth(debitPayer(t, off), company)
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestUnknownDebitEvent(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	company, _ := payerCompany(t, w, "gym")
	id := askDebit(t, w, debitPayer(t, w), company, 100)
	require.Equal(t, []string{"path:event"}, pointers(t, w.MoveDebitAuth(id, "revoke")))
}

func TestDebitAuthCovers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		registered, accepted bool
		amount               int64
		want                 string
	}{
		"at the limit":    {true, true, 100, "Processing"},
		"over the limit":  {true, true, 101, "Pending"},
		"not accepted":    {true, false, 100, "Pending"},
		"no bank account": {false, true, 100, "Pending"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, company, payer := debitWorld(t)
			if c.registered {
				_, err := w.CompleteRegistration(payer, goodBank(t), "")
				require.NoError(t, err)
			}
			id := askDebit(t, w, payer, company, 100)
			require.NoError(t, w.AnswerDebitAuth(id, c.accepted))
			made, err := w.CreatePayment(&world.NewPayment{Amount: &c.amount, RegistrationID: payer, CompanyID: company})
			require.NoError(t, err)
			status, err := w.PaymentStatus(made.PaymentRequestID)
			require.NoError(t, err)
			require.Equal(t, c.want, status.Status)
		})
	}
}

func TestDecliningAnOlderRequestLeavesTheOthers(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	gym, _ := payerCompany(t, w, "gym")
	practice, _ := payerCompany(t, w, "practice")
	shop, _ := payerCompany(t, w, "shop")
	payer := debitPayer(t, w)
	first, second, third := askDebit(t, w, payer, gym, 1), askDebit(t, w, payer, practice, 2), askDebit(t, w, payer, shop, 3)
	require.NoError(t, w.AnswerDebitAuth(second, false))
	require.NoError(t, w.AnswerDebitAuth(first, true))
	require.NoError(t, w.AnswerDebitAuth(third, true))
	require.Equal(t, world.DebitAuth{Enabled: true, Limit: 1}, readDebit(t, w, payer, gym))
	require.Zero(t, readDebit(t, w, payer, practice))
	require.Equal(t, world.DebitAuth{Enabled: true, Limit: 3}, readDebit(t, w, payer, shop))
	require.NoError(t, w.MoveDebitAuth(first, "disable"))
	require.Zero(t, readDebit(t, w, payer, gym))
	require.True(t, readDebit(t, w, payer, shop).Enabled)
}

func TestSwitchingOffPassesOverWhatHasEnded(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{"decline", "disable"} {
		w, company, payer := debitWorld(t)
		id := askDebit(t, w, payer, company, 1)
		require.NoError(t, w.MoveDebitAuth(id, ending))
		before := debitState(t, w, id)
		require.NoError(t, w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: company, Limit: ptr(int64(0))}))
		require.Equal(t, before, debitState(t, w, id))
	}
}

// A payer who has accepted can withdraw it, and is asked before each payment again.
func TestThePayerWithdraws(t *testing.T) {
	t.Parallel()
	w, company, payer := debitWorld(t)
	id := askDebit(t, w, payer, company, 5000)
	require.NoError(t, w.AnswerDebitAuth(id, true))
	require.True(t, readDebit(t, w, payer, company).Enabled)
	require.NoError(t, w.AnswerDebitAuth(id, false))
	require.Equal(t, "Disabled", debitState(t, w, id))
	require.False(t, readDebit(t, w, payer, company).Enabled)
	require.Equal(t, kernel.IllegalTransition, codeOf(t, w.AnswerDebitAuth(id, false)))
}
