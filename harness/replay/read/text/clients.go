package text

import (
	"encoding/json"
	"strings"
	"time"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// fetches is a line at which such a call begins, also at a console's prompt.
var fetches = trail.Pattern(`^(?:[^\n]{0,80}?[>»]\s*)?(?:(?:const|let|var) \w+ = )?(?:await )?fetch\(\s*["']`)

// fetch takes a call of fetch as browsers copy it, with the lines that belong to it.
func (m *marks) fetch() mark {
	one := mark{kind: markCommand, line: m.line, method: "fetch"}
	rest := m.text[m.starts[m.line]:]
	end := len(m.lineText(m.line))
	if at := commands.FetchCall().FindStringSubmatchIndex(rest[:min(len(rest), source.MaxAddress)]); at != nil && rest[at[4]] == ',' {
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
		one.method != "powershell" && commands.QuoteOpen(text)) {
		m.line++
		line = goesOn().ReplaceAllString(m.lineText(m.line), "")
		text = strings.TrimRight(text, " \t") + "\n" + line
	}
	one.text = text
	m.line, m.from = m.line+1, 0
	return one
}

// command takes a command of a terminal as the readers of commands do.
func (p *pasted) command(m mark) {
	file := &source.File{Name: p.part.Source().Name, Data: []byte(m.text)}
	read := commands.Shell
	switch {
	case m.method == "fetch":
		read = commands.Fetch
	case m.method == "httpie":
		read = func(f *source.File, _ source.Variables) (*source.Part, error) {
			part := source.NewPart(f, "httpie")
			commands.HTTPie(part, part.Line(1), p.values.Fill(m.text))
			return part, nil
		}
	case m.method == "powershell":
		read = func(f *source.File, _ source.Variables) (*source.Part, error) {
			part := source.NewPart(f, "powershell")
			commands.AddPowerShell(part, m.text, p.power)
			return part, nil
		}
	case strings.Contains(m.text, "^\n") || strings.Contains(m.text, `\"`) && !strings.Contains(m.text, "'"):
		read = commands.Cmd
	}
	part, err := read(file, p.values)
	if err != nil {
		return
	}
	for i := range part.Exchanges {
		x := part.Exchanges[i]
		x.Place, x.Begin = p.part.Line(m.line+1), p.at
		p.begin(&x, mark{line: m.line, sure: true})
		p.asked, p.filter = true, p.filteredBy(m)
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
