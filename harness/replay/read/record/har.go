package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// harLog is what is read of a HAR 1.2 file. Members that only some tools write begin
// with an underscore.
type harLog struct {
	Log *harContents `json:"log"`
}

type harContents struct {
	Creator harTool           `json:"creator"`
	Browser harTool           `json:"browser"`
	Entries []json.RawMessage `json:"entries"`
}

type harTool struct {
	Name    text `json:"name"`
	Version text `json:"version"`
}

type harEntry struct {
	Started  text         `json:"startedDateTime"`
	Time     number       `json:"time"`
	Request  *harRequest  `json:"request"`
	Response *harResponse `json:"response"`
	// WebSocket is Chrome's; Failure and Error are Playwright's and Chrome's words for a
	// call without an answer.
	Sockets json.RawMessage `json:"_webSocketMessages"`
	Error   text            `json:"_error"`
}

type harRequest struct {
	Method   text     `json:"method"`
	URL      text     `json:"url"`
	Headers  harPairs `json:"headers"`
	PostData *harPost `json:"postData"`
	BodySize number   `json:"bodySize"`
	Failure  text     `json:"_failureText"`
}

type harResponse struct {
	Status   number      `json:"status"`
	Headers  harPairs    `json:"headers"`
	Content  *harContent `json:"content"`
	BodySize number      `json:"bodySize"`
	Comment  text        `json:"comment"`
	Error    text        `json:"_error"`
	Failure  text        `json:"_failureText"`
}

// HAR reads a HAR 1.2 file as browsers, proxies and API clients write it. An entry that
// cannot be read is listed; the others are read all the same.
func HAR(f *source.File, _ source.Variables) (*source.Part, error) {
	var file harLog
	data := f.Text()
	err := json.Unmarshal(data, &file)
	if err != nil && file.begun(data) {
		p := source.NewPart(f, "har")
		file.entries(p)
		p.Skip(p.Line(source.LineOf(data, len(data))), "the file breaks off in the middle: the entries before were read")
		p.Source().Lacks = "the rest of " + f.Name + ", which breaks off"
		return p, nil
	}
	if err != nil {
		return nil, source.BadJSON(f, data, "har", `{"log":{"version":"1.2","entries":[…]}}`, err)
	}
	if file.Log == nil {
		return nil, &source.Error{File: f.Name, Format: "har", Err: errWanted(`member "log"`), Expected: `{"log":{"version":"1.2","entries":[…]}}`}
	}
	p := source.NewPart(f, "har")
	p.Source().Creator = strings.TrimSpace(string(file.Log.Creator.Name + " " + file.Log.Creator.Version))
	file.entries(p)
	atExport(p)
	return p, nil
}

// atExport takes the times of calls from the Date of their answers, where the file has one time for all: that of the export, as Insomnia
// writes it. A request without an answer was not sent then.
func atExport(p *source.Part) {
	all := p.Exchanges
	if len(all) < 3 && !strings.Contains(p.Source().Creator, "Insomnia") || len(all) < 2 ||
		slices.ContainsFunc(all, func(x recording.Exchange) bool { return x.Begin.IsZero() || !x.Begin.Equal(all[0].Begin) }) {
		return
	}
	p.Exchanges = nil
	for i := range all {
		x := &all[i]
		took := max(0, x.End.Sub(x.Begin))
		if x.Answer.Known == recording.NeverArrived && x.Answer.Status == 0 && took == 0 {
			p.Skip(x.Place, "a request that was not sent when the file was exported")
			continue
		}
		x.End = source.Time(source.Header(x.Answer.Header, "Date"))
		if x.Begin = x.End; !x.End.IsZero() {
			x.Begin = x.End.Add(-took)
		}
		p.Exchanges = append(p.Exchanges, *x)
	}
}

