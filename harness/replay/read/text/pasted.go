package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// maxPasted is the largest text that is searched, in bytes.
const maxPasted = 32 << 20

// Pasted searches any text for calls: a mail in prose, the log of an application, a
// chat, a terminal with commands and what they printed. A call is what names an
// operation and shows more of it: a body, a header, a status, or that no answer came.
// What is only named is listed. Nothing is run.
func Pasted(f *source.File, v source.Variables) (*source.Part, error) {
	text := source.UsualLines(string(f.Text()))
	if len(text) > maxPasted {
		return nil, &source.Error{File: f.Name, Format: "pasted", Err: fmt.Errorf("it is larger than %d bytes", maxPasted), Fix: "give it in parts"}
	}
	text, lines := unfolded(text, f)
	p := &pasted{part: source.NewPart(f, "pasted"), marks: newMarks(text), values: v.With(nil), power: commands.PowerValues(text), above: statusAbove(text)}
	for !p.part.Full(p.part.Line(p.marks.line + 1)) {
		m, ok := p.marks.find()
		if !ok {
			break
		}
		p.take(m)
	}
	p.end()
	p.lostBefore()
	p.takeBeside()
	if n := p.marks.left; n > 0 {
		p.part.Skip(p.part.Line(n), "the rest of this line, and of long lines after it, was not searched: too much stands on one line")
	}
	if len(p.part.Exchanges)+len(p.part.Received) == 0 {
		return nil, &source.Error{File: f.Name, Format: "pasted", Err: errors.New("no call stands in it"), Expected: "a method and an operation's path, with a body or a status near it"}
	}
	p.tellUnshown()
	p.place(lines, f)
	return p.part, nil
}

// NamesOperation says whether a text names an operation of the service by its path.
func NamesOperation(text []byte) bool {
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || r == '=' || r == '|' }) {
		if len(word) > source.MaxAddress {
			continue
		}
		path := pathOf(trimmed(strings.Trim(string(word), "\"'`<>(,{")))
		if _, ok := source.BasePath(path); ok {
			return true
		}
	}
	return false
}

// pasted is what is known while a text is searched.
type pasted struct {
	part   *source.Part
	marks  *marks
	values source.Variables

	power   map[string]string // variables of PowerShell
	answers map[string]bool   // those that calls set; nil before one is looked up
	call    *recording.Exchange
	sure    bool          // the call was made: it is not only named
	asked   bool          // it is a command's, whose body is known
	single  bool          // all of it stands on one line
	line    int           // the line that it begins at
	tells   int           // the line that tells its status, -1 for none
	summed  bool          // that line tells its status, too
	told    bool          // its client, too, has told of it
	at      time.Time     // the newest time that the text says
	loose   []tape.Header // headers before any request: of a webhook
	named   string        // a method that stands alone, before any address
	namedAt int           // its line
	guessed bool          // its method is not shown
	echo    bool          // the request of a command is shown as it was sent
	side    string        // of which side what follows is, as a heading says
	bare    int           // calls whose headers the text does not show
	above   bool          // each status stands above its request
	before  mark          // the one that stands above the next request, or of the call
	own     mark          // and above the call that was begun
	heard   bool          // the webhook that was shown last has no answer yet
	early   bool          // bodies stand above their requests
	inVain  bool          // before any call it says that no answer came
	beside  bool          // an answer stands in an object beside its headers
	ahead   []byte        // a body that stands above the request that it is of
	filter  filtering     // of the call
}

// take takes the next thing that the text shows.
func (p *pasted) take(m mark) {
	if p.dated(m) {
		return
	}
	p.single = p.single && (p.call == nil || m.line == p.line || m.kind == markTime)
	switch m.kind {
	case markTime:
	case markRequest:
		p.request(m)
	case markCommand:
		p.command(m)
	case markVariable:
		p.variable(m)
	case markStatus:
		p.status(m)
	case markHeader, markCarried:
		p.header(m)
	case markObject:
		p.object(m)
	case markSide, markMethod, markForm:
		p.heading(m)
	case markLost:
		p.lost()
	}
}

// request begins a call. A line that only sums up the call before it (a method, its path
// and its status) begins none.
func (p *pasted) request(m mark) {
	if m.guessed && p.named != "" && m.line-p.namedAt <= 2 { // its method stands on a line before it
		m.method = p.named
	}
	p.named = ""
	x := recording.Exchange{Place: p.part.Line(m.line + 1), Method: m.method, Begin: p.at, Answer: recording.Answer{Known: recording.NotRecorded}}
	if source.SetAddress(&x, p.values.Fill(m.text)) != nil {
		return
	}
	if p.call != nil && p.again(p.call, &x, m) {
		return
	}
	p.begin(&x, m)
	if p.call == &x {
		p.asked = false
	}
}

// again says whether a line names the call that was begun once more: to sum it up, or to
// tell its answer.
func (p *pasted) again(c, x *recording.Exchange, m mark) bool {
	if p.echoed(c, x, m) || p.addressed(c, x, m) || p.sumsUp(c, x) {
		return true
	}
	if c.Method != x.Method || c.Path != x.Path || c.Query != x.Query {
		return false
	}
	if !p.sure && c.Answer.Body == nil && !p.marks.tellsStatus() {
		c.Begin = p.at // it is named before it is sent
		return true
	}
	return p.inError(m) || c.Answer.Known == recording.NotRecorded && p.marks.tellsStatus() || c.Answer.Known == recording.WithoutBody && p.tells == m.line && p.line < m.line
}

