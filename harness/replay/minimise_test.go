package replay_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/mocktest"
)

// trader makes calls to a sandbox whose clock stands, a second apart, by a seed.
type trader struct {
	t        *testing.T
	s        *mocktest.Sandbox
	http     *http.Client
	random   *rand.Rand
	token    string
	location string
	payer    string
	payment  string
	calls    int
}

func newTrader(t *testing.T, seed uint64) *trader {
	t.Helper()
	s := mocktest.Start(t, mocktest.Options{Seed: seed})
	tr := &trader{t: t, s: s, http: inProcess(s.Server.Handler()), random: rand.New(rand.NewPCG(seed, 1))}
	tr.token = tr.call(http.MethodPost, "/Authentication/Token", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, s.ClientID, s.ClientSecret)).Text("accessToken")
	made := tr.call(http.MethodPost, "/Company/Create", payload(t, "company-create"))
	tr.location = fmt.Sprint(made["locationIds"].([]any)[0])
	tr.register()
	return tr
}

func payload(t *testing.T, name string) string {
	t.Helper()
	text, err := fixtures.Payload(name)
	require.NoError(t, err)
	return string(text)
}

// send makes one call of either API.
func (tr *trader) send(method, path, body string) trail.Body {
	tr.t.Helper()
	r, err := http.NewRequestWithContext(tr.t.Context(), method, tr.s.URL+path, strings.NewReader(body))
	require.NoError(tr.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "shop/1.0")
	if tr.token != "" && !strings.HasPrefix(path, "/_sandbox") && path != "/Authentication/Token" {
		r.Header.Set("Authorization", "Bearer "+tr.token)
	}
	a, err := tr.http.Do(r)
	require.NoError(tr.t, err)
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	require.NoError(tr.t, err)
	return trail.ReadBody(text)
}

func (tr *trader) call(method, path, body string) trail.Body {
	tr.t.Helper()
	tr.calls++
	tr.play("/clock/advance", `{"by":"1s"}`)
	return tr.send(method, path, body)
}

// play is what people and time do.
func (tr *trader) play(path, body string) {
	tr.t.Helper()
	tr.send(http.MethodPost, "/_sandbox/integrations/default"+path, body)
}

func (tr *trader) register() {
	tr.payer = tr.call(http.MethodPost, "/User/Register", payload(tr.t, "user-register")).Text("registrationId")
	require.NotEmpty(tr.t, tr.payer)
	tr.play("/registrations/"+tr.payer+"/complete", "{}")
}

// pay asks for a payment of an amount, as JSON has it.
func (tr *trader) pay(amount string) {
	if id := tr.call(http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":%s,"locationId":%q,"registrationId":%q,"reference":"order-%d"}`, amount, tr.location, tr.payer, tr.calls)).Text("paymentRequestId"); id != "" {
		tr.payment = id
	}
}

func (tr *trader) refund(amount string) {
	tr.call(http.MethodPost, "/Payment/Refund/"+tr.payment, `{"amount":`+amount+`,"reason":"x"}`)
}

func (tr *trader) paid() {
	tr.pay("5000")
	tr.play("/payments/"+tr.payment+"/approve", "{}")
	tr.play("/clock/advance", `{"by":"7s"}`)
}

// noise is a call that is innocent, drawn by the seed.
func (tr *trader) noise() {
	switch tr.random.IntN(8) {
	case 0:
		tr.register()
	case 1, 2:
		tr.pay(fmt.Sprint(1000 + tr.random.IntN(5000)))
	case 3:
		tr.paid()
	case 4:
		tr.call(http.MethodGet, "/Company/List", "")
	case 5:
		tr.call(http.MethodGet, "/User/"+tr.payer+"/Status", "")
	default:
		if tr.payment == "" {
			tr.paid()
		}
		tr.call(http.MethodGet, "/Payment/"+tr.payment+"/Status", "")
	}
}

