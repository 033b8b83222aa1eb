package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestKillAroundRestoreAndFork kills a sandbox while callers restore and fork a world with
// deliveries under way: forks that were answered are there, and in every integration all
// that was due is delivered in the end.
func TestKillAroundRestoreAndFork(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "a sandbox is killed and started many times")
	receiver := &fickle{taken: map[string]int{}, failed: map[string]int{}}
	saved := make(chan struct{})
	hooks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-saved // with the first event under way
		receiver.ServeHTTP(w, r)
	}))
	defer hooks.Close()
	args := []string{"--data", t.TempDir(), "--webhook-url", hooks.URL, "--log-level", "error"}
	forks := &answeredForks{}
	const rounds = 12
	for round := range rounds {
		p := spawn(t, args...)
		forks.require(t, p)
		if round == 0 {
			careless(t, p) // its event leaves again with each restore and fork
			require.Contains(t, p.undelivered(t, "default"), "in-flight")
			status, out := p.ask(http.MethodPost, "/_sandbox/integrations/default/snapshots", "", `{"name":"start"}`)
			require.Less(t, status, http.StatusMultipleChoices, string(out))
			close(saved)
		}
		heard, killed := make(chan struct{}), make(chan struct{})
		var callers sync.WaitGroup
		for caller := range 4 {
			callers.Go(func() { p.forkAndRestore(round, caller, forks, heard, killed) })
		}
		for range 3 + 5*round {
			<-heard
		}
		p.kill()
		close(killed)
		callers.Wait()
	}
	p := spawn(t, args...)
	forks.require(t, p)
	for _, id := range append(forks.ids(), "default") {
		left := ""
		for range 300 { // each move waits for what is under way
			if left = p.undelivered(t, id); left == "" {
				break
			}
			status, out := p.ask(http.MethodPost, "/_sandbox/integrations/"+id+"/clock/advance", "", `{"by":"12h"}`)
			require.Equal(t, http.StatusOK, status, string(out))
		}
		require.Empty(t, left, "integration %s waits for ever", id)
	}
}

// undelivered are the deliveries of an integration that are not finished; "" for none.
func (p *sandboxProcess) undelivered(t *testing.T, id string) (left string) {
	t.Helper()
	status, out := p.ask(http.MethodGet, "/_sandbox/integrations/"+id+"/deliveries", "", "")
	require.Equal(t, http.StatusOK, status, string(out))
	var list struct{ Deliveries []struct{ ID, State string } }
	require.NoError(t, json.Unmarshal(out, &list))
	for _, d := range list.Deliveries {
		if d.State != "delivered" && d.State != "given-up" && d.State != "abandoned" {
			left += d.ID + " " + d.State + "\n"
		}
	}
	return left
}

// answeredForks are those that were answered.
type answeredForks struct {
	mu   sync.Mutex
	list []string
}

func (f *answeredForks) ids() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.list...)
}

// require finds each of them.
func (f *answeredForks) require(t *testing.T, p *sandboxProcess) {
	t.Helper()
	for _, id := range f.ids() {
		status, out := p.ask(http.MethodGet, "/_sandbox/integrations/"+id, "", "")
		require.Equal(t, http.StatusOK, status, "fork %s was answered: %s", id, out)
	}
}

// forkAndRestore does both in turn, and makes events, until the process is gone.
func (p *sandboxProcess) forkAndRestore(round, caller int, forks *answeredForks, heard chan<- struct{}, killed <-chan struct{}) {
	for n := 0; ; n++ {
		method, path, body := http.MethodPost, "/_sandbox/integrations/default/snapshots/start/restore", ""
		if (n+caller)%2 == 0 {
			path, body = "/_sandbox/integrations", fmt.Sprintf(`{"name":"fork-%d-%d-%d","from":"default/start"}`, round, caller, n)
		}
		status, out := p.ask(method, path, "", body)
		if status == 0 {
			return
		}
		var made struct{ ID string }
		if strings.HasSuffix(path, "/integrations") && status < http.StatusMultipleChoices && json.Unmarshal(out, &made) == nil {
			forks.mu.Lock()
			forks.list = append(forks.list, made.ID)
			forks.mu.Unlock()
		}
		if status >= http.StatusBadRequest {
			panic(string(out))
		}
		select {
		case heard <- struct{}{}:
		case <-killed:
		}
	}
}
