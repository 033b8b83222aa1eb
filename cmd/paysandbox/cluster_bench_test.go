package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/durable/natslog"
)

// fleet are processes that serve the same integrations, with a token for each of these.
type fleet struct {
	boxes  []*sandboxProcess
	tokens []string
	client http.Client
	made   atomic.Int64
}

func newFleet(b *testing.B, boxes int, args ...string) *fleet {
	b.Helper()
	f := &fleet{client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	for range boxes {
		f.boxes = append(f.boxes, spawn(b, append([]string{"--clock", "manual", "--log-level", "error"}, args...)...))
	}
	f.tokens = []string{f.token(b, f.boxes[0].ClientID, f.boxes[0].ClientSecret)}
	return f
}

// call asks the nth process.
func (f *fleet) call(b *testing.B, n int, path, token, body string) []byte {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, f.boxes[n%len(f.boxes)].BaseURL+path, strings.NewReader(body))
	require.NoError(b, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := f.client.Do(req)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusMultipleChoices {
		b.Errorf("%d %v %s", res.StatusCode, err, out)
	}
	return out
}

func (f *fleet) token(b *testing.B, id, secret string) string {
	b.Helper()
	var answer struct{ AccessToken string }
	out := f.call(b, 0, "/Authentication/Token", "", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, id, secret))
	require.NoError(b, json.Unmarshal(out, &answer))
	return answer.AccessToken
}

// grow makes integrations until there are so many.
func (f *fleet) grow(b *testing.B, many int) {
	b.Helper()
	for n := len(f.tokens); n < many; n++ {
		id := "client-" + strconv.Itoa(n)
		f.call(b, 0, "/_sandbox/integrations", "", fmt.Sprintf(`{"clientId":%q,"clientSecret":"secret","clock":{"mode":"manual"}}`, id))
		f.tokens = append(f.tokens, f.token(b, id, "secret"))
	}
}

// cpu is what this process has used of the processors, the callers and the servers of the
// log among it, and the processes that serve, in seconds.
func (f *fleet) cpu(b *testing.B) (used float64) {
	b.Helper()
	for _, pid := range append([]int{os.Getpid()}, f.pids()...) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return math.NaN() // only Linux tells
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')'):]))
		for _, ticks := range fields[12:14] { // of 10 ms
			n, err := strconv.Atoi(ticks)
			require.NoError(b, err)
			used += float64(n) / 100
		}
	}
	return used
}

func (f *fleet) pids() (list []int) {
	for _, box := range f.boxes {
		list = append(list, box.cmd.Process.Pid)
	}
	return list
}

// create makes companies by 16 callers, by each process and for each integration in turn,
// and gives how many a second, and the seconds of CPU that all took.
func (f *fleet) create(b *testing.B, each int) (perSecond, cpu float64) {
	b.Helper()
	var callers sync.WaitGroup
	began, used := time.Now(), f.cpu(b)
	for range 16 {
		callers.Go(func() {
			for range each {
				n := int(f.made.Add(1))
				f.call(b, n, "/Company/Create", f.tokens[n%len(f.tokens)], string(fixtures.CompanyJSON(n)))
			}
		})
	}
	callers.Wait()
	took := time.Since(began).Seconds()
	return float64(16*each) / took, f.cpu(b) - used
}

// BenchmarkCluster creates companies by 16 callers over HTTP, in turn: in one process with
// --data; in three that share a log which is kept once, as --data keeps it; and in three whose
// log is kept by three servers, so that one of these may be lost. First for one integration,
// then for PAYSANDBOX_INTEGRATIONS (1,000). The ratios are to --data; CPU is of all processes,
// the callers and the servers of the log among them, for each company.
func BenchmarkCluster(b *testing.B) {
	many := 1000
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_INTEGRATIONS")); err == nil {
		many = n
	}
	servers, err := natslog.StartServers(b.Context(), b.TempDir())
	require.NoError(b, err)
	defer func() { _ = servers.Close() }()
	names := []string{"data", "kept-once", "kept-by-3"}
	fleets := []*fleet{newFleet(b, 1, "--data", b.TempDir())}
	for _, copies := range []string{"1", "3"} {
		fleets = append(fleets, newFleet(b, 3, "--cluster", servers.URLs(), "--cluster-wait", "5m", "--cluster-name", "log-"+copies, "--cluster-replicas", copies))
	}
	for b.Loop() {
		for _, count := range []int{1, many} {
			for _, f := range fleets {
				f.grow(b, count)
			}
			const rounds, each = 7, 40
			speed, ratio, cpu := make([][]float64, len(fleets)), make([][]float64, len(fleets)), make([]float64, len(fleets))
			for range rounds {
				for n, f := range fleets {
					perSecond, used := f.create(b, each)
					speed[n], cpu[n] = append(speed[n], perSecond), cpu[n]+used
					ratio[n] = append(ratio[n], perSecond/speed[0][len(speed[0])-1])
				}
			}
			for n, name := range names {
				b.ReportMetric(median(ratio[n]), fmt.Sprintf("%s-ratio-of-%d", name, count))
				b.ReportMetric(median(speed[n]), fmt.Sprintf("%s/s-of-%d", name, count))
				b.ReportMetric(cpu[n]/(rounds*16*each)*1e6, fmt.Sprintf("%s-µs-CPU-of-%d", name, count))
			}
		}
	}
}
