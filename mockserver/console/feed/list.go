package feed

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"paysandbox/mockserver/tape"
)

// The bounds of one list: how many rows it has, and how much is looked at for them.
const (
	// PageRows is how many rows a list has.
	PageRows = 100
	// lookEntries and lookBytes end a search, which then says how far it has come.
	lookEntries = 2_500
	lookBytes   = 4 << 20
	window      = 250
)

// List is a stretch of a tape, newest first.
type List struct {
	Rows []Row
	// First and Last are the numbers of the tape's oldest and newest entry.
	First, Last uint64
	// Reached is the number down to which entries were looked at.
	Reached uint64
	// More says that there are entries below Reached.
	More bool
}

// Looked is how many numbers have been looked at, and All how many there are.
func (l *List) Looked() uint64 { return l.Last - l.Reached + 1 }

// All is how many numbers the tape spans.
func (l *List) All() uint64 { return l.Last - l.First + 1 }

// Read lists the newest entries that pass a query.
func Read(t Tape, q Query) List {
	first, last := t.Bounds()
	l := List{First: first, Last: last}
	if last == 0 {
		return l
	}
	upTo := last
	if q.Before > 0 {
		upTo = min(upTo, q.Before-1)
	}
	if q.onlyEntity() {
		l.ofEntity(t, q, upTo)
		return l
	}
	if q.onlyKinds() {
		l.ofKinds(t, q)
		return l
	}
	l.Reached = upTo + 1
	var bytes int
	for looked := 0; l.Reached > first && looked < lookEntries && bytes < lookBytes; {
		low := max(first, l.Reached-min(window, l.Reached-1))
		entries := t.Read(tape.Filter{Since: low - 1, Limit: int(l.Reached - low)}) //nolint:gosec // G115: at most a window.
		for n := len(entries) - 1; n >= 0; n-- {
			e := &entries[n]
			if e.Seq >= l.Reached {
				continue
			}
			looked++
			bytes += weight(e)
			if r := RowOf(e); q.Match(e, &r) {
				if len(l.Rows) == PageRows {
					l.More, l.Reached = true, e.Seq+1
					return l
				}
				l.Rows = append(l.Rows, r)
			}
		}
		l.Reached = low
	}
	l.More = l.Reached > first
	return l
}

// onlyEntity says whether the tape itself can find what is asked for.
func (q Query) onlyEntity() bool { return q.Entity != "" && q.Text == "" }

// onlyKinds says whether the tape itself knows the newest that are asked for.
func (q Query) onlyKinds() bool {
	other := q
	other.Kinds = nil
	return len(q.Kinds) > 0 && other.Empty() && q.Before == 0
}

// ofKinds lists the newest entries of some kinds.
func (l *List) ofKinds(t Tape, q Query) {
	l.Reached = l.First
	t.Back(tape.Filter{Kinds: q.Kinds, Limit: PageRows + 1}, func(e tape.Entry) bool {
		if len(l.Rows) == PageRows {
			l.More, l.Reached = true, e.Seq+1
			return false
		}
		l.Rows = append(l.Rows, RowOf(&e))
		return true
	})
}

// ofEntity lists what is about one entity.
func (l *List) ofEntity(t Tape, q Query, upTo uint64) {
	entries := t.Read(tape.Filter{Entity: q.Entity, Kinds: q.Kinds})
	l.Reached = l.First
	for n := len(entries) - 1; n >= 0; n-- {
		e := &entries[n]
		if r := RowOf(e); e.Seq <= upTo && q.Match(e, &r) {
			if len(l.Rows) == PageRows {
				l.More, l.Reached = true, e.Seq+1
				return
			}
			l.Rows = append(l.Rows, r)
		}
	}
}

// weight is how many bytes of bodies an entry carries.
func weight(e *tape.Entry) int {
	switch {
	case e.Exchange != nil:
		return len(e.Exchange.Query) + len(e.Exchange.Request.Body) + len(e.Exchange.Response.Body)
	case e.Attempt != nil:
		return len(e.Attempt.Body) + len(e.Attempt.ResponseBody)
	case e.Event != nil:
		return len(e.Event.Body)
	default:
		return 0
	}
}

// maxEffects bounds the effects that are listed.
const maxEffects = 100

// Effects are the entries that an entry has caused, and those that they have
// caused, oldest first; more says that there are others.
func Effects(t Tape, seq uint64) (rows []Row, more bool) {
	caused := []uint64{seq}
	for since, looked := seq, 0; looked < lookEntries; {
		entries := t.Read(tape.Filter{Since: since, Limit: window})
		if len(entries) == 0 {
			return rows, false
		}
		for n := range entries {
			e := &entries[n]
			since, looked = e.Seq, looked+1
			if !slices.Contains(caused, e.Cause) {
				continue
			}
			if len(rows) == maxEffects {
				return rows, true
			}
			caused = append(caused, e.Seq)
			rows = append(rows, RowOf(e))
		}
	}
	return rows, true
}

// maxCauses bounds a chain of causes.
const maxCauses = 50

// Causes leads from an entry back to what came from outside, nearest first.
func Causes(t Tape, e tape.Entry) (rows []Row) {
	for e.Cause != 0 && len(rows) < maxCauses {
		next, ok := t.Entry(e.Cause)
		if !ok {
			return rows
		}
		rows, e = append(rows, RowOf(&next)), next
	}
	return rows
}

// ownCalls begins the addresses of control calls, and idLength is how long an id is.
const ownCalls, idLength = "/_sandbox/integrations/", 36

var ids = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([0-9a-fA-F]{8})-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
})

// brief is a path as a row shows it: of a control call the end, of ids the beginning.
func brief(path string) string {
	if own, ok := strings.CutPrefix(path, ownCalls); ok {
		if _, call, deeper := strings.Cut(own, "/"); deeper {
			path = "…/" + call
		}
	}
	return ids().ReplaceAllString(path, "$1…")
}
