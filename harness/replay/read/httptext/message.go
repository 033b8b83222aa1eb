package httptext

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

var (
	requestLine = trail.Pattern(`^(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS)[ \t]+(\S+)(?:[ \t]+HTTP/[0-9.]+)?[ \t]*$`)
	statusLine  = trail.Pattern(`^HTTP/[0-9.]+[ \t]+([0-9]{3})(?:[ \t].*)?$`)
	headerLine  = trail.Pattern("^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*(.*?)[ \t]*$")
	// apart is where a message begins right behind the body of the one before it, as they
	// stand in one connection.
	apart   = trail.Pattern(`([}\]])(HTTP/[0-9.]+ [1-5][0-9]{2}[ \r\n]|(?:GET|POST|PUT|DELETE|PATCH) \S+ HTTP/[0-9.]+\r?\n)`)
	divider = trail.Pattern("^(?:[-=#*_]{5,}|===.*===|###.*|```.*)$")
)

// lines are the lines of a text, each with its place.
type lines struct {
	text []byte
	at   []int // where each begins, and where the text ends
}

func newLines(text []byte) *lines {
	l := &lines{text: text, at: []int{0}}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			l.at = append(l.at, i+1)
		}
	}
	l.at = append(l.at, len(text))
	return l
}

func (l *lines) count() int { return len(l.at) - 1 }

// line is a line without its end.
func (l *lines) line(i int) string {
	return string(bytes.TrimRight(l.text[l.at[i]:l.at[i+1]], "\r\n"))
}

// Messages reads HTTP messages as they are: webhooks that a receiver has written down,
// and transcripts of requests with their answers, as httpyac prints them. A line with a
// time before a request is when it was sent. Headers without a request line are those of
// a webhook.
func Messages(f *source.File, _ source.Variables) (*source.Part, error) {
	m := &messages{part: source.NewPart(f, "http-messages"), lines: newLines(apart().ReplaceAll(fromWget(f.Text()), []byte("$1\n$2")))}
	for m.next < m.lines.count() && !m.part.Full(m.part.Line(m.next+1)) {
		m.message()
	}
	m.end()
	source.Relocate(m.part, string(m.lines.text), string(f.Text()))
	return m.part, nil
}

type messages struct {
	part  *source.Part
	lines *lines
	next  int
	at    time.Time
	call  *recording.Exchange
}

// message reads what begins at a line.
func (m *messages) message() {
	line := m.lines.line(m.next)
	request, status, header := requestLine().FindStringSubmatch(line), statusLine().FindStringSubmatch(line), headerLine().MatchString(line)
	switch at := m.part.Line(m.next + 1); {
	case request != nil:
		m.end()
		m.call = &recording.Exchange{Place: at, Method: request[1], Begin: m.at, Answer: recording.Answer{Known: recording.NotRecorded}}
		m.next++
		if m.call.Header, m.call.Body = m.head(); !saysBody(m.call.Header) && !bytes.HasPrefix(m.call.Body, []byte("{")) {
			m.call.Body = nil // what a logger puts behind the message
		}
		m.call.BodyMissing = announced(m.call.Header) && len(m.call.Body) == 0
		if err := SetTarget(m.call, request[2]); err != nil {
			m.part.Skip(at, "the request cannot be read: "+err.Error())
			m.call = nil
		}
	case status != nil && m.call != nil:
		m.next++
		code, _ := strconv.Atoi(status[1])
		header, body := m.head()
		if code >= 200 { // the others are announcements
			m.call.Answer = m.answer(code, header, body)
		}
	case header && m.call == nil && !m.isTime(line):
		m.webhook(at)
	case m.isTime(line):
		m.next++
	default:
		m.other(line, at)
	}
}

// webhook reads one whose request line is not shown.
func (m *messages) webhook(at recording.Place) {
	x := &recording.Exchange{Place: at, Method: "POST", Path: "/", Begin: m.at, Answer: recording.Answer{Known: recording.NotRecorded}}
	if x.Header, x.Body = m.head(); source.Header(x.Header, trail.SignatureHeader) == "" && !source.IsEvent(x.Body) {
		m.part.Skip(at, "the line is no part of a request or an answer")
		return
	}
	m.call = x
	m.end()
}

// other is a line that is no message: it ends one, if it divides.
func (m *messages) other(line string, at recording.Place) {
	if divider().MatchString(line) {
		m.end()
	} else if strings.TrimSpace(line) != "" {
		m.part.Skip(at, "the line is no part of a request or an answer")
	}
	m.next++
}

// isTime takes a line that is a time, perhaps in brackets or behind a sign.
func (m *messages) isTime(line string) bool {
	t := source.Time(strings.Trim(line, "[]#/*- \t"))
	if t.IsZero() {
		return false
	}
	m.end()
	m.at = t
	return true
}

// end adds the call that was read.
func (m *messages) end() {
	if m.call != nil {
		m.part.Call(*m.call)
		m.at = time.Time{}
	}
	m.call = nil
}

// SetTarget sets the address of a request line: the whole, or a path with the host
// among the headers.
func SetTarget(x *recording.Exchange, target string) error {
	if host := source.Header(x.Header, "Host"); strings.HasPrefix(target, "/") {
		target = "//" + host + target
	}
	return source.SetAddress(x, target)
}

