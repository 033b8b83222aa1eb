package text

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// window is how long an object in a text may be, in bytes.
const window = 1 << 20

// object takes the object that begins at a place of a line: JSON, JSON that stands as a
// text in quotes, or what Python prints for it. One that does not end is told as cut; where
// none stands, the line goes on behind its bracket.
func (m *marks) object(line string, at int) (mark, bool) {
	begin := m.starts[m.line] + at
	rest := m.text[begin:min(len(m.text), begin+window)]
	one := mark{kind: markObject, line: m.line, answer: m.isAnswer(line, at), asked: sentName().MatchString(line[max(0, at-40):at])}
	printed := at > 0 && line[at-1] == '%' && strings.HasPrefix(rest, "{}") // as Elixir prints a map
	if none := noHeader().MatchString(line[max(0, at-40):at]) && strings.HasPrefix(strings.TrimLeft(rest[1:], " "), "}"); m.budget > 0 && !printed && !none {
		if text, n := firstObject(m.text, begin, rest); n > 0 {
			one.text = text
			m.goTo(begin + n)
			return one, true
		}
		m.budget -= len(rest)
	}
	m.from = at + 1
	if strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), `"`) && strings.Contains(rest[:min(len(rest), 400)], `":`) {
		one.cut = true
		m.pass()
		return one, true
	}
	return mark{}, false
}

// noHeader is a name behind which an empty object is no body: no header is shown.
var noHeader = trail.Pattern(`(?i)headers?[\\"']*\s*(?:=>|[:=])\s*$`)

// firstObject is the object that a text begins with, and its length there; 0 for none.
func firstObject(text string, begin int, rest string) (object string, n int) {
	var value json.RawMessage
	d := json.NewDecoder(strings.NewReader(rest))
	if d.Decode(&value) == nil {
		return string(value), int(d.InputOffset())
	}
	if strings.HasPrefix(rest, `{\"`) && begin > 0 && text[begin-1] == '"' {
		var said string
		d = json.NewDecoder(strings.NewReader(text[begin-1 : min(len(text), begin+window)]))
		if d.Decode(&said) == nil && json.Valid([]byte(said)) {
			return said, int(d.InputOffset()) - 1
		}
	}
	if n = strings.IndexByte(rest, '\n'); n < 0 {
		n = len(rest)
	}
	if line := strings.TrimRight(rest[:n], " \t\r"); strings.HasPrefix(line, `{"`) && balanced(line) { // sent so, broken
		return line, len(line)
	}
	if end := strings.LastIndexByte(rest[:n], '}'); end > 0 && strings.Contains(rest[:end], "': ") {
		if said := FromPython(rest[:end+1]); json.Valid([]byte(said)) {
			return said, end + 1
		}
	}
	return "", 0
}

