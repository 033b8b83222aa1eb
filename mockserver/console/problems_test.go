package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
)

func TestProblemsAreGrouped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	for range 3 {
		h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x", "companyId": company})
	}
	p := h.get("problems")
	require.Contains(t, p.body, "request.type")
	require.Contains(t, p.body, ">3</a>")
	require.Contains(t, p.body, "still happening")
	h.pay(company, "x")
	require.Contains(t, h.get("problems").body, "went well since")
	require.Contains(t, h.get("clauses/request.type").body, "Clause request.type")
	require.NotContains(t, h.get("clauses/other").body, "request.type")
	require.Contains(t, h.get("clauses/a%252Fb").body, "Clause a%2Fb", "a part of a path is read once")

	h.call(http.MethodGet, "/Company/Nobody-Knows-It/Status", nil)
	p = h.get("problems")
	require.Contains(t, p.body, ">once, no success since<")
	require.NotContains(t, p.body, ">still happening<", "what came once does not go on")
	for query, shown := range map[string]bool{
		"q=REQUEST.type": true, "q=nobody-knows": false, "outcome=bad": true, "outcome=warn": false, "still=1": false, "q=%22amount%22%3A%22x%22": true,
	} {
		p := h.get("problems?" + query)
		require.Equal(t, shown, strings.Contains(p.body, ">request.type</a>"), query)
		require.Equal(t, query == "q=nobody-knows" || query == "outcome=bad" || query == "still=1", strings.Contains(p.body, "getCompanyStatus"), query)
		require.Contains(t, p.body, `name="q"`, query)
	}
	require.Contains(t, h.get("problems?q=%3Cb%3Enothing").body, "No problem of these")
	require.NotContains(t, h.get("problems?q=%3Cb%3Enothing").body, "<b>nothing")
}

// TestProblemsAreCalledByTheTitlesOfTheirClauses, and are found by them and by their ids.
func TestProblemsAreCalledByTheTitlesOfTheirClauses(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Titles: func(clause string) string {
		return map[string]string{"request.type": "A member has its <i>type"}[clause]
	}})
	h.shop()
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x"})
	p := h.get("problems")
	require.Contains(t, p.body, `/clauses/request.type">A member has its &lt;i&gt;type</a> <code class="small">request.type</code>`)
	require.Contains(t, p.body, `/clauses/payment.create.target">payment.create.target</a>`, "one without a title keeps its id")
	for _, text := range []string{"its+%3Ci%3Etype", "request.type"} {
		require.Contains(t, h.get("problems?q="+text).body, "/clauses/request.type", text)
	}
	require.Contains(t, h.get("clauses/request.type").body, `<p data-testid="says">A member has its &lt;i&gt;type.</p>`)
	require.False(t, h.get("clauses/payment.create.target").shows("says"))
}
