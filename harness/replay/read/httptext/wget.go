package httptext

import (
	"bytes"
	"strings"

	"paysandbox/harness/trail"
)

// written begins each file that wget -d fetches, with the time; sentBody shows a request's body.
var (
	written  = trail.Pattern(`^--(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)--  `)
	sentBody = trail.Pattern(`^\[(?:BODY|POST) data: (.*)\]$`)
	progress = trail.Pattern(`^ *(?:[0-9]+K[ .]|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:\(|ERROR ))|^Setting --`)
)

// fromWget writes what wget -d tells as the messages that it shows, each line in its
// place; any other text as it is.
func fromWget(text []byte) []byte {
	if !bytes.Contains(text, []byte("---request begin---")) {
		return text
	}
	var out bytes.Buffer
	shown := false
	l := newLines(text)
	for i := range l.count() {
		line := l.line(i)
		body := sentBody().FindStringSubmatch(line)
		switch at := written().FindStringSubmatch(line); {
		case strings.HasPrefix(line, "---re"):
			shown, line = strings.HasSuffix(line, " begin---"), ""
		case at != nil:
			shown, line = false, at[1]
		case body != nil:
			line = body[1]
		case strings.HasPrefix(line, "Saving to: "):
			shown, line = true, ""
		case progress().MatchString(line), !shown:
			shown, line = false, ""
		}
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}
