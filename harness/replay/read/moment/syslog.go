package moment

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// yearless is the moment that syslog, and what shows its journal, puts before a line: it has no year.
var yearless = trail.Pattern(`^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec` + `) ([ 0-3][0-9]) ([0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?) \S`)

// The bounds of what is looked through for a year, in bytes, and how many lines without one there are at least.
const (
	mostLooked = 1 << 20
	fewest     = 2
	oneDay     = 24 * time.Hour
)

// Dated are texts in which the moments of syslog have the year that the text tells elsewhere, or the others do. Of a text of which that is
// not known nothing is changed, nor is a line that tells another moment behind.
func Dated(texts [][]byte) [][]byte {
	if !slices.ContainsFunc(texts, isSyslog) {
		return texts
	}
	dated, others := slices.Clone(texts), time.Time{}
	for _, text := range texts {
		if newest := newestIn(text); newest.After(others) {
			others = newest
		}
	}
	for i, text := range texts {
		newest := newestIn(text)
		if newest.IsZero() {
			newest = others
		}
		if isSyslog(text) && !newest.IsZero() {
			dated[i] = withYears(text, newest)
		}
	}
	return dated
}

func isSyslog(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text[:min(len(text), mostLooked)]) {
		if yearless().Match(line) {
			if n++; n >= fewest {
				return true
			}
		}
	}
	return false
}

// newestIn is the newest moment that a text tells, or a day; zero for none. A day to come, as a due date, is told without a time of day.
func newestIn(text []byte) (newest time.Time) {
	text = text[:min(len(text), mostLooked)]
	if len(text) > 2 && text[0] == 0x1f && text[1] == 0x8b { // packed
		return newest
	}
	for _, said := range isoTime().FindAll(text, source.MaxEntries) {
		if at := source.Time(string(said)); at.After(newest) {
			newest = at
		}
	}
	if newest.IsZero() {
		for line := range strings.Lines(string(text)) {
			at, _ := Of(strings.TrimRight(line, "\r\n"))
			if at.IsZero() {
				at = dayIn(line)
			}
			if at.After(newest) {
				newest = at
			}
		}
	}
	return newest
}

// withYears puts the years into the lines of a text: none is later than a day behind the newest moment that is told.
func withYears(text []byte, newest time.Time) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if f := yearless().FindSubmatchIndex(line); f != nil && !isoTime().Match(line[:min(len(line), 200)]) {
			day := string(line[f[2]:f[3]]) + " " + strings.TrimSpace(string(line[f[4]:f[5]]))
			for year := newest.Year() + 1; year > newest.Year()-2; year-- {
				at, err := time.Parse("Jan 2 2006", day+" "+time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006"))
				if err == nil && !at.After(newest.Add(oneDay)) {
					out.WriteString(at.Format("2006-01-02 ") + string(line[f[6]:f[7]]))
					line = line[f[7]:]
					break
				}
			}
		}
		out.Write(line)
	}
	return out.Bytes()
}
