package retry

import (
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// How long a second payment of the same amount by the same payer counts as the
// first over again: with the same reference, or none, and with another.
const (
	sameOrder  = int64(time.Hour)
	otherOrder = int64(time.Minute)
	// unaware is for how long after a loss a call is no consequence of it: parts of
	// an application that work at the same time hear of it later.
	unaware = int64(50 * time.Millisecond)
	// takenUp is how soon a loss is looked into: what another part of an application pays
	// meanwhile, under a reference of its own, is another order.
	takenUp = int64(10 * time.Second)
)

// loss is a money-moving call whose answer was lost.
type loss struct {
	c *trail.Call
	// about is who was to pay what, reference the partner's name for it.
	about, reference string
	// ids are what the call has created or was about.
	ids map[string]bool
	// excused is true once another task was given: the same paid again may be it.
	// played is true once somebody has played a payer: under another reference the
	// same may be another test's.
	excused, played bool
	// again is the call that seems to pay the same again, nil for none; beside is
	// true when one was made before its caller could know of the loss.
	again  *trail.Call
	beside bool
	// other is true when that one has a reference of its own.
	other bool
	// told is true when it was told of, blind when the call was made again and refused.
	told, blind bool
}

// lostOutcomes follows each lost answer until its outcome is known, or the same is
// paid again.
func lostOutcomes(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	s := resolving{t: t, y: &y, list: t.Calls(), born: t.CreatedBy(), used: map[string]bool{}}
	n := 0
	for i := range t.Entries {
		e := &t.Entries[i]
		if n < len(s.list) && s.list[n].Entry == e {
			s.call(n)
			n++
			continue
		}
		s.other(e)
	}
	for _, l := range s.open {
		s.end(l)
	}
	s.forgotten()
	s.tellUnmet()
	return y.Exercised()
}

// resolving is the walk along the tape.
type resolving struct {
	t    *trail.Trail
	y    *verdict.Tally
	list []*trail.Call
	born map[uint64][]string
	open []*loss
	// heard are those whose payment an event has told of, looked those of which a report did.
	heard, looked []*loss
	// used are the kinds of calls that move money and were made, true those of which a
	// loss was resolved.
	used map[string]bool
}

// call looks at a call of the partner: it resolves losses, is one, or pays again.
func (s *resolving) call(n int) {
	c := s.list[n]
	about, reference := "", ""
	if trail.OperationOf(c.Exchange).Pays() {
		about, reference = pays(c)
		s.used[moving(c)] = s.used[moving(c)]
	}
	s.settle(func(l *loss) answer {
		got, same := l.resolvedBy(c)
		s.noteBlind(l, c, about, got)
		if same && got == repeated && s.twice(l, c) {
			l.told = true
			s.tellTwice(l, c)
		}
		if !same && got == open && about != "" && about == l.about && c.MayHaveActed() {
			s.again(l, c, reference)
		}
		return got
	}, c.Entry.Seq)
	s.overAgain(c, about, reference)
	s.anew(c, about, reference)
	if about != "" && c.Lost && !s.known(c) {
		l := &loss{c: c, about: about, reference: reference, ids: map[string]bool{}}
		for _, id := range append(s.born[c.Entry.Seq], c.Entry.Entities...) {
			l.ids[strings.ToLower(id)] = true
		}
		s.open = append(s.open, l)
	}
}

// tellTwice tells of a call whose key did not keep it from acting again. Where keys
// are ignored the partner had to look; a service that promises to honour them is to
// blame itself.
func (s *resolving) tellTwice(l *loss, c *trail.Call) {
	switch {
	case s.t.Stubbed(tape.Kinds()...):
		s.y.Open("whether the outcome was looked up may be in what was too large for the tape", l.c.Entry.Seq, c.Entry.Seq)
	case s.t.KeysIgnored() != "":
		s.y.FailAs("twice", "a look at the report or the state before anything is paid again", "the call was made again with its key, which is ignored, and has paid twice",
			l.c.Entry.Seq, c.Entry.Seq)
	default:
		s.y.ReviewAs("twice", "the call was made again with its key, and the service, which was to honour it, has done the same twice", l.c.Entry.Seq, c.Entry.Seq)
	}
}

// twice says whether both a call that was lost and its repetition have made something
// of their own: the service does not honour keys.
func (s *resolving) twice(l *loss, c *trail.Call) bool {
	return len(s.born[l.c.Entry.Seq]) > 0 && len(s.born[c.Entry.Seq]) > 0 && !trail.Replayed(c.Exchange)
}

// resolvedBy says what a call tells about a loss, and whether it is the call that was
// lost, made again with its key. That one tells nothing when it fails, or is refused:
// for the key of another body, of a call at work, or with an old token.
func (l *loss) resolvedBy(c *trail.Call) (got answer, same bool) {
	switch {
	case l.c.Key != "" && l.c.Key == c.Key && l.c.Exchange.Operation == c.Exchange.Operation:
		if c.Failed() || c.Exchange.Response.Status >= 400 {
			return open, true
		}
		return repeated, true
	case l.lookedUp(c):
		return learnt, false
	default:
		return open, false
	}
}

// answer is what a caller knows of a loss.
type answer int

const (
	// open: nothing yet.
	open answer = iota
	// repeated: the call was made again with its key, which pays nothing twice.
	repeated
	// learnt: its outcome was read or told.
	learnt
)

// settle goes through the losses; those that are resolved by an entry are told.
func (s *resolving) settle(by func(l *loss) answer, seq uint64) {
	var left []*loss
	for _, l := range s.open {
		switch got := by(l); {
		case l.told:
		case got == open:
			left = append(left, l)
		case got == learnt && l.other && s.t.Waited(s.t.Entry(seq))-l.c.Ended <= takenUp:
			s.y.Skip("as much was paid under another reference while a loss was looked into: another order, it seems")
		case got == learnt && l.again != nil:
			s.tell(l)
		case l.blind:
			s.y.Skip(wasBlind)
		default:
			s.y.Holds(l.c.Entry.Seq, seq)
			s.used[moving(l.c)] = true
			s.lookedAt(l, s.t.Entry(seq))
		}
	}
	s.open = left
}

// again notes a call that pays the same again. Under the reference of the call
// that was lost it is the same order; otherwise it may be another one, until it
// is seen that the lost one is not taken up any more.
func (s *resolving) again(l *loss, c *trail.Call, reference string) {
	gap := c.Began - l.c.Ended
	same, other := l.referred(reference, gap)
	within := sameOrder
	if other || c.Exchange.Operation != l.c.Exchange.Operation {
		within = otherOrder
	}
	switch {
	case l.excused || gap > within || l.again != nil, l.played && !same:
	case other && s.t.Meta.Clock == "real" && gap <= unaware:
		l.beside = true
	default:
		l.again, l.other = c, other
		if same {
			s.tell(l)
		}
	}
}

// referred says whether a reference so long after the loss tells that the order is the same,
// or another one: neither where one of the two has none.
func (l *loss) referred(reference string, gap int64) (same, other bool) {
	if reference == "" || l.reference == "" {
		return false, false
	}
	same = reference == l.reference || derived(reference, l.reference) && gap <= takenUp
	return same, !same
}

// tell tells of a loss after which the same was paid again.
func (s *resolving) tell(l *loss) {
	l.told = true
	if s.t.Stubbed(tape.Kinds()...) {
		s.y.Open("whether the outcome was looked up may be in what was too large for the tape", l.c.Entry.Seq, l.again.Entry.Seq)
		return
	}
	s.y.Fail("a look at the report or the state, or the same call with a key that is honoured, before anything is paid again",
		"a second "+l.again.Exchange.Operation+" of the same amount by the same payer "+trail.UnderKey(l.again.Key)+", "+trail.Span(max(0, l.again.Began-l.c.Ended))+" after the answer was lost",
		l.c.Entry.Seq, l.again.Entry.Seq)
}

// end judges a loss that is not resolved when the tape ends.
func (s *resolving) end(l *loss) {
	switch {
	case l.again != nil && (s.t.Settled(l.again) || s.t.Meta.Clock != "real" && s.t.Virtual()):
		s.tell(l) // one that lives by the virtual time does at once what it is to do
	case l.beside:
		s.y.Skip("a call of the same amount by the same payer was made at the moment of the loss, with a reference of its own: another order, it seems")
	default:
		s.y.Skip("a call whose answer was lost was neither made again nor looked up until now")
	}
}

// known says whether the loss of a call is followed already, under its key.
func (s *resolving) known(c *trail.Call) bool {
	for _, l := range s.open {
		if c.Key != "" && l.c.Key == c.Key {
			return true
		}
	}
	return false
}

// lookedUp says whether a call reads what came of the loss: a report, or the
// state of what was created.
func (l *loss) lookedUp(c *trail.Call) bool {
	if !c.Reads() || !c.Done() {
		return false
	}
	o := trail.OperationOf(c.Exchange)
	return o.Reads == trail.Report || o.Reads == trail.OneState && o.Kind == "payment" && l.names(c.Entry)
}

// names says whether an entry is about what the loss has created or was about.
func (l *loss) names(e *tape.Entry) bool {
	return slices.ContainsFunc(e.Entities, func(id string) bool { return l.ids[strings.ToLower(id)] })
}

// other looks at an entry that is no call of the partner: an event that was
// taken tells what came of the loss, and a task may mean another payment.
func (s *resolving) other(e *tape.Entry) {
	switch {
	case e.Attempt != nil && trail.Accepted(e.Attempt):
		s.settle(func(l *loss) answer {
			if l.ids[s.t.DeliveryBy(e).About()] {
				s.heard = append(s.heard, l)
				return learnt
			}
			return open
		}, e.Seq)
	case trail.Noted(e, trail.NoteTask):
		for _, l := range slices.Concat(s.open, s.looked) {
			l.excused = true
		}
	case trail.Playing(e):
		for _, l := range slices.Concat(s.open, s.looked) {
			l.played = true
		}
	}
}

// pays says who is to pay what by a call, and under which reference: a payment is
// the same whether it is requested, or taken from a card.
func pays(c *trail.Call) (about, reference string) {
	about, reference = trail.Intent(c)
	if !trail.OperationOf(c.Exchange).Refunds {
		about = strings.TrimPrefix(about, strings.ToLower(c.Exchange.Operation))
	}
	return about, reference
}
