package hosted_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestAttackVisitsOfStrangers: who guesses addresses of pages, or posts to them, leaves no
// more on the owner's tape than any stranger may, and takes nothing away from it; whoever
// was sent a link is on it however many strangers came.
func TestAttackVisitsOfStrangers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	payer := h.payer(world.NewRegistration{})
	known := map[string]string{
		"register": payer, "pay": h.payment(world.NewPayment{}), "card": h.card(world.NewCardAuthorisation{}), "debit": h.debit(payer), "consent": h.consent(),
		"bank-link": h.bankLink(), "portal": h.company,
	}
	visits := func() (n int) {
		h.on.Look(tape.Filter{Kinds: []tape.Kind{tape.KindPage}}, func(tape.Entry) bool { n++; return true })
		return n
	}
	for n := range 150 {
		for kind := range known {
			address := h.address(kind, fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
			require.Equal(t, http.StatusNotFound, h.get(address).status)
			h.postAs(address, "guessed", "answer", "approve")
		}
		h.get(h.url + fmt.Sprintf("/pages/nobody-%d/pay/x", n))
		h.get(h.address("nothing", "here"))
	}
	guests := visits()
	require.Less(t, guests, 600)
	for kind, id := range known {
		require.Equal(t, http.StatusOK, h.get(h.address(kind, id)).status, kind)
		require.Equal(t, tape.AuthNoneNeeded, h.last().Exchange.Auth, kind)
	}
	require.Equal(t, guests+len(known), visits(), "each visit by a link is on the tape")
}

// TestAttackNumbersOnPages: where others than the owner can call, a page tells nobody how
// much there is on the tape but who was sent its link.
func TestAttackNumbersOnPages(t *testing.T) {
	t.Parallel()
	h := houseWith(t, integration.Options{Seed: 7, Clock: integration.Manual, Secret: bytes.Repeat([]byte{1}, 32)})
	require.NotEmpty(t, h.get(h.address("portal", h.company)).header.Get("Sandbox-Exchange"))
	for _, address := range []string{h.address("pay", uuid.NewString()), h.address("nothing", "here"), h.url + "/pages/nobody/pay/x"} {
		r := h.get(address)
		require.Equal(t, http.StatusNotFound, r.status)
		require.Empty(t, r.header.Get("Sandbox-Exchange"), address)
	}
}
