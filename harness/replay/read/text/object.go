package text

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"paysandbox/harness/replay/read/excerpt"
	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// window is how long an object in a text may be, in bytes.
const window = 1 << 20

// object takes the object that begins at a place of a line: JSON, JSON that stands as a
// text in quotes, or what Python prints for it. One that does not end is told as cut; where
// none stands, the line goes on behind its bracket.
func (m *marks) object(line string, at int) (mark, bool) {
	begin := m.starts[m.line] + at
	rest := m.text[begin:min(len(m.text), begin+window)]
	one := mark{kind: markObject, line: m.line, answer: m.isAnswer(line, at), asked: m.isSent(line, at)}
	printed := at > 0 && line[at-1] == '%' && strings.HasPrefix(rest, "{}") // as Elixir prints a map
	if none := noHeader().MatchString(line[max(0, at-40):at]) && strings.HasPrefix(strings.TrimLeft(rest[1:], " "), "}"); m.budget > 0 && !printed && !none {
		text, n := firstObject(m.text, begin, rest)
		if n == 0 {
			text, n = m.shownInPart(rest)
		}
		if n > 0 {
			one.text = text
			m.goTo(begin + n)
			return one, true
		}
		m.budget -= len(rest)
	}
	m.from = at + 1
	if strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), `"`) && strings.Contains(rest[:min(len(rest), 400)], `":`) {
		one.cut = true
		m.pass()
		return one, true
	}
	return mark{}, false
}

// sentHeading is a line that says of what follows that it was sent.
var sentHeading = trail.Pattern(`(?i)^\W*(?:(?:the |our |json )?(?:request |http )?(?:payload|request body|request|body sent|data sent|sent(?: body| data)?|input|what we sen[dt])(?: was)?|(?:we |I )(?:sent|posted))\W*$`)

// callsWith is a method with an address, and the name of what is sent, as Python's requests names it; endsStatus is a status there.
var (
	callsWith  = trail.Pattern(`\b(?:GET|POST|PUT|PATCH|DELETE)\b[^{}]*/[^{}]*[ ,(](?:json|data|body|payload)["']?\s*[=:]\s*$`)
	endsStatus = trail.Pattern(`[ :\[(][1-5][0-9]{2}[ \]),:]`)
	// answerNamed is an answer's body behind a name of its own: what has another is no answer.
	answerNamed = trail.Pattern(`(?i)[ ,](?:answer|response|resp|reply)(?:[_-]?body)?["']?[=:] ?["']?\{"`)
)

// calledWith says whether a line names, before an object, a call and what was sent with it: behind a status that is an answer, but
// where those have names of their own.
func (m *marks) calledWith(line string) bool {
	return callsWith().MatchString(line) && !answerWord().MatchString(line) && (!endsStatus().MatchString(line) || m.named && !strings.Contains(line, "GET "))
}

// isSent says whether the text before an object says that it was sent: on its line, or on the one above it.
func (m *marks) isSent(line string, at int) bool {
	before := line[max(0, at-40):at]
	if sentName().MatchString(before) || at < 40 && sentHeading().MatchString(before) {
		return true
	}
	if at < 600 && m.calledWith(line[:at]) {
		return true
	}
	if strings.TrimSpace(before) != "" {
		return false
	}
	for i := m.line - 1; i >= 0 && m.line-i < 4; i-- {
		if above := m.lineText(i); len(above) < 60 && strings.Trim(above, " \t`") != "" {
			return sentHeading().MatchString(above) && !strings.HasPrefix(strings.TrimSpace(above), "#")
		}
	}
	return false
}

// noHeader is a name behind which an empty object is no body: no header is shown.
var noHeader = trail.Pattern(`(?i)headers?[\\"']*\s*(?:=>|[:=])\s*$`)

// firstObject is the object that a text begins with, and its length there; 0 for none.
func firstObject(text string, begin int, rest string) (object string, n int) {
	var value json.RawMessage
	d := json.NewDecoder(strings.NewReader(rest))
	if d.Decode(&value) == nil {
		return string(value), int(d.InputOffset())
	}
	if strings.HasPrefix(rest, `{\"`) && begin > 0 && text[begin-1] == '"' {
		var said string
		d = json.NewDecoder(strings.NewReader(text[begin-1 : min(len(text), begin+window)]))
		if d.Decode(&said) == nil && json.Valid([]byte(said)) {
			return said, int(d.InputOffset()) - 1
		}
	}
	if n = strings.IndexByte(rest, '\n'); n < 0 {
		n = len(rest)
	}
	if line := strings.TrimRight(rest[:n], " \t\r"); strings.HasPrefix(line, `{"`) && balanced(line) && !excerpt.Leaves(line) { // sent so, broken
		return line, len(line)
	}
	if end := strings.LastIndexByte(rest[:n], '}'); end > 0 && strings.Contains(rest[:end], "': ") {
		if said := FromPython(rest[:end+1]); json.Valid([]byte(said)) {
			return said, end + 1
		}
	}
	return "", 0
}

