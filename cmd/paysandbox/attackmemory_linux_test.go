package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
)

// another makes one more integration and gives its id and a token.
func (a *attacked) another(t *testing.T) (id, token string) {
	t.Helper()
	status, answer := a.control(t, http.MethodPost, "/integrations", `{"clock":{"mode":"manual"}}`)
	require.Equal(t, http.StatusOK, status, string(answer))
	var made struct{ ID, ClientID, ClientSecret string }
	require.NoError(t, json.Unmarshal(answer, &made))
	_, answer = a.post(t, "/Authentication/Token", "", strings.NewReader(fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, made.ClientID, made.ClientSecret)))
	var granted struct{ AccessToken string }
	require.NoError(t, json.Unmarshal(answer, &granted), string(answer))
	a.company(t, granted.AccessToken)
	return made.ID, granted.AccessToken
}

// company makes one, for whose payments the rows of the table ask.
func (a *attacked) company(t *testing.T, token string) {
	t.Helper()
	status, answer := a.post(t, "/Company/Create", token, bytes.NewReader(fixtures.CompanyJSON(1)))
	require.Equal(t, http.StatusOK, status, string(answer))
}

// filesOfMany gives each of many integrations different files up to its bound.
func filesOfMany(t *testing.T, a *attacked) string {
	t.Helper()
	told := &statuses{}
	var tokens []string
	for range 30 {
		_, token := a.another(t)
		tokens = append(tokens, token)
	}
	each(30*9, 30, func(n int) {
		status, _ := a.post(t, "/Payment/Create", tokens[n%30], strings.NewReader(`{"amount":100,"contactNumber":"+12025550177","attachment":"`+attachmentOf(n, 7<<20)+`"}`))
		told.add(status)
	})
	return told.String()
}

