package check

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// What follows a delivery that is not genuine is told apart from what an
// application does anyway: it comes soon, and out of silence, or far more often
// than after genuine deliveries.
const (
	followWindow = 5 * time.Second
	followSoon   = time.Second
	followIdle   = 2 * time.Second
	// followLead is how much earlier than its entry a delivery may have come, besides
	// the time that the receiver took.
	followLead = 100 * time.Millisecond
)

const followHint = "leave a delivery alone whose signature is not right: no state, no job, no call"

// follower looks for what follows deliveries that have to be refused.
type follower struct {
	t      *Tape
	y      *verdict.Tally
	book   *companies
	tasks  *announced
	hooks  []hook
	probes []probe
	// doubts are calls that may have been made because of such a delivery, or by
	// chance; forged counts the deliveries.
	doubts []doubt
	forged int
}

// doubt is a delivery that was refused, and a call soon after it.
type doubt struct {
	h    *hook
	call *tape.Entry
}

// notFollowed judges what applications do after deliveries that they have to
// refuse. What was accepted is judged by the clauses about signatures.
func notFollowed(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	f := follower{t: t, y: &y, book: t.companies(), tasks: t.announced(), hooks: t.hooks(), probes: t.probes()}
	for i := range f.hooks {
		h := &f.hooks[i]
		switch {
		case h.genuine() || h.about() == "":
		case h.Status == 0:
			y.Skip("a delivery that was not answered")
		case succeeded(h.Attempt):
			y.Skip("forged deliveries are accepted: mend the signature clauses first")
		default:
			f.judge(h)
		}
	}
	f.decide()
	return y.Exercised("refuse a delivery that is not genuine, and go on for a while")
}

// judge looks at one delivery that was refused.
func (f *follower) judge(h *hook) {
	f.forged++
	if p := f.unproved(h); p != nil {
		f.t.unsure(f.y, "nothing fulfilled on the word of a delivery that is not genuine", "the payment "+h.about()+" is fulfilled, and nothing but a delivery that was refused has said that it is Paid",
			followHint, h.entry.Seq, p.Seq)
		return
	}
	call, over := f.after(h)
	switch {
	case call == nil && over:
		f.y.Holds(h.entry.Seq)
	case call == nil:
	case !movesMoney(call.Exchange.Operation) && f.t.keepsTime() && !f.t.wentOn(call, followWindow): // it may be polling
	case f.t.Meta.Clock == "real" && !f.silent(call, h) || f.t.Meta.Clock != "real" && len(f.tasks.list) == 0:
		f.doubts = append(f.doubts, doubt{h, call})
	default:
		f.blame(h, call)
	}
}

// blame notes a call that was made because of a delivery.
func (f *follower) blame(h *hook, call *tape.Entry) {
	f.t.unsure(f.y, "no call about "+h.about()+" after a delivery that was refused", call.Exchange.Method+" "+call.Exchange.Path, followHint, h.entry.Seq, call.Seq)
}

// after is the first call soon after a delivery that names its resource and that
// nothing else explains, nil for none. over says that it is too late for one.
func (f *follower) after(h *hook) (call *tape.Entry, over bool) {
	first := h.entry.Seq
	if h.Number == 1 {
		first = h.event.Seq
	}
	for i := f.t.index[first] + 1; i < len(f.t.Entries); i++ {
		e := &f.t.Entries[i]
		if cameBack(e, h.about()) {
			f.y.Skip("a payer came back when a delivery was refused: a call may be because of that")
			return nil, false
		}
		since := f.t.waited(e) - f.t.waited(h.entry)
		if e.Seq > h.entry.Seq && (f.told(e, h.about()) || since > int64(followWindow)) {
			return nil, true
		}
		soon := since >= -h.Took-int64(followLead) && (f.t.Meta.Clock != "real" || since <= int64(followSoon))
		switch n := f.at(e); {
		case !soon || n < 0 || !f.book.names(e, h.about()) || f.tasks.covers(e, h.about()) || f.begun(e, first):
		case f.sweeps(n):
			f.y.Skip("the states of several resources were read when a delivery was refused: a look after all of them, it seems")
			return nil, false
		default:
			return e, true
		}
	}
	return nil, f.t.wentOn(h.entry, followWindow)
}

