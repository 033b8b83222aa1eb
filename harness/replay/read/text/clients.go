package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// fetched is the beginning of a call of fetch with its address.
var fetched = trail.Pattern(`\bfetch\(\s*("(?:[^"\\\n]|\\.)*"|'[^'\\\n]*')\s*([,)])`)

// fetches is a line at which such a call begins, also at a console's prompt.
var fetches = trail.Pattern(`^(?:[^\n]{0,80}?[>»]\s*)?(?:(?:const|let|var) \w+ = )?(?:await )?fetch\(\s*["']`)

// Fetch reads calls of fetch as browsers copy them, for the console and for Node.js: an
// address, and an object that is JSON. Nothing is run.
func Fetch(f *source.File, _ source.Variables) (*source.Part, error) {
	p, text := source.NewPart(f, "fetch"), f.Text()
	for _, at := range fetched().FindAllSubmatchIndex(text, source.MaxEntries) {
		place := p.Line(1 + bytes.Count(text[:at[0]], []byte("\n")))
		if p.Full(place) {
			break
		}
		x := recording.Exchange{Place: place, Method: "GET", Answer: recording.Answer{Known: recording.NotRecorded}}
		if err := source.SetAddress(&x, plain(text[at[2]:at[3]])); err != nil {
			p.Skip(place, "the call of fetch has no address")
			continue
		}
		if text[at[4]] == ',' && !options(&x, text[at[5]:]) {
			p.Skip(place, "what fetch is given besides the address is no JSON: it was not read")
			continue
		}
		p.Call(x)
	}
	if len(p.Exchanges) == 0 {
		return nil, &source.Error{File: f.Name, Format: "fetch", Err: errors.New("it has no call of fetch"), Expected: `fetch("https://…", {"method":"POST","headers":{…},"body":"…"})`}
	}
	return p, nil
}

// plain is a quoted address.
func plain(quoted []byte) string {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		s = strings.Trim(string(quoted), `"'`)
	}
	return s
}

// options reads the object behind the address, and says whether it is one.
func options(x *recording.Exchange, rest []byte) bool {
	var o struct {
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
		Body    *string           `json:"body"`
	}
	if json.NewDecoder(bytes.NewReader(rest)).Decode(&o) != nil {
		return false
	}
	if o.Method != "" {
		x.Method = strings.ToUpper(o.Method)
	}
	for name, value := range o.Headers {
		x.Header = append(x.Header, tape.Header{Name: name, Value: value})
	}
	slices.SortStableFunc(x.Header, func(a, b tape.Header) int { return strings.Compare(a.Name, b.Name) })
	if o.Body != nil {
		x.Body = []byte(*o.Body)
	}
	return true
}

// fetch takes a call of fetch as browsers copy it, with the lines that belong to it.
func (m *marks) fetch() mark {
	one := mark{kind: markCommand, line: m.line, method: "fetch"}
	rest := m.text[m.starts[m.line]:]
	end := len(m.lineText(m.line))
	if at := fetched().FindStringSubmatchIndex(rest[:min(len(rest), source.MaxAddress)]); at != nil && rest[at[4]] == ',' {
		d := json.NewDecoder(strings.NewReader(rest[at[5]:]))
		if d.Decode(&struct{}{}) == nil {
			end = max(end, at[5]+int(d.InputOffset()))
		}
	}
	one.text = rest[:end]
	m.line, m.from = m.line+1+strings.Count(one.text, "\n"), 0
	return one
}

