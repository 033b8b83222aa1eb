package text

import (
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// httpieItem is an item of HTTPie's command line: a name, what kind it is, and its value.
var httpieItem = trail.Pattern(`(?s)^([^:=@\s]+)(:=@?|==|=@?|:|@)(.*)$`)

// httpie reads a command of HTTPie (http, https, xh): an address, a method before it, and
// items. Members of a body that stand in files are not read.
func httpie(p *source.Part, at recording.Place, text string) {
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
	if x.Method == "" {
		x.Method = map[bool]string{true: "POST", false: "GET"}[x.Body != nil || x.BodyMissing]
	}
	p.Call(*x)
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

// hasCode says whether a number of three figures stands in a text, as a status has.
func hasCode(s string) bool {
	n := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n++
			continue
		}
		if n == 3 && s[i-3] >= '1' && s[i-3] <= '5' {
			return true
		}
		n = 0
	}
	return false
}

// statusAbove says whether a text shows each status on the line above its request: they take turns, a
// status first and a request last.
func statusAbove(text string) bool {
	m := newMarks(text)
	var status *mark
	pairs := 0
	for {
		one, ok := m.find()
		switch {
		case !ok:
			return pairs > 1 && status == nil
		case one.kind == markStatus && one.status >= 200:
			if status != nil {
				return false
			}
			status = &one
		case one.kind == markRequest && !one.guessed:
			if status == nil || one.line != status.line+1 {
				return false
			}
			status, pairs = nil, pairs+1
		}
	}
}

// statuses finds an answer's status, where a text may hold one: that is cheaper than to search.
func (m *marks) statuses(rest string, better func(at, to int, found mark)) {
	if hasCode(rest) {
		m.codes(rest, better)
	}
}
