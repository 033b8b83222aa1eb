package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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

// tape reads the entries of the tape behind the one with the number.
func (p *sandboxProcess) tape(t *testing.T, since int) []string {
	t.Helper()
	status, out := p.ask(http.MethodGet, "/_sandbox/integrations/default/tape?since="+strconv.Itoa(since), "", "")
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

// bodyKey tells events apart by what was sent.
func bodyKey(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(bytes.TrimSpace(body))) }

func (f *fickle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	event := bodyKey(body)
	if f.n++; f.n%3 == 0 && f.failed[event] < 3 {
		f.failed[event]++
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	f.taken[event]++
}

// TestKillLoop kills a sandbox at random points while 16 callers call it and a receiver
// fails: what was answered is there, tapes go on without a gap, every event arrives, none
// again once its 2xx is on the tape, and the log leads to one state.
func TestKillLoop(t *testing.T) {
	t.Parallel()
	rounds := 3
	if sampling.All() {
		rounds = 20 // `make kills` asks for 200
	}
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_KILLS")); err == nil {
		rounds = n
	}
	seen := &killed{receiver: &fickle{taken: map[string]int{}, failed: map[string]int{}}, made: map[string]bool{}, events: map[string]string{}, settled: map[string]int{}}
	hooks := httptest.NewServer(seen.receiver)
	defer hooks.Close()
	dir := t.TempDir()
	args := []string{
		"--data", dir, "--snapshot-every", strconv.Itoa(10 * rounds), "--webhook-url", hooks.URL, "--log-level", "error",
		"--tape-entries", strconv.Itoa(killTape.Entries), "--tape-bytes", strconv.FormatInt(killTape.Bytes, 10),
	}
	payload, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	for round := range rounds {
		p := spawn(t, args...)
		seen.again(t, p)
		var callers sync.WaitGroup
		heard, killed := make(chan struct{}), make(chan struct{}) // who is not heard waits: a tape that is read grows no further
		for caller := range 16 {
			callers.Go(func() { p.create(round, caller, payload, &seen.answered, heard, killed) })
		}
		for range 10 + rand.IntN(150) {
			<-heard
		}
		seen.read(t, p)
		for range rand.IntN(50) {
			<-heard
		}
		p.kill()
		close(killed)
		callers.Wait()
		t.Logf("round %d: %d entries, %d events", round+1, len(seen.lines), len(seen.events))
	}
	p := spawn(t, args...)
	seen.again(t, p)
	for n := 0; seen.missing() != ""; n++ { // each move waits for what is under way, a second at the most: a busy machine needs many
		require.Less(t, n, 300, seen.missing())
		status, out := p.ask(http.MethodPost, "/_sandbox/integrations/default/clock/advance", "", `{"by":"12h"}`)
		require.Equal(t, http.StatusOK, status, string(out))
		seen.read(t, p)
	}
	seen.requireOnce(t)
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	_ = p.cmd.Wait()
	requireOneState(t, dir)
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
