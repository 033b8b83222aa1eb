package console_test

import (
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAnInstanceLeadsToItsEntry: what a refused caller is told leads to the refusal, and to a
// choice where another integration has refused a call with the same number.
func TestAnInstanceLeadsToItsEntry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	status, told := h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x", "companyId": company})
	require.Equal(t, http.StatusBadRequest, status)
	instance, _ := told["instance"].(string)
	require.Equal(t, "/console/-/entries/"+itoa(h.newest()), instance)
	entry := "/console/default/entries/" + itoa(h.newest())
	p := h.get(instance)
	require.Equal(t, http.StatusSeeOther, p.status)
	require.Equal(t, entry, p.header.Get("Location"))
	require.Contains(t, h.get(entry).body, "POST /Payment/Create")

	require.Equal(t, http.StatusNotFound, h.get("/console/-/entries/1").status, "a call that was carried out")
	require.Equal(t, http.StatusNotFound, h.get("/console/-/entries/x").status)

	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/snapshots", `{"name":"then"}`).status)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/snapshots/then/fork", `{}`).status)
	p = h.get(instance)
	require.Equal(t, http.StatusOK, p.status)
	require.True(t, p.shows("refusals"))
	require.Contains(t, p.body, `href="`+entry+`"`)
	require.Contains(t, p.body, `data-key="e"`, "the ways to the screens")
	require.Contains(t, h.get("/console/-/integrations").body, `data-key="e"`)
}

var problemTimes = regexp.MustCompile(`data-label="Times" class="number"><a href="([^"]*)"[^>]*>([0-9]+)<`)

// TestAProblemLeadsToItsEntries, to as many as it says, and to no others: receivers, statuses
// and clients are told apart.
func TestAProblemLeadsToItsEntries(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/webhooks", `{"url":"http://127.0.0.1:1/nobody"}`).status)
	h.answers <- http.StatusInternalServerError
	h.press(http.MethodPost, "/payments/"+h.pay(company, "x")+"/approve", "live")
	require.Eventually(t, func() bool {
		body := h.get("problems").body
		return strings.Contains(body, "The receiver answered 500") && strings.Contains(body, "The receiver did not answer")
	}, time.Minute, 10*time.Millisecond)
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": 100, "one": 1, "two": 2, "companyId": 7, "contactNumber": "x"})
	h.call(http.MethodGet, "/Payment/"+nobody+"/Status", nil)
	h.token = "none"
	h.call(http.MethodGet, "/Payment/"+nobody+"/Status?not=404", nil)
	h.call(http.MethodGet, "/no/such/path", nil)
	rows := problemTimes.FindAllStringSubmatch(h.get("problems").body, -1)
	require.Greater(t, len(rows), 5)
	for _, row := range rows {
		shown := strings.Count(h.get(html.UnescapeString(row[1])).body, `<tr class="entry `)
		require.Equal(t, row[2], strconv.Itoa(shown), row[1])
	}
}

// TestAnAddressThatCannotBeSaysWhy: what was wrong in it, and how to mend it, not how many
// problems there were.
func TestAnAddressThatCannotBeSaysWhy(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for path, said := range map[string]string{
		"entities?kind=nope": "Kind is to be one of",
		"clock?by=-1h":       "the clock never goes back, and is &#34;-1h&#34;. Fix: move the clock forward",
		"clock?by=99999d":    "at most a hundred years in one move",
	} {
		require.Contains(t, h.get(path).body, said, path)
	}
}
