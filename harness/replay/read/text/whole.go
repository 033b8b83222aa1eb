package text

import (
	"encoding/json"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// wholeRequest takes an object that is a request, as tools that call by a form show what they have sent.
func (p *pasted) wholeRequest(m mark, body []byte) bool {
	var r struct {
		Method, URL, URI          string
		Headers                   json.RawMessage
		Body, JSON, Data, Payload json.RawMessage // as clients name the option
		Status, StatusCode        json.RawMessage
		Response                  json.RawMessage
	}
	address := &r.URL
	if json.Unmarshal(body, &r) != nil || r.Status != nil || r.StatusCode != nil || r.Response != nil {
		return false
	}
	if *address == "" {
		address = &r.URI
	}
	if r.Method = strings.ToUpper(r.Method); !hasMethod(r.Method) || !strings.Contains(*address, "/") {
		return false
	}
	before := p.call
	p.request(mark{kind: markRequest, line: m.line, method: r.Method, text: *address, sure: true})
	if p.call == nil || p.call == before {
		return true
	}
	p.headers(headersIn(r.Headers))
	for _, sent := range [][]byte{r.Body, r.JSON, r.Data, r.Payload} {
		if sent = bodyIn(sent); len(p.call.Body) == 0 && string(sent) != "null" {
			p.call.Body = sent
		}
	}
	return true
}

// firstOf is the first of some members that is there, nil for none.
func firstOf(sides map[string]json.RawMessage, names []string) json.RawMessage {
	for _, name := range names {
		if sides[name] != nil {
			return sides[name]
		}
	}
	return nil
}

// enveloped takes an object of a program's own in which what was sent and answered stands, beside the call's status or behind a line
// that tells it.
func (p *pasted) enveloped(sides map[string]json.RawMessage) bool {
	one := func(names ...string) json.RawMessage { return firstOf(sides, names) }
	status := -1
	_ = json.Unmarshal(one("status", "statuscode", "httpstatus", "code"), &status) // what is no number is none
	sent, got := one("sent", "request", "req", "requestbody", "payload", "requestdata", "requestjson", "json"), one("received", "response", "res", "answer", "reply", "responsebody")
	if status == 0 && string(got) == "null" {
		return p.unanswered(sent)
	}
	if got == nil && sides["headers"] != nil {
		got = one("body", "data")
		p.showsBeside(got)
	}
	if status < 0 && sent != nil && p.call.Answer.Known == recording.WithoutBody {
		status = p.call.Answer.Status
	}
	alone := got == nil && !p.sentBeside(sent) && !source.AnsweredAlone(p.call.Path, sides)
	if status < 200 || status > 599 || p.call.Answer.Known == recording.Whole || alone {
		return false
	}
	p.bothOf(status, sent, got, sides)
	return true
}

// tellsBoth says whether members tell of both sides of a call, with headers or bodies.
func tellsBoth(sides map[string]json.RawMessage) bool {
	has := func(side string) bool { return sides[side+"headers"] != nil || sides[side+"body"] != nil }
	return has("request") && has("response")
}

// noBody takes an object that is no body: an event, a request as a whole, what a logger puts behind a line,
// and what is shown for what a GET has sent.
func (p *pasted) noBody(m mark, body []byte) bool {
	x := p.call
	switch {
	case m.line > 0 && source.ShowsFile(p.marks.lineText(m.line-1)), p.printed(m):
		return true
	case source.IsEvent(body) && (notOf(x) || p.goneBy()):
		p.event(m, body)
		return true
	case source.IsEvent(body) && x.Method == "POST" && x.Body == nil: // only a receiver is sent one
		x.Body, p.sure = body, true
		return true
	case (x == nil || isOperation(x)) && p.eventWithin(m, body), p.wholeRequest(m, body), isContext(body):
		return true
	default:
		return x != nil && x.Answer.Known == recording.NotRecorded && x.Method == "GET" && string(body) == "{}"
	}
}

// notOf says of a call that an event behind it was not sent by it: it is one to the service, or was answered already, or has a body.
func notOf(x *recording.Exchange) bool {
	return x == nil || isOperation(x) || x.Host != "" && x.Answer.Status != 0 || x.Body != nil
}

// goneBy says whether the call that is shown last is one that a server's log summed up some time ago: what comes now is another's.
func (p *pasted) goneBy() bool {
	return p.summed && p.call.Answer.Status != 0 && !p.call.Begin.IsZero() && p.at.Sub(p.call.Begin) > time.Second
}