// filesByAddress lets the sandbox fetch files that are all different, or never end.
func filesByAddress(t *testing.T, a *attacked) string {
	t.Helper()
	var asked atomic.Int64
	piece := bytes.Repeat([]byte("f"), 1<<20)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		_, _ = fmt.Fprintf(w, "%%PDF-%d", n)
		for m := 0; m < 9 || n%4 == 0 && m < 100; m++ {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	token, told := a.token(t), &statuses{}
	each(60, 30, func(n int) {
		status, _ := a.post(t, "/Payment/Create", token, strings.NewReader(fmt.Sprintf(`{"amount":100,"contactNumber":"+12025550177","attachment":"%s/%d.pdf"}`, s.URL, n)))
		told.add(status)
	})
	require.Eventually(t, func() bool {
		a.control(t, http.MethodPost, "/integrations/default/clock/advance", `{"by":"1m"}`)
		return asked.Load() >= 60
	}, time.Minute, 100*time.Millisecond)
	return fmt.Sprintf("%s; %d fetched", told, asked.Load())
}

// strangersCall calls without a token, and with one that is dead, on the tape of an owner
// who has called before.
func strangersCall(t *testing.T, a *attacked) string {
	t.Helper()
	dead := a.token(t)
	status, answer := a.post(t, "/Payment/Create", dead, strings.NewReader(`{"amount":100,"contactNumber":"+12025550177"}`))
	require.Equal(t, http.StatusOK, status, string(answer))
	var made struct{ PaymentRequestID string }
	require.NoError(t, json.Unmarshal(answer, &made))
	status, _ = a.control(t, http.MethodPost, "/integrations/default/tokens/revoke", "")
	require.Equal(t, http.StatusOK, status)
	_, before := a.control(t, http.MethodGet, "/integrations/default/tape?limit=4", "")
	told := &statuses{}
	each(20_500, 16, func(n int) {
		status, _ := a.post(t, "/Payment/Create", "", strings.NewReader(fmt.Sprintf(`{"amount":%d}`, n)))
		told.add(status)
	})
	long := `{"note":"` + strings.Repeat("n", 10<<20) + `"}`
	for range 7 {
		status, _ := a.post(t, "/Payment/Create", dead, strings.NewReader(long))
		told.add(status)
	}
	_, now := a.control(t, http.MethodGet, "/integrations/default/tape?limit=4", "")
	require.Equal(t, string(before), string(now), "the owner's first entries are where they were")
	status, why := a.control(t, http.MethodGet, "/integrations/default/why/"+made.PaymentRequestID, "")
	require.Equal(t, http.StatusOK, status, string(why))
	_, tape := a.control(t, http.MethodGet, "/integrations/default/tape", "")
	return fmt.Sprintf("%s; the owner's tape has %d lines, its first entries are there", told, bytes.Count(tape, []byte("\n")))
}

// idleReaders ask for a large tape and read nothing of it, while the owner goes on.
func idleReaders(count int) func(*testing.T, *attacked) string {
	return func(t *testing.T, a *attacked) string {
		t.Helper()
		token := a.token(t)
		note := strings.Repeat("n", 900<<10)
		each(60, 4, func(n int) {
			a.post(t, "/Payment/Create", token, strings.NewReader(fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","metadata":{"note":%q}}`, n+1, note)))
		})
		quiet := a.slowest(t, token)
		for range count {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			_, err = fmt.Fprint(conn, "GET /_sandbox/integrations/default/tape HTTP/1.1\r\nHost: localhost\r\n\r\n")
			require.NoError(t, err)
		}
		return fmt.Sprintf("slowest of 400 payments: %s before, %s while they do not read", quiet, a.slowest(t, token))
	}
}

// idleLists ask for a long list and read nothing of it.
func idleLists(t *testing.T, a *attacked) string {
	t.Helper()
	token, name := a.token(t), strings.Repeat("N", 3000)
	each(5000, 8, func(n int) {
		company := strings.Replace(string(fixtures.CompanyJSON(n%40+1)), `"companyReferenceId":"`, fmt.Sprintf(`"companyReferenceId":"%s-%d-`, name, n), 1)
		status, answer := a.post(t, "/Company/Create", token, strings.NewReader(strings.Replace(company, `"name":"`, `"name":"`+name, 1)))
		if status != http.StatusOK {
			t.Errorf("%d %s", status, answer)
		}
	})
	told, before := &statuses{}, residentBytes(t, a.PID, "VmRSS")
	var all sync.WaitGroup
	for range 150 {
		all.Go(func() {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = conn.Close() }) // all are held at once
			_, _ = fmt.Fprintf(conn, "GET /Company/List HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", token)
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			status := 0
			_, _ = fmt.Fscanf(conn, "HTTP/1.1 %d", &status) // and no more
			told.add(status)
		})
	}
	all.Wait()
	return fmt.Sprintf("%s; %d MiB before the lists", told, before>>20)
}

// refusedOfMany leaves a large body, which was refused, as the last call of each of many.
func refusedOfMany(t *testing.T, a *attacked) string {
	t.Helper()
	var tokens []string
	for range 100 {
		_, token := a.another(t)
		tokens = append(tokens, token)
	}
	told, body := &statuses{}, `{"note":"`+strings.Repeat("n", 9_000_000)+`"}`
	each(100, 8, func(n int) {
		status, _ := a.post(t, "/Payment/Create", tokens[n], strings.NewReader(body))
		told.add(status)
	})
	return told.String()
}

// slowest makes 400 payments one after the other and gives how long the slowest took.
func (a *attacked) slowest(t *testing.T, token string) time.Duration {
	t.Helper()
	var took []time.Duration
	for n := range 400 {
		began := time.Now()
		status, answer := a.post(t, "/Payment/Create", token, strings.NewReader(fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177"}`, n+1)))
		took = append(took, time.Since(began))
		require.Equal(t, http.StatusOK, status, string(answer))
	}
	return slices.Max(took).Round(time.Millisecond)
}

// emptied fills the memory by one integration, takes it away, and makes no call while the
// memory is given back.
func emptied(method, path string) func(*testing.T, *attacked) string {
	return func(t *testing.T, a *attacked) string {
		t.Helper()
		id, token := a.another(t)
		note, told := strings.Repeat("n", 1<<20), &statuses{}
		each(700, 30, func(n int) {
			status, _ := a.post(t, "/Payment/Create", token, strings.NewReader(fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","metadata":{"note":%q}}`, n+1, note)))
			told.add(status)
		})
		full := residentBytes(t, a.PID, "VmRSS")
		status, answer := a.control(t, method, strings.TrimPrefix(fmt.Sprintf(path, id), "/_sandbox"), "")
		require.Less(t, status, 300, string(answer))
		began := time.Now()
		require.Eventually(t, func() bool { return residentBytes(t, a.PID, "VmRSS") < 150<<20 }, 30*time.Second, 10*time.Millisecond, "memory is given back without a call")
		return fmt.Sprintf("%s; %d MiB when it was full, under 150 after %s", told, full>>20, time.Since(began).Round(10*time.Millisecond))
	}
}

// answersWithoutMeasure verifies a service that grants tokens and answers everything else
// with 100 MB, and tells what the verifying process took.
func answersWithoutMeasure(t *testing.T, a *attacked) string {
	t.Helper()
	piece := bytes.Repeat([]byte("x"), 1<<20)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/Authentication/Token" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"accessToken":"t","tokenType":"Bearer","expiresInSeconds":3600}`))
			return
		}
		for range 100 {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	began := time.Now()
	verify := exec.CommandContext(t.Context(), a.program, "verify", "--target", s.URL, "--control-url", "none", "--client-id", "c", "--client-secret", "s")
	said, err := verify.CombinedOutput()
	require.IsType(t, &exec.ExitError{}, err, string(said))
	use, _ := verify.ProcessState.SysUsage().(*syscall.Rusage)
	require.Less(t, use.Maxrss<<10, a.bound*11/10)
	return fmt.Sprintf("it took **%d** MiB at most, and ended with %d after %s", use.Maxrss>>10, verify.ProcessState.ExitCode(), time.Since(began).Round(time.Second))
}
