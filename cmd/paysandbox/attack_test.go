package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// attacked is a sandbox in a process of its own, with little memory.
type attacked struct {
	announcement
	program string
	bound   int64
	cmd     *exec.Cmd
}

// attack starts one; it ends with the test.
func attack(t *testing.T, args ...string) *attacked {
	t.Helper()
	return attackProgram(t, "paysandbox", "256MiB", args...)
}

// attackProgram starts a program with so much memory.
func attackProgram(t *testing.T, program, bound string, args ...string) *attacked {
	t.Helper()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("SKIPPED: only Linux tells how much memory a process has taken at most")
	}
	sampling.NotRaced(t, "the detector takes memory of its own")
	cmd := exec.CommandContext(t.Context(), program, append([]string{
		"serve", "--addr", "127.0.0.1:0", "--announce", "json", "--clock", "manual", "--memory", bound,
	}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err)
	a := &attacked{program: program, cmd: cmd}
	require.NoError(t, json.Unmarshal(line, &a.announcement))
	a.bound, err = byteCount(bound)
	require.NoError(t, err)
	return a
}

// requireWithin holds the most memory that the process has taken to its bound and a
// tenth.
func (a *attacked) requireWithin(t *testing.T) {
	t.Helper()
	peak := residentBytes(t, a.PID, "VmHWM")
	t.Logf("at most %d MiB of %d MiB", peak>>20, a.bound>>20)
	require.Less(t, peak, a.bound*11/10, "bytes of memory, at most")
}

// residentBytes is what a process has in memory now ("VmRSS") or had at most ("VmHWM").
func residentBytes(t *testing.T, pid int, figure string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err, "the process is still there")
	_, rest, _ := strings.Cut(string(status), figure+":")
	n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	require.NoError(t, err)
	return n << 10
}

// post sends a body with the token, and gives status and answer.
func (a *attacked) post(t *testing.T, path, token string, body io.Reader) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.BaseURL+path, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil { // the server has answered and closed before everything was sent
		return 0, nil
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, answer
}

// token gets one.
func (a *attacked) token(t *testing.T) string {
	t.Helper()
	_, answer := a.post(t, "/Authentication/Token", "", strings.NewReader(fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, a.ClientID, a.ClientSecret)))
	var granted struct{ AccessToken string }
	require.NoError(t, json.Unmarshal(answer, &granted))
	return granted.AccessToken
}

// TestAttackBodiesWithoutEnd: strangers send large bodies that never end, many at a
// time, to the call that needs no token and to one that does.
func TestAttackBodiesWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, path := range sampling.Every(t, 2, []string{"/Authentication/Token", "/Payment/Create", "/_sandbox/integrations"}) {
		a := attack(t)
		var all sync.WaitGroup
		piece := bytes.Repeat([]byte(" "), 1<<20)
		for range 80 {
			all.Go(func() {
				conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
				if err != nil {
					return
				}
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, 10<<20)
				for range 9 {
					if _, err := conn.Write(piece); err != nil {
						return
					}
				}
			})
		}
		all.Wait()
		a.requireWithin(t)
		require.NotEmpty(t, a.token(t), "others are served")
	}
}

// TestAttackLongNamesAndAddresses: what a finding repeats of a request is bounded, and
// so is what a payment keeps.
func TestAttackLongNamesAndAddresses(t *testing.T) {
	t.Parallel()
	a := attack(t)
	token := a.token(t)
	long := strings.Repeat("x", 9<<20)
	for _, body := range []string{
		`{"` + long + `":1}`,
		`{"locationId":"` + long + `"}`,
		`{"attachments":[{"url":"https://example.com/` + long + `"}]}`,
		`{"lineItems":[{"description":"` + long + `","` + long[:100] + `":true}]}`,
	} {
		for range 6 / sampling.Step(t, 3) {
			status, answer := a.post(t, "/Payment/Create", token, strings.NewReader(body))
			require.Contains(t, []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable}, status)
			require.Less(t, len(answer), 64<<10, "an answer to one bad request")
		}
	}
	a.requireWithin(t)
}

// TestAttackAFullSandboxSaysSo: somebody with credentials fills the memory. Calls that
// would make something are refused, those that read are answered, and a reset, which is
// heard whatever is left, gives everything back.
func TestAttackAFullSandboxSaysSo(t *testing.T) {
	t.Parallel()
	a := attack(t, "--tape-bytes", "1073741824")
	token := a.token(t)
	company := func(n, note int) string {
		return fmt.Sprintf(`{"companyReferenceId":"c-%d","name":"Gym","emailAddress":"o@example.com","contactNumber":"+12025550123","companyType":"LLC",
			"zipCode":"94610","state":"CA","owner":{"emailAddress":"p@example.com","contactNumber":"+12025550124","ssn":"1234","zipCode":"94610","state":"CA"},
			"metadata":{"note":%q}}`, n, strings.Repeat("n", note))
	}
	full, refused, note := false, "", 1<<20
	for n := 0; n < 600 && !full; n++ {
		switch status, answer := a.post(t, "/Company/Create", token, strings.NewReader(company(n, note))); status {
		case http.StatusInsufficientStorage, http.StatusServiceUnavailable: // the body itself finds no room
			full, refused, note = note == 0, string(answer), note/4
		default:
			require.Equal(t, http.StatusOK, status, string(answer))
		}
	}
	require.True(t, full, "a sandbox that is full says so")
	require.Contains(t, refused, "--memory")
	require.NotEmpty(t, a.token(t))
	a.requireWithin(t)
	status, answer := a.post(t, "/_sandbox/integrations/default/reset", "", strings.NewReader(`{}`))
	require.Equal(t, http.StatusOK, status, string(answer))
	status, answer = a.post(t, "/Company/Create", a.token(t), strings.NewReader(company(0, 1<<20)))
	require.Equal(t, http.StatusOK, status, string(answer))
}
