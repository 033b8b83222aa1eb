package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/handout"
	"paysandbox/harness/replay/read/price"
	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/redirect"
	"paysandbox/harness/replay/read/rerun"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// jsonLine is one line, as the package's comment tells.
type jsonLine struct {
	Time          json.RawMessage `json:"time"`
	End           json.RawMessage `json:"end"`
	Method        text            `json:"method"`
	URL           text            `json:"url"`
	Headers       json.RawMessage `json:"headers"`
	Body          json.RawMessage `json:"body"`
	BodyBase64    []byte          `json:"bodyBase64"`
	BodyMissing   bool            `json:"bodyMissing"`
	Dollars       text            `json:"dollars"`
	GoesOn        number          `json:"goesOn"`
	TokenCut      number          `json:"tokenCut"`
	AsksOnce      bool            `json:"asksOnce"`
	CameBack      text            `json:"cameBack"`
	RunAgain      text            `json:"runAgain"`
	SentTo        text            `json:"sentTo"`
	TooSoon       text            `json:"tooSoon"`
	PageRows      json.RawMessage `json:"pageRows"`
	Of            number          `json:"of"`
	Status        number          `json:"status"`
	AnswerHeaders json.RawMessage `json:"answerHeaders"`
	Answer        json.RawMessage `json:"answer"`
	AnswerBase64  []byte          `json:"answerBase64"`
	Webhook       bool            `json:"webhook"`
	Signature     text            `json:"signature"`
	Log           json.RawMessage `json:"log"`
	Unsigned      bool            `json:"unsigned"`
	Mentioned     bool            `json:"mentioned"`
	Event         text            `json:"Event"`
	Data          json.RawMessage `json:"Data"`
}

// JSONLines reads JSON lines, a list of the same objects, or one webhook's body. A line
// that cannot be read is listed; the others are read all the same.
func JSONLines(f *source.File, _ source.Variables) (*source.Part, error) {
	p, data := source.NewPart(f, "jsonl"), f.Text()
	data = takeBesides(p, data)
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 && p.Besides != nil {
		return p, nil
	}
	if p.Besides == nil && (bytes.HasPrefix(trimmed, []byte("[")) || json.Valid(trimmed)) {
		return p, jsonValues(f, p, trimmed)
	}
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		if data = rest; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if at := p.Line(n); !p.Full(at) {
			AddLine(p, at, line)
			continue
		}
		break
	}
	dropGranted(p)
	if len(p.Received) == 0 && len(p.Exchanges) > 0 {
		eventsWithin(p, f.Text())
	}
	return p, None(f, p)
}

// eventsWithin adds the webhooks that lines hold which are no call, as a receiver's logger writes them.
func eventsWithin(p *source.Part, data []byte) {
	calls := map[int]bool{}
	for i := range p.Exchanges {
		calls[p.Exchanges[i].Place.Line] = true
	}
	n := 0
	for line := range bytes.Lines(data) {
		if n++; p.Full(p.Line(n)) {
			return
		}
		if w := source.EventWithin(line); w.Body != nil && !calls[n] {
			w.Place = p.Line(n)
			p.Received = append(p.Received, w)
		}
	}
}

// None is the error of a file in which no call stands, with the first of what was left out; nil for any other.
func None(f *source.File, p *source.Part) error {
	if len(p.Exchanges)+len(p.Received) > 0 {
		return nil
	}
	e := &source.Error{File: f.Name, Format: "jsonl", Err: errors.New("no call stands in it"), Expected: `lines such as {"time":…,"method":"POST","url":…,"body":…,"status":200,"answer":…}`}
	if len(p.Skipped) > 0 {
		e.Line, e.Entry, e.Err = p.Skipped[0].Place.Line, p.Skipped[0].Place.Entry, errors.New(p.Skipped[0].Why)
	}
	return e
}

// jsonValues reads a list of objects, or one object.
func jsonValues(f *source.File, p *source.Part, data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if data[0] == '[' {
		_, _ = d.Token() // the bracket
	}
	for n := 1; d.More(); n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return source.BadJSON(f, data, "jsonl", "a list of objects", err)
		}
		if p.Full(p.Entry(n)) {
			break
		}
		AddLine(p, p.Entry(n), raw)
	}
	dropGranted(p)
	return None(f, p)
}

// AddLine adds what a line says, or lists why it says nothing.
func AddLine(p *source.Part, at recording.Place, raw []byte) {
	var l jsonLine
	if err := json.Unmarshal(raw, &l); err != nil {
		p.Skip(at, "the line is no object with the documented members: "+jsonProblem(err))
		return
	}
	if p.Besides != nil {
		p.Besides.Of[at.Line] = int(l.Of)
	}
	header := sortedHeaders(l.Headers)
	switch {
	case l.Webhook:
		p.Received = append(p.Received, l.received(at, header))
	case source.Header(header, trail.SignatureHeader) != "":
		p.Received = append(p.Received, l.signed(at, header, raw))
	case l.URL == "" && l.Event != "" && len(l.Data) > 0:
		p.Received = append(p.Received, recording.Received{Place: at, Body: bytes.TrimSpace(bytes.Clone(raw))})
	case l.URL == "":
		log, ok := logged(raw)
		if !ok {
			log, ok = granted(raw)
		}
		if !ok {
			p.Skip(at, `the line has no "url"`)
			return
		}
		log.call(p, at, jsonType(sortedHeaders(log.Headers), bodyOf(log.Body)))
	case l.onlyNames() && speaks().Match(raw):
		p.Skip(at, "the line names an address, and no call")
	default:
		l.besides(raw)
		if header = sortedHeaders(l.Headers); len(l.Headers) == 0 && bytes.HasPrefix(bodyOf(l.Body), []byte("{")) {
			header = jsonType(nil, l.Body)
		}
		l.call(p, at, header)
	}
}

