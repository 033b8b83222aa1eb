package replay_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/read"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// line is a call as JSON lines have it; it makes calls and writes down what came back.
type line struct {
	Time    time.Time         `json:"time"`
	End     time.Time         `json:"end"`
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body,omitempty"`
	Status  int               `json:"status"`
	Answer  json.RawMessage   `json:"answer"`
}

type caller struct {
	t     *testing.T
	base  string
	http  *http.Client
	token string
	key   string // the idempotency key
	at    time.Time
	lines []line
}

// call makes a call that takes as long as is said, a second after the one before.
func (c *caller) call(method, path, body string, took time.Duration) map[string]any {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	require.NoError(c.t, err)
	headers := map[string]string{"Content-Type": "application/json"}
	if c.token != "" {
		headers["Authorization"] = "Bearer " + c.token
	}
	if c.key != "" {
		headers["Idempotency-Key"] = c.key
	}
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	a, err := c.http.Do(r)
	require.NoError(c.t, err)
	raw, err := io.ReadAll(a.Body)
	require.NoError(c.t, err)
	require.NoError(c.t, a.Body.Close())
	var answer map[string]any
	if len(raw) == 0 {
		raw = []byte(`""`)
	} else {
		require.NoError(c.t, json.Unmarshal(raw, &answer))
	}
	c.at = c.at.Add(time.Second)
	c.lines = append(c.lines, line{c.at, c.at.Add(took), method, c.base + path, headers, json.RawMessage(body), a.StatusCode, raw})
	return answer
}

func (c *caller) file() string {
	c.t.Helper()
	var b bytes.Buffer
	for i := range c.lines {
		require.NoError(c.t, json.NewEncoder(&b).Encode(&c.lines[i]))
	}
	path := filepath.Join(c.t.TempDir(), "calls.jsonl")
	require.NoError(c.t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// TestCallsThatOverlapped: two cancels of one payment, of which the one that was sent
// first was refused, since the other had been carried out before it. Where they overlapped
// that is possible; where they did not, the service contradicts itself.
func TestCallsThatOverlapped(t *testing.T) {
	t.Parallel()
	for _, took := range []time.Duration{3 * time.Second, 200 * time.Millisecond} {
		s := mocktest.Start(t, mocktest.Options{})
		c := &caller{t: t, base: s.URL, http: inProcess(s.Server.Handler()), at: time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)}
		c.token = c.call("POST", "/Authentication/Token", `{"clientId":"`+s.ClientID+`","clientSecret":"`+s.ClientSecret+`"}`, time.Millisecond)["accessToken"].(string)
		company, err := fixtures.Payload("company-create")
		require.NoError(t, err)
		c.call("POST", "/Company/Create", string(company), time.Millisecond)
		id := c.call("POST", "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142"}`, time.Millisecond)["paymentRequestId"].(string)
		c.call("PUT", "/Payment/"+id+"/Cancel", "", took)
		c.call("PUT", "/Payment/"+id+"/Cancel", "", took)
		n := len(c.lines)
		require.Equal(t, 200, c.lines[n-2].Status, string(c.lines[n-2].Answer))
		require.NotEqual(t, 200, c.lines[n-1].Status)
		one, two := &c.lines[n-2], &c.lines[n-1]
		one.Status, two.Status, one.Answer, two.Answer = two.Status, one.Status, two.Answer, one.Answer

		made := made(t, sandbox(t), []string{c.file()}, read.Options{})
		notes := strings.Join(made.Notes, "\n")
		if took > time.Second {
			require.Empty(t, different(made), notes)
			require.Contains(t, notes, "Calls 4 and 5 overlapped, and the answers are possible only when the later was carried out first")
			require.Equal(t, 4, made.Run.Answers[3].N, "the call that began later was played first")
		} else {
			require.NotEmpty(t, different(made))
			require.NotContains(t, notes, "overlapped")
		}
	}
}

// TestCallsThatMet: of two calls with one key that overlapped the second was told that the
// first is still at work. The case plays them truly at once, and names the choice.
func TestCallsThatMet(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured)})
	c := &caller{t: t, base: s.URL, http: inProcess(s.Server.Handler()), at: time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)}
	c.token = c.call("POST", "/Authentication/Token", `{"clientId":"`+s.ClientID+`","clientSecret":"`+s.ClientSecret+`"}`, time.Millisecond)["accessToken"].(string)
	company, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	c.call("POST", "/Company/Create", string(company), time.Millisecond)
	c.key = "one"
	id := c.call("POST", "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142"}`, 3*time.Second)["paymentRequestId"].(string)
	c.call("POST", "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142"}`, time.Second)
	c.lines[3].Status, c.lines[3].Answer = 409, json.RawMessage(`{"type":"urn:paysandbox:problem:conflict","status":409}`)
	c.key = ""
	c.call("GET", "/Payment/"+id+"/Status", "", time.Millisecond)

	made := made(t, sandbox(t), []string{c.file()}, read.Options{})
	require.Contains(t, made.Chosen(), "idempotency=honoured")
	require.Equal(t, 409, made.Run.Of(3).Status)
	require.Less(t, made.Run.Of(3).Seq, made.Run.Of(2).Seq, "it was told so before the other had its answer")
	for i := range made.Differences {
		require.Equal(t, compare.Choice, made.Differences[i].Class, differences(made))
	}
}

// TestAtOnceIsOneAfterTheOther: whatever is called at once, the sandbox carries out one by
// one: played one after the other, the same inputs give the same tape, byte for byte.
func TestAtOnceIsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		tr := newTrader(t, seed+1)
		tr.pay("5000")
		var all sync.WaitGroup
		begin := make(chan struct{})
		for _, call := range [][3]string{
			{"PUT", "/Payment/" + tr.payment + "/Cancel"},
			{"PUT", "/Payment/" + tr.payment + "/Cancel"},
			{"GET", "/Payment/" + tr.payment + "/Status"},
			{"POST", "/Payment/Create", `{"amount":700,"contactNumber":"+12025550142","reference":"a"}`},
			{"POST", "/Payment/Create", `{"amount":800,"contactNumber":"+12025550142","reference":"b"}`},
			{"POST", "/_sandbox/integrations/default/payments/" + tr.payment + "/approve", "{}"},
		} {
			all.Go(func() {
				<-begin
				tr.send(call[0], call[1], call[2])
			})
		}
		close(begin)
		all.Wait()
		file, err := os.ReadFile(tr.save())
		require.NoError(t, err)
		_, err = mocktest.Start(t, mocktest.Options{}).Server.Load(t.Context(), file)
		require.NoError(t, err, "the first difference")
	}
}