// nearby is how long an object may be that is shown in part, in bytes.
const nearby = 64 << 10

// shownInPart is an object of which a text leaves out the middle, and says so: one that ends with the line, or with its brackets.
// Of one that a logger has cut at the end of its line it is what is whole.
func (m *marks) shownInPart(rest string) (object string, n int) {
	line, _, _ := strings.Cut(rest, "\n")
	if object, n = m.bridged(rest, line); n == 0 && m.parts >= 0 && excerpt.Leaves(line) {
		m.parts -= len(line)
		object, n = string(excerpt.Begun([]byte(line))), len(line)
	}
	if object == "" {
		return "", 0
	}
	return object, n
}

// bridged is one of which both ends are shown.
func (m *marks) bridged(rest, line string) (object string, n int) {
	whole := line[:strings.LastIndexByte(line, '}')+1]
	if whole == "" { // it goes over lines
		near := rest[:min(len(rest), nearby)]
		whole = near[:closing(near)]
	}
	if m.parts -= len(whole) + tryCosts; m.parts < 0 || !excerpt.Leaves(whole) {
		return "", 0
	}
	if object = string(excerpt.Bridge([]byte(whole))); object == "" {
		return "", 0
	}
	return object, len(whole)
}

// balanced says whether a text is one object by its brackets, whatever stands in it.
func balanced(s string) bool { return len(s) > 0 && closing(s) == len(s) }

// closing is where the object that a text begins with ends by its brackets, 0 for nowhere.
func closing(s string) int {
	open, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// pythonSigns are the signs that stand for others in a text that Python prints.
var pythonSigns = strings.NewReplacer(`\\`, `\`, `\'`, "'", `\"`, `"`, `\n`, "\n", `\r`, "\r", `\t`, "\t")

// FromPython turns what Python prints for a value into JSON, as far as bodies need it.
func FromPython(s string) string {
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			end := i + 1
			for end < len(s) && s[end] != c {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			text, err := json.Marshal(pythonSigns.Replace(s[i+1 : min(end, len(s))]))
			if err != nil {
				return ""
			}
			b.Write(text)
			i = end
		case strings.HasPrefix(s[i:], "None"):
			b.WriteString("null")
			i += 3
		case strings.HasPrefix(s[i:], "True"):
			b.WriteString("true")
			i += 3
		case strings.HasPrefix(s[i:], "False"):
			b.WriteString("false")
			i += 4
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// goTo goes on at a place of the text.
func (m *marks) goTo(place int) {
	for m.line+1 < len(m.starts)-1 && m.starts[m.line+1] <= place {
		m.line++
	}
	m.from = place - m.starts[m.line]
}

// pass goes behind an object that does not end: to the next empty line, or to the next
// line that begins with a letter or a figure.
func (m *marks) pass() {
	for m.line++; m.line < len(m.starts)-1; m.line++ {
		line := m.lineText(m.line)
		if trimmed := strings.TrimSpace(line); trimmed == "" || len(trimmed) > 1 && trimmed[0] == '[' && trimmed[1] >= '0' && trimmed[1] <= '9' || !strings.ContainsAny(trimmed[:1], "\"{}[],0123456789.…-") && line == strings.TrimLeft(line, " \t") {
			break
		}
	}
	m.from = 0
}

// isAnswer says whether the text before an object calls it an answer: on its line, of which
// no part is searched twice, or on the last line before it that says anything.
func (m *marks) isAnswer(line string, at int) bool {
	n := &m.now
	if part := line[n.wordsTo:at]; at > n.wordsTo {
		if word := lastMatch(answerWord(), part); word >= 0 {
			n.answer = n.wordsTo + word
		}
		if word := lastMatch(requestWord(), part); word >= 0 {
			n.request = n.wordsTo + word
		}
		n.wordsTo = at
	}
	if n.answer >= 0 || n.request >= 0 {
		return n.answer > n.request
	}
	if at < 600 && methodThenPath.In(line[:at]) { // its own line names the call
		return false
	}
	for i := m.line - 1; i >= 0 && m.line-i < 4; i-- {
		before := m.lineText(i)
		if len(before) > 400 {
			return false
		}
		if answer, request := lastMatch(answerWord(), before), lastMatch(requestWord(), before); answer >= 0 || request >= 0 {
			return answer > request
		}
	}
	return false
}

func lastMatch(pattern *regexp.Regexp, s string) int {
	all := pattern.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

// dated takes a line that is nothing but a moment as headers say it for the Date of an answer whose status is known;
// any other time is the newest that the text says.
func (p *pasted) dated(m mark) bool {
	line := strings.TrimSpace(p.marks.lineText(min(m.line, len(p.marks.starts)-2)))
	if m.kind != markTime || p.call == nil || p.call.Answer.Status == 0 || !moment.IsDateHeader(line) {
		if !m.at.IsZero() {
			p.at = m.at
		}
		return false
	}
	if source.Header(p.call.Answer.Header, "Date") == "" {
		p.call.Answer.Header = append(p.call.Answer.Header, tape.Header{Name: "Date", Value: line})
	}
	return true
}
