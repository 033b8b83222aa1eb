package console_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

var (
	regexpFurther = regexp.MustCompile(`href="([^"]+)" data-testid="further"`)
	regexpRow     = regexp.MustCompile(`<tr class="entry.*`)
	regexpRecipe  = regexp.MustCompile(`(?s)<li class="tile">.*?</li>`)
	regexpBody    = regexp.MustCompile(`name="body\.([^"]+)" value="([^"]*)"`)
)

// fill puts calls on the tape that look like those of an application.
func (h *house) fill(n int) {
	h.t.Helper()
	h.fillWith(n, 0)
}

// fillWith fills a tape with calls whose two bodies are at least so long.
func (h *house) fillWith(n, bytes int) {
	h.t.Helper()
	text := strings.Repeat("nobody sees a note in a shop. ", bytes/30)
	body := []byte(`{"amount":5000,"contactNumber":"+12025550123","shortDescription":"Membership for March","metadata":{"invoice":"1001` + text + `"}}`)
	for range n {
		h.on.Do(&integration.Call{Kind: tape.KindExchange, Exchange: tape.Exchange{
			Operation: "getPaymentStatus", Method: http.MethodGet, Path: "/Payment/" + nobody + "/Status", Auth: tape.AuthValid,
			Request: tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop/1.2"}}, Body: body},
		}}, func(_ *world.World, c *integration.Call) {
			c.Exchange.Response = tape.Response{Status: http.StatusOK, Body: body, Header: []tape.Header{{Name: "Content-Type", Value: "application/json"}}}
		})
	}
}

// attempt is the number of the first attempt on the tape.
func (h *house) attempt() uint64 {
	h.t.Helper()
	entries := h.on.Peek(tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}).Entries
	if len(entries) == 0 {
		h.t.Fatal("no attempt is on the tape")
	}
	return entries[0].Seq
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// delivery is the id of a delivery on the tape.
func (h *house) delivery() string {
	h.t.Helper()
	e, _ := h.on.Entry(h.attempt())
	return e.Attempt.Delivery
}
