package observe_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe"
	"paysandbox/harness/trail"
)

// TestStateGoesOnTheTape asks the application after a payer came back.
func TestStateGoesOnTheTape(t *testing.T) {
	t.Parallel()
	const state = `{"payments":[{"paymentRequestId":"p","fulfilled":1,"reversed":0}]}`
	probe := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write([]byte(state + "\n"))
	}))
	t.Cleanup(probe.Close)
	w := watch(t, "", observe.Config{})
	tell := func(kind, data string) {
		_, err := w.stage.Do(t.Context(), "/notes", json.RawMessage(`{"kind":"`+kind+`","text":"","data":`+data+`}`))
		require.NoError(t, err)
	}
	raw, err := w.session.State(t.Context())
	require.NoError(t, err)
	require.Nil(t, raw, "nobody has told a probe")
	tell("state-probe", `{"url":"`+probe.URL+`"}`)
	tell("redirect", `{"payment":"p","status":"Paid"}`)
	_, err = w.stage.Get(t.Context(), "/tape?operation=addNote&since=2&wait=30s")
	require.NoError(t, err)
	w.unwatch()
	w.session.Finish(t.Context())
	_, entries, _ := w.judge()
	var seen int
	for _, e := range entries {
		var n struct {
			Kind string
			Data json.RawMessage
		}
		if e.Exchange != nil && json.Unmarshal(e.Exchange.Request.Body, &n) == nil && n.Kind == "state" {
			require.JSONEq(t, state, string(n.Data))
			seen++
		}
	}
	require.Equal(t, 2, seen, "once after the payer, once at the end")
}

// TestLongStatesGoOnTheTape: what does not fit into a note is told in parts, and then
// by what has changed.
func TestLongStatesGoOnTheTape(t *testing.T) {
	t.Parallel()
	const payments = 2000 // some 140 KiB
	counts := make([]int, payments)
	var mu sync.Mutex
	probe := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		list := make([]map[string]any, payments)
		for i, n := range counts {
			list[i] = map[string]any{"paymentRequestId": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "fulfilled": n, "reversed": 0}
		}
		_ = json.NewEncoder(rw).Encode(map[string]any{"payments": list})
	}))
	t.Cleanup(probe.Close)
	w := watch(t, "", observe.Config{StateURL: probe.URL})
	w.unwatch()
	for n := range 2 {
		mu.Lock()
		counts[7] = n
		mu.Unlock()
		w.session.Finish(t.Context())
	}
	meta, entries, j := w.judge()
	require.Empty(t, j.Notes)
	require.Less(t, len(entries), 10)
	probes := trail.New(meta, entries).Probes()
	require.Len(t, probes, 2)
	for n, p := range probes {
		require.Len(t, p.By, payments)
		require.Equal(t, trail.Effects{Fulfilled: n}, p.By["00000000-0000-4000-8000-000000000007"])
	}
}

// TestUnreadStatesAreTold: a report must not claim that there was no probe.
func TestUnreadStatesAreTold(t *testing.T) {
	t.Parallel()
	probe := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(probe.Close)
	w := watch(t, "", observe.Config{StateURL: probe.URL})
	w.unwatch()
	w.session.Finish(t.Context())
	_, _, j := w.judge()
	require.Len(t, j.Notes, 1)
	require.Contains(t, j.Notes[0], "The state probe could not be used from entry #1 on: status 404")
}

// TestOnlyThisMachineIsAsked takes no foreign address from a note.
