package text

import (
	"errors"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// PowerShell reads Invoke-WebRequest and Invoke-RestMethod as browsers copy them. Nothing
// is run: what is no plain text stays as it is written.
func PowerShell(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "powershell")
	words := powerWords(string(f.Text()))
	for i := 0; i < len(words); i++ {
		if name := strings.ToLower(words[i].text); words[i].quoted || name != "invoke-webrequest" && name != "invoke-restmethod" {
			continue
		}
		end := i + 1
		for end < len(words) && (words[end].quoted || words[end].text != ";") {
			end++
		}
		at := p.Line(words[i].line)
		if p.Full(at) {
			break
		}
		addPower(p, at, words[i+1:end])
		i = end
	}
	if len(p.Exchanges) == 0 {
		return nil, &source.Error{File: f.Name, Format: "powershell", Err: errors.New("it has no call"), Expected: `Invoke-WebRequest -Uri "https://…" -Method "POST" -Headers @{…} -Body "…"`}
	}
	return p, nil
}

// addPower adds a command's call.
func addPower(p *source.Part, at recording.Place, words []word) {
	x := recording.Exchange{Place: at, Method: "GET", Answer: recording.Answer{Known: recording.NotRecorded}}
	address := ""
	for i := 0; i+1 < len(words); i++ {
		if words[i].quoted {
			continue
		}
		value := words[i+1].text
		switch strings.ToLower(words[i].text) {
		case "-uri":
			address = value
		case "-method":
			x.Method = strings.ToUpper(value)
		case "-contenttype":
			x.Header = source.SetHeader(x.Header, "Content-Type", value)
		case "-useragent":
			x.Header = source.SetHeader(x.Header, "User-Agent", value)
		case "-body":
			x.Body = []byte(value)
		case "=": // of a table of headers
			if i > 0 {
				x.Header = append(x.Header, tape.Header{Name: words[i-1].text, Value: value})
			}
		}
	}
	if err := source.SetAddress(&x, address); err != nil {
		p.Skip(at, "the command has no -Uri")
		return
	}
	p.Call(x)
}

// word is a word of a command, an = or a ; by itself, and where it stands.
type word struct {
	text   string
	quoted bool
	line   int
}

// powerWords takes a script apart. In "…" a back quote takes the next mark as it is; in
// '…' a doubled ' is one; a back quote before a line's end goes on.
func powerWords(text string) []word {
	var list []word
	line := 1
	for i := 0; i < len(text) && len(list) < source.MaxEntries*16; {
		switch c := text[i]; {
		case c == '\n':
			line++
			i++
		case c == '#':
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], "#"))
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(text)
			}
		case strings.IndexByte(" \t\r`@{}(),", c) >= 0:
			i++
		case c == ';' || c == '=':
			list = append(list, word{text: string(c), line: line})
			i++
		case c == '"' || c == '\'':
			said, n := powerText(text[i:])
			list = append(list, word{text: said, quoted: true, line: line})
			line += strings.Count(text[i:i+n], "\n")
			i += n
		default:
			n := strings.IndexAny(text[i:], " \t\r\n`;={}()\"',")
			if n < 0 {
				n = len(text) - i
			}
			list = append(list, word{text: text[i : i+n], line: line})
			i += n
		}
	}
	return list
}

// powerText reads a quoted text, and says how long it is with its quotes.
func powerText(text string) (string, int) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '`' && quote == '"' && i+1 < len(text):
			i++
			b.WriteString(strings.NewReplacer("n", "\n", "r", "\r", "t", "\t", "0", "\x00").Replace(text[i : i+1]))
		case c == quote && i+1 < len(text) && text[i+1] == quote:
			b.WriteByte(c)
			i++
		case c == quote:
			return b.String(), i + 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), len(text)
}
