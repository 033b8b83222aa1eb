package commands

import (
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// HTTPie reads a command of HTTPie (http, https, xh): an address, a method before it, and
// items. Members of a body that stand in files are not read.
func HTTPie(p *source.Part, at recording.Place, text string) {
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

// httpieItem is an item of HTTPie's command line: a name, what kind it is, and its value.
var httpieItem = trail.Pattern(`(?s)^([^:=@\s]+)(:=@?|==|=@?|:|@)(.*)$`)

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
