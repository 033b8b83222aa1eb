package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestAttackCopies: somebody who may move things saves, forks, restores, loads, previews
// and looks into the past of a large integration, many at a time. What there is no room
// for is refused as such, and others are served.
func TestAttackCopies(t *testing.T) {
	t.Parallel()
	a := attack(t)
	token := a.token(t)
	for n := range 120 {
		status, answer := a.post(t, "/Company/Create", token, strings.NewReader(fmt.Sprintf(`{"companyReferenceId":"c-%d","name":"Gym","emailAddress":"o@example.com","contactNumber":"+12025550123","companyType":"LLC",
			"zipCode":"94610","state":"CA","owner":{"emailAddress":"p@example.com","contactNumber":"+12025550124","ssn":"1234","zipCode":"94610","state":"CA"},
			"metadata":{"note":%q}}`, n, strings.Repeat("n", 200<<10))))
		require.Equal(t, http.StatusOK, status, string(answer))
	}
	const one = "/_sandbox/integrations/default"
	status, answer := a.post(t, one+"/snapshots", "", strings.NewReader(`{"name":"first"}`))
	require.Equal(t, http.StatusOK, status, string(answer))
	status, file := a.post(t, one+"/snapshots/first/download", "", nil)
	require.Equal(t, http.StatusOK, status)
	bomb := append(bytes.Clone(file[:len(file)/2]), bytes.Repeat([]byte{0xff}, 1<<20)...) // lengths that nothing follows
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for range 6 {
		for _, call := range []struct {
			path string
			body []byte
		}{
			{"/snapshots", nil},
			{"/snapshots/first/fork", nil},
			{"/snapshots/first/restore", nil},
			{"/snapshots/first/download", nil},
			{"/load?dryRun=true", file},
			{"/load", file},
			{"/load?dryRun=true", bomb},
		} {
			all.Go(func() {
				status, _ := a.post(t, one+call.path, "", bytes.NewReader(call.body))
				mu.Lock()
				defer mu.Unlock()
				statuses[status]++
			})
		}
	}
	for range 12 {
		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.BaseURL+one+"/entities?at=100", http.NoBody)
			if err != nil {
				t.Error(err)
				return
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = res.Body.Close()
		})
	}
	all.Wait()
	text, _ := json.Marshal(statuses)
	t.Logf("%d bytes in a file; %s", len(file), text)
	require.Zero(t, statuses[http.StatusInternalServerError])
	a.requireWithin(t)
	require.NotEmpty(t, a.token(t), "others are served")
}

// TestAttackStreamsThatNobodyReads: browsers listen to a tape, more than are served, and
// read nothing of what comes.
func TestAttackStreamsThatNobodyReads(t *testing.T) {
	t.Parallel()
	a := attack(t)
	token := a.token(t)
	for range 300 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
		require.NoError(t, err)
		defer func() { _ = conn.Close() }()
		_, err = fmt.Fprint(conn, "GET /console/default/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
		require.NoError(t, err)
	}
	note := strings.Repeat("n", 20<<10)
	for n := range 1500 {
		status, answer := a.post(t, "/Payment/Create", token, strings.NewReader(fmt.Sprintf(`{"amount":%d,"note":%q}`, n, note)))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusServiceUnavailable}, status, string(answer))
	}
	a.requireWithin(t)
	require.NotEmpty(t, a.token(t), "others are served")
}

// TestAttackPagesThatNobodyReads: many ask for a page, or search a tape, and read nothing of
// what comes; the process ends when it is told to.
func TestAttackPagesThatNobodyReads(t *testing.T) {
	t.Parallel()
	for _, path := range sampling.Every(t, 2, []string{"/docs", "/_sandbox/integrations/default/search?q=1"}) {
		a := attackProgram(t, "paysandbox", "128MiB")
		for range 100 {
			status, answer := a.post(t, "/_sandbox/integrations/default/notes", "", strings.NewReader(`{"kind":"remark","data":{"n":"1`+strings.Repeat("n", 20<<10)+`"}}`))
			require.Equal(t, http.StatusOK, status, string(answer))
		}
		var conns []net.Conn
		for range 150 {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			tcp, _ := conn.(*net.TCPConn)
			require.NoError(t, tcp.SetReadBuffer(2<<10))
			conns = append(conns, conn)
			_, err = fmt.Fprint(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
			require.NoError(t, err)
		}
		require.NotEmpty(t, a.token(t), "others are served")
		for _, conn := range conns {
			_, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 200")))
			require.NoError(t, err)
		}
		a.requireWithin(t)
	}
}

// TestWhoAsksWhetherToSend a body that is too large is not told to.
func TestWhoAsksWhetherToSend(t *testing.T) {
	t.Parallel()
	a := attack(t)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprint(conn, "POST /Authentication/Token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 413 Request Entity Too Large\r\n", line)
}
