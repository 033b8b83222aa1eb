package tapes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/tape"
)

// mostEffects bounds how many effects are told.
const mostEffects = 100

// Tape is a tape in which entries are found by number.
type Tape struct {
	Meta    tape.Meta
	Entries []tape.Entry
}

// Find gives the entry with a number.
func (t *Tape) Find(seq uint64) (*tape.Entry, bool) {
	lo, hi := 0, len(t.Entries)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.Entries[mid].Seq < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.Entries) && t.Entries[lo].Seq == seq {
		return &t.Entries[lo], true
	}
	return nil, false
}

// Full tells an entry with all that it holds, what led to it and what followed.
func (t *Tape) Full(e *tape.Entry) []told.Section {
	list := append([]told.Section{{Text: told.Says(e)}}, told.Sections(e)...)
	for _, s := range []told.Section{{Heading: "Because of", Text: t.causes(e)}, {Heading: "What followed", Text: t.effects(e.Seq)}} {
		if s.Text != "" {
			list = append(list, told.Section{Heading: s.Heading, Text: strings.TrimRight(s.Text, "\n")})
		}
	}
	return list
}

// causes lead back to what came from outside.
func (t *Tape) causes(e *tape.Entry) string {
	var b strings.Builder
	for seq := e.Cause; seq != 0; {
		cause, ok := t.Find(seq)
		if !ok {
			fmt.Fprintf(&b, "#%d is not in the file\n", seq)
			break
		}
		b.WriteString(told.Says(cause) + "\n")
		seq = cause.Cause
	}
	return b.String()
}

// effects stand behind their causes.
func (t *Tape) effects(seq uint64) string {
	from, n := map[uint64]bool{seq: true}, 0
	var b strings.Builder
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Cause != 0 && from[e.Cause] {
			from[e.Seq] = true
			if n++; n <= mostEffects {
				b.WriteString(told.Says(e) + "\n")
			}
		}
	}
	if n > mostEffects {
		fmt.Fprintf(&b, "and %d more\n", n-mostEffects)
	}
	return b.String()
}

// Line is an entry in one line; what a call is warned of is said in words.
func (t *Tape) Line(e *tape.Entry) told.Line {
	l := told.Every(e)
	n, found := slices.BinarySearchFunc(t.Entries, e.Seq, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
	if found && l.Outcome == told.Warned && e.Exchange != nil {
		among, _ := told.Among(t.Entries, n)
		l.Note = among.Note
	}
	return l
}

// Head tells what a tape is in one line.
func (t *Tape) Head() string {
	m := &t.Meta
	text := fmt.Sprintf("%d entries", len(t.Entries))
	if n := len(t.Entries); n > 0 {
		text += fmt.Sprintf(", #%d to #%d, %s to %s UTC of virtual time", t.Entries[0].Seq, t.Entries[n-1].Seq,
			time.Unix(0, t.Entries[0].At).UTC().Format(time.DateTime), time.Unix(0, t.Entries[n-1].At).UTC().Format(time.DateTime))
	}
	if m.Environment != "" {
		text += "; " + m.Environment
	}
	text += fmt.Sprintf("; seed %d", m.Seed)
	if m.ToolVersion != "" {
		text += ", paysandbox " + m.ToolVersion
	}
	if m.Dropped > 0 {
		text += fmt.Sprintf("; the %d entries before #%d had been dropped", m.Dropped, m.First)
	}
	if m.Ending != tape.Whole {
		text += "; " + m.Ending.String()
	}
	return told.Clean(text)
}
