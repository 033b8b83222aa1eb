package text

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// heading takes what a line says alone: a side, a method, or a form.
func (p *pasted) heading(m mark) {
	switch m.kind {
	case markSide:
		p.side = m.method
	case markMethod:
		p.method(m)
	default:
		p.form(m)
	}
}

// form takes the fields of a form that was sent.
func (p *pasted) form(m mark) {
	if x := p.call; x != nil && asks(x) {
		x.Body, p.sure = []byte(m.text), true
		x.Header = source.SetHeader(x.Header, "Content-Type", m.method)
	}
}

// writtenForm are the fields of a form as Spring's clients print what they write: a map of lists.
var (
	writtenForm = trail.Pattern(`\bWriting \[\{(.*)\}\] as "(application/x-www-form-urlencoded)[^"]*"`)
	writtenPair = trail.Pattern(`(?:^|, )([^=,\[\]]+)=\[(.*?)\](?:$|, )`)
)

// formIn is the form that a line shows, and its media type; empty for none.
func formIn(line string) (fields, media string) {
	found := writtenForm().FindStringSubmatch(line)
	if found == nil {
		return "", ""
	}
	var pairs []string
	for rest := found[1]; ; {
		at := writtenPair().FindStringSubmatchIndex(rest)
		if at == nil || at[0] != 0 {
			return strings.Join(pairs, "&"), found[2]
		}
		pairs = append(pairs, url.QueryEscape(rest[at[2]:at[3]])+"="+url.QueryEscape(rest[at[4]:at[5]]))
		rest = rest[at[1]:]
	}
}

// saysElse says whether an object stands behind a sentence of a log, on a line with a time of its own, that does not call it an answer.
func (p *pasted) saysElse(m mark) bool {
	line, _, ok := strings.Cut(p.marks.lineText(m.line), "{")
	if m.answer || !ok || m.line == p.line || len(line) > 512 {
		return false
	}
	_, after := p.marks.days.Of(line)
	return after > 0 && len(plainWord().FindAllString(line[after:], 4)) > 2
}

// emptyAnswer is the end of a line that shows an answer without a body: it says so, or nothing stands behind the body's name.
var emptyAnswer = trail.Pattern(`(?i)(?:[(<\[](?:no|empty)(?: body| content)?[)>\]]|\b(?:no|empty) body|\bbody["']?[:=]?[ \t]*(?:""|''|-|null)?)[.]?[ \t]*$`)

// ofElse says whether an object stands on another line than the answer, which shows none or is to a call that is answered with none:
// neither on a line of its own, as a body goes on, nor on one that calls it a body.
func (p *pasted) ofElse(m mark) bool {
	before, _, _ := strings.Cut(p.marks.lineText(m.line), "{")
	if p.tells < 0 || m.line <= p.tells || strings.TrimSpace(before) == "" || answerWord().MatchString(before) || strings.Contains(strings.ToLower(before), "body") {
		return false
	}
	return source.AnswersNothing(p.call.Method, p.call.Path) && p.call.Answer.Status < 300 || emptyAnswer().MatchString(p.marks.lineText(p.tells))
}

// timed says whether a line begins with a moment, as those of a log do.
func (m *marks) timed(i int) bool {
	at, _ := m.days.Of(m.lineText(i))
	return !at.IsZero()
}

// isProse says whether a line is a sentence, or a part of one.
func (m *marks) isProse(i int) bool {
	line := m.lineText(i)
	return !m.timed(i) && len(line) < 512 && len(proseWord().FindAllString(line, 6)) > 5
}

// proseWord is a word that is written, not logged.
var proseWord = trail.Pattern(`(?:^|[ (])[A-Za-z]?[a-z]+['’]?[a-z]*(?:[,.;:!?)]|[ ]|$)`)

// plainWord is a word of a sentence in a log: no level, no logger's name.
var plainWord = trail.Pattern(`(?:^|[ \t])[a-z]{2,}[,:]?(?:[ \t]|$)`)

// findStatus finds a status by what stands around it; a line that begins with one tells it with its body.
func findStatus(line *source.Finder, from int) []int {
	f := line.Find(statusOfLine, from)
	if f != nil && from == 0 && strings.HasSuffix(line.Text(f[0], f[1]), `{"`) {
		return nil
	}
	return f
}

// isStatus says whether the figures of a part of a sign may be a status: those alone in a line may be any number.
func isStatus(line *source.Finder, f []int, i int) bool {
	if line.Followed(f[i+1], "-byte") {
		return false
	}
	return http.StatusText(number(line.Text(f[i], f[i+1]))) != "" || i < len(f)-2 && len(strings.Trim(line.Text(f[0], f[1]), "> \t")) > 3
}

// context is the name of a member that loggers put behind a line; isContext says whether an object has no other.
var context = trail.Pattern(`(?i)^(?:uid|http_?code|(?:request|trace|span|correlation|session|tenant)_?id|(?:duration|elapsed)(?:_?ms)?|total_?time|pid|env|channel|attempt)$`)

func isContext(body []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return false
	}
	if members["level"] != nil && members["request"] == nil && members["response"] == nil && members["body"] == nil && (members["event"] != nil || members["msg"] != nil || members["message"] != nil || members["logger"] != nil) {
		return true // a logger's own line, which tells what it likes
	}
	for name := range members {
		if !context().MatchString(name) && (name != "url" || members["http_code"] == nil) { // as Symfony's client tells of an answer
			return false
		}
	}
	return len(members) > 0
}

// unanswered takes what was sent and never answered.
func (p *pasted) unanswered(sent json.RawMessage) bool {
	if sent == nil || !asks(p.call) {
		return false
	}
	p.call.Body, p.sure, p.call.Answer.Known = bodyIn(sent), true, recording.NeverArrived
	return true
}

// sentBeside says whether what a log tells beside a status, behind a name of its own, is what the call before it was sent with.
func (p *pasted) sentBeside(sent json.RawMessage) bool {
	x := p.call
	return isOperation(x) && x.Method != "GET" && x.Body == nil && !x.BodyMissing && bytes.HasPrefix(bodyIn(sent), []byte("{"))
}

// bothOf takes what was sent and answered from an object of a log. Some members of the answer may stand among its own.
func (p *pasted) bothOf(status int, sent, got json.RawMessage, sides map[string]json.RawMessage) {
	if got == nil && status < 300 {
		got = source.Beside(p.call.Path, trail.Quote(sides))
	}
	if p.both(status, sent, got); got == nil {
		p.call.Answer.Known, p.call.Answer.Body = recording.WithoutBody, nil
	}
	if p.call.Header = source.AuthorizedBy(p.call.Header, sides); sent != nil {
		p.answerHeaders(sides["headers"])
	}
}

// ofRequest is a header that calls are made with, and answers do not have.
var ofRequest = trail.Pattern(`(?i)^(?:authorization|user-agent|accept|accept-.*|host|idempotency-key|cookie)$`)

// answerHeaders takes the headers that stand in an object beside the status and the body of an answer: its own, but where they are a
// call's.
func (p *pasted) answerHeaders(object json.RawMessage) {
	var members map[string]any
	if json.Unmarshal(object, &members) != nil || len(p.call.Answer.Header) > 0 || len(members) > source.MaxHeader {
		return
	}
	var list []tape.Header
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, isText := members[name].(string)
		if ofRequest().MatchString(name) || strings.ContainsAny(name, " \t\r\n:") || name == "" {
			return
		}
		if isText {
			list = append(list, tape.Header{Name: name, Value: value})
		}
	}
	p.call.Answer.Header = list
}
