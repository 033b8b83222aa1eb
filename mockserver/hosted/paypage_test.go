package hosted_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// byCard chooses the card on a payment page and gives the card page.
func (h *house) byCard(payment string, more ...string) string {
	h.tb.Helper()
	r := h.post(h.address("pay", payment), append([]string{"answer", "approve", "bank", "card"}, more...)...)
	require.Equal(h.tb, http.StatusSeeOther, r.status)
	require.True(h.tb, strings.HasPrefix(r.location(), "/pages/default/card/"), r.location())
	return h.url + r.location()
}

func typed(o fixtures.CardOutcome) []string {
	return []string{"answer", "card", "number", cardFor(o), "expiry", "12/28", "code", "123"}
}

func TestPayByCard(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	payer := h.payer(world.NewRegistration{})
	h.do(func(w *world.World) {
		_, err := w.CompleteRegistration(payer, world.LinkedBankOf(fixtures.Personas()[1].Bank), "")
		require.NoError(t, err)
	})
	id := h.payment(world.NewPayment{RegistrationID: payer, FeePayer: "ask", ReturnURL: "https://partner.example.com/paid"})
	card := h.byCard(id, "fee", "partner")
	r := h.post(card, typed(fixtures.CardDeclined)...)
	require.Equal(t, http.StatusSeeOther, r.status)
	r = h.get(card)
	require.Contains(t, r.body, `href="/pages/default/pay/`+id+`"`)
	require.Equal(t, "Pending", h.status(id))

	card = h.byCard(id, "fee", "partner")
	h.post(card, typed(fixtures.CardChallengePasses)...)
	r = h.post(card, "answer", "confirm", "challenge", "123456")
	require.Equal(t, "https://partner.example.com/paid", r.location())
	require.Equal(t, "Processing", h.status(id), "the card pays, whatever the linked account would do")
	_, err := h.on.Advance(integration.Move{Next: true})
	require.NoError(t, err)
	require.Equal(t, "Paid", h.status(id))
	h.do(func(w *world.World) {
		view, err := w.PaymentView(id)
		require.NoError(t, err)
		require.Equal(t, "partner", view.FeePayer)
		require.Equal(t, "*3220", *view.AccountMask)
	})
}

// The card page says whether the card is saved.
func TestCardPageSaysWhatIsSaved(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	require.Contains(t, h.get(h.byCard(h.payment(world.NewPayment{OneTimePayment: ptr(true)}))).body, ">Used for this payment only, and not saved<")
	require.Contains(t, h.get(h.byCard(h.payment(world.NewPayment{}))).body, ">Saved for later payments<")
	require.Contains(t, h.get(h.address("card", h.card(world.NewCardAuthorisation{}))).body, ">Saved for later payments<")
}

func TestPayByCardOfACanceledPayment(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	card := h.byCard(id)
	h.do(func(w *world.World) { require.NoError(t, w.CancelPayment(id)) })
	require.Equal(t, "/pages/default/pay/"+id, h.post(card, typed(fixtures.CardApproved)...).location())
	require.Equal(t, "Canceled", h.status(id))
}

func TestDebitAuthorisationAlongWithAPayment(t *testing.T) {
	t.Parallel()
	for choice, enabled := range map[string]bool{"yes": true, "": false} {
		h := newHouse(t)
		payer := h.payer(world.NewRegistration{})
		id := h.payment(world.NewPayment{RegistrationID: payer, EnableDebitAuth: ptr(true), DebitAuthLimit: ptr[int64](5000)})
		r := h.get(h.address("pay", id))
		require.True(t, r.shows("debit"))
		require.Contains(t, r.body, "$50.00")
		h.post(h.address("pay", id), "answer", "approve", "bank", "good", "debit", choice)
		h.do(func(w *world.World) {
			d, err := w.ReadDebitAuth(payer, h.company)
			require.NoError(t, err)
			require.Equal(t, enabled, d.Enabled)
		})
	}
}
