package verify_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
	"paysandbox/mockserver/mocktest"
)

func TestPreflight(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{ControlToken: "a token"})
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(failing.Close)
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Sat, 21 Nov 2026 08:54:00 GMT")
	}))
	t.Cleanup(late.Close)
	deaf := spoiled(t, replacing("/webhooks", `"reachable":true`, `"reachable":false`))
	for name, c := range map[string]struct {
		at      string
		change  func(*verify.Plan)
		is      error
		code    int
		problem string
	}{
		"unreachable":         {at: "http://127.0.0.1:1", is: verify.ErrTarget, code: verdict.CodeBroken, problem: "cannot be reached"},
		"not the service":     {at: failing.URL, change: signedIn("x", "y"), is: verify.ErrTarget, code: verdict.CodeBroken, problem: "status 502"},
		"wrong credentials":   {at: sandbox.URL, change: signedIn(sandbox.ClientID, "wrong"), is: verify.ErrConfig, code: verdict.CodeConfig, problem: "refuses the credentials"},
		"no credentials":      {at: sandbox.URL, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "needs a client id"},
		"half credentials":    {at: sandbox.URL, change: signedIn("x", ""), is: verify.ErrConfig, code: verdict.CodeConfig, problem: "come together"},
		"wrong control token": {at: sandbox.URL, change: func(p *verify.Plan) { p.ControlToken = "wrong" }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "refuses the control token"},
		"no control token":    {at: sandbox.URL, change: func(p *verify.Plan) { p.ControlURL = sandbox.URL }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "wants a control token"},
		"no control there":    {at: sandbox.URL, change: func(p *verify.Plan) { p.ControlURL = failing.URL }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "no control API"},
		"clock skew":          {at: late.URL, change: func(p *verify.Plan) { p.HTTP = nil }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "6m0s apart"},
		"webhooks":            {at: deaf, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "cannot reach the webhook receivers"},
		"no address":          {at: "nowhere", is: verify.ErrConfig, code: verdict.CodeConfig, problem: "is not an address"},
		"secret in address":   {at: "http://a:hunter2@127.0.0.1:1", is: verify.ErrConfig, code: verdict.CodeConfig, problem: "holds credentials"},
		"too many at once":    {at: sandbox.URL, change: func(p *verify.Plan) { p.Concurrency = 1000 }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "at a time"},
		"surface":             {at: sandbox.URL, change: func(p *verify.Plan) { p.Surface = clause.Provisional }, is: verify.ErrConfig, code: verdict.CodeConfig, problem: "surface"},
		"no such clause":      {at: sandbox.URL, change: filtering("company.create,company.crete"), is: verify.ErrNothing, code: verdict.CodeLittle, problem: "company.crete"},
		"nothing left":        {at: sandbox.URL, change: filtering("company.create.zip,not company"), is: verify.ErrNothing, code: verdict.CodeLittle, problem: "no scenario fits"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, c.at, "company.list")
			if c.change != nil {
				c.change(&p)
			}
			r, err := verify.Run(t.Context(), p)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.problem)
			require.NotContains(t, err.Error(), "hunter2")
			require.Equal(t, c.code, r.ExitCode)
			require.Empty(t, r.Clauses, "nothing is judged")
			require.True(t, strings.Contains(r.Reason, c.problem), r.Reason)
		})
	}
}

func signedIn(id, secret string) func(*verify.Plan) {
	return func(p *verify.Plan) { p.ClientID, p.ClientSecret = id, secret }
}

func filtering(list string) func(*verify.Plan) {
	return func(p *verify.Plan) { p.Clauses, _ = clause.ParseClauses(list) }
}
