package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// onslaught is one row of the table of attacks.
type onslaught struct {
	name, before string
	args         []string
	// reports makes the folder that --reports names.
	reports func(t *testing.T, program string) string
	// kept says that it serves on a folder, in which who is not asked for two seconds sleeps.
	kept bool
	// do attacks, and gives what is told of it besides the memory.
	do func(t *testing.T, a *attacked) string
}

// TestAttackTable attacks the program as it is built, with the memory that it takes when
// nobody says how much, and tells how much was resident: before, at most, and when the
// attack was over. What was told before stands in the list: it was measured when each
// attack was first tried. It takes minutes, all of both processors and gigabytes through
// loopback: `make attack` plays it, alone.
func TestAttackTable(t *testing.T) {
	only := os.Getenv("PAYSANDBOX_ATTACKS")
	if only == "" {
		t.Skip("SKIPPED: PAYSANDBOX_ATTACKS=all (`make attack`) plays the table of attacks; their kinds are tried with less memory elsewhere here")
	}
	sampling.NotRaced(t, "the detector takes memory of its own")
	program := filepath.Join(t.TempDir(), "paysandbox")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(built))
	table := "\n| attack | before | begin, at most, after (MiB of 1,024) | told |\n| --- | --- | --- | --- |\n"
	for _, row := range onslaughts() {
		if only != "all" && !strings.Contains(row.name, only) {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			args := append([]string{"--log-format", "json"}, row.args...)
			if row.reports != nil {
				args = append(args, "--reports", row.reports(t, program))
			}
			if row.kept {
				args = append(args, "--data", t.TempDir(), "--sleep-after", "2s")
			}
			a := attackProgram(t, program, defaultMemory, args...)
			a.company(t, a.token(t))
			begin := residentBytes(t, a.PID, "VmRSS")
			told := row.do(t, a)
			after, most := residentBytes(t, a.PID, "VmRSS"), residentBytes(t, a.PID, "VmHWM")
			table += fmt.Sprintf("| %s | %s | %d, **%d**, %d | %s |\n", row.name, row.before, begin>>20, most>>20, after>>20, told)
			require.NotEmpty(t, a.token(t), "others are served")
			a.requireWithin(t)
			require.Less(t, a.endsInTime(t), 30*time.Second, "it ends when it is told to")
		})
	}
	t.Log(table)
}

func onslaughts() []onslaught {
	return []onslaught{
		{name: "80 bodies of 10 MB without end: token", before: "1,669", do: unfinished("/Authentication/Token", false, 10<<20)},
		{name: "the same: a payment, without a token", do: unfinished("/Payment/Create", false, 10<<20)},
		{name: "the same: a payment, with a token", before: "1,240", do: unfinished("/Payment/Create", true, 10<<20)},
		{name: "the same: the control API", do: unfinished("/_sandbox/integrations", false, 10<<20)},
		{name: "the same, 100 MB each: a snapshot's file", do: unfinished("/_sandbox/integrations/default/load", false, 100<<20)},
		{name: "the same: a form of the portal", do: unfinished("/portal", false, 10<<20)},
		{name: "the same: a file in the console", do: unfinished("/console/-/file", false, 10<<20)},
		{name: "30 bodies with a name of 9.9 MB", before: "2,300; answers of 9.9 MB", do: bodies(30, func(int) string { return `{"` + strings.Repeat("x", 9_900_000) + `":1}` })},
		{name: "150 payments with an address of 10 MB for the attachment", before: "2,100", do: bodies(150, func(int) string {
			return `{"amount":100,"contactNumber":"+12025550177","attachment":"https://example.com/` + strings.Repeat("x", 10_000_000) + `"}`
		})},
		{name: "150 payments with a note of 9 MB", do: bodies(150, func(int) string {
			return `{"amount":100,"contactNumber":"+12025550177","shortDescription":"` + strings.Repeat("n", 9_000_000) + `"}`
		})},
		{name: "150 payments with metadata of 9 MB", do: bodies(150, func(int) string {
			return `{"amount":100,"contactNumber":"+12025550177","metadata":{"note":"` + strings.Repeat("n", 9_000_000) + `"}}`
		})},
		{name: "150 payments with an attachment of 7 MB each", do: bodies(150, func(n int) string {
			return `{"amount":100,"contactNumber":"+12025550177","attachment":"` + attachmentOf(n, 7<<20) + `"}`
		})},
		{name: "30 integrations with attachments of 60 MB each", before: "1,373", do: filesOfMany},
		{name: "60 attachments of 10 MB by address", args: []string{"--allow-loopback"}, do: filesByAddress},
		{name: "20,500 calls without a token, seven posts of 10 MB with a dead one", before: "first entries gone", do: strangersCall},
		{name: "16 readers of a tape who do not read", before: "893; a call took 12.6 s", do: idleReaders(16)},
		{name: "60 readers of a tape who do not read", before: "3,700", do: idleReaders(60)},
		{name: "150 callers for a list of 30 MB who do not read it", before: "3,565", do: idleLists},
		{name: "100 integrations, 9 MB refused of each", before: "1,921", do: refusedOfMany},
		{name: "filled, then reset", before: "1,500 stay", do: emptied("POST", "/_sandbox/integrations/%s/reset")},
		{name: "`verify --target` against answers of 100 MB", before: "2,750", do: answersWithoutMeasure},
		{name: "cases of 16 MB of empty things in the console, a quarter full", before: "1,085, when empty", do: casesOfEmptyThings},
		{name: "14 integrations fill it: every screen, every verdict, then the end", before: "1,009; did not end within 20 s", do: screensOfMany},
		{name: "60 reports of 1 MB in a folder, while it is full", reports: manyReports, do: reportsRead},
		{name: "36 integrations of 13 MB sleep, and are woken at once", before: "849 while they sleep, 986 at most", kept: true, do: sleepersWoken},
		{name: "filled, then deleted", do: emptied("DELETE", "/_sandbox/integrations/%s")},
	}
}

