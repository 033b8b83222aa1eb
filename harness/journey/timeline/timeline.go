package timeline

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// line is one thing that happened, as people are told it.
type line struct {
	at        int64
	who, what string
	// money is what has been collected by now, where it has just changed.
	money string
}

// moment is what happened at one time.
type moment struct {
	at    int64
	lines []line
}

// Write writes a tape as a story for people: when, who, what, and the money
// collected so far. It uses the names that a journey has given to ids; others
// show the beginning of the id. What comes round again and again is told once.
func Write(w io.Writer, meta tape.Meta, entries []tape.Entry) error {
	t := newTeller(entries)
	for i := range entries {
		t.take(&entries[i])
	}
	p := &printer{w: bufio.NewWriter(w)}
	p.align(t.lines)
	p.gap(meta)
	p.moments(t.moments())
	return p.w.Flush()
}

// teller makes lines of entries.
type teller struct {
	names *names
	books *Books
	lines []line
	// warned is true when the last entry was a note that announced trouble: the
	// call that arms it goes without saying.
	warned bool
	// down is true while the receiver is cut off.
	down bool
}

func newTeller(entries []tape.Entry) *teller {
	return &teller{names: namesOf(entries), books: NewBooks()}
}

// say adds a line.
func (t *teller) say(e *tape.Entry, who, what string) {
	if what != "" {
		t.lines = append(t.lines, line{at: e.At, who: who, what: what})
	}
}

// take tells an entry.
func (t *teller) take(e *tape.Entry) {
	warned := t.warned
	t.warned = false
	switch {
	case e.Omitted > 0:
	case e.Kind == tape.KindExchange:
		t.say(e, "partner", t.names.exchange(e))
	case e.Kind == tape.KindControl:
		t.control(e, warned)
	case e.Kind == tape.KindPage:
		t.say(e, "browser", "opens a page of the service: "+e.Exchange.Operation)
	case e.Clock != nil:
		t.say(e, "time", passing(e.Clock.To-e.Clock.From))
	case e.Transition != nil:
		t.say(e, "service", t.names.transition(e.Transition))
	case e.Message != nil:
		t.message(e)
	case e.Attempt != nil:
		t.say(e, "event", t.names.attempt(e.Attempt))
	case e.Hangup != nil:
		t.say(e, "partner", "hangs up after "+span(e.Hangup.After))
	case e.Fetch != nil:
		t.say(e, "service", "downloads "+e.Fetch.URL)
	}
	if t.books.Take(e) && len(t.lines) > 0 {
		t.lines[len(t.lines)-1].money = "collected " + Amount(t.books.Sum(func(string) bool { return true }))
	}
}

// moments puts the lines of one time together.
func (t *teller) moments() []moment {
	var list []moment
	for _, l := range t.lines {
		if n := len(list); n == 0 || list[n-1].at != l.at {
			list = append(list, moment{at: l.at})
		}
		m := &list[len(list)-1]
		m.lines = append(m.lines, l)
	}
	return list
}

// same says whether the same things happened at two moments, but for the money.
func (m *moment) same(o *moment) bool {
	if len(m.lines) != len(o.lines) {
		return false
	}
	for i := range m.lines {
		if m.lines[i].who != o.lines[i].who || m.lines[i].what != o.lines[i].what {
			return false
		}
	}
	return true
}

// span writes a duration in the units that people use.
func span(nanos int64) string {
	d := time.Duration(nanos)
	for _, u := range [...]struct {
		unit time.Duration
		name string
	}{{7 * 24 * time.Hour, "week"}, {24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= u.unit && d%u.unit == 0 {
			return count(int(d/u.unit), u.name)
		}
	}
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64) + " seconds"
}

// passing says that time passes.
func passing(nanos int64) string {
	text := span(nanos)
	if strings.HasPrefix(text, "1 ") {
		return text + " passes"
	}
	return text + " pass"
}