// begun reads the entries of a file that breaks off, as far as they are whole; false when
// none is.
func (file *harLog) begun(data []byte) bool {
	at := bytes.Index(data, []byte(`"entries"`))
	if at < 0 {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimLeft(data[at+len(`"entries"`):], " \t\r\n:")))
	if _, err := d.Token(); err != nil {
		return false
	}
	file.Log = &harContents{}
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil || !bytes.Contains(raw, []byte(`"request"`)) {
			break
		}
		file.Log.Entries = append(file.Log.Entries, raw)
	}
	return len(file.Log.Entries) > 0
}

func (file *harLog) entries(p *source.Part) {
	for i, raw := range file.Log.Entries {
		at := p.Entry(i + 1)
		at.Pointer = fmt.Sprintf("/log/entries/%d", i)
		if p.Full(at) {
			break
		}
		harCall(p, at, raw)
	}
}

// harCall adds an entry, or says why it is none.
func harCall(p *source.Part, at recording.Place, raw json.RawMessage) {
	var e harEntry
	if err := json.Unmarshal(raw, &e); err != nil {
		p.Skip(at, "the entry cannot be read: "+jsonProblem(err))
		return
	}
	if e.Request == nil {
		p.Skip(at, `the entry has no "request"`)
		return
	}
	x := recording.Exchange{Place: at, Method: strings.ToUpper(string(e.Request.Method)), Begin: source.Time(string(e.Started))}
	if why := noCall(&e); why != "" {
		p.Skip(at, why)
		return
	}
	x.Header = e.Request.Headers.list()
	if err := source.SetAddress(&x, string(e.Request.URL)); err != nil {
		p.Skip(at, `the entry has no "request.url"`)
		return
	}
	if took := source.Milliseconds(float64(e.Time)); took > 0 && !x.Begin.IsZero() {
		x.End = x.Begin.Add(took)
	}
	if x.Body, x.BodyMissing = e.Request.body(x.Header); x.BodyMissing {
		p.SkipKind(recording.OfCall, at, "the recording does not hold the request's body")
	}
	if x.Answer = e.answer(); x.Answer.Known == recording.WithoutBody {
		p.SkipKind(recording.AnswerBody, at, "the recording does not hold the answer's body")
	}
	x.Header = e.Request.typed(x.Header, &x)
	p.Call(x)
}

// noCall says why an entry is no call over HTTP, "" when it is one.
func noCall(e *harEntry) string {
	scheme, _, _ := strings.Cut(string(e.Request.URL), ":")
	switch strings.ToLower(scheme) {
	case "data", "blob", "file", "about", "chrome", "chrome-extension", "moz-extension", "safari-web-extension", "devtools":
		return "the browser loaded it from within itself"
	case "ws", "wss":
		return "a web socket is no call"
	}
	headers := e.Request.Headers.list()
	switch {
	case len(e.Sockets) > 0 && string(e.Sockets) != "null":
		return "a web socket is no call"
	case strings.EqualFold(string(e.Request.Method), "CONNECT"):
		return "a tunnel of the proxy is no call"
	case strings.EqualFold(string(e.Request.Method), "OPTIONS") && (source.Header(headers, "Access-Control-Request-Method") != "" || source.Header(headers, "Authorization") == ""):
		return "the browser's preflight is no call of the page"
	default:
		return ""
	}
}

// harPairs are headers. Tools write lists; some write null,
// or an object.
type harPairs []struct {
	Name  text `json:"name"`
	Value text `json:"value"`
}

// UnmarshalJSON takes a list, an object or null.
func (h *harPairs) UnmarshalJSON(data []byte) error {
	type plain harPairs
	if len(data) > 0 && data[0] == '{' {
		for _, one := range sortedHeaders(data) {
			*h = append(*h, struct {
				Name  text `json:"name"`
				Value text `json:"value"`
			}{Name: text(one.Name), Value: text(one.Value)})
		}
		return nil
	}
	return json.Unmarshal(data, (*plain)(h))
}

// list are the headers without the pseudo headers of HTTP/2 and HTTP/3.
func (h harPairs) list() []tape.Header {
	var list []tape.Header
	for _, one := range h {
		if one.Name != "" && one.Name[0] != ':' {
			list = append(list, tape.Header{Name: string(one.Name), Value: string(one.Value)})
		}
	}
	return list
}
