package console_test

import (
	"net/http"
	"testing"

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
