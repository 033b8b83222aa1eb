package text

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// markKind is what a place in a text shows.
type markKind int

const (
	markTime     markKind = iota // a time alone
	markRequest                  // a method and an address
	markCommand                  // a command of a terminal
	markVariable                 // a variable of a shell that is set
	markStatus                   // an answer's status
	markHeader                   // a header
	markObject                   // a JSON object, or one as Python prints it
	markLost                     // that no answer came
	markMethod                   // the method of a request whose address is told
	markCarried                  // a header of the request within a line
	markSide                     // a heading: what follows is of the request, or of the answer
	markForm                     // the fields of a form that was sent
)

// mark is one such place.
type mark struct {
	kind    markKind
	line    int       // from 0
	at      time.Time // zero unless the line says one
	method  string    // a request's method, a header's name, a command's shell
	text    string    // an address, a header's value, a command, an object
	status  int
	sure    bool // a request as it was sent, no more a mention
	answer  bool // an object that the text calls an answer
	asked   bool // an object whose name says that it was sent
	guessed bool // a request of which the text shows no method
	// labelled is an address behind a name that answers, too, are told with.
	labelled bool
	// begins is an address that is named as that of a request.
	begins bool
	cut    bool // an object that does not end
	inner  bool // a request that an inner part of a client, as .NET's, tells again
}

var (
	methodThenPath = source.NewSign("\\b(GET|POST|PUT|DELETE|PATCH)\\b[\"'`*,:| ]{1,6}(?:[<(]|\\{\\{)?((?:https?://[^\\s\"'`<>]+)|/[A-Za-z{][^\\s\"'`<>,]*)(\\s+HTTP/[0-9.]+)?", hasMethod)
	lowerThenPath  = source.NewSign("(?:->|=>|>>|→|\\])[ \t]{1,4}(get|post|put|delete|patch)[ \t]+(https?://[^\\s\"'`<>]+|/[A-Za-z][^\\s\"'`<>,]*)", source.AnyOf("get ", "post ", "put ", "delete ", "patch "))
	methodNamed    = source.NewSign(`(?i)\b(?:http[._])?(?:request[._])?(?:method|verb)\b["']?\s*[:=]\s*["']?(GET|POST|PUT|DELETE|PATCH)\b.*?\b(?:url|uri|path|target|endpoint)\b["']?\s*[:=]\s*["']?([^\s"',;]+)`, source.AnyOf("method", "verb"))
	methodBehind   = trail.Pattern(`^["', ;|]{1,4}(?i:http|request)?[ _]?(?i:method|verb)["']?[:= ]{1,3}["']?(?:\w+\((?:value=)?)?["']?((?i:GET|POST|PUT|DELETE|PATCH))\b`)
	addressAlone   = source.NewSign("(https?://[^\\s\"'`<>]+)", nil)
	noAnswerAtAll  = source.NewSign(`(?i)\btimed out\b|\b(?:Read|Connect|Socket|Request|Gateway)?Timeout(?:Error|Exception)?\b|connection (?:was )?(?:reset|aborted)|socket hang up|\bempty reply from server\b|\bclosed connection without\b|\bERR_(?:TIMED_OUT|CONNECTION_\w+|EMPTY_RESPONSE)\b|\bECONNRESET\b|\bETIMEDOUT\b|\bECONNABORTED\b|context deadline exceeded|\bEOF occurred\b|keine Antwort|(?:нет ответа|ответа нет|не отвечает)|brak odpowiedzi|sem resposta|nessuna risposta|geen antwoord|Zeitüberschreitung|sans réponse|délai dépassé|sin respuesta|tiempo de espera|no response\b|\bTimedOut\b|\bgives? up after\b|\bgave up after\b|\bno (?:answer|reply) (?:came|arrived|within|at all|received)\b`, source.AnyOf("timed", "timeout", "connection", "hang up", "empty reply", "err_", "econn", "deadline", "eof occurred", "keine antwort", "ответа", "не отвечает", "brak odpowiedzi", "sem resposta", "nessuna risposta", "geen antwoord", "zeitüberschreitung", "sans réponse", "délai dépassé", "sin respuesta", "tiempo de espera", "no response", "up after", "no answer", "no reply"))
	knownHeader    = trail.Pattern(`(?i)^(?:[0-9]+ [<>])?[\s<>|*-]*(?:header: )?["'\x60]?(authorization|content-type|content-length|date|user-agent|idempotency-key|idempotent-replayed|retry-after|host|x-hmac-signature|sandbox-[a-z]+|origin|referer|sec-fetch-[a-z]+|accept|traceparent)["'\x60]?:\s*["'\x60]?(.*?)["'\x60]?,?\s*$`)
	headerAfter    = trail.Pattern(`(?i)[\s:]((?:authorization|content-type|user-agent|idempotency-key|retry-after|x-hmac-signature|date):\s[^{}]*)$`)
	setting        = trail.Pattern(`^s?(?:=|[ \t]*(?:of|to|is|set)\b|["']?:?[ \t]*[0-9])`) // how long one would wait
	answerWord     = trail.Pattern(`(?i)\b(?:response|answers?|answered|returns?|returned|reply|replied|received|got|antwort\w*|zurück|geantwortet|ergebnis|réponse|reçu|retour|renvoie|répond|respuesta|responde|recib\w+|devuelve|contest\w+|risposta|resposta|result|output)\b|<-|←|◀`)
	requestWord    = trail.Pattern(`(?i)\b(?:request|body|payload|sent|send|sending|anfrage|inhalt|gesendet|senden|schicken|requête|corps|envoy\w+|petición|cuerpo|envia\w+|richiesta|pedido|data|params)\b|->|→|▶`)
	terminal       = trail.Pattern(`^(?:[^\n]{0,80}?[$#%>❯+]\s*(?:[A-Za-z][^;&|"'\n]{0,60}(?:;|&&)\s*)?(?:time\s+)?)?((?:curl(?:\.exe)?|wget|Invoke-(?:RestMethod|WebRequest)|irm|iwr)\s+[^\s:].*|(?:https?|xh)\s+(?:-\S+\s+)*(?:(?:GET|POST|PUT|DELETE|PATCH)\s+)?\S*[./]\S+/\S.*|\$\w+\s*=\s*Invoke-(?:RestMethod|WebRequest)\s+\S.*)$`)
	setVariable    = trail.Pattern(`(?i)^(?:[^\n]{0,80}?[$#%>❯]\s*)?(?:set\s+|export\s+)([A-Za-z_]\w*)=(\S+)\s*$`)
	goesOn         = trail.Pattern(`^(?:\S{1,10}\?\s+|>\s*)`)
	quoteMark      = trail.Pattern(`^(?:>[ \t]?)+`)
)

