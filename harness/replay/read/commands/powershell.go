package commands

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// PowerShell reads Invoke-WebRequest and Invoke-RestMethod as browsers copy them. Nothing
// is run: what is no plain text stays as it is written.
func PowerShell(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "powershell")
	text := string(f.Text())
	AddPowerShell(p, text, PowerValues(text))
	if len(p.Exchanges) == 0 {
		return nil, &source.Error{File: f.Name, Format: "powershell", Err: errors.New("it has no call"), Expected: `Invoke-WebRequest -Uri "https://…" -Method "POST" -Headers @{…} -Body "…"`}
	}
	return p, nil
}

// AddPowerShell adds the calls of a script whose variables are known.
func AddPowerShell(p *source.Part, text string, known map[string]string) {
	words := powerWords(asJSON(text))
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
		addPower(p, at, words[i+1:end], known)
		i = end
	}
}

var (
	powerTable = trail.Pattern(`(?i)@\{([^{}]*)\}`)
	tableAsked = trail.Pattern(`(?i)@\{([^{}]*)\}\s*\|\s*ConvertTo-Json(?:\s+-(?:Depth\s+[0-9]+|Compress))*`)
	powerSet   = trail.Pattern(`(?i)(?:^|\n|;|>)\s*\$(\w+)\s*=\s*("[^"\n]*"|'[^'\n]*'|@\{[^{}]*\})`)
)

// asJSON puts a table that is turned into JSON in place as that.
func asJSON(text string) string {
	return tableAsked().ReplaceAllStringFunc(text, func(found string) string {
		return "'" + strings.ReplaceAll(tableJSON(found), "'", "''") + "'"
	})
}

// tableJSON is a table of texts and numbers as JSON.
func tableJSON(table string) string {
	found := powerTable().FindStringSubmatch(table)
	if found == nil {
		return ""
	}
	words := powerWords(strings.ReplaceAll(found[1], "\n", ";"))
	var members []string
	for i := 1; i+1 < len(words); i++ {
		if words[i].quoted || words[i].text != "=" {
			continue
		}
		value := words[i+1].text
		switch plain := strings.TrimPrefix(strings.ToLower(value), "$"); {
		case words[i+1].quoted || !json.Valid([]byte(plain)):
			value = string(trail.Quote(value))
		default:
			value = plain
		}
		members = append(members, string(trail.Quote(words[i-1].text))+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// PowerValues are the variables that a script sets to plain texts or tables.
func PowerValues(text string) map[string]string {
	known := map[string]string{}
	for _, found := range powerSet().FindAllStringSubmatch(asJSON(text), source.MaxEntries) {
		value := found[2]
		if strings.HasPrefix(value, "@") {
			value = tableJSON(value)
		} else {
			value, _ = powerText(value)
		}
		known["$"+strings.ToLower(found[1])] = value
	}
	return known
}

// addPower adds a command's call.
func addPower(p *source.Part, at recording.Place, words []word, known map[string]string) {
	x := recording.Exchange{Place: at, Method: "GET", Answer: recording.Answer{Known: recording.NotRecorded}}
	address := ""
	for i := 0; i+1 < len(words); i++ {
		if words[i].quoted {
			continue
		}
		value, open := words[i+1].text, strings.HasPrefix(words[i+1].text, "$") && !words[i+1].quoted
		if said, ok := known[strings.ToLower(value)]; ok && open {
			value, open = said, false
		}
		switch strings.ToLower(words[i].text) {
		case "-uri":
			address = value
		case "-method":
			x.Method = strings.ToUpper(value)
		case "-contenttype":
			x.Header = source.SetHeader(x.Header, "Content-Type", value)
		case "-useragent":
			x.Header = source.SetHeader(x.Header, "User-Agent", value)
		case "-body", "-headers":
			addTable(&x, words[i].text, value, open)
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

// addTable adds what is often a table: the body, which is missing where the variable that
// holds it is not known, or the headers.
func addTable(x *recording.Exchange, option, value string, open bool) {
	switch {
	case !strings.EqualFold(option, "-body"):
		x.Header = append(x.Header, tableHeaders(value)...)
	case open:
		x.BodyMissing = true
	default:
		x.Body = []byte(value)
	}
}

// tableHeaders are the headers of a table that a variable holds.
func tableHeaders(table string) []tape.Header {
	var values map[string]string
	if json.Unmarshal([]byte(table), &values) != nil {
		return nil
	}
	var list []tape.Header
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, tape.Header{Name: name, Value: values[name]})
	}
	return list
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
	line, deep := 1, 0
	for i := 0; i < len(text) && len(list) < source.MaxEntries*16; {
		switch c := text[i]; {
		case strings.IndexByte("\n{}()", c) >= 0:
			if c == '\n' {
				list, line = append(list, ended(text[:i], deep, line)...), line+1
			}
			deep = max(0, deep+deeper(c))
			i++
		case c == '#':
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], "#"))
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(text)
			}
		case strings.IndexByte(" \t\r`@,", c) >= 0:
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

// ended is the end of a command at the end of a line, unless it goes on.
func ended(before string, deep, line int) []word {
	if deep > 0 || carriesOn(before) {
		return nil
	}
	return []word{{text: ";", line: line}}
}

// carriesOn says whether a command goes on behind the end of its line.
func carriesOn(before string) bool {
	before = strings.TrimRight(before, " \t\r")
	return strings.HasSuffix(before, "`") || strings.HasSuffix(before, "|")
}

// deeper is by how much a bracket nests.
func deeper(c byte) int {
	switch c {
	case '{', '(':
		return 1
	case '}', ')':
		return -1
	default:
		return 0
	}
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
