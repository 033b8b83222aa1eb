package service

import (
	"cmp"
	"encoding/json"
	"maps"
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

// refusalBodies judges the bodies of refusals. A failure of the service that no fault
// explains is for a person to see.
func refusalBodies(t *trail.Trail) []verdict.Judgement {
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
			y.ReviewAs("faultless", "status "+strconv.Itoa(status)+" without a fault", e.Seq)
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
		y.Breach("error.body", "a refusal as "+problemType, strconv.Quote(given), "", e.Seq)
		return
	}
	told := trail.ReadBody(x.Response.Body)
	clause, wrong := problemDetails(told, x.Response.Status)
	if wrong == "" {
		if clause, wrong = "error.findings", explained(told, trail.ReadBody(x.Request.Body)); !occurred(x, told.Text("instance")) {
			clause, wrong = "error.body", "an instance that is neither the path nor the address of this call's entry"
		}
	}
	if wrong != "" {
		y.Breach(clause, "problem details with title, status, detail, errors and findings", wrong, "", e.Seq)
		return
	}
	y.Holds(e.Seq)
}

// occurred says whether an instance is that of a call: its path, or where its entry can be
// looked at. What is repeated under its key keeps that of the first answer.
func occurred(x *tape.Exchange, instance string) bool {
	number, told := trail.Header(x.Response.Header, "Sandbox-Exchange")
	_, repeated := trail.Header(x.Response.Header, "Idempotent-Replayed")
	if at, ok := strings.CutPrefix(instance, "/console/-/entries/"); ok && told {
		return at == number || repeated
	}
	return instance == x.Path
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

// explained says what is wrong with how a refusal's findings are told: each that refuses
// stands in errors too, they are as many as the detail says, and what was received is
// what was sent, or how the company stands that may be named or not.
func explained(told, sent trail.Body) (wrong string) {
	errs, refusing := told.Object("errors"), 0
	for _, f := range told.List("findings") {
		field, text := fieldOf(f.Text("pointer")), "expected "+f.Text("expected")+"; "+f.Text("fix")
		if f.Text("expected") == "" || f.Text("fix") == "" {
			return "a finding about " + field + " without what is expected and how to mend it"
		}
		if advisory, _ := f.Get("advisory").(bool); !advisory {
			refusing++
			list, _ := errs[field].([]any)
			if !slices.Contains(list, any(text)) {
				return "no text " + strconv.Quote(text) + " under errors." + field
			}
		}
		received, ofCompany := f.Text("received"), strings.HasSuffix(f.Text("clause"), ".company-verified")
		if !ofCompany && !asSent(f.Text("clause"), received, sent, f.Text("pointer")) {
			return "received " + received + " for " + f.Text("pointer") + ", which was not sent"
		}
	}
	for _, m := range problemCount().FindAllStringSubmatch(told.Text("detail"), 1) {
		if m[1] != strconv.Itoa(refusing) || (m[2] == "s") != (refusing != 1) {
			return "a detail that tells of " + m[1] + " problem" + m[2] + " with " + strconv.Itoa(refusing) + " findings"
		}
	}
	return ""
}

var problemCount = trail.Pattern(`refused: (?:([0-9]+) )?problem(s?) found`)

// fieldOf writes a pointer as errors name fields: /payers/0/name is payers[0].name, and
// the whole body is $.
func fieldOf(pointer string) string {
	parts, isPointer := strings.CutPrefix(pointer, "/")
	if !isPointer {
		return cmp.Or(pointer, "$")
	}
	return unescape(strings.ReplaceAll(itemOf().ReplaceAllString("/"+parts, "[$1]"), "/", "."))[1:]
}

// unescape reads a part of a JSON pointer.
func unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

var itemOf = trail.Pattern(`/([0-9]+)\b`)

// asSent says whether what a finding shows as received was sent at its pointer. It may be
// masked or cut; a rule may show nothing of a file, and something else of what an id names.
func asSent(clause, received string, sent trail.Body, pointer string) bool {
	hidden := strings.Contains(received, "•") || strings.HasSuffix(strings.TrimSuffix(received, `"`), "…")
	if sent == nil || hidden || !strings.HasPrefix(pointer, "/") {
		return true
	}
	onWire := strings.HasPrefix(clause, "request.") && clause != "request.duplicate-member"
	switch v, there := at(sent, pointer); v := v.(type) {
	case nil:
		return received == "" || there && received == "null"
	case string:
		return textAsSent(clause, received, v, onWire)
	case json.Number:
		return received == v.String() || received == "" && !onWire
	}
	return true
}

// textAsSent is asSent for a text; onWire says that the rule is one of how bodies are written.
func textAsSent(clause, received, v string, onWire bool) bool {
	switch {
	case clause == "request.personal-data": // what is left of the text stands behind what it was
		return strings.HasSuffix(received, ": "+v)
	case received == "" || trail.IsUUID(v) && !onWire || clause == "request.duplicate-member":
		return !onWire || v == ""
	default:
		return quotes(received, v)
	}
}

// quotes says whether a text is written as another in quotes, by Go or by JSON.
func quotes(quoted, text string) bool {
	var read string
	return quoted == strconv.Quote(text) || json.Unmarshal([]byte(quoted), &read) == nil && read == text
}

// at is what stands at a pointer into a body; false where nothing does.
func at(b trail.Body, pointer string) (v any, there bool) {
	v, there = map[string]any(b), true
	for part := range strings.SplitSeq(pointer[1:], "/") {
		part := unescape(part)
		n, err := strconv.Atoi(part)
		switch in := v.(type) {
		case map[string]any:
			v = trail.Body(in).Get(part)
			there = v != nil || slices.ContainsFunc(slices.Collect(maps.Keys(in)), func(name string) bool { return strings.EqualFold(name, part) })
		case []any:
			if there = err == nil && n < len(in); there {
				v = in[n]
			} else {
				v = nil
			}
		default:
			return nil, false
		}
	}
	return v, there
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
			y.Breach("", "Allow lists the methods of "+x.Path, strconv.Quote(allow), "", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no call with a wrong method")
}

// challengeHeaders judges the headers of refused callers.
func challengeHeaders(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		if x.Response.Status != 401 || trail.Faulted(x) {
			continue
		}
		v, _ := trail.Header(x.Response.Header, "WWW-Authenticate")
		if scheme, _, _ := strings.Cut(v, " "); !strings.EqualFold(scheme, "Bearer") {
			y.Breach("", "WWW-Authenticate: Bearer", strconv.Quote(v), "", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no caller without a good token")
}
