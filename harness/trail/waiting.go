package trail

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"paysandbox/mockserver/tape"
)

// What has to come after a call before it counts that something did not follow.
const (
	SettledCalls = 4
	SettledTime  = int64(10 * time.Second)
)

// Settled says whether so much has come after a call, and after its caller knew
// what had come of it, that what was not done about it until now will not be done.
func (t *Trail) Settled(call *Call) bool {
	later := t.Calls()[call.N+1:]
	first := sort.Search(len(later), func(i int) bool { return later[i].Began >= call.Ended })
	further := t.further()
	if len(further)-sort.SearchInts(further, call.N+1+first) >= SettledCalls {
		return true
	}
	if len(t.Entries) == 0 || !t.KeepsTime() {
		return false
	}
	return t.Waited(&t.Entries[len(t.Entries)-1])-call.Ended >= SettledTime
}

// further are the numbers of the calls that go on with something: a new token is how to
// go on, and whoever is refused for an old one has not yet.
func (t *Trail) further() []int {
	return Once(t, "further calls", func() []int {
		var numbers []int
		for _, c := range t.Calls() {
			if !OperationOf(c.Exchange).Token && !c.TokenRefused() {
				numbers = append(numbers, c.N)
			}
		}
		return numbers
	})
}

// Unheard says whether it is not known when the caller heard what had come of a
// call: the answer was held back under a clock that does not show for how long.
func (t *Trail) Unheard(c *Call) bool {
	return c.Hangup == nil && t.Meta.Clock != "real" && HeldBack(c.Exchange.Fault) > 0
}

// Waited is the moment of an entry in nanoseconds, such that differences are the
// time that the partner's application let pass. With a clock that runs the moves
// of the clock are taken out: they are the harness's doing. What happens within a
// move, on the way to where the clock was moved, has that part taken out. With one
// that stands still they are all the time there is.
func (t *Trail) Waited(e *tape.Entry) int64 {
	if t.Meta.Clock != "real" {
		return e.At
	}
	n := t.MovesBefore(e.Seq)
	if n == 0 {
		return e.At
	}
	m := t.moves[n-1]
	return e.At - m.before - min(m.by, max(0, e.At-m.from))
}

// Lived is the time between two entries as the application has seen it, in nanoseconds:
// one that lives by the virtual time sees the moves of the clock, too.
func (t *Trail) Lived(from, to *tape.Entry) int64 {
	if t.Virtual() {
		return to.At - from.At
	}
	return t.Waited(to) - t.Waited(from)
}

// OnTheWay says whether a delivery may have been made while the clock was moved, on the
// way to where it was moved to: whoever moves it goes on with its own work when the move
// is over, however long it took.
func (t *Trail) OnTheWay(h *Delivery) bool {
	if t.Stubbed(tape.KindClock) {
		return true
	}
	n := t.MovesBefore(h.Entry.Seq)
	return n > 0 && h.Entry.At <= t.moves[n-1].from+t.moves[n-1].by+h.Took+int64(DeliveryLead)
}

// MovesBefore counts the moves of the clock before an entry.
func (t *Trail) MovesBefore(seq uint64) int {
	n, _ := slices.BinarySearchFunc(t.moves, seq, func(m move, seq uint64) int { return cmp.Compare(m.seq, seq) })
	return n
}

// move is a move of the clock by some time, from when, and by how much it had been
// moved before in all, in nanoseconds.
type move struct {
	seq              uint64
	from, by, before int64
}

// moved notes a move of the clock, whose entry is there already.
func (t *Trail) moved(seq uint64, by int64) {
	m := move{seq: seq, from: t.Entry(seq).Clock.From, by: by}
	if n := len(t.moves); n > 0 {
		m.before = t.moves[n-1].before + t.moves[n-1].by
	}
	t.moves = append(t.moves, m)
}

// KeepsTime says whether the application is known to see the time of the tape:
// the clock runs, or the application lives by the virtual one.
func (t *Trail) KeepsTime() bool {
	if t.Stubbed(tape.KindClock) {
		return false
	}
	return t.Meta.Clock == "real" || t.Virtual()
}

// Virtual says whether the application has told that it lives by the virtual
// time.
func (t *Trail) Virtual() bool {
	return Once(t, "virtual", func() bool {
		for range notes[any](t, NoteVirtual) {
			return true
		}
		return false
	})
}

// Controls are the numbers of the control calls of an operation that were served.
func (t *Trail) Controls(operation string) []uint64 {
	var list []uint64
	for e := range t.Of(tape.KindControl) {
		if e.Exchange.Operation == operation && Served(e.Exchange) {
			list = append(list, e.Seq)
		}
	}
	return list
}

// Starts are the entries by which an application shows that it has been started:
// it says where its events go, or where its state is.
func (t *Trail) Starts() []uint64 {
	list := t.Controls("addWebhook")
	for e := range notes[any](t, NoteProbe) {
		list = append(list, e.Seq)
	}
	slices.Sort(list)
	return list
}

// Renewed says of an entry whether the application was started anew soon after it:
// what it was doing then it may never do. What was too large for the tape counts in
// its favour.
func (t *Trail) Renewed() func(e *tape.Entry) bool {
	const soon = int64(10 * time.Second)
	started := t.Starts()
	return func(e *tape.Entry) bool {
		n, _ := slices.BinarySearch(started, e.Seq)
		return t.Stubbed(tape.KindControl) || n < len(started) && t.Waited(t.Entry(started[n]))-t.Waited(e) <= soon
	}
}

// WentOnCalls is how many further calls show that an application has gone on.
const WentOnCalls = 10

// WentOn says whether the application has had the time, or has made so many
// calls after an entry, that what has not happened by then does not happen.
func (t *Trail) WentOn(since *tape.Entry, d time.Duration) bool {
	if len(t.Entries) == 0 {
		return false
	}
	if t.Waited(&t.Entries[len(t.Entries)-1])-t.Waited(since) >= int64(d) {
		return true
	}
	calls := t.Calls()
	n := len(calls) - WentOnCalls
	return n >= 0 && calls[n].Entry.Seq > since.Seq
}