// addressed takes the whole address of a call that was named by its path.
func (p *pasted) addressed(c, x *recording.Exchange, m mark) bool {
	if p.sure || !m.guessed || x.Path == c.Path || !strings.HasSuffix(c.Path, x.Path) && !strings.HasSuffix(x.Path, c.Path) {
		return false
	}
	c.Host, c.Path, c.Query = x.Host, x.Path, x.Query
	return true
}

func (p *pasted) begin(x *recording.Exchange, m mark) {
	if c := p.call; c != nil && m.sure && m.line == p.line && c.Method == x.Method && c.Path == x.Path && c.Body == nil && c.Answer.Known == recording.WithoutBody {
		p.call = nil // the line sums the call up before it shows it
	}
	if !isOperation(x) && p.heard { // the receiver's own line of the webhook that was shown
		return
	}
	p.end()
	if !isOperation(x) && x.Host == "" && !m.sure {
		return
	}
	p.own, p.before = p.before, mark{}
	p.call, p.sure, p.single, p.line, p.side, p.filter = x, m.sure || p.own.status > 0, true, m.line, "", filtering{}
	p.summed, p.told, p.echo, p.guessed, p.heard, p.tells = false, false, false, m.guessed, false, -1
	p.takeAhead(x)
}

// status takes an answer's status.
func (p *pasted) status(m mark) {
	if p.above {
		p.before = m
		return
	}
	if list := p.part.Received; p.heard && len(list) > 0 && m.status >= 200 {
		list[len(list)-1].Status, p.heard = m.status, false
		return
	}
	if p.call == nil {
		p.ahead, p.early = nil, false // it was of a call to another, which this answers
	}
	if p.call == nil || m.status < 200 || !p.sure && m.line > p.line && p.marks.isProse(p.line) && p.marks.isProse(m.line) { // who explains calls names them, too
		return
	}
	if p.summed = p.summed || m.line == p.line; p.call.Answer.Status != 0 {
		return
	}
	p.call.Answer.Status, p.call.Answer.Known, p.sure, p.tells = m.status, recording.WithoutBody, true, m.line
	p.ended()
}

// object takes a body: an event's, the request's, or the answer's.
func (p *pasted) object(m mark) {
	x, body := p.call, []byte(m.text)
	if p.noBody(m, body) {
		return
	}
	if m.cut {
		p.part.SkipKind(recording.OfCall, p.part.Line(m.line+1), "a body of which the text shows a part")
		body = nil
	} else if p.filtered(m, body) || p.logged(m, body) {
		return
	}
	switch {
	case p.stands(m, body):
	case x == nil:
		p.part.Skip(p.part.Line(m.line+1), "an object that belongs to no call")
	case p.sent(m):
		x.Body, x.BodyMissing, p.sure, p.echo = body, m.cut, true, false
	case !m.cut:
		p.got(m, body)
	}
}

// got takes the body of an answer, where the call has none yet.
func (p *pasted) got(m mark, body []byte) {
	x := p.call
	switch x.Answer.Known {
	case recording.NotRecorded:
		if !p.saysElse(m) {
			p.answered(m, body)
			return
		}
	case recording.WithoutBody:
		if !p.ofElse(m) {
			x.Answer.Known, x.Answer.Body = recording.Whole, body
			return
		}
	default:
		p.part.SkipKind(recording.OfCall, p.part.Line(m.line+1), "an object that belongs to a call whose bodies are known")
		return
	}
	p.part.Skip(p.part.Line(m.line+1), "an object of a line that says something else")
}

// answered takes an answer of which only the body is shown.
func (p *pasted) answered(m mark, body []byte) {
	p.call.Answer, p.sure = recording.Answer{Known: recording.Whole, Body: body}, true
	p.ended()
	if source.OpenEnvelope(&p.call.Answer) {
		return
	}
	p.call.Answer.Status = 200
	var problem struct{ Status json.Number }
	_ = json.Unmarshal(body, &problem) // what is none has no status
	if code, err := problem.Status.Int64(); err == nil && code >= 400 && code < 600 {
		p.call.Answer.Status = int(code)
		return
	}
	p.part.SkipKind(recording.OfCall, p.part.Line(m.line+1), "the status of an answer, of which only the body is shown: taken as 200")
}

// end adds the call that was found.
func (p *pasted) end() {
	x := p.call
	if p.call, p.loose = nil, nil; x == nil {
		return
	}
	if !p.sure {
		p.part.Skip(x.Place, "an operation is named, but no call to it is shown")
		return
	}
	if p.own.status > 0 {
		x.Answer.Status = p.own.status
		if x.Answer.Known == recording.NotRecorded {
			x.Answer.Known = recording.WithoutBody
		}
	}
	p.complete(x)
	x.Body = bytes.TrimSpace(x.Body)
	if len(x.Body) == 0 {
		x.Body = nil
	}
	p.part.Call(*x)
}
