package httptext

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

var (
	// stamped is the time of day that --trace-time puts before a line.
	stamped = trail.Pattern(`^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ `)
	// prompted is a command behind a prompt, or one that a shell tells of (set -x).
	prompted = trail.Pattern(`^(?:\+|(?:[^ ]*[$#%>❯]))\s+(curl(?:\.exe)?\s.*)$`)
	// leftIntact may stand directly behind a body without a line end.
	leftIntact = trail.Pattern(`\* (?:Connection #[0-9]+ to host|Closing connection|\[HTTP)`)
	// noAnswer are what curl says when none arrived.
	// dated is a line that begins with its moment, as scripts print between calls.
	dated    = trail.Pattern(`^\[?([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{8}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2}))[\] ]`)
	noAnswer = trail.Pattern(`^(?:curl: \((?:5|6|7|18|28|35|52|55|56|92)\)|\* (?:Empty reply from server|Operation timed out|Recv failure|Connection reset))`)
)

// Verbose reads what curl -v prints, also with --trace-ascii and --trace-time. Where the
// commands stand in the text too, they give the bodies, which curl -v does not show.
func Verbose(f *source.File, v source.Variables) (*source.Part, error) {
	text := f.Text()
	if bytes.Contains(text, []byte("=> Send header")) {
		text = fromTrace(text)
	}
	t := &transcript{part: source.NewPart(f, "curl-verbose"), values: v, lines: newLines(text)}
	for t.next = 0; t.next < t.lines.count(); t.next++ {
		if t.part.Full(t.part.Line(t.next + 1)) {
			break
		}
		t.line(t.lines.line(t.next))
	}
	t.end()
	if len(t.part.Exchanges) == 0 {
		return nil, &source.Error{
			File: f.Name, Format: "curl-verbose", Err: errors.New("no request stands in it"), Expected: `lines such as "> POST /Payment/Create HTTP/1.1"`,
		}
	}
	return t.part, nil
}

// transcript is what is known while it is read.
type transcript struct {
	part   *source.Part
	values source.Variables
	lines  *lines
	next   int

	secure   bool
	call     *recording.Exchange
	lost     bool
	asked    bool // the request's headers are read: its body may stand before the answer
	answered bool // the answer's headers are read
	body     bytes.Buffer
	between  []byte // what was printed since the answer before
	printed  []byte // all that was printed behind the answer's head: a program may print what it sent, too
	// said is the moment that was printed last, at that before the call: who gets no answer is told no other.
	said, at time.Time
	commands []recording.Exchange // commands whose requests have not been seen yet
}

// line reads one line.
func (t *transcript) line(line string) {
	line = stamped().ReplaceAllString(line, "")
	mark, rest, _ := strings.Cut(line, " ")
	t.says(line)
	switch {
	case mark == ">" || mark == "}}":
		t.sent(mark, rest)
	case mark == "<":
		t.answer(rest)
	case prompted().MatchString(line):
		t.command(prompted().FindStringSubmatch(line)[1])
	case strings.HasPrefix(line, "curl "):
		t.command(line)
	case noAnswer().MatchString(line):
		t.waited(line)
	case mark == "*" || aside().MatchString(line):
		t.told(line)
	case t.lost && t.asked: // what is printed behind a call to which no answer came is none of its own
		t.end()
		t.between = append([]byte(line), '\n')
	case t.unmarked(line):
		t.sent(">", line)
	case t.answered:
		t.content(line)
	case t.asked:
		t.call.Body = append(append(t.call.Body, line...), '\n')
	case t.call == nil:
		t.between = append(append(t.between, line...), '\n')
	}
}

// says takes the moment that a line begins with.
func (t *transcript) says(line string) {
	if found := dated().FindStringSubmatch(line); found != nil {
		t.said = source.Time(found[1])
	}
}

// waited notes that no answer comes to a call, and how long it had waited, where curl tells.
func (t *transcript) waited(line string) {
	t.lost = t.call != nil
	if found := waited().FindStringSubmatch(line); found != nil && t.lost && !t.at.IsZero() {
		milliseconds, _ := strconv.Atoi(found[1])
		t.call.End = t.at.Add(time.Duration(milliseconds) * time.Millisecond)
	}
}

// waited is how long that was.
var waited = trail.Pattern(` timed out after ([0-9]{1,7}) milliseconds`)