// marks goes through a text.
type marks struct {
	text   string
	starts []int // where each line begins, and where the text ends
	line   int   // the line that is searched
	from   int   // where in the line the search goes on
	begun  int   // the line, from 1, that was looked at as a whole
	budget int   // how many bytes may still be tried as objects in vain
	parts  int   // and of those as objects that are shown in part
	again  int   // how much may still be searched beyond what each line may be
	left   int   // the line, from 1, of which the rest was not searched first; 0 for none
	days   *moment.Days
	now    onLine
	named  bool // the text has names for answers' bodies
}

// onLine is what is known of the line that is searched.
type onLine struct {
	number int // from 1
	finder *source.Finder
	tries  int // how often a mark was looked for
	cost   int // what that has cost
	// told says that a status stands before toldTo, and nothing tells one before it if not.
	told   bool
	toldTo int
	// answer and request are the last words before wordsTo that call what follows so; -1 for none.
	answer, request, wordsTo int
}

// A line may cost so many times its bytes and some more, and all lines together so much
// besides; each try at a place costs some, too.
const (
	freeTimes     = 12
	freeBytes     = 16 << 10
	searchedAgain = 1 << 20
	tryCosts      = 32
)

func newMarks(text string) *marks {
	if strings.Contains(text, `\r\n`) { // as Python prints what it sends
		text = literalLines(text)
	}
	m := &marks{text: text, days: moment.NewDays(text), starts: []int{0}, budget: 64 << 20, parts: 16 << 20, again: searchedAgain}
	for i := range len(text) {
		if text[i] == '\n' && i+1 < len(text) {
			m.starts = append(m.starts, i+1)
		}
	}
	m.starts = append(m.starts, len(text))
	m.line, m.named = strings.Count(mailHead().FindString(text), "\n"), answerNamed().MatchString(text)
	return m
}