// statuses counts answers by their status; 0 is none.
type statuses struct {
	mu    sync.Mutex
	count map[int]int
}

func (s *statuses) add(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = map[int]int{}
	}
	s.count[status]++
}

func (s *statuses) String() string {
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(s.count), "map["), "]")
}

// unfinished sends 80 bodies at once, each but for its end, and waits for what it is told.
func unfinished(path string, known bool, bytes int) func(*testing.T, *attacked) string {
	return func(t *testing.T, a *attacked) string {
		t.Helper()
		header, told := "", &statuses{}
		if known {
			header = "Authorization: Bearer " + a.token(t) + "\r\n"
		}
		piece := []byte(strings.Repeat(" ", 1<<20))
		var sent, all sync.WaitGroup
		for range 80 {
			sent.Add(1)
			all.Go(func() {
				conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
				if err != nil {
					t.Error(err)
					sent.Done()
					return
				}
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, header, bytes)
				for n := 0; n < bytes/len(piece)-1; n++ {
					if _, err = conn.Write(piece); err != nil {
						break
					}
				}
				sent.Done()
				sent.Wait() // all are held at once
				answer := make([]byte, len("HTTP/1.1 200"))
				if err == nil {
					_ = conn.SetReadDeadline(time.Now().Add(time.Second)) // what is taken has no answer before its end
				}
				status := 0
				if _, err := io.ReadFull(conn, answer); err == nil {
					_, _ = fmt.Sscanf(string(answer), "HTTP/1.1 %d", &status)
				}
				told.add(status)
			})
		}
		all.Wait()
		return told.String()
	}
}

// bodies posts so many payments, 30 at a time.
func bodies(count int, body func(int) string) func(*testing.T, *attacked) string {
	return func(t *testing.T, a *attacked) string {
		t.Helper()
		token, told, longest := a.token(t), &statuses{}, 0
		var mu sync.Mutex
		each(count, 30, func(n int) {
			status, answer := a.post(t, "/Payment/Create", token, strings.NewReader(body(n)))
			told.add(status)
			mu.Lock()
			defer mu.Unlock()
			longest = max(longest, len(answer))
		})
		require.Less(t, longest, 64<<10, "bytes of an answer")
		return told.String()
	}
}

// each does a piece of work for 0 to count-1, some at a time.
func each(count, atOnce int, work func(int)) {
	var all sync.WaitGroup
	turns := make(chan int)
	for range atOnce {
		all.Go(func() {
			for n := range turns {
				work(n)
			}
		})
	}
	for n := range count {
		turns <- n
	}
	close(turns)
	all.Wait()
}

// attachmentOf is a file in base64 that is like no other.
func attachmentOf(n, bytes int) string {
	head := fmt.Sprintf("JVBERi0x%08d", n) // "%PDF-1", and then bytes of any kind
	return head + strings.Repeat("QUJD", (bytes*4/3-len(head))/4)
}

// control calls the control API and gives status and answer.
func (a *attacked) control(t *testing.T, method, path, body string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, a.BaseURL+"/_sandbox"+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, answer
}
