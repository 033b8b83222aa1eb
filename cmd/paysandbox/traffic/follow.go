// Package traffic follows what happens in a sandbox, a line for each call, event,
// delivery and failure: for people in words and colours, for programs as log records.
// It reads tapes, and must not change or slow what it reads: it asks ten times a
// second at most, and counts together what comes faster.
package traffic

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/tape"
)

// Reading is what a look at a tape has found.
type Reading struct {
	// Begun tells a tape from another one, which counts from anew: when it begins, in
	// unix nanoseconds, or how many there were.
	Begun int64
	// Entries are the entries behind the number that was asked for, oldest first.
	Entries []tape.Entry
	// Missing is how many entries behind that number have been dropped.
	Missing uint64
}

// Source reads a tape: up to limit entries behind a number. Without any it waits
// until there are some, the context ends, or it has waited long enough.
type Source func(ctx context.Context, since uint64, limit int) (Reading, error)

const (
	// pace is how long a follower leaves the tape alone between two looks.
	pace = 100 * time.Millisecond
	// burst is how many lines of one look are told one by one; more are counted.
	burst = 40
	// most bounds one look.
	most = 1000
	// crowded is the pace when more comes than can be read.
	crowded = time.Second
)

// Follower tells what a tape takes up.
type Follower struct {
	Integration string
	Source      Source
	Printer     Printer
	// Wanted leaves lines out; nil takes all.
	Wanted func(*told.Line) bool
	// Each is the last entry up to which every line is told by itself, however many
	// there are: somebody has asked for those.
	Each uint64
	// Jump gives the newest entry's number, so that a follower that is far behind
	// goes on from there. Nil reads everything.
	Jump func() uint64
}

// Run tells what comes behind an entry until the context or the source ends.
func (f *Follower) Run(ctx context.Context, since uint64) error {
	for begun := int64(0); ; {
		r, err := f.Source(ctx, since, most)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the end was asked for
		case err != nil:
			return err
		}
		if begun != 0 && begun != r.Begun { // it was reset, and counts from 1 again
			begun, since = r.Begun, 0
			continue
		}
		begun = r.Begun
		rest := pace
		since = f.tell(&r, since)
		if len(r.Entries) == most && since > f.Each {
			rest = crowded
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(rest):
		}
	}
}

// tell shows a few entries one by one and many together, and gives the number to
// go on from.
func (f *Follower) tell(r *Reading, since uint64) uint64 {
	c := Crowd{From: since + 1, Skipped: r.Missing}
	var lines []told.Line
	for i := range r.Entries {
		since = r.Entries[i].Seq
		l, ok := told.Among(r.Entries, i)
		c.add(&r.Entries[i], ok && l.Outcome == told.Bad)
		if ok && (f.Wanted == nil || f.Wanted(&l)) {
			lines = append(lines, l)
		}
	}
	together := r.Missing > 0 || len(lines) > burst && since > f.Each
	for i := range lines {
		if !together {
			f.Printer.Line(f.Integration, &lines[i])
		}
	}
	if len(r.Entries) == most && f.Jump != nil {
		newest := max(f.Jump(), since)
		c.Skipped += newest - since
		since = newest
	}
	if c.To = since; together {
		f.Printer.Crowd(f.Integration, &c)
	}
	return since
}

// Crowd is many things that are told together.
type Crowd struct {
	// At is the virtual time of the last, From and To the numbers of the first and
	// the last.
	At       time.Time
	From, To uint64
	// Calls and Deliveries count, Refused and Lost those among them that failed.
	Calls, Refused, Events, Deliveries, Lost int
	// Skipped counts the entries that nobody looked at.
	Skipped uint64
}

func (c *Crowd) add(e *tape.Entry, bad bool) {
	c.At = time.Unix(0, e.At).UTC()
	switch {
	case e.Exchange != nil:
		c.Calls++
		if bad {
			c.Refused++
		}
	case e.Attempt != nil:
		c.Deliveries++
		if bad {
			c.Lost++
		}
	case e.Event != nil:
		c.Events++
	}
}

// String is the crowd in words.
func (c *Crowd) String() string {
	var parts []string
	count := func(n int, what, many string, failed int) {
		if n == 0 {
			return
		}
		text := fmt.Sprintf("%d %s", n, what)
		if n > 1 {
			text = fmt.Sprintf("%d %s", n, many)
		}
		if failed > 0 {
			text += fmt.Sprintf(" (%d failed)", failed)
		}
		parts = append(parts, text)
	}
	count(c.Calls, "call", "calls", c.Refused)
	count(c.Events, "event", "events", 0)
	count(c.Deliveries, "delivery", "deliveries", c.Lost)
	if c.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d entries not looked at", c.Skipped))
	}
	if len(parts) == 0 {
		return "nothing to tell"
	}
	return strings.Join(parts, ", ")
}
