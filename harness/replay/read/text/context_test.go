package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
)

// TestHeadersBesideABody: what a logger puts behind the line of a call, its headers beside its body, is taken apart where the log shows that
// it tells of calls in that way.
func TestHeadersBesideABody(t *testing.T) {
	t.Parallel()
	const (
		at    = "[2026-03-02 06:00:01] x.DEBUG: "
		token = at + `> POST https://a.example/auth/token {"body":{"clientId":"c"}}` + "\n" + at + `< 200 {"ms":2,"body":"{\"accessToken\":\"t\"}"}` + "\n"
		pay   = at + `> POST https://a.example/Payment/Create {"headers":{"Authorization":"Bearer a.b.c","Content-Type":"application/json"},"body":{"amount":5},"attempt":1}` + "\n"
		list  = at + `> GET https://a.example/Company/List {"headers":{"Authorization":["Bearer a.b.c"]},"query":[]}` + "\n" + at + `< 200 {"companies":[]}` + "\n"
		bare  = at + `< 401 {"title":"no"}` + "\n"
		lined = at + `< 401 {"ms":2,"headers":{"Date":"x"},"body":"{\"title\":\"no\"}"}` + "\n"
		paid  = `POST https://a.example/Payment/Create? [Authorization: Bearer a.b.c] [Content-Type: application/json] {"amount":5} -> `
	)
	for name, c := range map[string]struct{ log, want string }{
		"a call was served so":            {token + pay + bare, paid + `whole 401 {"title":"no"}`},
		"an answer is told so":            {pay + lined, paid + `whole 401 {"ms":2,`},
		"as Python prints it":             {strings.ReplaceAll(strings.ReplaceAll(pay, `"`, `'`), `:'`, `: '`) + strings.ReplaceAll(strings.ReplaceAll(bare, `"`, `'`), `:`, `: `) + token, `POST https://a.example/Payment/Create? [Authorization: Bearer a.b.c] [Content-Type: application/json] `},
		"of what sends none":              {list, `GET https://a.example/Company/List? [Authorization: Bearer a.b.c] -> whole 200 {"companies":[]}`},
		"it may have been sent so":        {pay + bare, `POST https://a.example/Payment/Create? [Content-Type: application/json] {"headers":`},
		"a body with a member for data":   {token + strings.Replace(pay, `"body":`, `"customer":`, 1) + bare, `[Content-Type: application/json] {"headers":`},
		"two bodies":                      {token + strings.Replace(pay, `"attempt":1`, `"json":{}`, 1) + bare, `[Content-Type: application/json] {"headers":`},
		"headers that no request has":     {token + strings.Replace(pay, `Authorization`, `X-Kind`, 1) + bare, `[Content-Type: application/json] {"headers":`},
		"a body in which headers stand":   {token + strings.Replace(pay, `"amount":5`, `"headers":{"Accept":"x"}`, 1) + bare, ` {"headers":{"Accept":"x"}} -> `},
		"without a body where one is due": {token + strings.Replace(pay, `,"body":{"amount":5}`, ``, 1) + bare, `[Content-Type: application/json] (missing) -> `},
	} {
		p, err := text.Pasted(&source.File{Name: "f", Data: []byte(c.log)}, nil)
		require.NoError(t, err, name)
		require.Contains(t, readtest.Told(p), c.want, name)
	}
	p, err := text.Pasted(&source.File{Name: "f", Data: []byte(token + pay + bare)}, nil)
	require.NoError(t, err)
	require.NotContains(t, readtest.Told(p), "the headers of calls (2)", "those of one are shown")
}
