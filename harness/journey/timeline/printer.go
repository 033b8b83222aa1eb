package timeline

import (
	"bufio"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// printer writes moments.
type printer struct {
	w   *bufio.Writer
	day string
	// who is the width of the names of those who do something.
	who int
}

const (
	// shortest and longestName bound the width of the names.
	shortestName = 9
	longestName  = 24
)

// align makes the column of names as wide as the longest of them.
func (p *printer) align(lines []line) {
	p.who = shortestName
	for i := range lines {
		p.who = max(p.who, min(longestName, utf8.RuneCountInString(lines[i].who)))
	}
}

// gap says that the beginning is missing.
func (p *printer) gap(meta tape.Meta) {
	if g := meta.Gap(); !g.Empty() {
		_, _ = fmt.Fprintf(p.w, "  (entries %d to %d have been dropped from the tape)\n", g.From, g.To)
	}
}

const (
	// longestRound is how many moments a round may have that is told once, and
	// fewestRounds how often it has to come.
	longestRound = 4
	fewestRounds = 4
	// wide is the column of the money.
	wide = 92
)

// moments writes all, and rounds that repeat themselves once.
func (p *printer) moments(list []moment) {
	for i := 0; i < len(list); {
		size, times := round(list[i:])
		for n := range size {
			p.moment(&list[i+n])
		}
		i += size
		if times > 1 {
			last := &list[i+(times-1)*size-1]
			p.again(times-1, last)
			i += (times - 1) * size
		}
	}
}

// round finds a stretch of moments that comes several times in a row.
func round(list []moment) (size, times int) {
	for size := 1; size <= longestRound; size++ {
		times := 1
		for next := size; next+size <= len(list) && sameStretch(list[:size], list[next:next+size]); next += size {
			times++
		}
		if times >= fewestRounds {
			return size, times
		}
	}
	return 1, 1
}

func sameStretch(a, b []moment) bool {
	for i := range a {
		if !a[i].same(&b[i]) {
			return false
		}
	}
	return true
}

// moment writes the lines of one time, the time itself once.
func (p *printer) moment(m *moment) {
	at := time.Unix(0, m.at).UTC()
	if day := at.Format("Mon 2 January 2006"); day != p.day {
		p.day = day
		_, _ = fmt.Fprintf(p.w, "  %s\n", day)
	}
	clock := at.Format("15:04:05")
	if at.Nanosecond() != 0 {
		clock = at.Format("15:04:05.000")
	}
	for _, l := range m.lines {
		p.line(clock, &l)
		clock = ""
	}
}

func (p *printer) line(clock string, l *line) {
	text := fmt.Sprintf("    %-12s  %-*s %s", clock, p.who, l.who, l.what)
	if l.money != "" {
		text += strings.Repeat(" ", max(2, wide-utf8.RuneCountInString(text))) + l.money
	}
	_, _ = fmt.Fprintln(p.w, text)
}

// again says how often a round comes once more, and where it ends.
func (p *printer) again(times int, last *moment) {
	at := time.Unix(0, last.at).UTC()
	p.day = at.Format("Mon 2 January 2006")
	l := line{who: "…", what: fmt.Sprintf("and so on, %d times more, until %s, %s", times, p.day, at.Format("15:04:05"))}
	for _, told := range last.lines {
		if told.money != "" {
			l.money = told.money
		}
	}
	p.line("", &l)
}
