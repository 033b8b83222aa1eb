package control_test

import (
	"encoding/json"
	"net/http"
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
