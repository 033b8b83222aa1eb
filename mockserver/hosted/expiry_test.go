package hosted_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// aging are the pages that ask somebody something, under a choice about their links.
func aging(t *testing.T, choice latitude.Choice) (*house, map[string]string) {
	t.Helper()
	h := houseWith(t, integration.Options{Seed: 7, Clock: integration.Manual, Settings: latitude.Settings{}.Choose(choice)})
	payer := h.payer(world.NewRegistration{})
	list := map[string]string{
		"register": h.address("register", payer),
		"pay":      h.address("pay", h.payment(world.NewPayment{ContactNumber: "+12025550177"})),
		"card":     h.address("card", h.card(world.NewCardAuthorisation{})),
		"debit":    h.address("debit", h.debit(payer)),
		"consent":  h.address("consent", h.consent()),
		"bank":     h.address("bank-link", h.bankLink()),
	}
	return h, list
}

// TestLinksExpire: a link is good until its time, says so afterwards, and takes no form.
func TestLinksExpire(t *testing.T) {
	t.Parallel()
	for choice, life := range map[latitude.Choice]time.Duration{latitude.LinkExpiryDay: 24 * time.Hour, latitude.LinkExpiryThirtyDays: 720 * time.Hour} {
		h, pages := aging(t, choice)
		move := func(by time.Duration) {
			_, err := h.on.Advance(integration.Move{By: by})
			require.NoError(t, err)
		}
		move(life - time.Second)
		for name, address := range pages {
			require.Equal(t, http.StatusOK, h.get(address).status, "%s before its time", name)
		}
		move(time.Second)
		for name, address := range pages {
			got := h.get(address)
			require.Equal(t, http.StatusGone, got.status, name)
			require.Contains(t, got.body, "This link has expired", name)
			require.Contains(t, got.body, map[time.Duration]string{24 * time.Hour: "24 hours", 720 * time.Hour: "30 days"}[life])
			require.NotContains(t, got.body, "<form", name)
		}
		require.Equal(t, http.StatusOK, h.get(h.address("portal", h.company)).status, "the portal stays open")
	}
}

// TestAnExpiredLinkTakesNoForm: the form was shown in time and came too late.
func TestAnExpiredLinkTakesNoForm(t *testing.T) {
	t.Parallel()
	h, pages := aging(t, latitude.LinkExpiryDay)
	token := h.tokenOf(pages["pay"])
	_, err := h.on.Advance(integration.Move{By: 25 * time.Hour})
	require.NoError(t, err)
	got := h.postAs(pages["pay"], token, "answer", "deny")
	require.Equal(t, http.StatusGone, got.status)
	require.Contains(t, got.body, "This link has expired")
}

// TestLinksAreGoodForEver by default.
func TestLinksAreGoodForEver(t *testing.T) {
	t.Parallel()
	h, pages := aging(t, latitude.LinkExpiryNever)
	_, err := h.on.Advance(integration.Move{By: 400 * 24 * time.Hour})
	require.NoError(t, err)
	for name, address := range pages {
		require.Equal(t, http.StatusOK, h.get(address).status, name)
	}
}
