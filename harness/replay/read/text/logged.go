package text

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

func isEvent(body []byte) bool {
	var event struct {
		Event *string
		Data  map[string]json.RawMessage
	}
	return json.Unmarshal(body, &event) == nil && event.Event != nil && event.Data != nil
}

func isOperation(x *recording.Exchange) bool {
	_, ok := source.BasePath(x.Path)
	return ok
}

// event takes a webhook that stands by itself.
func (p *pasted) event(m mark, body []byte) {
	p.part.Received = append(p.part.Received, recording.Received{Place: p.part.Line(m.line + 1), At: p.at, Header: p.loose, Body: body})
	p.loose = nil
}

// logged takes what loggers print as an object although it is no body: headers, or a
// whole call with the headers and bodies of both sides, as Postman's console has it.
func (p *pasted) logged(m mark, body []byte) bool {
	if p.call == nil {
		return false
	}
	if list := headersIn(body); list != nil {
		p.headers(list)
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return false
	}
	sides := map[string]json.RawMessage{}
	for name, value := range members {
		sides[plainName(name)] = value
	}
	if sides["requestheaders"] == nil || sides["responseheaders"] == nil && sides["responsebody"] == nil {
		return false
	}
	p.headers(headersIn(sides["requestheaders"]))
	if sent := bodyIn(sides["requestbody"]); asks(p.call) {
		p.call.Body = sent
	}
	if got := bodyIn(sides["responsebody"]); p.call.Answer.Known == recording.NotRecorded {
		p.answered(m, got)
	} else if p.call.Answer.Known == recording.WithoutBody {
		p.call.Answer.Known, p.call.Answer.Body = recording.Whole, got
	}
	p.headers(headersIn(sides["responseheaders"]))
	return true
}

// headers adds headers to the request, or to the answer once its status is known.
func (p *pasted) headers(list []tape.Header) {
	for _, h := range list[:min(len(list), source.MaxHeader)] {
		p.header(mark{method: h.Name, text: h.Value})
	}
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

// bodyIn is a body that stands as a value, or as a text that is one.
func bodyIn(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
}

// usualHeader is a header that few calls or answers lack.
var usualHeader = trail.Pattern(`(?i)^(?:authorization|content-type|user-agent|host|accept|content-length)$`)

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

// debugOutput is a line of what Ruby's Net::HTTP prints of what goes over the connection,
// perhaps cited in a mail.
var debugOutput = trail.Pattern(`^[> \t]*(?:<-|->) (".*")$`)

// literalLines puts written line ends of a message's head in place of their signs, and
// what stands in quotes as it was sent in place of the quotes.
func literalLines(text string) string {
	list := strings.Split(text, "\n")
	for i, line := range list {
		if found := debugOutput().FindStringSubmatch(strings.TrimRight(line, "\r")); found != nil {
			if said, err := strconv.Unquote(found[1]); err == nil {
				list[i] = strings.TrimSuffix(said, "\n")
			}
		} else if strings.Contains(line, "HTTP/") {
			list[i] = strings.ReplaceAll(strings.ReplaceAll(line, `\r\n`, "\n"), "\n'", "\n")
		}
	}
	return strings.Join(list, "\n")
}
