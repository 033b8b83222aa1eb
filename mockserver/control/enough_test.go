package control_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnough: the last note of whoever watches counts.
func TestEnough(t *testing.T) {
	t.Parallel()
	s := start(t)
	type enough struct {
		Enough   bool
		WaitsFor []string
	}
	for _, step := range []struct {
		kind, data string
		want       enough
	}{
		{"task", `{}`, enough{false, []string{}}},
		{"waits", `{"for":["a refund"]}`, enough{false, []string{"a refund"}}},
		{"enough", `{}`, enough{true, []string{}}},
		{"trouble", `{"clause":"x"}`, enough{false, []string{}}},
	} {
		s.post("/notes", map[string]any{"kind": step.kind, "text": "", "data": json.RawMessage(step.data)}).ok(nil)
		var got enough
		s.query("/enough", "wait=1ms").ok(&got)
		require.Equal(t, step.want, got, step.kind)
	}
	s.query("/enough", "wait=2h").problem(http.StatusBadRequest)
}

// TestEnoughOfALabel: what is noted for one person is not enough for another.
func TestEnoughOfALabel(t *testing.T) {
	t.Parallel()
	s := start(t)
	note := func(label, kind, data string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, local+at("/notes"), strings.NewReader(`{"kind":"`+kind+`","text":"","data":`+data+`}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sandbox-Label", label)
		w := httptest.NewRecorder()
		s.control.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
	}
	note("", "waits", `{"for":["a refund"]}`)
	note("anna", "enough", `{}`)
	note("ben", "waits", `{"for":["a lost answer"]}`)
	for label, want := range map[string]string{
		"anna": `{"enough":true,"waitsFor":[]}`, "ben": `{"enough":false,"waitsFor":["a lost answer"]}`, "carl": `{"enough":false,"waitsFor":["a refund"]}`,
	} {
		var got json.RawMessage
		s.query("/enough", "label="+label).ok(&got)
		require.JSONEq(t, want, string(got), label)
	}
}
