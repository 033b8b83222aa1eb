package hosted_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

func TestPayWithTheLinkedAccount(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	payer := h.payer(world.NewRegistration{})
	h.link(payer)
	id := h.payment(world.NewPayment{
		RegistrationID: payer, Purpose: world.Purpose{ShortDescription: "Membership", Reference: "inv-1"}, DueDate: "2026-03-31", ReturnURL: "https://partner.example.com/paid",
	})
	page := h.address("pay", id)
	r := h.get(page)
	for _, text := range []string{"Fit Gym", "$1,234.50", "Membership", "March 31, 2026", "inv-1", "*1111"} {
		require.Contains(t, r.body, text)
	}
	require.False(t, r.shows("bank-good"), "an account is linked already")
	require.False(t, r.shows("fee-client"))
	r = h.post(page, "answer", "approve", "bank", "linked")
	require.Equal(t, http.StatusSeeOther, r.status)
	require.Equal(t, "https://partner.example.com/paid", r.location())
	require.Equal(t, "Scheduled", h.status(id))
	r = h.get(page)
	require.Equal(t, http.StatusOK, r.status)
	require.True(t, r.shows("notice-payment-state"))
	require.Contains(t, r.body, `href="https://partner.example.com/paid"`)
}

func TestPayWithAPersona(t *testing.T) {
	t.Parallel()
	for persona, status := range map[string]string{"good": "Processing", "under-review": "InReview", "slow": "Queued", "insufficient-funds": "Failed"} {
		h := newHouse(t)
		id := h.payment(world.NewPayment{})
		page := h.address("pay", id)
		r := h.post(page, "answer", "approve", "bank", persona)
		require.Equal(t, http.StatusSeeOther, r.status, persona)
		require.Regexp(t, "^/pages/default/pay/"+id+`\?did=[0-9]+$`, r.location(), "without a partner's address the page shows the status")
		require.Equal(t, status, h.status(id), persona)
		require.Contains(t, h.get(page).body, status)
	}
}

func TestReturnURLGetsTheStatus(t *testing.T) {
	t.Parallel()
	h := houseWith(t, integration.Options{Seed: 3, Clock: integration.Manual, StatusKey: "key"})
	id := h.payment(world.NewPayment{ReturnURL: "https://partner.example.com/paid?a=1"})
	r := h.post(h.address("pay", id), "answer", "deny")
	u, err := url.Parse(r.location())
	require.NoError(t, err)
	require.Equal(t, "partner.example.com", u.Host)
	require.Equal(t, "1", u.Query().Get("a"))
	require.NotEmpty(t, u.Query().Get("data"))
	require.Equal(t, "Denied", h.status(id))
}

// TestAttackWhereThePayerGoesBackTo: a secret in the partner's address reaches the payer's
// browser, and stands on no tape.
func TestAttackWhereThePayerGoesBackTo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{ReturnURL: "https://partner.example.com/paid?order=7&access_token=0pens-the-door"})
	page := h.address("pay", id)
	token := h.tokenOf(page)
	r := h.postAs(page, token, "answer", "deny")
	require.Contains(t, r.location(), "access_token=0pens-the-door")
	h.tapedWithout(t, r, "0pens")
	again := h.postAs(page, token, "answer", "deny")
	require.Contains(t, again.body, "access_token=0pens-the-door", "the payer may still go back")
	h.tapedWithout(t, again, "0pens")
}

// tapedWithout holds that the entry of a posted form tells where it led, without a secret.
func (h *house) tapedWithout(t *testing.T, r reply, secret string) {
	t.Helper()
	n, err := strconv.ParseUint(r.header.Get("Sandbox-Exchange"), 10, 64)
	require.NoError(t, err)
	e, ok := h.on.Entry(n)
	require.True(t, ok)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	require.NotContains(t, string(text), secret)
	require.Contains(t, string(text), "/paid?order=7")
}

func TestFeePayer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{FeePayer: "ask"})
	page := h.address("pay", id)
	r := h.post(page, "answer", "approve", "bank", "good")
	require.Equal(t, http.StatusBadRequest, r.status)
	require.True(t, r.shows("error-fee"))
	require.Equal(t, "Pending", h.status(id))
	require.Equal(t, http.StatusSeeOther, h.post(page, "answer", "approve", "bank", "good", "fee", "partner").status)
	h.do(func(w *world.World) {
		view, err := w.PaymentView(id)
		require.NoError(t, err)
		require.Equal(t, "partner", view.FeePayer)
	})
}

func TestPayRefusesBadAnswers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	payer := h.payer(world.NewRegistration{})
	h.link(payer)
	linked := h.payment(world.NewPayment{RegistrationID: payer})
	tests := map[string]struct {
		id     string
		values []string
		wrong  string
	}{
		"no answer":       {id, []string{"bank", "good"}, "answer"},
		"no bank":         {id, []string{"answer", "approve"}, "bank"},
		"linked, not so":  {id, []string{"answer", "approve", "bank", "linked"}, "bank"},
		"card, not taken": {linked, []string{"answer", "approve", "bank", "cheque"}, "bank"},
		"another bank":    {linked, []string{"answer", "approve", "bank", "good"}, "bank"},
	}
	for name, tc := range tests {
		r := h.post(h.address("pay", tc.id), tc.values...)
		require.Equal(t, http.StatusBadRequest, r.status, name)
		require.Contains(t, r.body, `href="#`+tc.wrong+`"`, name)
	}
	require.Equal(t, "Pending", h.status(id))
	require.Equal(t, "Pending", h.status(linked))
}

func TestPaymentsThatDoNotWait(t *testing.T) {
	t.Parallel()
	tests := map[string]func(h *house, w *world.World, id string){
		"Canceled": func(h *house, w *world.World, id string) { require.NoError(h.tb, w.CancelPayment(id)) },
		"Denied": func(h *house, w *world.World, id string) {
			require.NoError(h.tb, w.MovePayment(id, "deny", world.PaymentMove{}))
		},
		"Paid": func(h *house, w *world.World, id string) {
			require.NoError(h.tb, w.MovePayment(id, "approve", world.PaymentMove{}))
			require.NoError(h.tb, w.MovePayment(id, "pay", world.PaymentMove{}))
		},
	}
	for status, move := range tests {
		h := newHouse(t)
		id := h.payment(world.NewPayment{})
		page := h.address("pay", id)
		token := h.tokenOf(page)
		h.do(func(w *world.World) { move(h, w, id) })
		r := h.get(page)
		require.Equal(t, http.StatusOK, r.status)
		require.Contains(t, r.body, ">"+status+"<")
		r = h.postAs(page, token, "answer", "approve", "bank", "good")
		require.Equal(t, http.StatusConflict, r.status)
		require.True(t, r.shows("notice-payment-state"))
		require.Equal(t, status, h.status(id))
	}
}
