package mockserver_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// hooks is a partner's webhook receiver.
type hooks struct {
	mu     sync.Mutex
	bodies []string
	good   int
}

// ServeHTTP takes a delivery and checks its signature over the exact bytes.
func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost { // the probe asks HEAD
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	mac := hmac.New(sha256.New, []byte(journeySecret))
	mac.Write(body)
	if r.Header.Get("X-HMAC-Signature") == "sha256="+hex.EncodeToString(mac.Sum(nil)) {
		h.good++
	}
	h.bodies = append(h.bodies, string(body))
}

const journeySecret = "whsec_journey"

// partner calls a sandbox in a journey.
type partner struct {
	t     *testing.T
	url   string
	token string
}

// send sends JSON and reads the answer; it must succeed.
func (p *partner) send(method, path, body string) map[string]any {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "journey/1.0")
	if p.token != "" && !strings.HasPrefix(path, "/_sandbox") {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	return p.read(r)
}

func (p *partner) read(r *http.Request) map[string]any {
	p.t.Helper()
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(p.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	require.Less(p.t, res.StatusCode, 400, "%s %s: %s", r.Method, r.URL.Path, body)
	answer := map[string]any{"location": res.Header.Get("Location"), "body": string(body)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") && len(body) > 0 {
		require.NoError(p.t, json.Unmarshal(body, &answer))
	}
	return answer
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]*)"`)

// fill opens a page and sends its form, as a browser would without scripts.
func (p *partner) fill(address string, fields ...string) map[string]any {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, address, nil)
	require.NoError(p.t, err)
	page, _ := p.read(r)["body"].(string)
	token := csrfField.FindStringSubmatch(page)
	require.NotNil(p.t, token, page)
	form := url.Values{"csrf": {token[1]}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r, err = http.NewRequestWithContext(p.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.read(r)
}

const control = "/_sandbox/integrations/default"

// text reads one member of an answer.
func text(t *testing.T, answer map[string]any, name string) string {
	t.Helper()
	s, ok := answer[name].(string)
	require.True(t, ok, "%s in %v", name, answer)
	return s
}

// journey plays the whole story against a fresh sandbox on a fixed address and
// gives its tape.
func journey(t *testing.T, hook string) (string, []tape.Entry) {
	t.Helper()
	s := mocktest.Start(t, mocktest.Options{Seed: 42, Environment: world.Rehearsal})
	p := &partner{t: t, url: s.URL}
	p.token = text(t, p.send(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`), "accessToken")
	p.send(http.MethodPost, control+"/webhooks", `{"url":"`+hook+`","secret":"`+journeySecret+`"}`)

	company := text(t, p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1))), "companyId")
	require.Equal(t, "Unverified", p.send(http.MethodGet, "/Company/"+company+"/Status", "")["status"])
	p.send(http.MethodPost, control+"/clock/advance", `{"by":"24h"}`)
	p.token = text(t, p.send(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`), "accessToken")
	require.Equal(t, "Verified", p.send(http.MethodGet, "/Company/"+company+"/Status", "")["status"])
	mail := s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindMessage}})
	require.Equal(t, "company-verified", mail[0].Message.Template)

	payer := p.send(http.MethodPost, "/User/Register", `{"redirectUrl":"https://partner.example.com/welcome","mobileNumber":"+12025550142"}`)
	register := text(t, payer, "registrationUrl")
	p.fill(register, "step", "bank", "bank", "good")
	gone := p.fill(register, "step", "identity", "bank", "good", "name", "Dana Reyes", "born", "1980-02-29", "ssn", "6789", "outcome", "registered")
	require.Equal(t, "https://partner.example.com/welcome", gone["location"])

	id := text(t, payer, "registrationId")
	p.send(http.MethodPost, "/User/"+id+"/DebitAuth", `{"companyId":"`+company+`","enabled":true,"limit":9000}`)
	debit := s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindTransition}})
	p.send(http.MethodPost, control+"/debit-authorisations/"+debit[len(debit)-1].Entities[0]+"/accept", `{}`)
	plan := text(t, p.send(http.MethodPost, "/PaymentPlan/Create",
		`{"name":"Gold","amount":4900,"companyId":"`+company+`","startDate":"2026-03-31","intervalValue":1,"intervalUnit":"Month","occurrences":3}`), "paymentPlanId")
	consent := p.send(http.MethodPost, "/PaymentPlan/"+plan+"/Payers", `{"registrationId":"`+id+`"}`)
	p.send(http.MethodPost, control+"/consents/"+text(t, consent, "consentId")+"/accept", `{}`)
	p.send(http.MethodPut, "/PaymentPlan/"+plan+"/Activate", "")
	p.send(http.MethodPost, control+"/clock/advance", `{"to":"2026-06-01T18:00:00Z"}`)

	paid := settled(s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}))
	require.Len(t, paid, 3, "three months, three payments")
	p.send(http.MethodPost, control+"/payments/"+paid[1]+"/return", `{"returnCode":"R10"}`)
	s.Tape(t, tape.Filter{}) // what is under way comes back
	written, entries := tapeOf(t, s.Server)
	return strings.ReplaceAll(written, strings.TrimPrefix(s.URL, "http://"), "sandbox.test"), entries
}

