package httptext

import (
	"bytes"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// fromTrace writes a trace of curl as curl -v would have, with the bodies of requests
// as lines that begin with "}} ".
func fromTrace(text []byte) []byte {
	t := &trace{}
	l := newLines(text)
	for i := range l.count() {
		line := stamped().ReplaceAllString(l.line(i), "")
		row := traceRow().FindStringSubmatch(line)
		switch {
		case row != nil && t.section != "":
			t.row(row[1], row[2])
		case strings.HasPrefix(line, "== Info: "):
			t.flush()
			t.out.WriteString("* " + strings.TrimPrefix(line, "== Info: ") + "\n")
		case strings.HasPrefix(line, "=> ") || strings.HasPrefix(line, "<= "):
			t.flush()
			words := strings.Fields(line)
			t.section = words[0] + strings.TrimSuffix(words[min(2, len(words)-1)], ",")
		default:
			t.flush()
			t.out.WriteString(line + "\n")
		}
	}
	t.flush()
	return t.out.Bytes()
}

// traceRow is a row of a trace: where it stands in its section, and its text.
var traceRow = trail.Pattern(`^([0-9a-f]{4,8}): (.*)$`)

type trace struct {
	out     bytes.Buffer
	section string
	data    bytes.Buffer
	end     int // where the last row's text ended
}

// row takes a row. Between two rows stand the line ends that the trace does not show.
func (t *trace) row(at, text string) {
	offset, _ := strconv.ParseUint(at, 16, 32)
	if gap := int(offset) - t.end; gap > 0 && gap <= 2 {
		t.data.WriteString("\r\n"[2-gap:])
	}
	t.data.WriteString(text)
	t.end = int(offset) + len(text)
}

// flush writes a section.
func (t *trace) flush() {
	mark := map[string]string{"=>header": "> ", "<=header": "< ", "=>data": "}} "}[t.section]
	if known := mark != "" || t.section == "<=data"; known {
		for line := range strings.SplitSeq(string(source.Unbroken(t.data.Bytes())), "\n") {
			t.out.WriteString(mark + line + "\n")
		}
	}
	t.section, t.end = "", 0
	t.data.Reset()
}
