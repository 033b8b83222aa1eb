package world_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestSaveCardAndListMethods(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payer, other := register(t, w, nil), register(t, w, nil)
	empty, err := w.PaymentMethods(payer, "", "")
	require.NoError(t, err)
	require.Equal(t, world.PaymentMethods{RegistrationID: payer, PaymentMethods: []world.PaymentMethod{}}, empty)

	var saved []world.PaymentMethod
	for _, c := range fixtures.Cards() {
		m, err := w.SaveCard(payer, c.Number)
		require.NoError(t, err)
		require.Regexp(t, "^pm_[0-9a-f]{32}$", m.ID)
		require.Equal(t, world.PaymentMethod{ID: m.ID, Type: "card", Brand: c.Brand, Last4: c.Last4, ExpMonth: 12, ExpYear: 2029}, m)
		saved = append(saved, m)
	}
	_, err = w.SaveCard(other, "4242 4242 4242 4242")
	require.NoError(t, err)
	list, err := w.PaymentMethods(payer, "", "")
	require.NoError(t, err)
	require.Equal(t, saved, list.PaymentMethods, "oldest first, and only the payer's own")
}

func TestMethodsReversed(t *testing.T) {
	t.Parallel()
	w := payerWorld(latitude.ListOrderReversed)
	payer := register(t, w, nil)
	first, err := w.SaveCard(payer, "4242424242424242")
	require.NoError(t, err)
	second, err := w.SaveCard(payer, "5555555555554444")
	require.NoError(t, err)
	list, err := w.PaymentMethods(payer, "", "")
	require.NoError(t, err)
	require.Equal(t, []world.PaymentMethod{second, first}, list.PaymentMethods)
}

func TestSaveCardTeachesTestCards(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payer := register(t, w, nil)
	_, err := w.SaveCard(payer, "4111111111111111")
	require.Equal(t, []string{"/card"}, pointers(t, err))
	require.Contains(t, err.Error(), "6011111111111117", "the nearest test card")
	require.NotContains(t, err.Error(), "4111111111111111", "the number may be a real one")
	_, err = w.SaveCard(payer, "")
	require.Equal(t, []string{"/card"}, pointers(t, err))
	_, err = w.SaveCard(unknownPayer, "4242424242424242")
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestPaymentMethodsCompany(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	gym, _ := payerCompany(t, w, "gym")
	payerCompany(t, w, "practice")
	payer := register(t, w, nil)
	for name, c := range map[string]struct {
		payer, company, reference string
		want                      kernel.Code
	}{
		"neither":           {payer: payer},
		"id":                {payer: payer, company: strings.ToUpper(gym)},
		"reference":         {payer: payer, reference: "practice"},
		"both the same":     {payer: payer, company: gym, reference: "gym"},
		"contradiction":     {payer: payer, company: gym, reference: "practice", want: kernel.Invalid},
		"no uuid":           {payer: payer, company: "gym", want: kernel.Invalid},
		"unknown id":        {payer: payer, company: unknownPayer, want: kernel.NotFound},
		"unknown reference": {payer: payer, reference: "shop", want: kernel.NotFound},
		"unknown payer":     {payer: unknownPayer, want: kernel.NotFound},
	} {
		_, err := w.PaymentMethods(c.payer, c.company, c.reference)
		require.Equal(t, c.want, codeOf(t, err), name)
	}
}

// charge charges a saved card and gives the answer's status.
func charge(t *testing.T, w *world.World, payer, method string) string {
	t.Helper()
	answer, err := w.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(100)), RegistrationID: payer, PaymentMethodID: method})
	require.NoError(t, err)
	return answer.Status
}

func TestSavedCardsDecide(t *testing.T) {
	t.Parallel()
	statuses := map[fixtures.CardOutcome]string{
		fixtures.CardApproved: "success", fixtures.CardChallengePasses: "success",
		fixtures.CardDeclined: "declined", fixtures.CardInsufficientFunds: "declined", fixtures.CardExpired: "declined",
		fixtures.CardWrongCode: "declined", fixtures.CardChallengeFails: "declined", fixtures.CardLaterDecline: "declined",
		fixtures.CardProcessorError: "failed",
	}
	w := payerWorld()
	payerCompany(t, w, "gym")
	payer := register(t, w, nil)
	for _, c := range fixtures.Cards() {
		m, err := w.SaveCard(payer, c.Number)
		require.NoError(t, err)
		require.Equal(t, statuses[c.Outcome], charge(t, w, payer, m.ID), c.Outcome)
	}
}

func TestSavedCardExpires(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payerCompany(t, w, "gym")
	payer := register(t, w, nil)
	m, err := w.SaveCard(payer, "4242424242424242")
	require.NoError(t, err)
	payerInput(w, time.Date(2029, 12, 31, 23, 59, 59, 0, time.UTC).Sub(payerStart))
	require.Equal(t, "success", charge(t, w, payer, m.ID), "good to the end of its month")
	payerInput(w, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Sub(payerStart))
	require.Equal(t, "declined", charge(t, w, payer, m.ID))
}

func TestSavedCardOfAnotherPayer(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payerCompany(t, w, "gym")
	payer, other := register(t, w, nil), register(t, w, nil)
	m, err := w.SaveCard(other, "4242424242424242")
	require.NoError(t, err)
	for _, method := range []string{m.ID, "pm_1", "pm_" + strings.Repeat("0", 32), "pm_" + strings.Repeat("z", 32), strings.ToUpper(m.ID)} {
		_, err := w.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(100)), RegistrationID: payer, PaymentMethodID: method})
		require.Equal(t, []string{"/paymentMethodId"}, pointers(t, err), method)
	}
}
