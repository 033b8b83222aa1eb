package text

import (
	"bytes"
	"encoding/json"
	"slices"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// beside are what loggers put behind the line of a call, an object in which its headers stand beside its body.
type beside struct {
	header []tape.Header
	body   []byte
	// bodied says that it has a member for the body, headed that it has one for headers of a request.
	bodied, headed bool
}

// bodyNames are what clients call a body among their options, by plain names.
var bodyNames = []string{"body", "json", "data", "payload", "requestbody", "formparams"}

// besideOf takes such an object apart; false for any other. What stands there besides has plain values: how often it was tried, how long
// it may take.
func besideOf(body []byte) (b beside, is bool) {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(body, []byte("{")) || json.Unmarshal(body, &members) != nil || len(members) > source.MaxHeader {
		return b, false
	}
	headers, bodies := 0, 0
	for name, value := range members {
		switch part := partNamed(name); {
		case part == "headers":
			b.header = headersIn(value)
			headers++
		case part == "body":
			b.body = bodyIn(value)
			bodies++
		case len(value) == 0 || value[0] == '{':
			return b, false
		}
	}
	if said := string(b.body); said == "null" || said == "[]" { // as PHP writes an object without members
		b.body = nil
	}
	b.bodied, b.headed = bodies > 0, headers == 1 && slices.ContainsFunc(b.header, func(h tape.Header) bool { return ofRequest().MatchString(h.Name) })
	return b, bodies < 2 && (b.headed || b.bodied && len(members) == 1)
}

// partNamed says whether a member's name is that of the "headers" or the "body" of a call, "" for neither.
func partNamed(name string) string {
	switch plain := plainName(name); {
	case plain == "headers" || plain == "header" || plain == "requestheaders":
		return "headers"
	case slices.Contains(bodyNames, plain):
		return "body"
	default:
		return ""
	}
}

// readBeside takes such an object behind the line of a GET, which sends none, for its headers, and passes over what is called its body.
func (p *pasted) readBeside(m mark, body []byte) bool {
	if p.call.Method != "GET" || p.call.Answer.Known != recording.NotRecorded {
		return false
	}
	b, is := besideOf(body)
	if !is || !b.headed || len(b.body) > 0 {
		return m.asked
	}
	p.call.Header, p.sure = with(b.header, p.call.Header), true
	return true
}

// takeBeside takes the bodies of calls that are such objects apart, where the log shows that it tells of calls in that way: one with headers,
// or a body, of a call that was served, which the service takes no body so of, or an answer's. A client that is misused may have sent one as
// its body, and no header.
func (p *pasted) takeBeside() {
	list := p.part.Exchanges
	shows := p.beside || slices.ContainsFunc(list, func(x recording.Exchange) bool {
		b, is := besideOf(x.Body)
		return is && x.Answer.Status/100 == 2 && isOperation(&x) && (b.bodied || source.Header(b.header, "Authorization") != "")
	})
	for i := range list {
		x := &list[i]
		b, is := besideOf(x.Body)
		if !shows || !is || !isOperation(x) {
			continue
		}
		if source.Header(b.header, "Content-Type") != "" && p.bare > 0 {
			p.bare-- // it is shown
		}
		if x.Body, x.Header = b.body, with(b.header, x.Header); len(x.Body) == 0 {
			x.Body, x.BodyMissing = nil, !b.bodied && sendsMore(x)
		}
	}
}

// showsBeside notes that the log tells an answer behind the line of its status in an object, beside its headers.
func (p *pasted) showsBeside(got json.RawMessage) {
	p.beside = p.beside || got != nil && p.call.Answer.Status > 0
}

// sendsMore says whether a call is to an operation that takes a body: such an object without one has left it out.
func sendsMore(x *recording.Exchange) bool {
	return x.Method == "POST" && source.MethodOf(x.Path) == "POST"
}

// with are headers, and those of others that are not among them.
func with(list, others []tape.Header) []tape.Header {
	for _, h := range others {
		list = source.SetHeader(list, h.Name, h.Value)
	}
	return list
}
