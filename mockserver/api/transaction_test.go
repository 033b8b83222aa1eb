package api_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

// pages walks the report to its end and gives the ids and the page sizes.
func (s *sandbox) pages(query url.Values) (ids []string, sizes []int) {
	s.t.Helper()
	for {
		page := s.ok(http.MethodGet, "/Transaction/Report?"+query.Encode(), "")
		lines := list(page, "transactions")
		sizes = append(sizes, len(lines))
		for _, l := range lines {
			ids = append(ids, l["externalTransferId"].(string))
		}
		if page["hasMore"] != true {
			require.Nil(s.t, page["nextCursor"])
			return ids, sizes
		}
		query.Set("cursor", page["nextCursor"].(string))
	}
}

func TestReportPages(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	gym, _ := s.company("gym")
	s.company("spa")
	var all, spa []string
	for n := range 120 {
		ref := "gym"
		if n%3 == 0 {
			ref = "spa"
		}
		id := s.pay("contactNumber", "2025550123", "companyReferenceId", ref)
		all = append(all, id)
		if ref == "spa" {
			spa = append(spa, id)
		}
		s.pass(time.Second)
	}
	ids, sizes := s.pages(url.Values{})
	require.Equal(t, all, ids)
	require.Equal(t, []int{50, 50, 20}, sizes)
	ids, sizes = s.pages(url.Values{"companyId": {gym}})
	require.Len(t, ids, 80)
	require.Equal(t, []int{50, 30}, sizes)
	require.NotContains(t, ids, spa[0])
	ids, _ = s.pages(url.Values{"from": {"2026-03-02T17:00:10Z"}, "to": {"2026-03-02T17:00:20Z"}})
	require.Equal(t, all[10:20], ids) // from counts, to does not
	ids, sizes = s.pages(url.Values{"status": {"created"}, "to": {"2026-03-02T17:00:50Z"}})
	require.Equal(t, all[:50], ids)
	require.Equal(t, []int{50}, sizes) // exactly one full page has no other behind it
	ids, _ = s.pages(url.Values{"status": {"Completed"}})
	require.Empty(t, ids)
	ids, _ = s.pages(url.Values{"from": {"2026-03-03"}})
	require.Empty(t, ids)

	// New payments that arrive between two pages are neither lost nor told twice.
	first := s.ok(http.MethodGet, "/Transaction/Report", "")
	late := s.pay("contactNumber", "2025550123")
	rest, _ := s.pages(url.Values{"cursor": {first["nextCursor"].(string)}})
	require.Equal(t, append(append([]string{}, all[50:]...), late), rest)
	require.Equal(t, s.call(http.MethodGet, "/Transaction/Report", "").Body.String(), s.call(http.MethodGet, "/transaction/report/", "").Body.String())
}

func TestReportRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	for range 51 {
		s.pay("contactNumber", "2025550123")
	}
	cursor := s.ok(http.MethodGet, "/Transaction/Report", "")["nextCursor"].(string)
	for query, want := range map[string][]string{
		"companyId=gym":                        {"query:companyId transaction.report.company-id"},
		"from=yesterday":                       {"query:from transaction.report.from"},
		"to=2026-02-30":                        {"query:to transaction.report.to"},
		"from=2026-03-02&to=2026-03-01":        {"query:to transaction.report.range"},
		"status=Paid":                          {"query:status transaction.report.status"},
		"cursor=AAAA":                          {"query:cursor transaction.report.cursor"},
		"cursor=" + cursor + "&status=Created": {"query:cursor transaction.report.cursor"}, // of another query
		"companyId=x&from=y&to=z&status=w&cursor=v": {
			"query:companyId transaction.report.company-id", "query:from transaction.report.from", "query:to transaction.report.to",
			"query:status transaction.report.status", "query:cursor transaction.report.cursor",
		},
	} {
		require.Equal(t, want, s.refused(http.StatusBadRequest, http.MethodGet, "/Transaction/Report?"+query, "").clauses(), query)
	}
	s.refused(http.StatusNotFound, http.MethodGet, "/Transaction/Report?companyId="+nobody, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Transaction/PaymentRequest/"+nobody, "")
	s.refused(http.StatusNotFound, http.MethodGet, "/Payment/"+nobody+"/Status", "")
	require.Equal(t, `{"transactions":[],"hasMore":false,"nextCursor":null}`, s.call(http.MethodGet, "/Transaction/Report?status=failed", "").Body.String())
}

// TestQueryNames: a query parameter is found whatever the case of its name.
func TestQueryNames(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.company("gym")
	spa, _ := s.company("spa")
	payer := s.payer("+12025550123", "good")
	for _, name := range []string{"companyReferenceId", "CompanyReferenceId", "companyreferenceid", "COMPANYREFERENCEID", "companyReferenceID"} {
		require.Equal(t, spa, s.ok(http.MethodGet, "/company/status?"+name+"=spa", "")["CompanyId"], name)
	}
	for _, name := range []string{"CompanyId", "companyId", "companyid", "COMPANYID"} {
		require.Equal(t, false, s.ok(http.MethodGet, "/User/"+payer+"/DebitAuth?"+name+"="+spa, "")["enabled"], name)
	}
}
