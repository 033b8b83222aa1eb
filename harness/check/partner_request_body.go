package check

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// sets are the clauses of the service about values of documented sets.
var sets = map[string]bool{
	"company.create.type": true, "company.create.tax-id-type": true, "payment.create.fee-payer": true, "payment.saved-card.fee-payer": true,
	"plan.create.fee-payer": true, "plan.create.interval-unit": true, "card-payment.transaction-status": true,
	"transaction.report.status": true, "payment.refund.attachment-type": true,
}

// knownMembers goes through what the service has found about bodies.
func knownMembers(t *Tape) []verdict.Judgement {
	return t.found("no member that the request does not have", "name members as the reference does; look at the finding's suggestion",
		func(f *tape.Finding) bool { return strings.HasSuffix(f.Clause, ".unknown-member") })
}

// knownValues goes through what the service has found about values. A member that
// is missing has none.
func knownValues(t *Tape) []verdict.Judgement {
	return t.found("values of the documented sets", "map your own values to those of the reference",
		func(f *tape.Finding) bool { return sets[f.Clause] && f.Received != "" && f.Received != "null" })
}

// misuse is one member that was wrong, and how often.
type misuse struct {
	offences
	name    string
	finding *tape.Finding
}

// tell tells of it by what the service has found.
func (m *misuse) tell(y *verdict.Tally, want, hint string) {
	if m.finding.Expected != "" {
		want += ": " + strings.TrimSpace(m.name+" "+m.finding.Expected)
	}
	if m.finding.Fix != "" {
		hint = m.finding.Fix + "; " + hint
	}
	m.fail(y, want, hint)
}

// misuses are the members that were wrong, in the order in which they came up.
type misuses struct {
	by    map[string]*misuse
	order []*misuse
}

// add notes what was found about a call.
func (m *misuses) add(e *tape.Entry, f *tape.Finding) {
	name := strings.TrimPrefix(f.Pointer, "/")
	one := m.by[name+f.Clause]
	if one == nil {
		one = &misuse{name: name, finding: f}
		m.by[name+f.Clause], m.order = one, append(m.order, one)
	}
	one.add(strings.TrimSpace(name+" "+f.Received)+" in "+e.Exchange.Operation, e.Seq)
}

// found tells of the findings with some clauses, and of the calls with a body or
// a query that had none.
func (t *Tape) found(want, hint string, means func(f *tape.Finding) bool) []verdict.Judgement {
	var y verdict.Tally
	bad := misuses{by: map[string]*misuse{}}
	findings := t.findings()
	for e := range t.exchanges() {
		clean := true
		for _, f := range findings(e) {
			if means(f) {
				clean = false
				bad.add(e, f)
			}
		}
		switch x := e.Exchange; {
		case !clean, x.Operation == "", len(x.Request.Body) == 0, tokenCall(x.Operation):
		case served(x):
			y.Holds(e.Seq)
		default:
			y.Skip("every call with a body was refused or failed, for other reasons")
		}
	}
	for _, m := range bad.order {
		m.tell(&y, want, hint)
	}
	t.omitted(&y, tape.KindExchange)
	t.omitted(&y, tape.KindFinding)
	return y.Exercised("send a body that is served")
}

// findings gives what the service has found about a call: in its answer, where it
// was refused, and as advice on the tape.
func (t *Tape) findings() func(e *tape.Entry) []*tape.Finding {
	advice := map[uint64][]*tape.Finding{}
	for e := range t.of(tape.KindFinding) {
		for i := range e.Findings {
			advice[e.Cause] = append(advice[e.Cause], &e.Findings[i])
		}
	}
	return func(e *tape.Entry) []*tape.Finding {
		list := slices.Clone(advice[e.Seq])
		if status := e.Exchange.Response.Status; status >= 400 && status < 500 {
			list = append(list, refusedFor(e.Exchange)...)
		}
		return list
	}
}

// refusedFor are the findings in the answer to a call that was refused.
func refusedFor(x *tape.Exchange) []*tape.Finding {
	list, _ := read(x.Response.Body).get("findings").([]any)
	var found []*tape.Finding
	for _, one := range list {
		m, _ := one.(map[string]any)
		b := body(m)
		found = append(found, &tape.Finding{
			Pointer: b.text("pointer"), Clause: b.text("clause"), Received: b.text("received"), Expected: b.text("expected"), Fix: b.text("fix"),
		})
	}
	return found
}

var (
	agentForm = lazy(`^[!#$%&'*+.^_|~0-9A-Za-z` + "`" + `-]+/v?[0-9]`)
	// libraries are what HTTP libraries and tools send by default.
	libraries = []string{
		"go-http-client", "curl", "wget", "python-requests", "python-urllib", "python-httpx", "aiohttp", "node-fetch", "axios", "undici", "got", "okhttp",
		"java", "java-http-client", "apache-httpclient", "guzzlehttp", "faraday", "ruby", "postmanruntime", "insomnia", "httpie", "dart", "restsharp", "reactor-netty", "deno", "bun", "ktor-client",
	}
)

// userAgent looks at every User-Agent. A library's own name is no product's; of
// few calls among many they may be a person's.
func userAgent(t *Tape) []verdict.Judgement {
	const want = "product and version, such as gym-suite/2.1"
	const hint = "set User-Agent on the HTTP client: it is how the service's support finds your calls"
	var y verdict.Tally
	var none, library offences
	for e := range t.of(tape.KindExchange) {
		x := e.Exchange
		agent, _ := header(x.Request.Header, "User-Agent")
		switch name, _, _ := strings.Cut(agent, "/"); {
		case x.Method == http.MethodOptions:
		case !agentForm().MatchString(agent):
			none.add("User-Agent "+string(quoted(agent)), e.Seq)
		case isLibrary(name) && !strings.Contains(agent, " "):
			library.add("the library's own "+string(quoted(agent)), e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	none.fail(&y, want, hint)
	if library.n > y.Held() && (t.Meta.Dropped == 0 || library.n >= enoughCalls) {
		library.fail(&y, want, hint)
	} else if library.n > 0 {
		y.Add(verdict.Judgement{Word: verdict.Warning, Expected: want, Received: library.first, Hint: hint, Entries: library.entries})
	}
	t.omitted(&y, tape.KindExchange)
	return y.Exercised("make any call")
}

// isLibrary says whether a product is an HTTP library or tool.
func isLibrary(name string) bool {
	for _, l := range libraries {
		if strings.EqualFold(l, name) {
			return true
		}
	}
	return false
}
