package text

import (
	"net/http"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	statusOfLine = source.NewSign(`^[0-9]+ <[ \t]*([1-5][0-9]{2})[ \t]*$|HTTP/[0-9.]+["']?[ \t]+["']?([1-5][0-9]{2})\b|<--?[ \t]*([1-5][0-9]{2})\b|[ \t\]:][<←][ \t]+([1-5][0-9]{2})[ \t]*(?:\{["']|$|(?:application|text)/[a-z+-]+)|^[<←][ \t]+([1-5][0-9]{2})\b|\|[ \t]+([1-5][0-9]{2})[ \t]+\||\(([45][0-9]{2})\)|^["'][ \t]+([1-5][0-9]{2})\b|^[ \t]+([1-5][0-9]{2})[ \t]+\{"|^[ \t]+([1-5][0-9]{2})(?:[ \t]+[0-9]+)?[ \t]+[0-9]+\.[0-9]+[ \t]*$|^[ \t]+([1-5][0-9]{2})[ \t]+[(\[]?[0-9.,]+[ \t]?(?:ms|s|µs|us|sec)\b|\b([1-5][0-9]{2})[ \t]+(?:headers?|body)[=:]|^[> \t]*([1-5][0-9]{2})[ \t]*$|\b([1-5][0-9]{2})[ \t]+HTTP[/_][0-9]|(?i:\bresponse\b|\brequest\b)[^{}\n]*[ -]([1-5][0-9]{2})[ \t]*$`, hasCode)
	measure      = trail.Pattern(`(?i)\b(?:time|millis\w*|ms|took|duration|latency|elapsed|bytes|length|size)\b`)
	statusWord   = source.NewSign(`\b([1-5][0-9]{2})\b[ \t)\]:*,'"-]{1,3}([A-Z][A-Za-z-]+(?: [A-Z][a-z]+)?)`, hasCode)
	statusNamed  = source.NewSign(`(?i)(?:\b(?:status|status[ _-]?code|http|http[ -]status|http[ -]code|code|response|result|error|gives|gave|says|said|returns|returned|got|answer|answered|with|antwort|fehler|antwortet mit|ergibt|liefert|réponse|erreur|donne|renvoie|statut|respuesta|devuelve|código|codigo|estado|risposta|errore)|→|->|=>)["'\x60*]?\s*[:=]?\s*["'\x60*\[]?(?:HTTP )?([1-5][0-9]{2})\b`, hasCode)
	// statusSaid is one behind a verb that is said of much else ("sending 200 rows"): nothing follows the number but a sign.
	statusSaid = source.NewSign(`(?i)\b(?:answering|answers|respond(?:ing|ed|s)?|reply(?:ing)?|repli(?:ed|es)|return(?:ing)?|send(?:ing|s)?|writ(?:ing|es)|reject(?:ing|ed|s)?)(?: an?)?[ \t]*[:=]?[ \t]*["'\x60]?(?:HTTP )?([1-5][0-9]{2})["'\x60]?[ \t]*(?:$|[.,;:)\]](?:[ \t"]|$)|[(]|(?:in|after) [0-9])`, hasCode)
)

// codes finds an answer's status in what is left of a line.
func (m *marks) codes(line *source.Finder, from int, better func(at, to int, found mark)) {
	told := func(f []int, i int) bool {
		return http.StatusText(number(line.Text(f[i], f[i+1]))) != "" && !line.OfAddress(f[i+1])
	}
	if f := findStatus(line, from); f != nil && !measure().MatchString(line.Text(f[0], f[1])) {
		codesOf(line, f, better)
	}
	if f := line.Find(statusWord, from); f != nil {
		code := number(line.Text(f[2], f[3]))
		if word, _, _ := strings.Cut(http.StatusText(code), " "); word != "" && strings.HasPrefix(strings.ToLower(line.Text(f[4], f[5])), strings.ToLower(word)) {
			better(f[0], f[1], mark{kind: markStatus, status: code})
		}
	}
	if f := line.Find(statusSaid, from); f != nil && told(f, 2) {
		better(f[0], f[3], mark{kind: markStatus, status: number(line.Text(f[2], f[3]))})
	}
	if f := line.Find(statusNamed, from); f != nil && told(f, 2) {
		better(f[0], f[1], mark{kind: markStatus, status: number(line.Text(f[2], f[3]))})
	}
}

// codesOf finds those that stand at places which were found.
func codesOf(line *source.Finder, f []int, better func(at, to int, found mark)) {
	for i := 2; i < len(f); i += 2 {
		if f[i] < 0 || !isStatus(line, f, i) || line.OfAddress(f[i+1]) {
			continue
		}
		end := f[1]
		if strings.HasSuffix(line.Text(f[0], end), "{\"") { // the body is behind it
			end = f[i+1]
		}
		better(f[0], end, mark{kind: markStatus, status: number(line.Text(f[i], f[i+1]))})
	}
}

