package request

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/trail"
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
func knownMembers(t *trail.Trail) []verdict.Judgement {
	return found(t, "no member that the request does not have",
		func(f *tape.Finding) bool { // a name in the query is no member
			return strings.HasSuffix(f.Clause, ".unknown-member") && !strings.HasPrefix(f.Pointer, "query:")
		})
}

// knownValues goes through what the service has found about values. A member that
// is missing has none.
func knownValues(t *trail.Trail) []verdict.Judgement {
	return found(t, "values of the documented sets",
		func(f *tape.Finding) bool { return sets[f.Clause] && f.Received != "" && f.Received != "null" })
}

// misuse is one member that was wrong, and how often.
type misuse struct {
	verdict.Offences
	name    string
	finding *tape.Finding
}

// tell tells of it by what the service has found.
func (m *misuse) tell(y *verdict.Tally, want string) {
	if m.finding.Expected != "" {
		want += ": " + strings.TrimSpace(m.name+" "+m.finding.Expected)
	}
	m.Hint = m.finding.Fix
	m.Fail(y, want)
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
	one.Add(strings.TrimSpace(name+" "+f.Received)+" in "+e.Exchange.Operation, e.Seq)
}

// found tells of the findings with some clauses, and of the calls with a body or
// a query that had none.
func found(t *trail.Trail, want string, means func(f *tape.Finding) bool) []verdict.Judgement {
	var y verdict.Tally
	bad := misuses{by: map[string]*misuse{}}
	findings := findings(t)
	for e := range t.CallEntries() {
		clean := true
		for _, f := range findings(e) {
			if means(f) {
				clean = false
				bad.add(e, f)
			}
		}
		switch x := e.Exchange; {
		case !clean, x.Operation == "", len(x.Request.Body) == 0, trail.OperationOf(x).Token:
		case trail.Served(x):
			y.Holds(e.Seq)
		default:
			y.Skip("every call with a body was refused or failed, for other reasons")
		}
	}
	for _, m := range bad.order {
		m.tell(&y, want)
	}
	t.Omitted(&y, tape.KindExchange)
	t.Omitted(&y, tape.KindFinding)
	return y.Exercised()
}

// findings gives what the service has found about a call: in its answer, where it
// was refused, and as advice on the tape.
func findings(t *trail.Trail) func(e *tape.Entry) []*tape.Finding {
	advice := map[uint64][]*tape.Finding{}
	for e := range t.Of(tape.KindFinding) {
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
	list, _ := trail.ReadBody(x.Response.Body).Get("findings").([]any)
	var found []*tape.Finding
	for _, one := range list {
		m, _ := one.(map[string]any)
		b := trail.Body(m)
		found = append(found, &tape.Finding{
			Pointer: b.Text("pointer"), Clause: b.Text("clause"), Received: b.Text("received"), Expected: b.Text("expected"), Fix: b.Text("fix"),
		})
	}
	return found
}

var (
	agentForm = trail.Pattern(`^[!#$%&'*+.^_|~0-9A-Za-z` + "`" + `-]+/[!#$%&'*+.^_|~A-Za-z` + "`" + `-]*[0-9]`)
	// libraries are what HTTP libraries and tools send by default.
	libraries = []string{
		"go-http-client", "curl", "wget", "python-requests", "python-urllib", "python-httpx", "aiohttp", "node-fetch", "axios", "undici", "got", "okhttp",
		"java", "java-http-client", "apache-httpclient", "guzzlehttp", "faraday", "ruby", "postmanruntime", "insomnia", "httpie", "dart", "restsharp", "reactor-netty", "deno", "bun", "ktor-client",
	}
)

// userAgent looks at every User-Agent. A library's own name is no product's; of
// few calls among many they may be a person's.
func userAgent(t *trail.Trail) []verdict.Judgement {
	const want = "product and version, such as gym-suite/2.1"
	var y verdict.Tally
	var none, library verdict.Offences
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		agent, _ := trail.Header(x.Request.Header, "User-Agent")
		switch name, _, _ := strings.Cut(agent, "/"); {
		case x.Method == http.MethodOptions:
		case !agentForm().MatchString(agent):
			none.Add("User-Agent "+string(trail.Quote(agent)), e.Seq)
		case isLibrary(name) && !strings.Contains(agent, " "):
			library.Add("the library's own "+string(trail.Quote(agent)), e.Seq)
		default:
			y.Holds(e.Seq)
		}
	}
	none.Fail(&y, want)
	if library.N > y.Held() && (t.Meta.Dropped == 0 || library.N >= trail.SettledCalls) {
		library.Fail(&y, want)
	} else if library.N > 0 {
		y.WarnAs("", want, library.First, library.Entries...)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
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
