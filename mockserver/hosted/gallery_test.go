package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// scene is one page as a visitor sees it.
type scene struct {
	name, address string
	reply
}

// gallery shows every page in every state that looks different.
func gallery(t *testing.T) []scene {
	t.Helper()
	h := newHouse(t)
	var list []scene
	show := func(name, address string) { list = append(list, scene{name, address, h.get(address)}) }
	post := func(name, address string, values ...string) {
		list = append(list, scene{name, "", h.post(address, values...)})
	}
	follow := func(name, address string, values ...string) {
		list = append(list, scene{name, "", h.follow(address, values...)})
	}
	payer := h.payer(world.NewRegistration{Amount: ptr[int64](4900), ShortDescription: "Membership for March", Period: "once"})
	register := h.address("register", payer)
	show("register", register)
	post("register, wrong", register, "step", "bank", "bank", "own", "routing", "1", "account", "1")
	follow("identity", register, "step", "bank", "bank", "good")
	post("identity, wrong", register, "step", "identity", "bank", "good")
	follow("identity, failed", register, identity("good", "outcome", "kyc-failed")...)

	pay := h.address("pay", h.payment(world.NewPayment{
		FeePayer: "ask", DueDate: "2026-03-31", Purpose: world.Purpose{Reference: "inv-1", ShortDescription: "Visit"}, EnableDebitAuth: ptr(true), DebitAuthLimit: ptr[int64](5000),
		ContactNumber: "+12025550177",
	}))
	show("pay", pay)
	post("pay, wrong", pay, "answer", "approve")
	post("pay, no answer", pay)
	h.post(pay, "answer", "deny")
	show("denied", pay)
	h.link(payer)
	show("registered", register)
	show("relink", register+"?step=relink")
	post("relink, wrong", register+"?step=relink", "step", "relink")
	show("pay, linked", h.address("pay", h.payment(world.NewPayment{RegistrationID: payer})))

	card := h.address("card", h.card(world.NewCardAuthorisation{ReturnURL: "https://partner.example.com/paid"}))
	show("card", card)
	post("card, wrong", card, "answer", "card")
	post("card, failed", card, "answer", "card", "number", "4000000000000119", "expiry", "12/28", "code", "123")
	h.post(card, "answer", "card", "number", "4000000000003220", "expiry", "12/28", "code", "123")
	show("challenge", card)
	post("challenge, wrong", card, "answer", "confirm")
	h.post(card, "answer", "refuse")
	show("card, declined", card)

	debit := h.address("debit", h.debit(payer))
	show("debit", debit)
	post("debit, wrong", debit)
	h.post(debit, "answer", "accept")
	show("debit, accepted", debit)
	show("debit, no bank", h.address("debit", h.debit(h.payer(world.NewRegistration{Email: "pat@example.com"}))))
	consent := h.address("consent", h.consent())
	show("consent", consent)
	post("consent, wrong", consent)
	h.post(consent, "answer", "accept")
	show("consent, accepted", consent)
	h.post(consent, "answer", "withdraw")
	show("consent, revoked", consent)

	link := h.address("bank-link", h.bankLink())
	show("bank link", link)
	post("bank link, wrong", link, "bank", "own")
	follow("bank link, done", link, "bank", "good")
	show("bank link, used", link)
	show("bank link, another", h.address("bank-link", h.bankLink()))
	show("portal, empty", h.address("portal", h.newCompany("Another Gym")))
	for range 30 {
		h.payment(world.NewPayment{CompanyID: h.company})
	}
	waits := ""
	h.do(func(w *world.World) {
		list, err := w.CompanyPayments(h.company, "", "", 3)
		require.NoError(t, err)
		require.NoError(t, w.MovePayment(list[0].ID, "approve", world.PaymentMove{}))
		require.NoError(t, w.MovePayment(list[0].ID, "fail", world.PaymentMove{}))
		require.NoError(t, w.MovePayment(list[1].ID, "review", world.PaymentMove{}))
		waits = list[1].ID
	})
	show("waiting", h.address("pay", waits))
	show("portal, filtered", h.address("portal", h.company)+"?status=Denied")
	show("portal", h.address("portal", h.company))
	_, paid := h.paid("%PDF-1.4")
	h.post(paid, "amount", "5", "reason", "Two classes")
	show("portal, payment", paid)
	post("portal, refund wrong", paid, "amount", "x")
	for name, text := range map[string]string{"long": strings.Repeat("Wohnungsbaugenossenschaft", 4), "right to left": "مركز اللياقة البدنية والرياضة"} {
		company := h.newCompany(text)
		asked := h.payment(world.NewPayment{CompanyID: company, Purpose: world.Purpose{ShortDescription: text}})
		show(name+", pay", h.address("pay", asked))
		show(name+", portal", h.address("portal", company))
		show(name+", portal payment", h.address("portal", company, "payments", asked))
	}
	show("unknown", h.address("pay", nobody))
	list = append(list, scene{"forged", "", h.postAs(pay, "x")})
	_, err := h.on.Advance(integration.Move{Next: true})
	require.NoError(t, err)
	old, pages := aging(t, latitude.LinkExpiryDay)
	_, err = old.on.Advance(integration.Move{By: 24 * time.Hour})
	require.NoError(t, err)
	list = append(list, scene{"expired", pages["pay"], old.get(pages["pay"])})
	return list
}
