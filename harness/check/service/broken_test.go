package service_test

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/check/service"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// mutant is a service that breaks one promise, and the checks that must see it:
// these and no others.
type mutant struct {
	name  string
	kills []string
	spoil func(r *reel)
}

// resign signs a delivery anew under the secret of its endpoint.
func resign(f film) func(a *tape.Attempt) {
	return func(a *tape.Attempt) {
		if a.Profile != "" && a.Profile != "duplicate" {
			return
		}
		mac := hmac.New(sha256.New, []byte(f.opts.WebhookSecrets[a.Endpoint][0]))
		mac.Write(a.Body)
		for i, h := range a.Header {
			if h.Name == "X-HMAC-Signature" {
				a.Header[i].Value = "sha256=" + hex.EncodeToString(mac.Sum(nil))
			}
		}
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// TestBrokenTapes spoils a good session in one way at a time. Each mutant is
// killed by the checks that it names and by no other.
func TestBrokenTapes(t *testing.T) {
	t.Parallel()
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	f := shoot(t, rich(t).tape())
	all := slices.Concat(brokenAnswers(), brokenEvents(f), brokenMoney(), brokenPlans(), brokenTape(f))
	killed := 0
	proved := map[string]bool{}
	var blames strings.Builder
	for _, m := range all {
		r := f.copy(t)
		m.spoil(r)
		results := r.tape(f.opts).judge()
		got := failing(results)
		fmt.Fprintf(&blames, "%s: %s\n", m.name, strings.Join(blamed(t, results), ", "))
		if len(got) > 0 {
			killed++
		}
		slices.Sort(m.kills)
		if !slices.Equal(m.kills, got) {
			t.Errorf("%s is killed by %v, not by %v", m.name, got, m.kills)
		}
		for _, id := range got {
			proved[id] = true
		}
	}
	t.Logf("%d of %d mutants killed (%d %%)", killed, len(all), 100*killed/len(all))
	golden(t, "blamed.txt", blames.String())
	for _, c := range check.Service(service.Options{}) {
		require.True(t, proved[c.ID], "no mutant is killed by %s", c.ID)
	}
}

// blamed are the clauses that failures name, each with its check. Only clauses
// that the check judges may be named.
func blamed(tb testing.TB, results []check.Result) []string {
	tb.Helper()
	var list []string
	for _, r := range results {
		for _, v := range r.Judgements {
			if v.Clause != "" {
				require.Equal(tb, verdict.Fail, v.Word, v.Text())
				require.Contains(tb, r.Clauses, v.Clause, r.Check)
			}
			if v.Word == verdict.Fail {
				list = append(list, cmp.Or(v.Clause, "no clause")+" by "+r.Check)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file, byte for byte.
func golden(tb testing.TB, name, got string) {
	tb.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(tb, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(tb, err)
	require.Equal(tb, string(want), got)
}

// failing are the ids of the checks that failed, sorted.
func failing(results []check.Result) []string {
	ids := []string{}
	for _, r := range results {
		if r.Word == verdict.Fail || r.Word == verdict.HarnessError {
			ids = append(ids, r.Check)
		}
	}
	slices.Sort(ids)
	return ids
}

// brokenAnswers are mutants that answer wrongly.
func brokenAnswers() []mutant {
	body := func(operation string, status int, old, to string) func(r *reel) {
		return func(r *reel) {
			x := r.call(0, operation, status)
			x.Response.Body = r.reword(x.Response.Body, old, to)
		}
	}
	header := func(operation string, status int, name string) func(r *reel) {
		return func(r *reel) {
			x := r.call(0, operation, status)
			x.Response.Header = checktest.Drop(x.Response.Header, name)
		}
	}
	return []mutant{
		{"wrong casing", []string{"wire.conform"}, body("getUserStatus", 200, `"status"`, `"Status"`)},
		{"missing member", []string{"wire.conform"}, body("registerUser", 200, `"registrationUrl"`, `"url"`)},
		{"extra member", []string{"wire.conform"}, body("getCompanyStatus", 200, `{`, `{"more":1,`)},
		{"number as text", []string{"wire.conform"}, body("getPaymentStatus", 200, `"value":5000`, `"value":"5000"`)},
		{"undeclared status", []string{"wire.conform"}, func(r *reel) { r.call(0, "listCompanies", 200).Response.Status = 201 }},
		{"wrong media type", []string{"wire.conform"}, func(r *reel) {
			x := r.call(0, "listCompanies", 200)
			x.Response.Header = append(checktest.Drop(x.Response.Header, "Content-Type"), tape.Header{Name: "Content-Type", Value: "text/html"})
		}},
		{"a body where none belongs", []string{"wire.conform"}, func(r *reel) { r.call(0, "cancelPayment", 200).Response.Body = []byte(`{}`) }},
		{"an unknown operation is served", []string{"auth.admitted", "auth.lifetime", "wire.conform"}, func(r *reel) {
			x := r.call(0, "", 404)
			x.Response.Status, x.Auth, x.Token = 200, tape.AuthMissing, "nobody's"
		}},
		{"no problem details", []string{"wire.conform", "wire.refusal"}, func(r *reel) { r.call(0, "refundPayment", 400).Response.Body = []byte(`"no"`) }},
		{"a refusal without a media type", []string{"wire.conform", "wire.refusal"}, header("refundPayment", 400, "Content-Type")},
		{"findings of no known clause", []string{"wire.refusal"}, body("refundPayment", 400, `"clause":"payment.refund.amount-left"`, `"clause":"payment.refund.nothing"`)},
		{"another status in the body", []string{"wire.refusal"}, body("refundPayment", 400, `"status":400`, `"status":422`)},
		{"another instance", []string{"wire.refusal"}, body("refundPayment", 400, `"instance":"/console/-/entries/`, `"instance":"/console/-/entries/1`)},
		{"errors without a finding", []string{"wire.refusal"}, body("refundPayment", 400, `"errors":{"amount":["expected`, `"errors":{"amount":["received`)},
		{"another count of problems", []string{"wire.refusal"}, body("refundPayment", 400, `1 problem found`, `2 problems found`)},
		{"no count of problems", []string{"wire.refusal"}, body("refundPayment", 400, `1 problem found`, `problem found`)},
		{"problem as problems", []string{"wire.refusal"}, body("refundPayment", 400, `1 problem found`, `1 problems found`)},
		{"received what was not sent", []string{"wire.refusal"}, body("refundPayment", 400, `"received":"`, `"received":"1`)},
		{"a finding that does not say how to mend it", []string{"wire.refusal"}, func(r *reel) {
			x := r.call(0, "refundPayment", 400)
			x.Response.Body = regexp.MustCompile(`"fix":"[^"]*"`).ReplaceAll(x.Response.Body, []byte(`"fix":""`))
		}},
		{"no Allow", []string{"wire.method"}, header("", 405, "Allow")},
		{"no challenge", []string{"wire.challenge"}, header("listCompanies", 401, "WWW-Authenticate")},
		{"refused, and the tape does not say why", []string{"auth.admitted"}, func(r *reel) { r.call(0, "listCompanies", 401).Auth = "" }},
		{"served without a token", []string{"auth.admitted"}, func(r *reel) { r.call(0, "listCompanies", 200).Auth = tape.AuthMissing }},
		{"served with a wrong signature", []string{"auth.admitted"}, func(r *reel) { r.call(0, "listCompanies", 200).Auth = tape.AuthWrongSignature }},
		{"granted to wrong credentials", []string{"auth.admitted"}, func(r *reel) { r.call(0, "createToken", 200).Auth = tape.AuthCredentialsWrong }},
		{"served after expiry", []string{"auth.lifetime"}, func(r *reel) {
			r.call(-1, "createPayment", 200).Token = r.call(0, "createToken", 200).Token
		}},
		{"served after revocation", []string{"auth.lifetime"}, func(r *reel) {
			revoked := r.find(0, func(e *tape.Entry) bool { return e.Exchange != nil && e.Exchange.Operation == "revokeTokens" })
			before := r.find(-1, func(e *tape.Entry) bool {
				return e.Seq < revoked.Seq && e.Exchange != nil && e.Exchange.Operation == "createToken" && e.Exchange.Token != ""
			})
			r.call(-1, "createPayment", 200).Token = before.Exchange.Token
		}},
		{"served with a token that nobody granted", []string{"auth.lifetime"}, func(r *reel) {
			r.call(0, "listCompanies", 200).Token = "00000000-1111-4222-8333-444444444444"
		}},
		{"the second answer differs", []string{"idempotency"}, func(r *reel) {
			x := r.repeated()
			x.Response.Body = r.reword(x.Response.Body, `"*1111"`, `"*2222"`)
		}},
		{"a repetition is not called one", []string{"idempotency", "tape.ids"}, func(r *reel) {
			x := r.repeated()
			x.Response.Header = checktest.Drop(x.Response.Header, "Idempotent-Replayed")
		}},
		{"another body under the same key is served", []string{"idempotency", "wire.conform"}, func(r *reel) {
			r.call(0, "createPayment", 422).Response.Status = 200
		}},
		{"a repetition acts again", []string{"idempotency"}, func(r *reel) {
			e := r.find(0, func(e *tape.Entry) bool { return e.Exchange == r.repeated() })
			r.insert(e, tape.Entry{Cause: e.Seq, At: e.At, Kind: tape.KindTransition, Transition: &tape.Transition{
				Machine: "payment", Entity: "00000000-1111-4222-8333-444444444444", To: "Pending", Event: "create",
			}})
		}},
	}
}

// repeated is the answer that was given again for an idempotency key.
func (r *reel) repeated() *tape.Exchange {
	return r.find(0, func(e *tape.Entry) bool {
		return e.Exchange != nil && slices.ContainsFunc(e.Exchange.Response.Header, func(h tape.Header) bool { return h.Name == "Idempotent-Replayed" })
	}).Exchange
}
