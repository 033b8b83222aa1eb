package text

import (
	"encoding/json"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// headersIn are the headers that an object is, in the order of their names; nil for one
// that is something else.
func headersIn(body []byte) []tape.Header {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	var list []tape.Header
	usual := false
	for name, value := range members {
		one, ok := value.([]any)
		if !ok {
			one = []any{value}
		}
		for _, v := range one {
			text, ok := v.(string)
			if !ok || strings.ContainsAny(name, " \t\r\n:") || name == "" {
				return nil
			}
			list = append(list, tape.Header{Name: name, Value: text})
		}
		usual = usual || usualHeader().MatchString(name)
	}
	if !usual {
		return nil
	}
	slices.SortStableFunc(list, func(a, b tape.Header) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// plainName is a member's name without case and signs.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r|32 >= 'a' && r|32 <= 'z' {
			return r | 32
		}
		return -1
	}, name)
}

// usualHeader is a header that few calls or answers lack.
var usualHeader = trail.Pattern(`(?i)^(?:authorization|content-type|user-agent|host|accept|content-length)$`)

// headers adds headers to the request, or to the answer once its status is known.
func (p *pasted) headers(list []tape.Header) {
	for _, h := range list[:min(len(list), source.MaxHeader)] {
		p.header(mark{method: h.Name, text: h.Value})
	}
}

func (m *marks) carriedHeader(line string, better func(at, to int, found mark)) {
	f := m.now.finder.Find(namedHeader, m.from)
	switch {
	case f == nil:
	case f[6] >= 0:
		better(f[0], f[1], mark{kind: markCarried, method: line[f[6]:f[7]], text: line[f[8]:f[9]]})
	case f[4] >= 0:
		better(f[0], f[1], mark{kind: markCarried, method: "Idempotency-Key", text: line[f[4]:f[5]]})
	default:
		better(f[0], f[1], mark{kind: markCarried, method: "Authorization", text: line[f[2]:f[3]]})
	}
}

// carried takes a header that a line of a call shows among other things.
func (p *pasted) carried(h tape.Header) {
	if slices.Contains([]string{"idempotent-replayed", "retry-after", "date"}, strings.ToLower(h.Name)) { // an answer's
		if p.call != nil && p.call.Answer.Status != 0 && (!strings.EqualFold(h.Name, "date") || moment.IsDateHeader(h.Value)) {
			p.call.Answer.Header = source.SetHeader(p.call.Answer.Header, h.Name, h.Value)
		}
		return
	}
	if p.call != nil && source.Header(p.call.Header, h.Name) == "" {
		p.call.Header = append(p.call.Header, h)
	}
}

// header takes a header of the request, or of the answer once its status is known.
func (p *pasted) header(m mark) {
	m = p.nextQuoted(m)
	h := tape.Header{Name: m.method, Value: m.text}
	if m.kind == markCarried {
		p.carried(h)
		return
	}
	switch {
	case p.call == nil, isOperation(p.call) && strings.EqualFold(h.Name, trail.SignatureHeader):
		p.loose = append(p.loose, h)
	case p.call.Answer.Status == 0 && p.side != "response" || p.side == "request":
		p.call.Header, p.sure = append(p.call.Header, h), true
	default:
		p.call.Answer.Header = append(p.call.Answer.Header, h)
	}
	if len(p.loose) > source.MaxHeader {
		p.loose = nil
	}
}

// quotedNext is a header's value with the next header of its line, as Ruby's Faraday prints them: each value in quotes.
var quotedNext = trail.Pattern(`^([^"]*)"[ \t,]+([A-Za-z][A-Za-z-]{1,40}):[ \t]+"(.*)$`)

// nextQuoted takes the header that stands behind another in its line, and gives that one alone.
func (p *pasted) nextQuoted(m mark) mark {
	if both := quotedNext().FindStringSubmatch(m.text); both != nil {
		next := m
		m.text, next.method, next.text = both[1], both[2], both[3]
		p.header(next)
	}
	return m
}
