package scrub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// TestAttackHiddenSecrets are secrets where nobody looks for them: each is gone, and what
// links and explains stays.
func TestAttackHiddenSecrets(t *testing.T) {
	t.Parallel()
	const known = `hunter/2"hunter`
	tests := map[string]struct {
		text   string
		gone   []string
		stands []string
	}{
		"objects under a secret's name":  {text: `{"token":{"type":"opaque","value":"canary-value-1","id":"0b6bd0a4-64b9-4a3d-9b0f-000000000001"}}`, gone: []string{"canary-value-1"}, stands: []string{"opaque", "0b6bd0a4-64b9-4a3d-9b0f-000000000001"}},
		"lists under a secret's name":    {text: `{"clientSecret":["canary",["canary"]]}`, gone: []string{"canary"}},
		"a name in parts":                {text: `{"payer":{"name":{"first":"Canary","last":"Li"}}}`, gone: []string{"Canary", `"Li"`}, stands: []string{"first", "last"}},
		"a name in parts of a company":   {text: `{"name":{"first":"Canary"}}`, gone: []string{"Canary"}},
		"a member's name":                {text: `{"canary@bird.io":1,"\u0063anary@bird.io":2}`, gone: []string{"canary@", `\u0063anary`}, stands: []string{":1", ":2"}},
		"a member's name that is known":  {text: `{"password":"canary-value-1","canary-value-1":true}`, gone: []string{"canary-value-1"}},
		"letters written as numbers":     {text: `{"passw\u006frd":"can\u0061ry-value","note":"\u0063anary@bird.io"}`, gone: []string{"canary", `can\u0061ry`, `\u0063anary`}},
		"a known one, written otherwise": {text: `{"password":"hunter\/2\"hunter","a":"it is hunter\/2\u0022hunter"}`, gone: []string{`hunter\/2`, "hunter/2"}, stands: []string{"it is scrubbed-"}},
		"a known one in an address":      {text: `{"password":"hunter\/2\"hunter","a":"https://a.io/x/hunter%2F2%22hunter?y=hunter%2F2%22hunter"}`, gone: []string{"hunter%2F2", "hunter"}},
		"JSON in JSON in JSON":           {text: `{"a":"{\"b\":\"{\\\"password\\\":\\\"canary-value\\\"}\"}"}`, gone: []string{"canary"}},
		"a body that was cut off":        {text: `{"amount":5,"password": "canary of many words, and \"more\" canary`, gone: []string{"canary", "more"}, stands: []string{`"amount":5`}},
		"a moment in what is no JSON":    {text: `say "2026-03-02T17:01:00Z" or 20260302T170100Z, and q7Zx9KpCanary1`, gone: []string{"Canary"}, stands: []string{"2026-03-02T17:01:00Z", "20260302T170100Z"}},
		"a call that is written down":    {text: `{"url":"/Company/List","headers":{"X-Signature":"q7Zx9KpCanary1","Cookie":"session=q7ZxCanary2","Accept":"application/json"},"body":"client_secret=q7ZxCanary3&page=2"}`, gone: []string{"Canary"}, stands: []string{`"Accept":"application/json"`, "&page=2"}},
		"a signature in Base64":          {text: `{"url":"/Company/List","headers":{"X-HMAC-Signature":"q7ZxCanary4q7ZxCanary5q7Zx=="}}`, gone: []string{"Canary"}, stands: []string{`"/Company/List"`}},
		"two texts of JSON":              {text: "{\"password\":\"canary one\"}\n{\"password\":\"canary two\"}", gone: []string{"canary"}},
		"no UTF-8":                       {text: "{\"password\":\"canary\xff\xfe\"}", gone: []string{"canary"}},
	}
	for what, tc := range tests {
		got := body(t, tc.text)
		for _, gone := range tc.gone {
			require.NotContains(t, got, gone, what)
		}
		for _, stays := range tc.stands {
			require.Contains(t, got, stays, what)
		}
	}
	out, _ := clean(t, recording.Recording{Exchanges: []recording.Exchange{
		{Path: "/a/hunter%2F2%22hunter", Query: "q=hunter%2F2%22hunter", Header: []tape.Header{{Name: "X-Api-Key", Value: known}}},
	}}, scrub.Options{})
	require.NotContains(t, fmt.Sprint(out.Exchanges), "hunter", "percent-encoded in a path and a query")
}

