package service

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// problemType is the media type of a refusal.
const problemType = "application/problem+json"

// refusals judges the bodies of refusals. A failure of the service that no fault
// explains is for a person to see.
func refusals(t *trail.Trail) []verdict.Judgement {
	if knob := t.Chose("error-body"); knob != "" {
		return verdict.DoesNotApply("the choice " + knob + " has no problem details")
	}
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		status := x.Response.Status
		switch {
		case trail.Faulted(x) || status < 400:
		case status == 402 && t.Chose("saved-card-status") != "":
			y.Skip("the choice " + t.Chose("saved-card-status") + " answers a declined card in the usual form")
		case status >= 500:
			y.Add(verdict.Judgement{Word: verdict.Review, Entries: []uint64{e.Seq}, Received: "status " + strconv.Itoa(status) + " without a fault", Hint: "read the service's log"})
		case status == 401 && t.Chose("unauthorised") != "":
			y.Skip("the choice " + t.Chose("unauthorised") + " has no body")
		default:
			judgeRefusal(&y, e)
		}
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no refusal")
}

// judgeRefusal judges one refusal.
func judgeRefusal(y *verdict.Tally, e *tape.Entry) {
	x := e.Exchange
	given, _ := trail.Header(x.Response.Header, "Content-Type")
	if media, _, _ := mime.ParseMediaType(given); media != problemType {
		y.Breach("error.body", "a refusal as "+problemType, strconv.Quote(given), "write refusals as problem details", e.Seq)
		return
	}
	clause, wrong := problemDetails(trail.ReadBody(x.Response.Body), x.Response.Status)
	if wrong != "" {
		y.Breach(clause, "problem details with title, status, detail, errors and findings", wrong, "write refusals as problem details", e.Seq)
		return
	}
	y.Holds(e.Seq)
}

// problemDetails says what is wrong with a body and which clause that breaks, ""
// when nothing is.
func problemDetails(b trail.Body, status int) (clause, wrong string) {
	if b == nil {
		return "error.body", "a body that is no JSON object"
	}
	for _, name := range [...]string{"type", "title", "detail"} {
		if b.Text(name) == "" {
			return "error.body", "no " + name
		}
	}
	if n, ok := b.Whole("status"); !ok || n != int64(status) {
		return "error.body", "a status in the body that is not " + strconv.Itoa(status)
	}
	if b.Object("errors") == nil {
		return "error.body", "no errors"
	}
	findings, ok := b.Get("findings").([]any)
	if !ok {
		return "error.findings", "no findings"
	}
	for _, v := range findings {
		f, _ := v.(map[string]any)
		if id := trail.Body(f).Text("clause"); !clauseKnown(id) {
			return "error.findings", "a finding of the clause " + strconv.Quote(id) + ", which no catalogue has"
		}
	}
	return "", ""
}

// ofTheSandbox is the clause of what a caller asks of the sandbox itself, by the
// header Sandbox-Fault: no service owes it, so that no catalogue has it.
const ofTheSandbox = "sandbox.fault-header"

// clauseKnown says whether a finding's clause is in the catalogue.
func clauseKnown(id string) bool {
	_, ok := clause.Lookup(id)
	return ok || id == ofTheSandbox
}

// wrongMethods judges the answers to wrong methods.
func wrongMethods(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		if x.Response.Status != 405 || trail.Faulted(x) {
			continue
		}
		allow, _ := trail.Header(x.Response.Header, "Allow")
		list := strings.FieldsFunc(allow, func(r rune) bool { return r == ',' || r == ' ' })
		if len(list) == 0 || slices.Contains(list, x.Method) {
			y.Breach("", "Allow lists the methods of "+x.Path, strconv.Quote(allow), "name the methods that the path has", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no call with a wrong method")
}

// challenges judges the headers of refused callers.
func challenges(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		if x.Response.Status != 401 || trail.Faulted(x) {
			continue
		}
		v, _ := trail.Header(x.Response.Header, "WWW-Authenticate")
		if scheme, _, _ := strings.Cut(v, " "); !strings.EqualFold(scheme, "Bearer") {
			y.Breach("", "WWW-Authenticate: Bearer", strconv.Quote(v), "send the challenge with every 401", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no caller without a good token")
}
