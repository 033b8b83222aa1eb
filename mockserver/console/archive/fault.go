package archive

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is trouble with calls that somebody armed, or a call asked for itself.
type Fault struct {
	ID, Effect string
	Match      Match
	// Count is how many calls it changes, 0 for all; Times how many it has changed.
	Count, Times int
	// Armed and Removed are the entries that did so; 0 where the tape has none.
	Armed, Removed uint64
	// Earlier says that it was armed before the tape begins.
	Earlier bool
	// Until is when it ends by the virtual clock; empty where no time ends it.
	Until string
	// Hits are the newest calls that it has changed.
	Hits []uint64 `json:"-"`
}

// Match says which calls a fault meets; an empty member meets all. Nth is the first of them.
type Match struct {
	Operation, Method, Entity string
	Nth                       int
}

// maxHits bounds the hits that are kept of a fault.
const maxHits = 100

// Meets says which calls a fault meets.
func (f *Fault) Meets() string {
	m := &f.Match
	words := []string{cmp.Or(m.Operation, "every call"), m.Method, m.Entity}
	switch {
	case f.ID == byHeader:
		words = []string{"the calls that asked for it"}
	case f.Earlier:
		words = []string{"not known: it was armed before the tape begins"}
	}
	if m.Nth > 1 {
		words = append(words, "from call "+strconv.Itoa(m.Nth)+" on")
	}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}

// Left is how many calls it would still have changed; -1 for all that come.
func (f *Fault) Left() int {
	switch {
	case f.Removed > 0 || f.ID == byHeader:
		return 0
	case f.Count == 0:
		return -1
	default:
		return max(f.Count-f.Times, 0)
	}
}

// Armed says in words what the answer of a call that has armed a fault tells; "" where it is
// none.
func Armed(answer []byte) string {
	var f Fault
	if json.Unmarshal(answer, &f) != nil || f.ID == "" {
		return ""
	}
	said := f.ID + " waits for " + f.Meets() + ", to meet it with " + f.Effect
	if f.Count > 0 {
		said += ", " + counted(f.Count, "call")
	}
	if until, ends := f.end(); ends {
		said += ", until " + until.UTC().Format(layoutOf(until, time.Time{}))
	}
	return said + "."
}

// Over says whether it changes no more calls at a moment.
func (f *Fault) Over(now time.Time) bool {
	until, ends := f.end()
	return f.Left() == 0 || ends && !now.Before(until)
}

// end is when it ends by itself, where a time ends it.
func (f *Fault) end() (time.Time, bool) {
	until, err := time.Parse(time.RFC3339Nano, f.Until)
	return until, err == nil
}

// Remains says at a moment what is left of it, in words.
func (f *Fault) Remains(now time.Time) string {
	until, ends := f.end()
	calls := "until removed"
	switch n := f.Left(); {
	case n == 0:
		return "nothing"
	case n > 0:
		calls = counted(n, "call")
	}
	switch at := until.UTC().Format(layoutOf(until, now)); {
	case !ends:
		return calls
	case !now.Before(until):
		return "nothing: it ended at " + at
	case f.Count == 0:
		return "until " + at + ", " + span(until.Sub(now)) + " left"
	default:
		return calls + " until " + at + ", " + span(until.Sub(now)) + " left"
	}
}

// layoutOf writes a moment, without its day where that is the day of another.
func layoutOf(moment, now time.Time) string {
	if moment.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return "15:04:05 UTC"
	}
	return "2 January 2006, 15:04:05 UTC"
}

// span writes a time in words, by its two largest units.
func span(d time.Duration) string {
	d = d.Truncate(time.Second)
	var words []string
	for _, u := range []struct {
		name string
		long time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if n := d / u.long; n > 0 && len(words) < 2 {
			words, d = append(words, counted(int(n), u.name)), d%u.long
		} else if len(words) > 0 {
			break
		}
	}
	if len(words) == 0 {
		return "less than a second"
	}
	return strings.Join(words, " ")
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// Faults reads the list of faults as the control API tells it.
type Faults []Fault

// UnmarshalJSON takes what has been hit from where the list has it.
func (l *Faults) UnmarshalJSON(raw []byte) error {
	var told []struct {
		Fault
		Hits int
		Log  []struct{ Exchange uint64 }
	}
	err := json.Unmarshal(raw, &told)
	*l = make(Faults, len(told))
	for n, f := range told {
		(*l)[n] = f.Fault
		(*l)[n].Times = f.Hits
		for _, hit := range f.Log {
			(*l)[n].Hits = append((*l)[n].Hits, hit.Exchange)
		}
	}
	return err
}

// byHeader is the fault of calls that have asked for one themselves.
const byHeader = "header"
