// Package rerun finds in logs that a program ran a piece of work again which had failed behind its call, or which its queue had delivered
// once more, and made the same call once more.
package rerun

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Bounds of what is looked at: calls, lines before one, bytes of a line, and how long after a failure a program tries again.
const (
	mostCalls = 2000
	lead      = 12
	mostLine  = 2000
	longest   = 24 * time.Hour
)

// work is how lines name the piece of work that they are about.
var work = trail.Pattern(`(?i)\b(?:jid|job[_ -]?id|job|task[_ -]?id|task|(?:message|msg)[_ -]?id|execution[_ -]?id|correlation[_ -]?id|run[_ -]?id)["']?[=: \[]{1,3}["']?([a-z0-9][a-z0-9-]{5,63})\b`)

// failed is how a line says that something failed.
var failed = trail.Pattern(`(?i)\b(?:fail(?:ed|ure|ing)?|errors?|[A-Za-z]*Exception|deadlock\w*|crash\w*|killed|aborted|retry(?:ing)?|retries|rescued|rolled back|rollback)\b`)

// Read notes it at the calls that were made again.
func Read(files []source.File, r *recording.Recording) {
	last, log := map[string]int{}, logs{files: files, lines: map[string][][]byte{}}
	for i := range r.Exchanges[:min(len(r.Exchanges), mostCalls)] {
		x := &r.Exchanges[i]
		if x.Place.Line == 0 || len(x.Body) == 0 || x.Answer.Status/100 != 2 || x.Method == "GET" {
			continue
		}
		key := x.Place.Source + "\n" + x.Method + " " + x.Path + "?" + x.Query + "\n" + string(x.Body)
		before, known := last[key]
		last[key] = i
		if was := &r.Exchanges[before]; known && x.RunAgain == "" && x.Begin.After(was.Begin) && x.Begin.Sub(was.Begin) < longest {
			x.RunAgain = log.again(was.Place, x.Place)
		}
	}
}

// logs are files, with the lines of those that were asked for.
type logs struct {
	files []source.File
	lines map[string][][]byte
}

// of are the lines of a file, none for one that is not given.
func (l *logs) of(name string) [][]byte {
	if lines, known := l.lines[name]; known {
		return lines
	}
	for i := range l.files {
		if l.files[i].Name == name {
			l.lines[name] = bytes.Split(l.files[i].Text(), []byte("\n"))
		}
	}
	return l.lines[name]
}

// again says how a log tells that the work of one call was run again by that of another, "" where it does not.
func (l *logs) again(was, is recording.Place) string {
	lines := l.of(is.Source)
	if was.Line >= is.Line || is.Line > len(lines) {
		return ""
	}
	if n, id := redelivered(lines, was.Line, is.Line); n > 0 {
		return fmt.Sprintf("the work %s was delivered once more (line %d) and was run again", id, n)
	}
	first := named(lines[max(0, was.Line-lead):was.Line])
	for _, id := range named(lines[max(was.Line, is.Line-lead):is.Line]) {
		if !slices.Contains(first, id) {
			continue
		}
		for n := was.Line; n < is.Line-1; n++ {
			if failed().Match(lines[n]) {
				return fmt.Sprintf("the work %s had failed (line %d) and was run again", id, n+1)
			}
		}
	}
	return ""
}

// named are the pieces of work that lines are about, in small letters.
func named(lines [][]byte) (ids []string) {
	for _, line := range lines {
		for _, found := range work().FindAllSubmatch(line[:min(len(line), mostLine)], 8) {
			if id := strings.ToLower(string(found[1])); strings.ContainsAny(id, "0123456789") {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Is says whether a text is one that Read notes.
func Is(text string) bool { return noted().MatchString(text) }

var noted = trail.Pattern(`^the work [a-z0-9-]{6,64} (?:had failed|was delivered once more) \(line [0-9]{1,9}\) and was run again$`)

// Delivered says of a text that Read notes whether a queue had delivered the work once more.
func Delivered(text string) bool { return strings.Contains(text, " was delivered once more (") }
