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