// command takes a command with the lines that belong to it.
func (m *marks) command(first string) mark {
	one := mark{kind: markCommand, line: m.line, method: "shell"}
	if lower := strings.ToLower(first); strings.Contains(lower, "invoke-") || strings.HasPrefix(lower, "irm") || strings.HasPrefix(lower, "iwr") {
		one.method = "powershell"
	} else if strings.HasPrefix(lower, "http") || strings.HasPrefix(lower, "xh") {
		one.method = "httpie"
	}
	text, line := first, first
	for m.line+2 < len(m.starts) && len(text) < source.MaxAddress && (strings.HasSuffix(strings.TrimSpace(line), `\`) ||
		strings.HasSuffix(strings.TrimSpace(line), "^") || one.method == "powershell" && strings.HasSuffix(strings.TrimSpace(line), "`") ||
		one.method != "powershell" && quoteOpen(text)) {
		m.line++
		line = goesOn().ReplaceAllString(m.lineText(m.line), "")
		text = strings.TrimRight(text, " \t") + "\n" + line
	}
	one.text = text
	m.line, m.from = m.line+1, 0
	return one
}

// httpieItem is an item of HTTPie's command line: a name, what kind it is, and its value.
var httpieItem = trail.Pattern(`(?s)^([^:=@\s]+)(:=@?|==|=@?|:|@)(.*)$`)

// httpie reads a command of HTTPie (http, https, xh): an address, a method before it, and
// items. Members of a body that stand in files are not read.
func httpie(p *source.Part, at recording.Place, text string) {
	text, raw := hereText(text)
	words := argv(strings.NewReplacer("\\\n", " ", `'`, `"`).Replace(text))
	c := httpieCall{x: recording.Exchange{Place: at, Answer: recording.Answer{Known: recording.NotRecorded}}}
	for _, word := range words[min(1, len(words)):] {
		c.word(word)
	}
	x := &c.x
	if source.SetAddress(x, c.address) != nil {
		return
	}
	if x.Host == "" {
		x.Host = "localhost"
	}
	if len(c.body) > 0 && !x.BodyMissing {
		x.Body = []byte("{" + strings.Join(c.body, ",") + "}")
		x.Header = source.SetHeader(x.Header, "Content-Type", "application/json")
	}
	if raw != "" {
		x.Body, x.BodyMissing, x.Header = []byte(raw), false, source.SetHeader(x.Header, "Content-Type", "application/json")
	}
	if x.Method == "" {
		x.Method = map[bool]string{true: "POST", false: "GET"}[x.Body != nil || x.BodyMissing]
	}
	p.Call(*x)
}

// here is a body that the shell, or an option, gives to a command as it is.
var here = trail.Pattern(`[ \t](?:<<<|--raw[ =])[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\.)*)")`)

// hereText is a command without such a body, and the body.
func hereText(text string) (command, body string) {
	found := here().FindStringSubmatchIndex(text)
	if found == nil {
		return text, ""
	}
	if found[2] >= 0 {
		body = text[found[2]:found[3]]
	} else {
		body = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text[found[4]:found[5]])
	}
	return text[:found[0]] + text[found[1]:], body
}

type httpieCall struct {
	x       recording.Exchange
	address string
	body    []string
}

func (c *httpieCall) word(word string) {
	switch item := httpieItem().FindStringSubmatch(word); {
	case strings.HasPrefix(word, "-"):
	case c.address == "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
		c.x.Method = word
	case c.address == "":
		c.address = word
	case item != nil:
		c.item(item[1], item[2], item[3])
	}
}

func (c *httpieCall) item(name, kind, value string) {
	switch {
	case kind == ":":
		c.x.Header = append(c.x.Header, tape.Header{Name: name, Value: strings.TrimSpace(value)})
	case kind == "==":
		c.address += map[bool]string{true: "&", false: "?"}[strings.Contains(c.address, "?")] + name + "=" + value
	case kind == "=":
		c.body = append(c.body, string(trail.Quote(name))+":"+string(trail.Quote(value)))
	case kind == ":=" && json.Valid([]byte(value)):
		c.body = append(c.body, string(trail.Quote(name))+":"+value)
	default:
		c.x.BodyMissing = true
	}
}

