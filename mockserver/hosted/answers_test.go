package hosted_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/world"
)

func TestDebitAuthorisation(t *testing.T) {
	t.Parallel()
	for choice, state := range map[string]string{"accept": "Accepted", "decline": "Declined"} {
		h := newHouse(t)
		id := h.debit(h.payer(world.NewRegistration{}))
		page := h.address("debit", id)
		r := h.get(page)
		require.Contains(t, r.body, "Fit Gym")
		require.Contains(t, r.body, "$100.00")
		require.Equal(t, http.StatusBadRequest, h.post(page).status, "an answer is needed")
		token := h.tokenOf(page)
		require.Equal(t, http.StatusSeeOther, h.post(page, "answer", choice).status)
		r = h.get(page)
		require.Equal(t, http.StatusOK, r.status)
		require.True(t, r.shows("notice-debit-state"))
		require.Contains(t, r.body, ">"+state+"<")
		require.Equal(t, http.StatusConflict, h.postAs(page, token, "answer", "accept").status)
	}
}

func TestConsent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	page := h.address("consent", h.consent())
	r := h.get(page)
	for _, text := range []string{"Fit Gym", "$50.00 every month", "March 31, 2026", ">3<", "Membership"} {
		require.Contains(t, r.body, text)
	}
	require.Equal(t, http.StatusBadRequest, h.post(page).status)
	require.Equal(t, http.StatusConflict, h.post(page, "answer", "withdraw").status, "nothing to withdraw yet")
	require.Equal(t, http.StatusSeeOther, h.post(page, "answer", "accept").status)
	r = h.get(page)
	require.True(t, r.shows("withdraw"))
	token := h.tokenOf(page)
	require.Equal(t, http.StatusSeeOther, h.post(page, "answer", "withdraw").status)
	r = h.get(page)
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.body, ">Revoked<")
	require.Equal(t, http.StatusConflict, h.postAs(page, token, "answer", "accept").status)

	page = h.address("consent", h.consent())
	require.Equal(t, http.StatusSeeOther, h.post(page, "answer", "decline").status)
	require.Contains(t, h.get(page).body, ">Declined<")
}

func TestBankLinkWorksOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	page := h.address("bank-link", h.bankLink())
	r := h.get(page)
	require.Contains(t, r.body, "Fit Gym")
	require.Equal(t, http.StatusBadRequest, h.post(page).status, "an account is needed")
	token := h.tokenOf(page)
	r = h.follow(page, "bank", "own", "routing", "110000000", "account", "123456789")
	require.Equal(t, http.StatusOK, r.status)
	require.True(t, r.shows("notice-bank-connected"))
	require.Contains(t, r.body, "*6789")
	require.Contains(t, r.body, "/pages/default/portal/"+h.company)
	for _, r := range []reply{h.get(page), h.postAs(page, token, "bank", "good")} {
		require.Equal(t, http.StatusGone, r.status)
		require.True(t, r.shows("notice-link-used"))
	}
	next := h.get(h.address("bank-link", h.bankLink()))
	require.Contains(t, next.body, "*6789", "another link shows what is connected")
}