// toldBefore says whether a status stands before a place of the line, as it does where an
// answer is told of. What was looked at for an earlier place is not looked at again.
func (m *marks) toldBefore(line string, place int) bool {
	const overlap = 64 // more than a status with its words
	if n := &m.now; !n.told && place > n.toldTo {
		from := max(0, n.toldTo-overlap)
		from += strings.IndexByte(line[from:n.toldTo], ' ') + 1
		if n.toldTo < 2*overlap {
			from = 0
		}
		n.told, n.toldTo = m.statusIn(line[from:place]) != 0, place
	}
	return m.now.told
}

// askedAt says whether what stands before an address names it as a request's, with its method on the line before or behind.
func (m *marks) askedAt(before string) bool {
	return addressLabel().MatchString(before) && (m.line+2 < len(m.starts) && m.namesMethod(m.line+1) || m.line > 0 && m.namesMethod(m.line-1))
}

// addressLabel is what a logger puts before the address of a request.
var addressLabel = trail.Pattern(`(?:^|[\s\]>:|-])(?i:(?:request[ _-]?)?ur[il]|address|endpoint)[ \t]*[:=][ \t]*["']?$`)

// namesMethod says whether a line names a method, and nothing else.
func (m *marks) namesMethod(i int) bool {
	line := m.lineText(i)
	_, after := m.days.Of(line[:min(len(line), 512)])
	return len(line) < 512 && methodAlone().MatchString(afterLogger(line, after))
}

// statusIn is a status that stands in a text, 0 without one.
func (m *marks) statusIn(text string) int {
	found := 0
	m.codes(source.NewFinder(text), 0, func(_, _ int, one mark) { found = one.status })
	return found
}

// statusOnLine is the status in what is left of the line, 0 without one.
func (m *marks) statusOnLine() int {
	line := m.lineText(m.line)
	if m.from >= len(line) {
		return 0
	}
	rest := line[m.from:]
	if code := m.statusIn(rest); code != 0 {
		return code
	}
	for word := range strings.FieldsSeq(strings.NewReplacer(`"`, " ", "(", " ", ")", " ").Replace(rest)) {
		if len(word) == 3 && http.StatusText(number(word)) != "" {
			return number(word)
		}
	}
	return 0
}

// tellsStatus says whether what is left of the line tells a status before any body.
func (m *marks) tellsStatus() bool {
	line := m.lineText(m.line)
	rest, _, _ := strings.Cut(line[min(m.from, len(line)):], "{")
	return m.statusIn(rest) != 0
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

// hasMethod says whether a method stands in a text in capitals.
func hasMethod(s string) bool {
	return strings.Contains(s, "GET") || strings.Contains(s, "POST") || strings.Contains(s, "PUT") || strings.Contains(s, "DELETE") || strings.Contains(s, "PATCH")
}

// statusAbove says whether a text shows each status on the line above its request: they take turns, a
// status first and a request last.
func statusAbove(text string) bool {
	m := newMarks(text)
	if len(m.starts) < 5 { // too few lines
		return false
	}
	m.again = 0
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

// asks says whether a call may still be shown its request's body.
func asks(x *recording.Exchange) bool {
	return x.Answer.Known == recording.NotRecorded && x.Body == nil && !x.BodyMissing && x.Method != "GET"
}

// stands takes a body that stands above the request that it is of: one of those has no call before it.
func (p *pasted) stands(m mark, body []byte) bool {
	if !m.asked || body == nil || p.call != nil && (!p.early || p.call.Answer.Known == recording.NotRecorded) {
		return false
	}
	p.ahead, p.early = body, true
	return true
}

// takeAhead gives a call the body that stands above it.
func (p *pasted) takeAhead(x *recording.Exchange) {
	if p.ahead != nil && x.Method != "GET" {
		x.Body, p.ahead, p.sure = p.ahead, nil, true
	}
}

// sumsUp says whether a line tells nothing but the status of the call that was shown before it.
func (p *pasted) sumsUp(c, x *recording.Exchange) bool {
	return !p.single && !p.summed && c.Answer.Status != 0 && c.Method == x.Method && strings.HasSuffix(c.Path, x.Path) && p.marks.statusOnLine() == c.Answer.Status
}

// linesOfError is behind how many lines of an answer's status an error may name its call once more.
const linesOfError = 16

// inError says whether an error, as it is printed behind the status of a call, names that once more.
func (p *pasted) inError(m mark) bool {
	line := p.marks.lineText(m.line)
	if a := p.call.Answer; a.Status >= 400 && m.line > p.line && m.line-p.line < linesOfError && clientError().MatchString(line[:min(p.marks.from, len(line))]) && p.marks.statusOnLine() == a.Status {
		return true
	}
	return p.tells >= 0 && m.line > p.tells && m.line-p.tells < linesOfError && p.marks.timed(p.line) && !p.marks.timed(m.line)
}

// clientError is what libraries call the error of an answer that is none of 2xx, before the call that it names.
var clientError = trail.Pattern(`(?i)\b(?:(?:client|server|http|request)[ _-]?(?:error|exception)|bad ?response ?(?:error|exception)?)\b`)
