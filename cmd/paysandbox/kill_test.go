package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
)

// sandboxProcess is a sandbox in a process of its own.
type sandboxProcess struct {
	announcement
	cmd *exec.Cmd
}

// spawn starts this program as a process that serves.
func spawn(tb testing.TB, args ...string) *sandboxProcess {
	tb.Helper()
	return launch(tb, append([]string{"serve", "--quiet"}, args...)...)
}

// launch starts this program as a process that announces itself.
func launch(tb testing.TB, args ...string) *sandboxProcess {
	tb.Helper()
	self, err := os.Executable()
	require.NoError(tb, err)
	p := &sandboxProcess{cmd: exec.CommandContext(tb.Context(), self)}
	p.cmd.Args = append([]string{"paysandbox", args[0], "--addr", "127.0.0.1:0", "--announce", "json"}, args[1:]...)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, p.cmd.Start())
	tb.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(line, &p.announcement))
	return p
}

// kill ends it with kill -9.
func (p *sandboxProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// ask sends a request and gives the answer's status and body; 0 when none came.
func (p *sandboxProcess) ask(method, path, token, body string) (int, []byte) {
	req, err := http.NewRequest(method, p.BaseURL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil
	}
	return res.StatusCode, out
}

// tape reads the entries of the whole tape.
func (p *sandboxProcess) tape(t *testing.T) []string {
	t.Helper()
	status, out := p.ask(http.MethodGet, "/_sandbox/integrations/default/tape", "", "")
	require.Equal(t, http.StatusOK, status)
	var lines []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, `{"seq":`) {
			lines = append(lines, line)
		}
	}
	return lines
}

// fickle is a receiver that fails one time in three, but no event more than three times:
// a sandbox gives up after some attempts. It notes what it took.
type fickle struct {
	mu            sync.Mutex
	n             int
	taken, failed map[string]int
}

func (f *fickle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	event := fmt.Sprintf("%x", bytes.TrimSpace(body))
	if f.n++; f.n%3 == 0 && f.failed[event] < 3 {
		f.failed[event]++
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	f.taken[event]++
}

// TestKillLoop kills a sandbox at random points while 16 callers call it and a receiver
// fails: what was answered is there, tapes go on without a gap, and every event arrives.
func TestKillLoop(t *testing.T) {
	t.Parallel()
	rounds := 3
	if sampling.All() {
		rounds = 20 // `make kills` asks for 200
	}
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_KILLS")); err == nil {
		rounds = n
	}
	receiver := &fickle{taken: map[string]int{}, failed: map[string]int{}}
	hooks := httptest.NewServer(receiver)
	defer hooks.Close()
	args := []string{"--data", t.TempDir(), "--webhook-url", hooks.URL, "--tape-entries", "1000000", "--tape-bytes", "1073741824", "--log-level", "error"}
	payload, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	var answered sync.Map
	var before []string
	for round := range rounds {
		p := spawn(t, args...)
		after := p.tape(t)
		require.GreaterOrEqual(t, len(after), len(before))
		for n := range before {
			require.Equal(t, before[n], after[n], "round %d: entry %d is not what it was", round, n+1)
		}
		requireKept(t, after, &answered)
		var callers sync.WaitGroup
		heard, killed := make(chan struct{}), make(chan struct{}) // who is not heard waits: a tape that is read grows no further
		for caller := range 16 {
			callers.Go(func() { p.create(round, caller, payload, &answered, heard, killed) })
		}
		for range 10 + rand.IntN(150) {
			<-heard
		}
		before = p.tape(t)
		for range rand.IntN(50) {
			<-heard
		}
		p.kill()
		close(killed)
		callers.Wait()
	}
	p := spawn(t, args...)
	requireKept(t, p.tape(t), &answered)
	missing := "nothing was looked for"
	for range 300 { // each move waits for what is under way, a second at the most: a busy machine needs many
		if missing = receiver.missing(t, p.tape(t)); missing == "" {
			return
		}
		status, out := p.ask(http.MethodPost, "/_sandbox/integrations/default/clock/advance", "", `{"by":"12h"}`)
		require.Equal(t, http.StatusOK, status, string(out))
	}
	require.Fail(t, missing)
}

// create makes companies until the process is gone, and notes those that were answered.
func (p *sandboxProcess) create(round, caller int, payload []byte, answered *sync.Map, heard chan<- struct{}, killed <-chan struct{}) {
	var token struct{ AccessToken string }
	_, out := p.ask(http.MethodPost, "/Authentication/Token", "", `{"clientId":"`+p.ClientID+`","clientSecret":"`+p.ClientSecret+`"}`)
	_ = json.Unmarshal(out, &token)
	for n := 0; ; n++ {
		var body map[string]any
		_ = json.Unmarshal(payload, &body)
		body["companyReferenceId"] = fmt.Sprintf("%d-%d-%d", round, caller, n)
		text, _ := json.Marshal(body)
		status, out := p.ask(http.MethodPost, "/Company/Create", token.AccessToken, string(text))
		var made struct{ CompanyID string }
		if status == 0 {
			return
		}
		if status == http.StatusOK && json.Unmarshal(out, &made) == nil {
			answered.Store(made.CompanyID, true)
			select {
			case heard <- struct{}{}:
			case <-killed:
			}
		}
	}
}

// killEntry is what is looked at of a line of a tape.
type killEntry struct {
	Seq      uint64
	Kind     string
	Entities []string
	Event    struct{ Body string }
}

// requireKept finds every answered company on a tape without a gap.
func requireKept(t *testing.T, lines []string, answered *sync.Map) {
	t.Helper()
	made := map[string]bool{}
	for n, line := range lines {
		var e killEntry
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		require.Equal(t, uint64(n+1), e.Seq)
		for _, id := range e.Entities {
			made[id] = true
		}
	}
	answered.Range(func(id, _ any) bool {
		require.True(t, made[fmt.Sprint(id)], "company %s was answered and is not there", id)
		return true
	})
}

// missing is an event of a tape that the receiver has not taken, or "".
func (f *fickle) missing(t *testing.T, lines []string) string {
	t.Helper()
	events := 0
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, line := range lines {
		var e killEntry
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if e.Kind != "event" {
			continue
		}
		if events++; f.taken[fmt.Sprintf("%x", e.Event.Body)] == 0 {
			about := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.Contains(line, fmt.Sprintf(`"cause":%d,`, e.Seq)) })
			return fmt.Sprintf("event %d was never taken: %s; what followed from it:\n%s", e.Seq, e.Event.Body, strings.Join(about, ""))
		}
	}
	require.Positive(t, events)
	return ""
}
