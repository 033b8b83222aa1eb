package hosted_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// ids are what a set-up leaves to visit.
type ids struct{ registration, payment, paid, card, debit, consent, link string }

func (h *house) setUp() ids {
	payer := h.payer(world.NewRegistration{})
	paid, _ := h.paid("%PDF-1.4")
	return ids{
		registration: payer, payment: h.payment(world.NewPayment{ReturnURL: "https://partner.example.com/paid", FeePayer: "ask"}),
		paid: paid, card: h.card(world.NewCardAuthorisation{}), debit: h.debit(payer), consent: h.consent(), link: h.bankLink(),
	}
}

// visits opens and answers pages well and badly.
func (h *house) visits(i ids) {
	register := h.address("register", i.registration)
	h.post(register, "step", "bank", "bank", "own", "routing", "110000000", "account", "987654322222")
	h.post(register, identity("own", "routing", "110000000", "account", "987654322222", "ssn", "1")...)
	h.post(register, identity("own", "routing", "110000000", "account", "987654322222")...)
	pay := h.address("pay", i.payment)
	h.postAs(pay, "forged", "answer", "deny")
	h.postBody(pay, "multipart/form-data; boundary=x", "answer=deny")
	h.postBody(pay, "application/x-www-form-urlencoded", string(bytes.Repeat([]byte("a"), 65<<10)))
	h.post(pay, "answer", "approve", "bank", "linked")
	h.post(pay, "answer", "approve", "bank", "linked", "fee", "client")
	h.postAs(pay, "late", "answer", "deny")
	card := h.address("card", i.card)
	h.post(card, "answer", "card", "number", "4000 0000 0000 3221", "expiry", "12/28", "code", "99")
	h.post(card, "answer", "card", "number", "4000000000003220", "expiry", "12/28", "code", "987")
	h.post(card, "answer", "confirm", "challenge", "123456")
	h.post(h.address("debit", i.debit), "answer", "accept")
	h.post(h.address("consent", i.consent), "answer", "accept")
	link := h.address("bank-link", i.link)
	h.post(link, "bank", "own", "routing", "110000000", "account", "123412341234")
	h.get(link)
	portal := h.address("portal", h.company)
	h.get(portal + "?after=" + i.paid)
	h.post(portal+"/payments/"+i.paid, "amount", "5", "reason", "Two classes")
	h.get(h.url + "/pages/nowhere/pay/" + i.payment)
	req, err := http.NewRequestWithContext(h.tb.Context(), http.MethodDelete, pay, nil)
	require.NoError(h.tb, err)
	h.send(req)
}

// lines are the tape as it is written to a file.
func (h *house) lines() []string {
	var list []string
	for _, e := range h.entries() {
		text, err := json.Marshal(e)
		require.NoError(h.tb, err)
		list = append(list, string(text))
	}
	return list
}

func (h *house) entries() []tape.Entry {
	var list []tape.Entry
	h.on.Look(tape.Filter{}, func(e tape.Entry) bool {
		list = append([]tape.Entry{e}, list...)
		return true
	})
	return list
}

// replay plays the recorded visits again.
func (h *house) replay(entries []tape.Entry) {
	registry := registryOf(h)
	handler := hosted.New(hosted.Options{Registry: registry})
	for _, e := range entries {
		if e.Kind != tape.KindPage {
			continue
		}
		x := e.Exchange
		target := x.Path
		if x.Query != "" {
			target += "?" + x.Query
		}
		again := &integration.Again{Integration: h.on, At: e.At, Auth: x.Auth, Token: x.Token, InFlight: x.InFlight}
		r, err := http.NewRequestWithContext(integration.WithAgain(h.tb.Context(), again), x.Method, target, bytes.NewReader(x.Request.Body))
		require.NoError(h.tb, err)
		for _, header := range x.Request.Header {
			r.Header.Set(header.Name, header.Value)
		}
		r.Host = x.Request.Header[0].Value
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// registryOf is a registry that does not know the integration: a replay needs
// only the mark of its request.
func registryOf(h *house) *integration.Registry {
	h.tb.Helper()
	r, err := integration.NewRegistry(integration.Options{Clock: integration.Manual}, func() time.Time { return integration.DefaultStart }, nil)
	require.NoError(h.tb, err)
	return r
}

func TestReplayedVisitsComeToTheSameEnd(t *testing.T) {
	t.Parallel()
	options := integration.Options{Seed: 11, Clock: integration.Manual, StatusKey: "key"}
	h := houseWith(t, options)
	h.visits(h.setUp())

	options.ClientSecret = "another secret: the verdicts are on the tape"
	fresh := houseWith(t, options)
	fresh.url = h.url
	fresh.do(func(*world.World) {}) // nothing
	require.NoError(t, fresh.on.Reset())
	fresh.company = fresh.newCompany("Fit Gym")
	fresh.setUp()
	fresh.replay(h.entries())
	require.Equal(t, h.lines(), fresh.lines())
}

func TestTwoRunsLeaveTheSameTape(t *testing.T) {
	t.Parallel()
	run := func() []string {
		h := houseWith(t, integration.Options{Seed: 11, Clock: integration.Manual, StatusKey: "key"})
		h.visits(h.setUp())
		lines := h.lines()
		for i := range lines { // each server has its own port
			lines[i] = string(bytes.ReplaceAll([]byte(lines[i]), []byte(h.url[len("http://"):]), []byte("host")))
		}
		return lines
	}
	require.Equal(t, run(), run())
}