func (m *marks) lineText(i int) string {
	return strings.TrimRight(m.text[m.starts[i]:m.starts[i+1]], "\r\n")
}

// find goes to the next mark.
func (m *marks) find() (mark, bool) {
	for m.line < len(m.starts)-1 {
		line := m.lineText(m.line)
		if m.from == 0 && m.begun != m.line+1 {
			m.begun = m.line + 1
			if one, ok := m.whole(line); ok {
				return one, true
			}
		}
		if one, ok := m.within(line); ok {
			return one, true
		}
		m.line, m.from = m.line+1, 0
	}
	return mark{}, false
}

// whole takes what a line is as a whole: a command, a variable, a header; and its time.
func (m *marks) whole(line string) (mark, bool) {
	if fetches().MatchString(line[:min(len(line), 256)]) {
		return m.fetch(), true
	}
	if len(line) > 8192 {
		return mark{}, false
	}
	plain := quoteMark().ReplaceAllString(line, "")
	if found := terminal().FindStringSubmatch(plain); found != nil {
		return m.command(found[1]), true
	}
	if found := setVariable().FindStringSubmatch(plain); found != nil {
		one := mark{kind: markVariable, line: m.line, method: found[1], text: strings.Trim(found[2], `"'`)}
		m.line, m.from = m.line+1, 0
		return one, true
	}
	at, after := m.days.Of(line)
	if found := knownHeader().FindStringSubmatch(afterLogger(line, after)); found != nil && !strings.EqualFold(found[1], "date") || found != nil && m.line > 0 {
		one := mark{kind: markHeader, line: m.line, at: at, method: found[1], text: found[2]}
		m.line, m.from = m.line+1, 0
		return one, true
	}
	if one, ok := m.heading(line, after, at); ok {
		return one, true
	}
	if !at.IsZero() {
		m.from = after
		return mark{kind: markTime, line: m.line, at: at}, true
	}
	return mark{}, false
}

// afterLogger is a line behind what a logger has put before the message.
func afterLogger(line string, after int) string {
	if after == 0 {
		return line[len(logcat().FindString(line)):]
	}
	rest := line[after:]
	if named := headerAfter().FindStringSubmatch(rest); named != nil && !NamesOperation([]byte(rest)) {
		return named[1]
	}
	for _, sep := range []string{" : ", " - ", "] ", " | ", "> "} {
		if i := strings.LastIndex(rest[:min(len(rest), 160)], sep); i >= 0 && !strings.Contains(rest[:i], "{") {
			return rest[i+len(sep):]
		}
	}
	return rest
}

// within finds the earliest mark in what is left of the line.
func (m *marks) within(line string) (mark, bool) {
	if len(line) > 1<<20 {
		return mark{}, false
	}
	if m.now.number != m.line+1 {
		m.now = onLine{number: m.line + 1, finder: source.NewFinder(line), answer: -1, request: -1}
	}
	for m.from < len(line) && m.mayTry(line) {
		best, end := len(line), 0
		var one mark
		better := func(at, to int, found mark) {
			if at < best {
				best, end, one = at, to, found
			}
		}
		m.requests(line, better)
		m.codes(m.now.finder, m.from, better)
		if at := m.now.finder.Find(noAnswerAtAll, m.from); at != nil && (!setting().MatchString(line[at[1]:]) || strings.Contains(line[at[1]:], "exceeded")) && !strings.HasSuffix(strings.ToLower(line[max(m.from, at[0]-7):at[0]]), "enable ") {
			better(at[0], at[1], mark{kind: markLost})
		}
		m.carriedHeader(line, better)
		if at := strings.IndexByte(line[m.from:best], '{'); at >= 0 {
			if found, ok := m.object(line, m.from+at); ok {
				return found, true
			}
			continue
		}
		if best == len(line) {
			break
		}
		m.from, one.line = end, m.line
		return one, true
	}
	return mark{}, false
}

// mayTry counts what the line has cost, and says whether it may cost more.
func (m *marks) mayTry(line string) bool {
	m.now.tries++
	cost := m.now.tries*tryCosts + m.now.finder.Spent()
	if free := freeTimes*len(line) + freeBytes; cost > free {
		m.again -= cost - max(free, m.now.cost)
	}
	if m.now.cost = cost; m.again >= 0 {
		return true
	}
	m.again, m.left = 0, cmp.Or(m.left, m.line+1)
	return false
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
