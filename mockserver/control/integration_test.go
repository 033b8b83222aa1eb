package control_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

const all = "/_sandbox/integrations"

func TestCreateReadDeleteIntegration(t *testing.T) {
	t.Parallel()
	s := start(t)
	var made, read control.IntegrationView
	s.ask(http.MethodPost, all, `{"name":"checkout","seed":42,"environment":"rehearsal","clock":{"mode":"manual","start":"2026-05-01T09:00:00-07:00"},
		"latitude":{"token-lifetime":"600"},"strict":true,"clientId":"mine","clientSecret":"hush","statusKey":"k","webhookSecret":"whsec_x",
		"webhookUrl":"http://localhost:3000/hooks","tapeEntries":100,"tapeBytes":65536}`, "X-Forwarded-Proto", "https", "X-Forwarded-Host", "pay.example.com").ok(&made)
	require.Equal(t, []any{"checkout", uint64(42), "rehearsal", true, "mine", "hush", "whsec_x", map[string]string{"token-lifetime": "600"}},
		[]any{made.Name, made.Seed, string(made.Environment), made.Strict, made.ClientID, made.ClientSecret, made.WebhookSecret, made.Latitude})
	require.Equal(t, control.ClockView{Mode: "manual", Now: "2026-05-01T16:00:00Z"}, made.Clock)
	require.Equal(t, "https://pay.example.com", made.BaseURL)
	require.Equal(t, "https://pay.example.com/_sandbox/integrations/"+made.ID, made.ControlURL)
	limits := s.registry.Get(made.ID).Options()
	require.Equal(t, tape.Limits{Entries: 100, Bytes: 65536}, limits.Tape)
	require.Equal(t, "k", limits.StatusKey)

	s.ask(http.MethodGet, all+"/"+made.ID, nil).ok(&read)
	require.Equal(t, made.ID, read.ID)
	var hooks control.EndpointList
	s.ask(http.MethodGet, all+"/"+made.ID+"/webhooks", nil).ok(&hooks)
	require.Equal(t, "http://localhost:3000/hooks", hooks.Webhooks[0].URL)

	var plain control.IntegrationView
	s.ask(http.MethodPost, all, nil).ok(&plain)
	require.NotEmpty(t, plain.ClientSecret)
	require.Equal(t, "manual", plain.Clock.Mode)
	var list control.IntegrationList
	s.ask(http.MethodGet, all, nil).ok(&list)
	ids := []string{}
	for _, i := range list.Integrations {
		ids = append(ids, i.ID)
	}
	require.Equal(t, []string{"default", made.ID, plain.ID}, ids)

	s.ask(http.MethodDelete, all+"/"+made.ID, nil).ok(nil)
	s.ask(http.MethodGet, all+"/"+made.ID, nil).problem(http.StatusNotFound)
	s.ask(http.MethodDelete, all+"/"+made.ID, nil).problem(http.StatusNotFound)
	s.ask(http.MethodDelete, all+"/default", nil).problem(http.StatusConflict)
	p := s.ask(http.MethodPost, all, `{"clientId":"sandbox-client"}`).problem(http.StatusConflict)
	require.Equal(t, "/clientId", p.Findings[0].Pointer)
}

