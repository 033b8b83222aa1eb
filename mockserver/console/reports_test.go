package console_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console/readiness"
)

// sampleReport reads a report as the tests write it: its day and its one clause's verdict.
func sampleReport(name string, data []byte) (*readiness.Stored, error) {
	var r struct {
		Format, Day, Of, Word string
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, errors.New("it is <no> report")
	}
	at, err := time.Parse(time.DateOnly, r.Day)
	tone := map[string]string{"pass": "good", "fail": "bad"}[r.Word]
	return &readiness.Stored{
		ID: readiness.IDOf(data), Name: name, Kind: "Integration readiness", Of: r.Of, At: at,
		Verdict: readiness.Verdict{Word: r.Word, Tone: tone, Clauses: []readiness.Clause{{ID: "partner.token.reuse", Title: "Reuses its token", Area: "token", Word: r.Word, Tone: tone, Blocks: r.Word == "fail", Entries: []uint64{7}}}},
	}, err
}

// told is a report as sampleReport reads it.
func told(day, of, word string) string {
	return `{"format":"paysandbox-report/1","day":"` + day + `","of":"` + of + `","word":"` + word + `"}`
}

// TestStoredReportsMakeATrend: opened in any order they stand by day, each with what differs
// from the one before about the same thing; none is listed twice.
func TestStoredReportsMakeATrend(t *testing.T) {
	t.Parallel()
	folder := []*readiness.Stored{}
	h := houseWith(t, mockserver.Options{Case: sampleCase, Report: sampleReport, Reports: func() []*readiness.Stored { return folder }})
	require.True(t, h.get("readiness").shows("no-stored"), "the empty state says how reports come here")
	second, first, other := told("2026-03-02", "shop <i>", "pass"), told("2026-03-01", "shop <i>", "fail"), told("2026-03-03", "till", "fail")
	at := h.upload(second, first, other).header.Get("Location")
	require.Equal(t, "/console/default/readiness#stored", at)
	body := h.get("readiness").body
	require.Contains(t, body, "shop &lt;i&gt;")
	require.Less(t, strings.Index(body, "2026-03-01 00:00"), strings.Index(body, "2026-03-02 00:00"))
	require.Equal(t, 1, strings.Count(body, "partner.token.reuse: fail → pass"), "the till is another thing: nothing of it differs")
	require.Contains(t, h.get("/console/-/file").body, "/console/-/reports/"+readiness.IDOf([]byte(second)))

	one := h.upload(first).header.Get("Location")
	require.Equal(t, "/console/-/reports/"+readiness.IDOf([]byte(first)), one)
	p := h.get(one)
	require.Contains(t, p.body, `data-testid="verdict">fail<`)
	require.Contains(t, p.body, "#7")
	require.NotContains(t, p.body, "/entries/7", "its entries are of another tape")
	require.NotContains(t, p.body, "till")

	found, err := sampleReport("folder.json", []byte(told("2026-03-04", "shop <i>", "fail")))
	require.NoError(t, err)
	again, err := sampleReport("copy.json", []byte(first))
	require.NoError(t, err)
	folder = append(folder, found, again)
	body = h.get("readiness").body
	require.Contains(t, body, "partner.token.reuse: pass → fail")
	require.Equal(t, 1, strings.Count(body, "2026-03-01 00:00"))
}

// TestReportsAreBounded: so many are kept, and a bad one keeps the others out.
func TestReportsAreBounded(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Case: sampleCase, Report: sampleReport})
	bad := h.upload(told("2026-03-01", "shop", "pass"), "curl x")
	require.Equal(t, http.StatusBadRequest, bad.status)
	require.Contains(t, bad.body, "it is &lt;no&gt; report")
	require.True(t, h.get("readiness").shows("no-stored"))
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := 0; n < readiness.Most+20; n += 20 {
		var some []string
		for m := range 20 {
			some = append(some, told(first.AddDate(0, 0, n+m).Format(time.DateOnly), "shop", "pass"))
		}
		require.Equal(t, http.StatusSeeOther, h.upload(some...).status)
	}
	body := h.get("readiness").body
	require.Equal(t, 30, strings.Count(body, `href="/console/-/reports/`))
	require.Contains(t, body, "30 older ones are not shown")
	gone := h.get("/console/-/reports/" + readiness.IDOf([]byte(told("2026-01-01", "shop", "pass"))))
	require.Equal(t, http.StatusNotFound, gone.status)
}