// unmarked says whether a line is of a request's head, of which libcurl marks the first line alone.
func (t *transcript) unmarked(line string) bool {
	return t.call != nil && !t.asked && t.call.Answer.Status == 0 && (line == "" || headerLine().MatchString(line))
}

// aside is what curl tells besides the headers and bodies.
var aside = trail.Pattern(`^(?:[{}] \[.*data\]|Note: .*|curl: \(.*|\s*(?:% Total|Dload|[0-9]+ .*[0-9-]+:[0-9-]+:[0-9-]+).*)$`)

// sent is a line of a request: its first, a header, or, of a trace, of its body.
func (t *transcript) sent(mark, rest string) {
	switch {
	case mark == ">" && requestLine().MatchString(rest):
		t.begin(rest)
	case t.call == nil:
	case mark == "}}":
		t.call.Body = append(append(t.call.Body, rest...), '\n')
	case strings.TrimSpace(rest) == "":
		t.asked = true
	case !t.answered:
		t.call.Header = withHeader(t.call.Header, rest)
	}
}

// told is what curl tells of the connection.
func (t *transcript) told(line string) {
	switch {
	case strings.HasPrefix(line, "* SSL connection using"), strings.HasPrefix(line, "* ALPN"), strings.HasSuffix(line, "port 443 (#0)"):
		t.secure = true
	case strings.HasPrefix(line, "*   Trying "):
		t.secure = false
	}
}

// content is a line of the answer's body; what curl tells may stand right behind it.
func (t *transcript) content(line string) {
	if cut := leftIntact().FindStringIndex(line); cut != nil {
		line = line[:cut[0]]
	} else {
		line += "\n"
	}
	if t.body.Len() < source.MaxBody {
		t.body.WriteString(line)
	}
}

// begin begins a call.
func (t *transcript) begin(line string) {
	t.end()
	found := requestLine().FindStringSubmatch(line)
	t.at, t.said = t.said, time.Time{}
	t.call = &recording.Exchange{Place: t.part.Line(t.next + 1), Method: found[1], Path: found[2], Answer: recording.Answer{Known: recording.NeverArrived}}
}

// answer reads a line of the answer's head.
func (t *transcript) answer(line string) {
	status := statusLine().FindStringSubmatch(line)
	switch {
	case t.call == nil:
	case status != nil:
		t.asked = false
		code, _ := strconv.Atoi(status[1])
		t.call.Answer = recording.Answer{Known: recording.Whole, Status: code}
		t.answered = false
	case strings.TrimSpace(line) == "":
		t.answered = t.call.Answer.Status >= 200
	case !t.answered:
		t.call.Answer.Header = withHeader(t.call.Answer.Header, line)
	}
}

func withHeader(list []tape.Header, line string) []tape.Header {
	if found := headerLine().FindStringSubmatch(line); found != nil {
		return append(list, tape.Header{Name: found[1], Value: found[2]})
	}
	return list
}

// end finishes a call.
func (t *transcript) end() {
	x := t.call
	if x == nil {
		return
	}
	host := "http://"
	if t.secure {
		host = "https://"
	}
	target := x.Path
	if strings.HasPrefix(target, "/") {
		target = host + source.Header(x.Header, "Host") + target
	}
	at := x.Place
	if err := source.SetAddress(x, target); err != nil {
		t.part.Skip(at, "the request has no address")
		x = nil
	}
	if x != nil {
		before := t.between
		t.finishAnswer(x)
		t.finishBody(x, before)
		if x.Answer.Known == recording.NeverArrived {
			x.Begin = t.at
		}
		t.part.Call(*x)
	}
	t.call, t.lost, t.asked, t.answered = nil, false, false, false
	t.body.Reset()
}

// command reads a curl command with the lines that belong to it.
func (t *transcript) command(line string) {
	t.end()
	from := t.next
	for strings.HasSuffix(line, `\`) && t.next+1 < t.lines.count() && t.next-from < source.MaxHeader {
		t.next++
		line += "\n" + t.lines.line(t.next)
	}
	p, err := commands.Shell(&source.File{Name: t.part.Source().Name, Data: []byte(line)}, t.values)
	if err == nil && len(t.commands) < source.MaxHeader {
		t.commands = append(t.commands, p.Exchanges...)
	}
}
