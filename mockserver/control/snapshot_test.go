package control_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
)

// into reads an answer that has to be 200.
func into[T any](t *testing.T, w answer) T {
	t.Helper()
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	var v T
	if w.Body.Len() > 0 {
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v))
	}
	return v
}

// TestSnapshotsAreKeptRestoredAndForked by call.
func TestSnapshotsAreKeptRestoredAndForked(t *testing.T) {
	t.Parallel()
	s := start(t)
	post := func(path, body string) answer {
		return s.ask(http.MethodPost, at(path), body)
	}
	require.Empty(t, into[control.SnapshotList](t, s.ask(http.MethodGet, at("/snapshots"), nil)).Snapshots)
	saved := into[control.SnapshotView](t, post("/snapshots", `{"name":"start"}`))
	require.Equal(t, "start", saved.Name)
	require.Equal(t, "start", saved.ID, "what paths take")
	require.Equal(t, "snapshot-1", into[control.SnapshotView](t, post("/snapshots", "")).Name)
	taken := post("/snapshots", `{"name":"start"}`)
	require.Equal(t, http.StatusConflict, taken.Code)
	require.Contains(t, taken.Body.String(), `"received":"\"start\""`)
	require.Equal(t, http.StatusBadRequest, post("/snapshots", `{"name":"a/b"}`).Code)
	require.Len(t, into[control.SnapshotList](t, s.ask(http.MethodGet, at("/snapshots"), nil)).Snapshots, 2)

	before := into[control.ClockView](t, s.ask(http.MethodGet, at("/clock"), nil))
	into[control.Advanced](t, post("/clock/advance", `{"by":"24h"}`))
	fork := into[control.IntegrationView](t, post("/snapshots/start/fork", `{"name":"branch"}`))
	require.NotEqual(t, "default", fork.ID)
	require.Equal(t, before.Now, fork.Clock.Now)
	restored := into[control.IntegrationView](t, post("/snapshots/start/restore", ""))
	require.Equal(t, before, restored.Clock)
	require.Equal(t, http.StatusNotFound, post("/snapshots/stat/restore", "").Code)
	require.Contains(t, post("/snapshots/stat/fork", "{}").Body.String(), "nearest: start")

	file := post("/snapshots/start/download", "")
	require.Equal(t, http.StatusOK, file.Code)
	require.Len(t, file.Body.Bytes(), saved.Bytes)
	require.True(t, integration.IsSnapshot(file.Body.Bytes()))
	into[control.Advanced](t, post("/clock/advance", `{"by":"24h"}`))
	load := func(query string, file []byte) answer {
		return s.ask(http.MethodPost, at("/load"+query), string(file))
	}
	require.True(t, into[control.Loaded](t, load("?dryRun=true", file.Body.Bytes())).DryRun)
	require.NotEqual(t, before.Now, into[control.ClockView](t, s.ask(http.MethodGet, at("/clock"), nil)).Now)
	require.Equal(t, "snapshot", into[control.Loaded](t, load("", file.Body.Bytes())).Kind)
	require.Equal(t, before, into[control.ClockView](t, s.ask(http.MethodGet, at("/clock"), nil)))
	damaged := bytes.Clone(file.Body.Bytes())
	damaged[len(damaged)/2] ^= 1
	refused := load("?dryRun=true", damaged)
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), "bytes were changed, or its end is missing")

	require.Equal(t, http.StatusOK, s.ask(http.MethodDelete, at("/snapshots/start"), nil).Code)
	require.Equal(t, http.StatusNotFound, s.ask(http.MethodDelete, at("/snapshots/start"), nil).Code)
}

// TestAnIntegrationGoesOnFromAnother, or from a snapshot of one; what cannot be chosen
// anew is refused.
func TestAnIntegrationGoesOnFromAnother(t *testing.T) {
	t.Parallel()
	s := start(t)
	create := func(body string) answer {
		return s.ask(http.MethodPost, "/_sandbox/integrations", body)
	}
	into[control.SnapshotView](t, s.ask(http.MethodPost, at("/snapshots"), `{"name":"one"}`))
	for _, from := range []string{"default", "default/one"} {
		made := into[control.IntegrationView](t, create(`{"from":"`+from+`","name":"x","clock":{"mode":"manual"}}`))
		require.Equal(t, "manual", made.Clock.Mode)
	}
	require.Equal(t, http.StatusNotFound, create(`{"from":"default/two"}`).Code)
	require.Contains(t, create(`{"from":"default","seed":3,"strict":true}`).Body.String(), "2 problems")
	require.Contains(t, create(`{"from":"defaut"}`).Body.String(), "nearest: default")
}

// TestASpentSandboxHearsWhoMakesRoom: what would make another one of something is refused, and
// a reset is not, body or none.
func TestASpentSandboxHearsWhoMakesRoom(t *testing.T) {
	t.Parallel()
	budget := budget.New(1 << 20)
	s := start(t, func(_ *control.Options, o *integration.Options) { o.Budget = budget })
	budget.Force(1 << 20)
	for _, path := range []string{"/_sandbox/integrations", at("/webhooks")} {
		require.Equal(t, http.StatusInsufficientStorage, s.ask(http.MethodPost, path, `{"url":"https://example.com/hook"}`).Code, path)
	}
	require.Equal(t, http.StatusOK, s.ask(http.MethodPost, at("/clock/advance"), `{"by":"1s"}`).Code)
	require.Equal(t, http.StatusOK, s.ask(http.MethodPost, at("/reset"), `{}`).Code)
	budget.Give(1 << 20)
	require.Equal(t, http.StatusOK, s.ask(http.MethodPost, at("/webhooks"), `{"url":"https://example.com/hook"}`).Code)
}

// TestSnapshotsHaveShortNames: of 100 letters at most.
func TestSnapshotsHaveShortNames(t *testing.T) {
	t.Parallel()
	s := start(t)
	named := func(n int) answer {
		return s.ask(http.MethodPost, at("/snapshots"), `{"name":"`+strings.Repeat("n", n)+`"}`)
	}
	require.Len(t, into[control.SnapshotView](t, named(100)).Name, 100)
	require.Equal(t, http.StatusBadRequest, named(101).Code)
}

// TestSnapshotsStayWithinMemory: they draw from the process's budget, and give back.
func TestSnapshotsStayWithinMemory(t *testing.T) {
	t.Parallel()
	budget := budget.New(6000)
	s := start(t, func(_ *control.Options, o *integration.Options) { o.Budget = budget })
	save := func() int { return s.ask(http.MethodPost, at("/snapshots"), nil).Code }
	n := 0
	for ; save() == http.StatusOK; n++ {
		require.Less(t, n, 100)
	}
	require.Positive(t, n)
	require.Equal(t, http.StatusInsufficientStorage, save())
	require.Equal(t, http.StatusOK, s.ask(http.MethodDelete, at("/snapshots/snapshot-1"), nil).Code)
	require.Equal(t, http.StatusOK, save())
	for _, saved := range s.registry.Default().Saved() {
		was, err := s.registry.Default().Unsave(saved.Name)
		require.NoError(t, err)
		require.True(t, was)
	}
	require.Zero(t, budget.Used())
}