// head reads headers, and the body behind the empty line.
func (m *messages) head() (list []tape.Header, body []byte) {
	for ; m.next < m.lines.count(); m.next++ {
		found := headerLine().FindStringSubmatch(m.lines.line(m.next))
		if found == nil {
			break
		}
		list = append(list, tape.Header{Name: found[1], Value: found[2]})
	}
	if m.next >= m.lines.count() || m.lines.line(m.next) != "" {
		return list, nil
	}
	m.next++
	from := m.next
	for m.next < m.lines.count() && !m.begins(m.next) {
		m.next++
	}
	return list, exactBody(m.lines.text[m.lines.at[from]:m.lines.at[m.next]], list)
}

// answer is one whose body is shown, if it has any.
func (m *messages) answer(code int, header []tape.Header, body []byte) recording.Answer {
	a := recording.Answer{Known: recording.Whole, Status: code, Header: header, Body: body}
	if announced(header) && len(body) == 0 && m.call.Method != "HEAD" {
		a.Known = recording.WithoutBody
	}
	return a
}

// saysBody says whether headers tell of a body.
func saysBody(header []tape.Header) bool {
	return source.Header(header, "Content-Type")+source.Header(header, "Content-Length")+source.Header(header, "Transfer-Encoding") != ""
}

// announced says whether a message has a body, shown or not.
func announced(header []tape.Header) bool {
	length := source.Header(header, "Content-Length")
	return strings.Trim(length, "0") != "" && strings.Trim(length, "0123456789") == ""
}

// begins says whether another message begins at a line, or something divides.
func (m *messages) begins(i int) bool {
	line := m.lines.line(i)
	return len(line) < 8192 && (requestLine().MatchString(line) || statusLine().MatchString(line) || divider().MatchString(line) ||
		!source.Time(strings.Trim(line, "[]#/*- \t")).IsZero())
}

// exactBody is a body without what a transcript has put behind it. A tool that lays JSON
// out anew makes it longer than the header says.
func exactBody(text []byte, header []tape.Header) []byte {
	trimmed := bytes.TrimSpace(text)
	length, err := strconv.Atoi(source.Header(header, "Content-Length"))
	fits := err == nil && length >= 0 && length <= len(text)
	if fits && (len(bytes.TrimSpace(text[length:])) == 0 || json.Valid(text[:length])) {
		return text[:length:length]
	}
	var value json.RawMessage
	if json.NewDecoder(bytes.NewReader(trimmed)).Decode(&value) == nil {
		return value
	}
	if fits {
		return text[:length:length]
	}
	return trimmed
}

var (
	// heading is how somebody heads an answer, perhaps with its status: "Response 400:", "-> 200 OK".
	heading = trail.Pattern(`(?i)^(?:(?:the |server )?(?:response|answer|result|reply|returns|returned|gives|got|antwort|réponse|respuesta)\b(?: (?:was|is|body|code|status))?|(?:http )?status(?: code)?\b|[-=]+>|<[-=]+|→|←)?[ \t]*[:=-]?[ \t]*(?:([1-5][0-9]{2})(?: ?[([]?[A-Z][A-Za-z ]*[)\]]?)?)?[ \t]*[:.]?$`)
	// headingSaid is one that says more, as when it came: "Response, 22 Jan, status 200:".
	headingSaid = trail.Pattern(`(?i)^(?:the |server )?(?:response|answer|reply|result)\b[^{}"\n]{0,60}?\b(?:status|code|http)[ :=]{1,3}([1-5][0-9]{2})\b[^{}"\n]{0,24}$`)
	// paneCode is how JetBrains' client tells a status under what it prints, and pane what else it says there.
	paneCode = trail.Pattern(`^Response code: ([1-5][0-9]{2})\b`)
	pane     = trail.Pattern(`^(?:Response file saved\.?|Response code: .*|> [^{]*\.[a-z]+|<Response body is empty>)$`)
)

// answerOf is the answer that lines show: its status, its headers, and its body without what people and tools put behind it;
// NotRecorded where they show none. told says whether they show its status.
func answerOf(lines []string) (a recording.Answer, told bool) {
	a.Known = recording.NotRecorded
	for len(lines) > 0 && a.Known == recording.NotRecorded {
		if code, is := headed(strings.TrimSpace(lines[0])); is {
			a.Known, a.Status = recording.WithoutBody, code
		}
		lines = lines[1:]
	}
	for len(lines) > 0 && headerLine().MatchString(strings.TrimSpace(lines[0])) {
		a.Header, lines = withHeader(a.Header, strings.TrimSpace(lines[0])), lines[1:]
	}
	if end := slices.IndexFunc(lines, func(line string) bool { return pane().MatchString(strings.TrimSpace(line)) }); end >= 0 {
		lines = lines[:end]
	}
	body := exactBody([]byte(strings.TrimSpace(strings.Join(lines, "\n"))), a.Header)
	if empty := source.Header(a.Header, "Content-Length") == "0" || a.WholeHead() && !saysBody(a.Header); len(body) > 0 || empty {
		a.Known, a.Body = recording.Whole, body
	}
	if told = a.Status > 0; !told {
		a = byItsBody(a)
	}
	return a, told
}

// headed is the status that a line heads an answer with, 0 for one that tells none, and whether it heads one.
func headed(line string) (status int, is bool) {
	for _, form := range []func() *regexp.Regexp{statusLine, paneCode, heading, headingSaid} {
		if found := form().FindStringSubmatch(line); found != nil && line != "" {
			code, _ := strconv.Atoi(found[1])
			return code, true
		}
	}
	return 0, false
}