// TestBadIntegrations: every problem is told, and nothing is made.
func TestBadIntegrations(t *testing.T) {
	t.Parallel()
	s := start(t)
	long := strings.Repeat("x", 201)
	tests := map[string][]string{ // body → pointer and a piece of what is expected or the fix
		`{"environment":"sandbx"}`:                   {"/environment", "nearest: sandbox"},
		`{"clock":{"mode":"manul"}}`:                 {"/clock/mode", "nearest: manual"},
		`{"clock":{"start":"yesterday"}}`:            {"/clock/start", "RFC 3339"},
		`{"clock":{"start":"1815-01-01T00:00:00Z"}}`: {"/clock/start", "between 1970"},
		`{"clock":{"start":"0001-01-01T00:00:00Z"}}`: {"/clock/start", "between 1970"},
		`{"clock":7}`:                            {"/clock", "object"},
		`{"seed":-1}`:                            {"/seed", "from 0"},
		`{"seed":"7"}`:                           {"/seed", ""},
		`{"latitude":{"token-lifetme":"600"}}`:   {"/latitude/token-lifetme", "nearest: token-lifetime"},
		`{"latitude":{"token-lifetime":"6000"}}`: {"/latitude/token-lifetime", "3600"},
		`{"latitude":{"token-lifetime":600}}`:    {"/latitude/token-lifetime", "quotes"},
		`{"latitude":{"a/b~c":"x"}}`:             {"/latitude/a~1b~0c", ""},
		`{"latitude":{"token-lifetime":"600","token-lifetime":"60"}}`: {"/latitude/token-lifetime", ""},
		`{"latitude":[]}`:                 {"/latitude", ""},
		`{"name":"` + long + `"}`:         {"/name", "200 bytes"},
		`{"clientSecret":"` + long + `"}`: {"/clientSecret", "200 bytes"},
		`{"tapeEntries":0}`:               {"/tapeEntries", "from 1"},
		`{"tapeBytes":9999999999}`:        {"/tapeBytes", "to 1073741824"},
		`{"webhookUrl":"ftp://x"}`:        {"/webhookUrl", "http"},
		`{"sed":7}`:                       {"/sed", "seed"},
		`{"environment":"sandbx","strict":null,"clock":{"mode":"no"}}`: {"/clock/mode", "real, manual"},
	}
	for body, want := range tests {
		got := s.ask(http.MethodPost, all, body)
		p := got.problem(http.StatusBadRequest)
		found := false
		for _, f := range p.Findings {
			found = found || f.Pointer == want[0] && strings.Contains(f.Expected+" "+f.Fix, want[1])
		}
		require.True(t, found, body+"\n"+got.Body.String())
		require.NotContains(t, got.Body.String(), long[:100])
	}
	require.Len(t, s.registry.List(), 1)
	two := s.ask(http.MethodPost, all, `{"environment":"sandbx","clock":{"mode":"no"},"latitude":{"a":"b","c":"d"}}`).problem(http.StatusBadRequest)
	require.Len(t, two.Findings, 4)
}

func TestResetAndRevoke(t *testing.T) {
	t.Parallel()
	s := start(t)
	before := s.people()
	s.post("/clock/advance", `{"by":"1h"}`).ok(nil)
	var v control.IntegrationView
	s.get("").ok(&v)
	require.Positive(t, v.Entities)
	s.post("/reset", nil).ok(&v)
	require.Equal(t, []any{0, int64(0), 0, "2026-03-02T17:00:00Z"}, []any{v.TapeEntries, v.TapeBytes, v.Entities, v.Clock.Now})
	require.Equal(t, before, s.people(), "the same seed gives the same ids")

	require.Equal(t, http.StatusBadRequest, s.post("/tokens/revoke", `{"token":"one"}`).Code)
	s.post("/tokens/revoke", `null`).ok(nil)
	calls := s.entries(tape.KindControl)
	require.Equal(t, "revokeTokens", calls[len(calls)-1].Exchange.Operation)
}

