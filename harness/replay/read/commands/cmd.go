package commands

import (
	"errors"
	"fmt"
	"strings"

	"paysandbox/harness/replay/read/source"
)

// Cmd reads curl commands as browsers copy them for Windows' cmd, and such of a batch
// file: carets escape, and join lines; %name% is a variable that the file sets.
func Cmd(f *source.File, v source.Variables) (*source.Part, error) {
	p, values, found := source.NewPart(f, "curl-cmd"), v.With(nil), false
	text := string(f.Text())
	if len(text) > maxCmd {
		return nil, &source.Error{File: f.Name, Format: "curl-cmd", Err: fmt.Errorf("it is larger than %d bytes", maxCmd), Fix: "give it in parts"}
	}
	for _, line := range cmdLines(text) {
		words := argv(line.text)
		if len(words) > 1 && strings.EqualFold(words[0], "set") {
			name, value, _ := strings.Cut(strings.Join(words[1:], " "), "=")
			values[strings.ToLower(strings.TrimSpace(name))] = value
			continue
		}
		for i, word := range words[:min(len(words), 3)] {
			if isCurl(word) {
				found = true
				c := command{line: line.number}
				for _, w := range words[i+1:] {
					c.words = append(c.words, cmdFill(w, values))
				}
				addCurl(p, c)
				break
			}
		}
	}
	if !found {
		return nil, &source.Error{File: f.Name, Format: "curl-cmd", Err: errors.New("it has no curl command"), Expected: "lines that begin with curl"}
	}
	return p, nil
}

const maxCmd = 8 << 20

// cmdLine is a command after cmd has taken its carets away.
type cmdLine struct {
	text   string
	number int
}

// cmdLines splits a text into commands. A caret takes the meaning from the character
// behind it; at a line's end it joins the next line, whose first character it then
// takes. In quotes a caret stands for itself.
func cmdLines(text string) []cmdLine {
	r := &cmdReader{text: strings.ReplaceAll(text, "\r\n", "\n"), line: 1, start: 1}
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '^' && !r.quoted && r.at+1 < len(r.text):
			r.caret()
		case c == '\n':
			r.line++
			r.end()
		case c == '&' && !r.quoted:
			r.end()
		default:
			r.quoted = r.quoted != (c == '"')
			r.b.WriteByte(c)
		}
	}
	r.end()
	return r.list
}

// cmdReader is where the reading of a text stands.
type cmdReader struct {
	text            string
	at, line, start int
	quoted          bool
	b               strings.Builder
	list            []cmdLine
}

// end ends a command.
func (r *cmdReader) end() {
	if strings.TrimSpace(r.b.String()) != "" {
		r.list = append(r.list, cmdLine{r.b.String(), r.start})
	}
	r.b.Reset()
	r.quoted, r.start = false, r.line
}

// caret takes what stands behind a caret: a line end joins the next line, and a second
// one directly behind it is a line end of the value.
func (r *cmdReader) caret() {
	r.at++
	if r.text[r.at] != '\n' {
		r.b.WriteByte(r.text[r.at])
		return
	}
	r.line++
	if strings.HasPrefix(r.text[r.at+1:], "\n") {
		r.at++
		r.line++
		r.b.WriteByte('\n')
	}
}

// argv splits a command line as programs on Windows do: quotes group, two in quotes are
// one, and backslashes count only before a quote.
func argv(line string) []string {
	var words []string
	var b strings.Builder
	inWord, quoted, slashes := false, false, 0
	flush := func() {
		b.WriteString(strings.Repeat(`\`, slashes))
		slashes = 0
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\':
			slashes, inWord = slashes+1, true
		case c == '"':
			escaped := slashes%2 == 1
			slashes /= 2
			flush()
			inWord = true
			switch {
			case escaped:
				b.WriteByte('"')
			case quoted && i+1 < len(line) && line[i+1] == '"':
				b.WriteByte('"')
				i++
			default:
				quoted = !quoted
			}
		case !quoted && (c == ' ' || c == '\t' || c == '\n'):
			flush()
			if inWord {
				words = append(words, b.String())
			}
			b.Reset()
			inWord = false
		default:
			flush()
			b.WriteByte(c)
			inWord = true
		}
	}
	flush()
	if inWord {
		words = append(words, b.String())
	}
	return words
}

// cmdFill replaces %name% by its value; a name without one is open, as ${name}. %% is
// one percent sign, and any other percent sign stands for itself.
func cmdFill(word string, values source.Variables) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(word, "%")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "%")
		switch value, known := values[strings.ToLower(name)]; {
		case ok && name == "":
			b.WriteByte('%')
			word = after
		case ok && known && b.Len() < source.MaxAddress:
			b.WriteString(value)
			word = after
		case ok && isName(name):
			b.WriteString("${" + name + "}")
			word = after
		default:
			b.WriteByte('%')
			word = rest
		}
	}
}

// isName says whether a text is the name of a variable, and no part of an escaped
// address: those are two hexadecimal digits.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && s[i] != '_' && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return len(s) > 2
}

// QuoteOpen says whether a text of a shell ends within single quotes: in those of $'it\'s' a backslash takes the next sign with it.
func QuoteOpen(said string) bool {
	var quote byte
	dollar := false
	for i := 0; i < len(said); i++ {
		switch c := said[i]; {
		case c == '\\' && (quote != '\'' || dollar):
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote, dollar = c, i > 0 && said[i-1] == '$'
		case c == quote:
			quote = 0
		}
	}
	return quote == '\''
}