// slips are what a partner does wrong, by the clause that it breaks.
var slips = map[string]func(tr *trader){
	"payment.create.amount-range": func(tr *trader) { tr.pay("0") },
	"request.type":                func(tr *trader) { tr.pay(`"50.00"`) },
	"payment.refund.amount-left":  func(tr *trader) { tr.paid(); tr.refund("999999") },
	"payment.refund.after-paid":   func(tr *trader) { tr.pay("700"); tr.refund("100") },
	"user.status.unknown":         func(tr *trader) { tr.call(http.MethodGet, "/User/6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10/Status", "") },
	"payment.create.location-id-known": func(tr *trader) {
		was := tr.location
		tr.location = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
		tr.pay("500")
		tr.location = was
	},
	"error.unknown-path": func(tr *trader) { tr.call(http.MethodGet, "/Payments/"+tr.payer+"/State", "") },
	"error.method":       func(tr *trader) { tr.call(http.MethodDelete, "/Company/List", "") },
	"company.create.zip": func(tr *trader) {
		tr.call(http.MethodPost, "/Company/Create", strings.NewReplacer(`"90012"`, `"12"`, `"loc-001"`, `"loc-002"`).Replace(payload(tr.t, "company-create")))
	},
}

// save writes the session's tape.
func (tr *trader) save() string {
	r, err := http.NewRequestWithContext(tr.t.Context(), http.MethodGet, tr.s.URL+"/_sandbox/integrations/default/tape", http.NoBody)
	require.NoError(tr.t, err)
	a, err := tr.http.Do(r)
	require.NoError(tr.t, err)
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	require.NoError(tr.t, err)
	path := filepath.Join(tr.t.TempDir(), "session.tape")
	require.NoError(tr.t, os.WriteFile(path, text, 0o600))
	return path
}

// TestMinimiseAThousandCalls: of a thousand calls with one cause at most six are left.
func TestMinimiseAThousandCalls(t *testing.T) {
	sampling.NotRaced(t, "TestCallsThatMet and TestMinimiseNoise do the same with it")
	t.Parallel()
	most := 200
	if sampling.All() {
		most = 1000
	}
	tr := newTrader(t, 7)
	for tr.calls < most/2 {
		tr.noise()
	}
	slips["payment.create.amount-range"](tr)
	for tr.calls < most {
		tr.noise()
	}
	s := sandbox(t)
	c := made(t, s, []string{tr.save()}, read.Options{})
	begun := time.Now()
	small := minimised(t, c, s, "payment.create.amount-range")
	t.Logf("%d calls: %d are left, after %v", len(c.Recording.Exchanges), small.Script.Calls(), time.Since(begun))
}

// minimised makes a case smaller, and holds the result to showing the same fault in at
// most six calls.
func minimised(t *testing.T, c *replay.Case, s *play.Sandbox, clause string) *replay.Case {
	t.Helper()
	require.NotNil(t, c.Diagnosis.Fault, clause)
	require.Contains(t, append([]string{c.Diagnosis.Fault.Clause}, c.Diagnosis.Fault.Also...), clause, "%v", c.Diagnosis.Lines)
	small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 2})
	require.NoError(t, err, clause)
	require.Equal(t, c.Signature(), small.Signature(), "%v", small.Diagnosis.Lines)
	require.LessOrEqual(t, small.Script.Calls(), 6, "%s: %v", clause, texts(small))
	return small
}

func texts(c *replay.Case) []string {
	var list []string
	for i := range c.Script.Steps {
		list = append(list, c.Script.Steps[i].Text())
	}
	return list
}

// TestMinimiseNoise: cases of which the most is noise, in its own form and as a HAR: what
// is left shows the same fault; and every fifth is made as small by one play at a time and by five.
func TestMinimiseNoise(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	names := []string{}
	for name := range slips {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, seed := range sampling.Every(t, 29, seeds(50)) {
		clause := names[int(seed)%len(names)]
		t.Run(fmt.Sprint(seed, " ", clause), func(t *testing.T) {
			tr := newTrader(t, seed)
			before, after := tr.random.IntN(60), tr.random.IntN(60)
			for range before {
				tr.noise()
			}
			slips[clause](tr)
			for range after {
				tr.noise()
			}
			c := made(t, s, []string{tr.save()}, read.Options{})
			if seed%2 == 1 {
				c = made(t, s, []string{inForm(t, s, c, "har", "a.har")}, read.Options{})
			}
			small := minimised(t, c, s, clause)
			if seed%5 != 0 {
				return
			}
			for _, parallel := range []int{1, 5} {
				other, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: parallel})
				require.NoError(t, err)
				want, err := json.Marshal(small.Script)
				require.NoError(t, err)
				got, err := json.Marshal(other.Script)
				require.NoError(t, err)
				require.JSONEq(t, string(want), string(got), "whatever the parallelism")
			}
		})
	}
}

func seeds(n uint64) []uint64 {
	list := make([]uint64, 0, n)
	for i := range n {
		list = append(list, i+1)
	}
	return list
}
