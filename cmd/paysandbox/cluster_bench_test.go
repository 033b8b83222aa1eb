package main

import (
	"encoding/json"
	"fmt"
	"io"
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

// create makes companies by 16 callers, by each process and for each integration in turn,
// and gives how many a second.
func (f *fleet) create(b *testing.B, each int) float64 {
	b.Helper()
	var callers sync.WaitGroup
	began := time.Now()
	for range 16 {
		callers.Go(func() {
			for range each {
				n := int(f.made.Add(1))
				f.call(b, n, "/Company/Create", f.tokens[n%len(f.tokens)], string(fixtures.CompanyJSON(n)))
			}
		})
	}
	callers.Wait()
	return float64(16*each) / time.Since(began).Seconds()
}

// BenchmarkCluster creates companies by 16 callers over HTTP: in one process with --data,
// and in three that share a log of three servers, in turn; first for one integration,
// then for PAYSANDBOX_INTEGRATIONS (1,000). The ratios are to --data.
func BenchmarkCluster(b *testing.B) {
	many := 1000
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_INTEGRATIONS")); err == nil {
		many = n
	}
	servers, err := natslog.StartServers(b.Context(), b.TempDir())
	require.NoError(b, err)
	defer func() { _ = servers.Close() }()
	data, cluster := newFleet(b, 1, "--data", b.TempDir()), newFleet(b, 3, "--cluster", servers.URLs(), "--cluster-wait", "5m")
	for b.Loop() {
		for _, count := range []int{1, many} {
			data.grow(b, count)
			cluster.grow(b, count)
			var alone, shared, ratio []float64
			for range 7 {
				alone, shared = append(alone, data.create(b, 40)), append(shared, cluster.create(b, 40))
				ratio = append(ratio, shared[len(shared)-1]/alone[len(alone)-1])
			}
			b.ReportMetric(median(ratio), fmt.Sprintf("ratio-of-%d", count))
			b.ReportMetric(median(alone), fmt.Sprintf("alone/s-of-%d", count))
			b.ReportMetric(median(shared), fmt.Sprintf("shared/s-of-%d", count))
		}
	}
}
