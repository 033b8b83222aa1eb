package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// TestRowsNameTheirLabel: in each list that several share a row says whose it is, and leads
// to what is theirs alone; in a file, too.
func TestRowsNameTheirLabel(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	for _, label := range []string{"anna", "ben"} {
		h.answers <- http.StatusInternalServerError
		for _, body := range []string{`{"amount":5000,"companyId":"` + company + `","contactNumber":"+12025550123"}`, `{"amount":"` + label + `"}`} {
			h.send(h.request(http.MethodPost, "/Payment/Create", body, "Content-Type", "application/json", "Authorization", "Bearer "+h.token, "Sandbox-Label", label))
		}
	}
	for _, e := range h.on.Peek(tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}).Entries {
		if e.Transition.Machine == "payment" && e.Transition.From == "" {
			h.press(http.MethodPost, "/payments/"+e.Transition.Entity+"/approve", "live")
		}
	}
	h.get("entities") // who reads waits for what is under way
	file := strings.TrimSuffix(h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "live")
	for _, screen := range []string{"deliveries", "entities", "inbox", "problems", file + "deliveries", file + "entities", file + "inbox", file + "problems"} {
		all, one := h.get(screen).body, h.get(screen+"?label=anna").body
		for _, label := range []string{"anna", "ben"} {
			require.Contains(t, all, `href="?label=`+label+`"`, screen)
		}
		require.Contains(t, one, `href="?label=anna"`, screen)
		require.NotContains(t, one, `href="?label=ben"`, screen)
	}
	require.NotContains(t, h.get(file+"entities?status=Canceled").body, `href="?label=`)
	require.Contains(t, h.get("live?label=anna").body, "×</a> label anna<")
	require.Contains(t, h.get("live?label=4bf92f3577b34da6a3ce929d0e0e4736").body, "×</a> trace 4bf92f35<")
}