// onlyNames says whether a line says nothing of a call but its address.
func (l *jsonLine) onlyNames() bool {
	return l.Method == "" && l.Status == 0 && len(l.Body)+len(l.BodyBase64)+len(l.Answer)+len(l.AnswerBase64) == 0
}

// signed is a webhook that another program has written, with names of its own.
func (l *jsonLine) signed(at recording.Place, header []tape.Header, raw []byte) recording.Received {
	w := l.received(at, header)
	if within := source.EventWithin(raw); within.Body != nil {
		w.Body = within.Body
		if w.At.IsZero() {
			w.At = within.At
		}
	}
	if w.Status == 0 {
		w.Status = replied(raw)
	}
	return w
}

// speaks is a member by which a logger's line says something.
var speaks = trail.Pattern(`(?i)"(?:msg|message|level|severity)"\s*:`)

func (l *jsonLine) received(at recording.Place, header []tape.Header) recording.Received {
	r := recording.Received{Place: at, At: moment(l.Time), URL: string(l.URL), Header: header, Status: int(l.Status), Signature: recording.Signature(l.Signature), Unsigned: l.Unsigned, Mentioned: l.Mentioned}
	if end := moment(l.End); !r.At.IsZero() && end.After(r.At) {
		r.Took = end.Sub(r.At)
	}
	_ = json.Unmarshal(l.Log, &r.Log) // a line of another's may have such a member
	r.Log = slices.DeleteFunc(r.Log, func(d recording.Deed) bool {
		return !slices.Contains(recording.Kinds, d.Kind) || d.Kind == recording.Refused && receiver.RefusedWords(d.Line) == ""
	})
	if r.Body = l.BodyBase64; len(r.Body) == 0 {
		r.Body, r.Reprinted = bodyOf(l.Body), len(l.Body) > 0 && l.Body[0] != '"'
	}
	return r
}

// call adds a call.
func (l *jsonLine) call(p *source.Part, at recording.Place, header []tape.Header) {
	x := recording.Exchange{
		Place: at, Begin: moment(l.Time), End: moment(l.End), Method: strings.ToUpper(string(l.Method)), Header: header,
		Body: l.BodyBase64, BodyMissing: l.BodyMissing, Answer: l.answer(),
	}
	if price.Is(string(l.Dollars)) {
		x.Dollars = string(l.Dollars)
	}
	if redirect.Is(string(l.CameBack)) {
		x.CameBack = string(l.CameBack)
	}
	if rerun.Is(string(l.RunAgain)) {
		x.RunAgain = string(l.RunAgain)
	}
	if handout.Is(string(l.SentTo)) {
		x.SentTo = string(l.SentTo)
	}
	if receiver.IsTooSoon(string(l.TooSoon)) {
		x.TooSoon = string(l.TooSoon)
	}
	x.AsksOnce, x.Page = l.AsksOnce, pageOf(l.PageRows)
	x.GoesOn, x.TokenCut = max(0, min(int(l.GoesOn), math.MaxInt32)), max(0, min(int(l.TokenCut), math.MaxInt32))
	if len(x.Body) == 0 {
		x.Body = bodyOf(l.Body)
	}
	if x.Method == "" {
		x.Method = "GET"
		if len(x.Body) > 0 || x.BodyMissing {
			x.Method = "POST"
		}
	}
	if x.End.Before(x.Begin) {
		x.End = time.Time{}
	}
	if err := source.SetAddress(&x, string(l.URL)); err != nil {
		p.Skip(at, "the line's url cannot be read: "+err.Error())
		return
	}
	p.Call(x)
}

func (l *jsonLine) answer() recording.Answer {
	a := recording.Answer{Known: recording.NotRecorded, Status: int(l.Status), Header: sortedHeaders(l.AnswerHeaders), Body: l.AnswerBase64}
	switch {
	case string(l.Answer) == "null" && (a.Status == 0 || a.Status >= http.StatusBadGateway):
		a.Known = recording.NeverArrived
	case string(l.Answer) == "null": // who notes a status was answered
		a.Known = recording.WithoutBody
	case len(l.Answer) > 0 || len(a.Body) > 0:
		a.Known = recording.Whole
		if len(a.Body) == 0 {
			a.Body = bodyOf(l.Answer)
		}
	case a.Status > 0:
		a.Known = recording.WithoutBody
	}
	return a
}

// bodyOf is a text as it is, and any other value as its JSON.
func bodyOf(raw json.RawMessage) []byte {
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null" || string(raw) == `""`:
		return nil
	case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return []byte(s)
	default:
		return raw
	}
}

// moment reads a time that is a text or a number.
func moment(raw json.RawMessage) time.Time {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return source.Unix(n)
		}
		return source.Time(s)
	}
	n, _ := strconv.ParseFloat(string(raw), 64)
	return source.Unix(n)
}
