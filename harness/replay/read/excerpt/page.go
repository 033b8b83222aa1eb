package excerpt

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// mostLog is how much of a log is looked through, in bytes, and mostPages how many answers are looked for in one.
const (
	mostLog   = 4 << 20
	mostPages = 20
)

// GoesOn notes how far logs go on behind an answer that names a next page which no call asks for: whoever reads pages asks for the
// next at once.
func GoesOn(files []source.File, r *recording.Recording) {
	looked := 0
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		cursor := next(x)
		if cursor == "" || x.GoesOn > 0 || asked(r, cursor) {
			continue
		}
		if looked++; looked > mostPages {
			return
		}
		for f := range files {
			if files[f].Name == x.Place.Source && isLog(r, files[f].Name) {
				x.GoesOn = behind(files[f].Text(), cursor)
			}
		}
	}
}

// next is the cursor of the next page that an answer names, "" where it names none.
func next(x *recording.Exchange) string {
	b := trail.ReadBody(x.Answer.Body)
	if cursor := b.Text("nextCursor"); b.Get("hasMore") == true && len(cursor) > 3 && !recording.Struck(cursor) {
		return cursor
	}
	return ""
}

// asked says whether a call asks for a page by its cursor.
func asked(r *recording.Recording, cursor string) bool {
	for i := range r.Exchanges {
		for argument := range strings.SplitSeq(r.Exchanges[i].Query, "&") {
			if name, value, _ := strings.Cut(argument, "="); strings.EqualFold(name, "cursor") && (value == cursor || value == url.QueryEscape(cursor)) {
				return true
			}
		}
	}
	return false
}

// isLog says whether a file is a log of lines: in other forms more stands behind an answer than happened after it.
func isLog(r *recording.Recording, name string) bool {
	for i := range r.Sources {
		if s := &r.Sources[i]; s.Name == name && (s.Format == "pasted" || s.Format == "jsonl") {
			return true
		}
	}
	return false
}

// short is how a program says that it has not got all.
var short = trail.Pattern(`(?i)mismatch|\bmissing|\bincomplete|\bfewer\b|\black(?:s|ing)\b|\bdiffer(?:s|ence)|not? (?:all|found)|unmatched|unreconciled`)

// enough is how many lines tell that a log goes on: one that says that something is missing tells it, too.
const enough = 3

// behind counts the entries of a log behind the last line that names a cursor: lines with a time, and objects.
func behind(text []byte, cursor string) (n int) {
	text = text[:min(len(text), mostLog)]
	last := bytes.LastIndex(text, []byte(cursor))
	if last < 0 {
		return 0
	}
	_, rest, _ := bytes.Cut(text[last:], []byte("\n"))
	days := moment.NewDays(string(text))
	for line := range bytes.Lines(rest) {
		line = bytes.TrimSpace(line)
		at, _ := days.Of(string(line[:min(len(line), 200)]))
		if !at.IsZero() || len(line) > 2 && line[0] == '{' && json.Valid(line) {
			if n++; short().Match(line) {
				n = max(n, enough)
			}
		}
	}
	return n
}