// balanced says whether a text is one object by its brackets, whatever stands in it.
func balanced(s string) bool {
	open, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// pythonSigns are the signs that stand for others in a text that Python prints.
var pythonSigns = strings.NewReplacer(`\\`, `\`, `\'`, "'", `\"`, `"`, `\n`, "\n", `\r`, "\r", `\t`, "\t")

// FromPython turns what Python prints for a value into JSON, as far as bodies need it.
func FromPython(s string) string {
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			end := i + 1
			for end < len(s) && s[end] != c {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			text, err := json.Marshal(pythonSigns.Replace(s[i+1 : min(end, len(s))]))
			if err != nil {
				return ""
			}
			b.Write(text)
			i = end
		case strings.HasPrefix(s[i:], "None"):
			b.WriteString("null")
			i += 3
		case strings.HasPrefix(s[i:], "True"):
			b.WriteString("true")
			i += 3
		case strings.HasPrefix(s[i:], "False"):
			b.WriteString("false")
			i += 4
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// goTo goes on at a place of the text.
func (m *marks) goTo(place int) {
	for m.line+1 < len(m.starts)-1 && m.starts[m.line+1] <= place {
		m.line++
	}
	m.from = place - m.starts[m.line]
}

// pass goes behind an object that does not end: to the next empty line, or to the next
// line that begins with a letter or a figure.
func (m *marks) pass() {
	for m.line++; m.line < len(m.starts)-1; m.line++ {
		line := m.lineText(m.line)
		if trimmed := strings.TrimSpace(line); trimmed == "" || len(trimmed) > 1 && trimmed[0] == '[' && trimmed[1] >= '0' && trimmed[1] <= '9' || !strings.ContainsAny(trimmed[:1], "\"{}[],0123456789.…-") && line == strings.TrimLeft(line, " \t") {
			break
		}
	}
	m.from = 0
}

// isAnswer says whether the text before an object calls it an answer: on its line, of which
// no part is searched twice, or on the last line before it that says anything.
func (m *marks) isAnswer(line string, at int) bool {
	n := &m.now
	if part := line[n.wordsTo:at]; at > n.wordsTo {
		if word := lastMatch(answerWord(), part); word >= 0 {
			n.answer = n.wordsTo + word
		}
		if word := lastMatch(requestWord(), part); word >= 0 {
			n.request = n.wordsTo + word
		}
		n.wordsTo = at
	}
	if n.answer >= 0 || n.request >= 0 {
		return n.answer > n.request
	}
	for i := m.line - 1; i >= 0 && m.line-i < 4; i-- {
		before := m.lineText(i)
		if len(before) > 400 {
			return false
		}
		if answer, request := lastMatch(answerWord(), before), lastMatch(requestWord(), before); answer >= 0 || request >= 0 {
			return answer > request
		}
	}
	return false
}

func lastMatch(pattern *regexp.Regexp, s string) int {
	all := pattern.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

var (
	isoTime = trail.Pattern(`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2})\b)?`)
	// timeBehind is one in brackets that a line ends with, in a zone that may have a name.
	timeBehind = trail.Pattern(`[(\[]([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2})\b)?)(?: [A-Z]{2,5})?[)\]][*_ \t]*$`)
	clfTime    = trail.Pattern(`[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}`)
	wordTime   = trail.Pattern(`([0-9]{1,2})(?:\.|er|º|ro)?,? (?:de )?(\p{L}{3,})\.?,?(?: de| del)? ([0-9]{4})[^0-9\n]{1,12}([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)`)
	// dateHeader is a moment as headers say it: the service's, and no logger's, where a line does not begin with it.
	dateHeader = trail.Pattern(`[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT`)
	monthTime  = trail.Pattern(`^\W{0,3}([A-Z][a-z]{2})[a-z]{0,6}\.? ([0-9]{1,2}),? ([0-9]{4}),? (?:at )?([0-9]{1,2}:[0-9]{2}:[0-9]{2})(?: ?([AP]M))?`)
	pointTime  = trail.Pattern(`([0-9]{2})\.([0-9]{2})\.([0-9]{4})[,T ]{1,3}(?:um )?([0-9]{2}:[0-9]{2}:[0-9]{2})`)
)

// TimeIn is the first moment in a text, with year and seconds, "" for none.
func TimeIn(s string) string { return isoTime().FindString(s) }

// months are how the names of months begin, in the languages of the Americas and of
// western Europe.
var months = [12][]string{
	{"jan", "ene", "gen", "jän"},
	{"feb", "fev", "fév"},
	{"mar", "mär", "mrz", "maa"},
	{"apr", "avr", "abr"},
	{"mai", "may", "mag", "mei"},
	{"jun", "juin", "giu"},
	{"jul", "juil", "lug"},
	{"aug", "aoû", "ago"},
	{"sep", "set"},
	{"oct", "okt", "ott", "out"},
	{"nov"},
	{"dec", "déc", "dez", "dic"},
}

// timeOf is the time that a line begins with, and where it ends; else one that the
// line's text tells, of which nothing is passed over.
func timeOf(line string) (at time.Time, end int) {
	head := line[:min(len(line), 80)]
	if f := isoTime().FindStringIndex(head); f != nil && f[0] < 40 {
		text := head[f[0]:f[1]]
		return source.Time(text), f[1]
	}
	if f := clfTime().FindStringIndex(line[:min(len(line), 200)]); f != nil {
		t, err := time.Parse("02/Jan/2006:15:04:05 -0700", line[f[0]:f[1]])
		if err == nil {
			return t.UTC(), f[1]
		}
	}
	if f := pointTime().FindStringSubmatch(head); f != nil {
		return source.Time(f[3] + "-" + f[2] + "-" + f[1] + " " + f[4]), 0
	}
	if f := monthTime().FindStringSubmatch(head); f != nil {
		layout := "Jan 2 2006 15:04:05"
		if f[5] != "" {
			layout = "Jan 2 2006 3:04:05PM"
		}
		if t, err := time.Parse(layout, f[1]+" "+f[2]+" "+f[3]+" "+f[4]+f[5]); err == nil {
			return t, len(f[0])
		}
	}
	if f := dateHeader().FindStringIndex(line[:min(len(line), 400)]); f != nil && f[0] > 3 {
		return time.Time{}, 0
	}
	if f := wordTime().FindStringSubmatch(line[:min(len(line), 400)]); f != nil {
		return saidTime(f), 0
	}
	return endTime(line), 0
}

// endTime is the time in brackets that a heading ends with; zero for none.
func endTime(line string) time.Time {
	if f := timeBehind().FindStringSubmatch(line[max(0, len(line)-80):]); f != nil && len(line) < 400 {
		return source.Time(f[1])
	}
	return time.Time{}
}

// saidTime is a day with the name of its month, and a time of day.
func saidTime(f []string) time.Time {
	word, clock := strings.ToLower(f[2]), f[4]
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(word, name) {
				t, err := time.Parse("2006 1 2 15:04:05", f[3]+" "+strconv.Itoa(i+1)+" "+f[1]+" "+clock)
				if err != nil {
					return time.Time{}
				}
				return t
			}
		}
	}
	return time.Time{}
}

// dated takes a line that is nothing but a moment as headers say it for the Date of an answer whose status is known;
// any other time is the newest that the text says.
func (p *pasted) dated(m mark) bool {
	line := strings.TrimSpace(p.marks.lineText(min(m.line, len(p.marks.starts)-2)))
	if m.kind != markTime || p.call == nil || p.call.Answer.Status == 0 || dateHeader().FindString(line) != line {
		if !m.at.IsZero() {
			p.at = m.at
		}
		return false
	}
	if source.Header(p.call.Answer.Header, "Date") == "" {
		p.call.Answer.Header = append(p.call.Answer.Header, tape.Header{Name: "Date", Value: line})
	}
	return true
}
