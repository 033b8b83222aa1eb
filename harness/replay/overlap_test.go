package replay_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/read"
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