// TestAttackStandInsStay: what stands in for a value is the same in a body that is cut off
// and looked through twice, and in one that is whole.
func TestAttackStandInsStay(t *testing.T) {
	t.Parallel()
	out, _ := clean(t, recording.Recording{Exchanges: []recording.Exchange{
		{Body: []byte(`{"emailAddress":"canary@bird.io","password":"canary-value-1"}`)},
		{Body: []byte(`{"emailAddress":"canary@bird.io","password":"canary-value-1","more":`)},
	}}, scrub.Options{})
	require.Equal(t, strings.TrimSuffix(string(out.Exchanges[0].Body), "}")+`,"more":`, string(out.Exchanges[1].Body))
}

// TestAttackManyAndDeep: a file costs no more than its bytes, however many secrets and
// forms stand in it and however deep they lie: each of these took minutes, or a gigabyte.
func TestAttackManyAndDeep(t *testing.T) {
	t.Parallel()
	const many = 1_000
	var secrets, mails, mixed strings.Builder
	for n := range many {
		fmt.Fprintf(&secrets, `{"password":"canary-%06d"},`, n)
		fmt.Fprintf(&mails, "canary%d@bird.example ", n)
		fmt.Fprintf(&mixed, "%08x-0000-4000-8000-000000000000 415-%03d-%04d ", n, n%1000, n%10000)
	}
	for _, text := range []string{
		"[" + secrets.String() + "1]", secrets.String(), mails.String(), `{"note":"` + mails.String() + `"}`, mixed.String(),
		strings.Repeat(`{"canary@bird.io":`, 9000) + `"canary@bird.io"` + strings.Repeat("}", 9000),
		strings.Repeat("[", 9000) + `"canary@bird.io"` + strings.Repeat("]", 9000),
	} {
		got := body(t, text)
		require.NotContains(t, got, "canary", text[:40])
		require.Equal(t, strings.Count(text, "-4000-"), strings.Count(got, "-4000-"), "ids stay")
		require.Equal(t, json.Valid([]byte(text)), json.Valid([]byte(got)), text[:40])
	}
	_, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Body: []byte(strings.Repeat(`{"`+strings.Repeat("x", 9000)+`":`, 100) + `"aB3dE6gH9jK2mN5pQ8sT1"` + strings.Repeat("}", 100))}}}, scrub.Options{})
	require.Len(t, report.Missed, 1)
	require.Less(t, len(report.Missed[0].What), 1000, "where to look is told in a line")
}

// TestReferencesOfNames: what a reference has of a company's name is replaced where it stands, the same everywhere; a name's
// common words alone stay.
func TestReferencesOfNames(t *testing.T) {
	t.Parallel()
	body := []byte(`{"name":"Maple Vet Clinic","companyReferenceId":"maple-vet","metadata":{"site":"maplevet-01","kind":"Clinic visit"}}`)
	s := scrub.New([]byte("key"), scrub.Options{})
	r := s.Recording(recording.Recording{Exchanges: []recording.Exchange{
		{Method: "POST", Path: "/Company/Create", Body: body}, {Method: "GET", Path: "/Company/maple-vet/Status"},
	}})
	text := strings.ToLower(string(r.Exchanges[0].Body) + r.Exchanges[1].Path)
	require.NotContains(t, text, "maple")
	require.Contains(t, text, "clinic visit")
	was := trail.ReadBody(r.Exchanges[0].Body).Text("companyReferenceId")
	require.Equal(t, "/Company/"+was+"/Status", r.Exchanges[1].Path)
}