// settled gives the payments that became Paid, in order.
func settled(entries []tape.Entry) []string {
	var ids []string
	for _, e := range entries {
		if e.Transition.Machine == "payment" && e.Transition.To == "Paid" {
			ids = append(ids, e.Transition.Entity)
		}
	}
	return ids
}

// TestJourney is a partner's first quarter: a company is verified, a payer
// registers on the page, a plan collects three times, and a bank takes one
// payment back. Played twice, the tapes are equal byte for byte, but for the
// port that the system has given to the sandbox.
func TestJourney(t *testing.T) {
	t.Parallel()
	h := &hooks{}
	receiver := httptest.NewServer(h)
	t.Cleanup(receiver.Close)
	start := time.Now()
	first, entries := journey(t, receiver.URL)
	t.Logf("the journey took %s of real time", time.Since(start).Round(time.Millisecond))
	deliveries := len(h.bodies)
	second, _ := journey(t, receiver.URL)
	require.Empty(t, firstDifferenceOrNone(first, second))

	events := map[string][]string{}
	for _, body := range h.bodies[:deliveries] {
		var e struct {
			Event string
			Data  struct{ CompanyID, PaymentID, Status string }
		}
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		events[e.Data.CompanyID+e.Data.PaymentID] = append(events[e.Data.CompanyID+e.Data.PaymentID], e.Data.Status)
	}
	require.Equal(t, 2*deliveries, len(h.bodies))
	require.Equal(t, len(h.bodies), h.good, "every delivery is signed over its exact bytes")
	chains := map[string]int{}
	for _, statuses := range events {
		chains[strings.Join(statuses, " ")]++
	}
	require.Equal(t, map[string]int{"Verified": 1, "Processing Paid": 2, "Processing Paid Failed": 1}, chains)
	requireOpenSSLAgrees(t, entries)
}

// requireOpenSSLAgrees checks the recorded signatures by another implementation.
func requireOpenSSLAgrees(t *testing.T, entries []tape.Entry) {
	t.Helper()
	openssl := sampling.Needs(t, "openssl", "another implementation is to check the signatures")
	checked := 0
	for _, e := range entries {
		if e.Kind != tape.KindAttempt {
			continue
		}
		cmd := exec.CommandContext(t.Context(), openssl, "dgst", "-sha256", "-hmac", journeySecret)
		cmd.Stdin = strings.NewReader(string(e.Attempt.Body))
		out, err := cmd.Output()
		require.NoError(t, err)
		_, sum, found := strings.Cut(strings.TrimSpace(string(out)), "= ")
		require.True(t, found)
		require.Contains(t, e.Attempt.Header, tape.Header{Name: "X-HMAC-Signature", Value: "sha256=" + sum})
		checked++
	}
	require.Positive(t, checked)
}
