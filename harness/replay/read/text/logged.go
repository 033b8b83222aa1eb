package text

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

func isOperation(x *recording.Exchange) bool {
	_, ok := source.BasePath(x.Path)
	return ok
}

// event takes a webhook that stands by itself.
func (p *pasted) event(m mark, body []byte) {
	p.part.Received = append(p.part.Received, recording.Received{Place: p.part.Line(m.line + 1), At: p.at, Header: p.loose, Body: body})
	p.loose, p.heard = nil, true
}

// eventWithin takes a webhook that a line of a log holds.
func (p *pasted) eventWithin(m mark, line []byte) bool {
	w := source.EventWithin(line)
	if w.Body == nil {
		return false
	}
	if !w.At.IsZero() {
		p.at = w.At
	}
	p.loose = append(p.loose, w.Header...)
	p.event(m, w.Body)
	return true
}

// logged takes what loggers print as an object although it is no body: headers, or a
// whole call with the headers and bodies of both sides, as Postman's console has it.
func (p *pasted) logged(m mark, body []byte) bool {
	if p.call == nil {
		list := headersIn(body)
		p.headers(list) // of a webhook
		return list != nil
	}
	if p.readBeside(m, body) {
		return true
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
	if p.enveloped(sides) {
		p.summed = p.summed || m.line == p.line
		return true
	}
	if !tellsBoth(sides) {
		return false
	}
	p.headers(headersIn(sides["requestheaders"]))
	if sent := bodyIn(sides["requestbody"]); p.call.Body == nil && p.call.Method != "GET" {
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

// both takes what was sent and answered.
func (p *pasted) both(status int, sent, got json.RawMessage) {
	if p.call.Body == nil && !p.call.BodyMissing && p.call.Method != "GET" && sent != nil && string(sent) != "null" {
		p.call.Body = bodyIn(sent)
	}
	a := &p.call.Answer
	if a.Status, a.Known, a.Body, p.sure = status, recording.Whole, bodyIn(got), true; string(got) == "null" {
		a.Body = nil
	}
}

// bodyIn is a body that stands as a value, or as a text that is one.
func bodyIn(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
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

var (
	// mailHead is that of a mail: when it was sent is not when its calls were made.
	mailHead = trail.Pattern(`\A(?:(?i:From|To|Cc|Date|Sent|Subject|Reply-To|Von|An|Gesendet|Datum|Betreff|De|À|Envoyé|Objet|Para|Enviado|Asunto): ?.*\r?\n){2,}`)
	// sideHeading is a line that says of which side what follows is, and nothing else.
	sideHeading = trail.Pattern(`(?i)^\W*(?:the )?(?:http )?(request|response)(?: (?:begin|start|headers?|body|details|(?:we|you|I) (?:sent|got|received) was))?\W*$`)
	// methodAlone is a line that says a request's method, and nothing else.
	methodAlone = trail.Pattern(`(?i)^\W*(?:(?:http|request)[ -])?(?:method["']?\s*(?:[:=]>?)\s*)?(?:\w+\((?:value=)?)?["']?(GET|POST|PUT|DELETE|PATCH)["']?\W*$`)
	// logcat is what Android puts before a message.
	logcat = trail.Pattern(`^[0-9]{2}-[0-9]{2} [0-9:.]{12} +[0-9]+ +[0-9]+ [VDIWEF] [^:]{1,60}: `)
	// namedHeader is a header of a request, or of an answer, among other things.
	namedHeader = source.NewSign(`\b(Bearer [A-Za-z0-9_-]{2,}\.[A-Za-z0-9_.~+/-]+=*)|(?i:\bidempotency[_-]?key["']?\s*[=:]\s*["']?)([A-Za-z0-9_-]{8,64})|(?i:\b(idempotent-replayed|retry-after|date)["']?\s*[=:]\s*["']?(true\b|[0-9]{1,9}\b|[a-z]{3}, [0-9]{2} [a-z]{3} [0-9]{4} [0-9:]{8} GMT\b))`, source.AnyOf("bearer", "idempotency", "idempotent", "retry-after", " gmt"))
	// pathCalled is a path without its first slash, behind a word which says that it is called.
	pathCalled = source.NewSign(`(?i)\b(?:calling|requesting|invoking|call to|request to)\s+["'\x60]?([A-Za-z]+/[A-Za-z0-9/._~?=&%:-]+)`, source.AnyOf("calling", "requesting", "invoking", "call to", "request to"))
	// fromLabel is what answers, too, name their address by, requestLabel what a call is begun with, and sentName a body that was sent.
	fromLabel    = trail.Pattern(`(?i)^\W*(?:from|for|url|uri|address|request url|final url)\W*$`)
	requestLabel = trail.Pattern(`\bREQUEST:[ \t]*$`)
	sentName     = trail.Pattern(`(?i)\b(?:req|request|sent|out)[a-z]*[ _.-]?(?:body|data|payload|content|json)?["']?\s*[:=]\s*["'\x60]?$|[\])>:|][ \t]{1,4}(?:request|sent|sending|we sent)(?: body| payload| data| json)?[ \t]+$`)
	// headerList is a line with all headers of a message, as Java prints them.
	headerList = trail.Pattern(`(?i)\bheaders?\s*[:=]\s*([\[{].*[\]}])\s*$`)
	listed     = trail.Pattern(`([A-Za-z][A-Za-z0-9-]*)[:=](?:"((?:[^"\\]|\\.)*)"|\[([^\]]*)\])`)
)

// heading takes a line that is a heading, or that holds all headers of a message: these are told as
// an object.
func (m *marks) heading(line string, after int, at time.Time) (mark, bool) {
	one := mark{line: m.line, at: at}
	if found := sideHeading().FindStringSubmatch(afterLogger(line, after)); found != nil {
		one.kind, one.method = markSide, strings.ToLower(found[1])
	} else if found := methodAlone().FindStringSubmatch(afterLogger(line, after)); found != nil {
		one.kind, one.method = markMethod, strings.ToUpper(found[1])
	} else if found := headerList().FindStringSubmatch(line); found != nil && !methodNamed.In(line) && !strings.Contains(found[1], "body=") {
		object := map[string]string{}
		for _, pair := range listed().FindAllStringSubmatch(found[1], 200) {
			object[pair[1]] = pair[2] + strings.Trim(pair[3], `"`)
		}
		one.kind, one.text = markObject, string(trail.Quote(object))
		if len(object) == 0 {
			return mark{}, false
		}
	} else if fields, media := formIn(line); fields != "" {
		one.kind, one.method, one.text = markForm, media, fields
	} else {
		return mark{}, false
	}
	m.line, m.from = m.line+1, 0
	return one, true
}

// complete adds to a call what a text rarely shows: its host, and that its bodies are JSON.
func (p *pasted) complete(x *recording.Exchange) {
	if target := x.Path; x.Host == "" && source.Header(x.Header, "Host") != "" {
		if x.Query != "" {
			target += "?" + x.Query
		}
		_ = httptext.SetTarget(x, target) // it has a path
	}
	if !isOperation(x) {
		return
	}
	if x.Body == nil && !p.asked && x.Method == "POST" && source.MethodOf(x.Path) == "POST" && source.Header(x.Header, "Content-Length") != "0" {
		x.BodyMissing = true
	}
	if (x.Body != nil || x.BodyMissing) && source.Header(x.Header, "Content-Type") == "" {
		x.Header = append(x.Header, tape.Header{Name: "Content-Type", Value: "application/json"})
		p.bare++
	}
	if a := &x.Answer; len(a.Body) > 0 && a.Status < 400 { // which a log rarely shows
		a.Header = source.SetHeader(a.Header, "Content-Type", "application/json")
	}
}

// tellUnshown tells what was taken for granted.
func (p *pasted) tellUnshown() {
	if p.bare > 0 {
		p.part.SkipKind(recording.OfCall, p.part.Line(1), fmt.Sprintf("the headers of calls (%d): their bodies are taken as sent with Content-Type: application/json", p.bare))
	}
}

// method sets that of a request whose address was told alone.
func (p *pasted) method(m mark) {
	if p.call != nil && p.guessed && p.call.Answer.Known == recording.NotRecorded {
		p.call.Method = m.method
		return
	}
	p.named, p.namedAt = m.method, m.line
}

// variable sets one; cmd knows no case.
func (p *pasted) variable(m mark) {
	p.values[m.method], p.values[strings.ToLower(m.method)] = m.text, m.text
}

// echoed says whether a line shows the request that a command has made: as it was sent, or its
// address alone.
func (p *pasted) echoed(c, x *recording.Exchange, m mark) bool {
	if p.wired(c, x, m) || answersTo(c, x, m) || p.failing(c, x, m) {
		return true
	}
	if c.Path != x.Path || c.Query != x.Query || c.Method != x.Method && !m.guessed || c.Answer.Known != recording.NotRecorded || !p.asked && !m.guessed && !m.inner {
		return false
	}
	if c.Begin = p.at; m.sure { // its body may be shown again
		c.Header, p.asked, p.echo = nil, false, true
	}
	return true
}

// sent says whether an object is the body that a call was sent with: its place says so, or a heading.
func (p *pasted) sent(m mark) bool {
	x := p.call
	switch {
	case x.Method == "GET":
		return false
	case m.asked && x.Body == nil, x.Answer.Known == recording.NeverArrived && x.Body == nil && !m.answer:
		return true
	case p.side == "request":
		return x.Body == nil && len(x.Answer.Body) == 0
	case p.echo:
		return x.Answer.Known == recording.NotRecorded
	default:
		return asks(x) && !m.answer && p.side != "response" && !source.OnlyAnswered(x.Path, []byte(m.text))
	}
}