// at is the place of an entry among the calls of the application, -1 for none of
// those.
func (f *follower) at(e *tape.Entry) int {
	if e.Kind != tape.KindExchange {
		return -1
	}
	n, found := slices.BinarySearchFunc(f.t.tries(), e.Seq, func(c try, seq uint64) int { return cmp.Compare(c.e.Seq, seq) })
	if !found {
		return -1
	}
	return n
}

// cameBack says whether by an entry a payer comes back to the application, or does
// something about a resource on a page that leads there.
func cameBack(e *tape.Entry, id string) bool {
	if e.Kind == tape.KindPage {
		return sameID(main(e), id)
	}
	return noted(e, NoteRedirect) && bytes.Contains(bytes.ToLower(e.Exchange.Request.Body), []byte(id))
}

// told says whether the application hears of a resource by a good way: what it
// does from then on is no consequence of the delivery that was refused.
func (f *follower) told(e *tape.Entry, id string) bool {
	if f.tasks.mentions(e, id) {
		return true
	}
	if e.Kind != tape.KindAttempt {
		return false
	}
	return slices.ContainsFunc(f.hooks, func(h hook) bool { return h.entry.Seq == e.Seq && h.trusted() && h.about() == id })
}

// silent says whether the application had let the resource alone for a while.
func (f *follower) silent(call *tape.Entry, h *hook) bool {
	for e := range f.t.exchanges() {
		if e.Seq < call.Seq && f.t.waited(call)-f.t.waited(e) < int64(followIdle) && f.book.names(e, h.about()) {
			return false
		}
	}
	return true
}

// begun says whether a call goes on with what had begun before an entry: it was
// made already, or is made so often that it is polling.
func (f *follower) begun(call *tape.Entry, first uint64) bool {
	more := 0
	for e := range f.t.exchanges() {
		a, b := e.Exchange, call.Exchange
		if a.Operation != b.Operation || a.Path != b.Path || !bytes.Equal(a.Request.Body, b.Request.Body) {
			continue
		}
		if e.Seq < first {
			return true
		}
		if e.Seq > call.Seq && f.t.waited(e)-f.t.waited(call) <= int64(followWindow) {
			more++
		}
	}
	return more >= 2 && !movesMoney(call.Exchange.Operation)
}

// sweeps says whether the nth call is one of several of its kind about other
// resources, made one after the other: the application looks after all that it has.
func (f *follower) sweeps(n int) bool {
	const others, reach = 2, 3
	list := f.t.tries()
	if !list[n].reads() {
		return false
	}
	seen := map[string]bool{list[n].x.Path: true}
	for i := max(0, n-reach); i < min(len(list), n+reach+1); i++ {
		if c := &list[i]; c.x.Operation == list[n].x.Operation && max(c.began-list[n].began, list[n].began-c.began) <= int64(followSoon) {
			seen[c.x.Path] = true
		}
	}
	return len(seen) > others
}

// decide judges the doubts. What comes after most refused deliveries, and after
// far fewer of the genuine ones, comes because of them.
func (f *follower) decide() {
	n := len(f.doubts)
	if n == 0 {
		return
	}
	genuine, followed := 0, 0
	for i := range f.hooks {
		if h := &f.hooks[i]; h.trusted() && h.Number == 1 && h.about() != "" {
			genuine++
			if call, _ := f.after(h); call != nil {
				followed++
			}
		}
	}
	if f.t.Meta.Clock == "real" && n >= 2 && 2*n >= f.forged && genuine >= 4 && 2*followed*f.forged < n*genuine {
		for _, d := range f.doubts {
			f.blame(d.h, d.call)
		}
		return
	}
	if d := f.doubts[0]; f.y.Held() == 0 {
		f.y.Review(d.call.Exchange.Method+" "+d.call.Exchange.Path+" after a delivery that was refused: by chance, or because of it?", followHint, d.h.entry.Seq, d.call.Seq)
	}
}