// command takes a command of a terminal as the readers of commands do.
func (p *pasted) command(m mark) {
	file := &source.File{Name: p.part.Source().Name, Data: []byte(m.text)}
	read := Shell
	switch {
	case m.method == "fetch":
		read = Fetch
	case m.method == "httpie":
		read = func(f *source.File, _ source.Variables) (*source.Part, error) {
			part := source.NewPart(f, "httpie")
			httpie(part, part.Line(1), p.values.Fill(m.text))
			return part, nil
		}
	case m.method == "powershell":
		read = func(f *source.File, _ source.Variables) (*source.Part, error) {
			part := source.NewPart(f, "powershell")
			readPower(part, m.text, p.power)
			return part, nil
		}
	case strings.Contains(m.text, "^\n") || strings.Contains(m.text, `\"`) && !strings.Contains(m.text, "'"):
		read = Cmd
	}
	part, err := read(file, p.values)
	if err != nil {
		return
	}
	for i := range part.Exchanges {
		x := part.Exchanges[i]
		x.Place, x.Begin = p.part.Line(m.line+1), p.at
		p.begin(&x, mark{line: m.line, sure: true})
		p.asked = true
	}
}

// answersTo says whether an answer, or the error that none came, says which call it is of.
func answersTo(c, x *recording.Exchange, m mark) bool {
	same := m.guessed && c.Path == x.Path && c.Query == x.Query
	return same && (m.labelled && c.Answer.Known == recording.WithoutBody || !m.begins && strings.Contains(m.text, "://") && c.Answer.Known == recording.NeverArrived)
}

// failing says whether a line that names the call which waits for its answer goes on to say that none came.
func (p *pasted) failing(c, x *recording.Exchange, m mark) bool {
	line := p.marks.lineText(m.line)
	return p.sure && (c.Method == x.Method || m.guessed) && c.Path == x.Path && c.Query == x.Query && c.Answer.Known == recording.NotRecorded &&
		p.marks.line == m.line && noAnswerAtAll.In(line[min(p.marks.from, len(line)):])
}

// lost notes that no answer came.
func (p *pasted) lost() {
	p.inVain = p.inVain || p.call == nil && len(p.part.Exchanges) == 0
	if p.call != nil && p.call.Answer.Known == recording.NotRecorded {
		p.call.Answer.Known, p.call.End, p.sure = recording.NeverArrived, p.at, true
	}
}

// lostBefore takes the one call of a text for what its beginning says to have got no answer: an error stands before its call.
func (p *pasted) lostBefore() {
	if p.inVain && len(p.part.Exchanges) == 1 && p.part.Exchanges[0].Answer.Known == recording.NotRecorded {
		p.part.Exchanges[0].Answer.Known = recording.NeverArrived
	}
}

// lowerRequest finds a method in small letters behind an arrow or a name, as libraries' own logs have it.
func (m *marks) lowerRequest(line string, better func(at, to int, found mark)) {
	if f := m.now.finder.Find(lowerThenPath, m.from); f != nil {
		address := trimmed(line[f[4]:f[5]])
		if _, ok := source.BasePath(pathOf(address)); ok {
			better(f[0], f[1], mark{kind: markRequest, method: strings.ToUpper(line[f[2]:f[3]]), text: address})
		}
	}
}

// wired says whether a line is the client's own of a call that its program told of just before, by its path alone and with
// what was sent: as an address, or as the first line of the request.
func (p *pasted) wired(c, x *recording.Exchange, m mark) bool {
	method := c.Method == x.Method || m.guessed
	if !method || c.Answer.Known != recording.NotRecorded || c.Query != x.Query || c.Body == nil {
		return false
	}
	if p.told { // by its address
		return m.sure && x.Host == "" && c.Path == x.Path && m.line-p.line <= 2*nearLines
	}
	if c.Host != "" || x.Host == "" || !strings.HasSuffix(x.Path, c.Path) || m.line-p.line > nearLines {
		return false
	}
	if p.told = true; x.Path == c.Path {
		c.Scheme, c.Host = x.Scheme, x.Host
	}
	return true
}

// nearLines is how far a client's own line may be behind the program's.
const nearLines = 3

// ended says that the call's answer was there at the time that was told last, where that is not when it began.
func (p *pasted) ended() {
	if p.call.End = p.at; p.at.Equal(p.call.Begin) {
		p.call.End = time.Time{}
	}
}