func TestClock(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	var v control.ClockView
	s.get("/clock").ok(&v)
	require.Equal(t, control.ClockView{Mode: "manual", Now: "2026-03-02T17:00:00Z"}, v)
	c := s.people()
	s.get("/clock").ok(&v)
	require.NotNil(t, v.Next)
	s.post("/payments/"+c.payment+"/approve", nil).ok(nil)

	moves := []struct{ body, now string }{
		{`{"by":"90s"}`, "2026-03-02T17:01:30Z"},
		{`{"by":"1h30m"}`, "2026-03-02T18:31:30Z"},
		{`{"by":"2d"}`, "2026-03-04T18:31:30Z"},
		{`{"by":"1d12h"}`, "2026-03-06T06:31:30Z"},
		{`{"by":"0s"}`, "2026-03-06T06:31:30Z"},
		{`{"to":"2026-03-07T00:00:00-08:00"}`, "2026-03-07T08:00:00Z"},
		{`{"to":"2026-03-07T08:00:00Z"}`, "2026-03-07T08:00:00Z"},
		{`{"until":"next"}`, ""},
	}
	for n, m := range moves {
		got := s.post("/clock/advance", m.body)
		got.ok(nil)
		if m.now != "" {
			require.Contains(t, got.Body.String(), `"now":"`+m.now+`"`, m.body)
		}
		if n == 0 {
			require.Contains(t, got.Body.String(), `"name":"payment-settle"`)
			require.Contains(t, got.Body.String(), `"to":"Paid"`)
			require.Contains(t, got.Body.String(), `"omitted":0`)
		}
	}
	bad := map[string]string{
		`{}`: "", `{"by":"1h","until":"next"}`: "", `{"by":"-1s"}`: "/by", `{"by":"-1d"}`: "/by", `{"by":"soon"}`: "/by", `{"by":"d"}`: "/by",
		`{"by":"1d-1h"}`: "/by", `{"by":"1d+1h"}`: "/by", `{"by":"1d1d"}`: "/by", `{"by":"999999999d"}`: "/by", `{"by":"106751d24h"}`: "/by",
		`{"to":"2020-01-01T00:00:00Z"}`: "/to", `{"to":"tomorrow"}`: "/to", `{"to":"9999-01-01T00:00:00Z"}`: "/to",
		`{"to":"0001-01-01T00:00:00Z"}`: "/to", `{"until":"then"}`: "/until", `{"by":5}`: "/by", `{"by":"200000h","x":1}`: "/x",
	}
	for body, pointer := range bad {
		p := s.post("/clock/advance", body).problem(http.StatusBadRequest)
		require.Equal(t, pointer, p.Findings[len(p.Findings)-1].Pointer, body)
	}
	over := s.post("/clock/advance", `{"by":"106751d24h"}`).problem(http.StatusBadRequest)
	require.Equal(t, "control.clock.by", over.Findings[0].Clause, "it is too long, not negative")
}

// FuzzAdvance: whatever is sent as a duration, the answer is a 200 or a 400, and
// the clock never goes back.
func FuzzAdvance(f *testing.F) {
	for _, seed := range []string{"24h", "3d", "1d12h", "-1s", "d", "1d-1h", "106751d23h47m16s", "9223372036854775807ns", "1e3h", "٣d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, by string) {
		s := start(t)
		before := s.registry.Default()
		_, was, _ := before.Clock()
		got := s.post("/clock/advance", map[string]string{"by": by})
		require.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, got.Code)
		_, now, _ := before.Clock()
		require.False(t, now.Before(was))
	})
}

// FuzzQuery: whatever is asked for, the tape answers 200 or 400. The caller has
// gone already, so that nobody waits.
func FuzzQuery(f *testing.F) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, seed := range []string{"since=1&limit=2", "kind=timer&kind=x", "wait=0s", "wait=30s", "since=9&wait=1m", "wait=x", "%zz", "a=b&a=c", "since=-1", "route=createPayment;x", "entity=%00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		s := start(t, func(_ *control.Options, o *integration.Options) { o.Tape.Entries = 10 })
		for _, path := range []string{"/tape", "/messages", "/deliveries"} {
			require.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, s.queryIn(gone, path, query).Code)
		}
	})
}

// What a body does not choose is as the server was started with.
func TestNewIntegrationsInheritTheServersChoices(t *testing.T) {
	t.Parallel()
	settings, err := latitude.Parse([]string{"token-lifetime=60", "zip=plus-four-only"})
	require.NoError(t, err)
	s := mocktest.Start(t, mocktest.Options{Settings: settings, Environment: "rehearsal", Strict: true})
	for body, want := range map[string]string{
		`{}`: "token-lifetime=60 zip=plus-four-only rehearsal true manual",
		`{"latitude":{"token-lifetime":"600","zip":"optional-hyphen"}}`: "token-lifetime=600 rehearsal true manual",
		`{"environment":"sandbox","strict":false}`:                      "token-lifetime=60 zip=plus-four-only sandbox false manual",
		`{"clock":{"start":"2026-05-01T00:00:00Z"}}`:                    "token-lifetime=60 zip=plus-four-only rehearsal true manual",
		`{"clock":{"mode":"real"}}`:                                     "token-lifetime=60 zip=plus-four-only rehearsal true real",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/_sandbox/integrations", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		var made struct{ ID string }
		require.NoError(t, json.NewDecoder(res.Body).Decode(&made))
		require.NoError(t, res.Body.Close())
		o := s.Server.Registry().Get(made.ID).Options()
		require.Equal(t, want, fmt.Sprint(o.Settings.String(), " ", o.Environment, " ", o.Strict, " ", o.Clock))
	}
}
