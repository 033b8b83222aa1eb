package console_test

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

// openTape opens a tape in the console and gives the path of its screens.
func (h *house) openTape(lines ...string) string {
	h.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	require.NoError(h.t, w.WriteField("csrf", h.csrf()))
	file, err := w.CreateFormFile("file", "a.tape")
	require.NoError(h.t, err)
	_, _ = file.Write([]byte(strings.Join(lines, "\n") + "\n"))
	require.NoError(h.t, w.Close())
	p := h.send(h.request(http.MethodPost, "/console/-/file", form.String(), "Content-Type", w.FormDataContentType()))
	require.Equal(h.t, http.StatusSeeOther, p.status, p.body)
	return strings.TrimSuffix(p.header.Get("Location"), "/live")
}

// TestAttackATapeThatCallsTheHouse: to show the world of a tape that somebody has sent,
// its calls are made again, outside the guard that stands before the control API. None of
// them reaches more than the tape's own world, and none is waited for.
func TestAttackATapeThatCallsTheHouse(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	other, err := h.server.Registry().Create(integration.Options{Name: "other", Clock: integration.Manual})
	require.NoError(t, err)
	before, count := h.newest(), len(h.server.Registry().List())
	for _, call := range []struct{ kind, method, path, query, body string }{
		{"control", "DELETE", "/_sandbox/integrations/" + other.ID, "", ""},
		{"control", "POST", "/_sandbox/integrations", "", `{"name":"x"}`},
		{"control", "POST", "/_sandbox/integrations/default/reset", "", ""},
		{"control", "POST", "/_sandbox/integrations/default/snapshots", "", `{"name":"x"}`},
		{"control", "POST", "/_sandbox/integrations/default/clock/advance", "", `{"by":"1h"}`},
		{"control", "GET", "/_sandbox/integrations/default/tape", "since=99&wait=60s", ""},
		{"control", "GET", "/_sandbox/integrations/default/entities", "at=1", ""},
		{"control", "GET", "/_sandbox/docs", "", ""},
		{"control", "GET", "/console/default/stream", "", ""},
		{"exchange", "GET", "/console/default/stream", "", ""},
		{"page", "GET", "/console/default/stream", "", ""},
		{"exchange", "DELETE", "/_sandbox/integrations/" + other.ID, "", ""},
		{"page", "POST", "/_sandbox/integrations", "", `{"name":"x"}`},
		{"exchange", "GET", "/metrics", "", ""},
	} {
		request := `{}`
		if call.body != "" {
			request = `{"header":[{"name":"Content-Type","value":"application/json"}],"body":` + string(fmt.Appendf(nil, "%q", call.body)) + `}`
		}
		tape := h.openTape(
			fmt.Sprintf(`{"tape":1,"integration":%q,"seed":1,"start":"2026-03-02T17:00:00Z","clock":"manual"}`, other.ID),
			fmt.Sprintf(`{"seq":1,"at":"2026-03-02T17:00:00Z","kind":%q,"exchange":{"method":%q,"path":%q,"query":%q,"request":%s,"response":{"status":200}}}`, call.kind, call.method, call.path, call.query, request),
			`{"seq":2,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"method":"GET","path":"/a","request":{},"response":{"status":404}}}`,
		)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		res, err := h.client.Do(h.request(http.MethodGet, tape+"/entities?at=1", "").WithContext(ctx))
		require.NoError(t, err, "it is not waited for: %v", call)
		require.NoError(t, res.Body.Close())
		cancel()
		require.Contains(t, []int{http.StatusOK, http.StatusConflict}, res.StatusCode, "%v", call)
		require.Len(t, h.server.Registry().List(), count, "%v", call)
		require.NotNil(t, h.server.Registry().Get(other.ID), "%v", call)
		require.Equal(t, before, h.newest(), "%v", call)
	}
}
