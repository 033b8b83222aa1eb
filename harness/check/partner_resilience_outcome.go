package check

import (
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// moneyCalls are the operations that move money and honour a key.
var moneyCalls = map[string]bool{
	"createPayment": true, "authoriseCard": true, "chargeSavedCard": true, "refundPayment": true, "refundPaymentByQuery": true,
}

// How long a second payment of the same amount by the same payer counts as the
// first over again: with the same reference, or none, and with another.
const (
	sameOrder  = int64(time.Hour)
	otherOrder = int64(time.Minute)
)

// loss is a money-moving call whose answer was lost.
type loss struct {
	c *try
	// about is who was to pay what, reference the partner's name for it.
	about, reference string
	// ids are what the call has created or was about.
	ids map[string]bool
	// excused is true once another task was given: the same paid again may be it.
	excused bool
	// told is true when the same was paid again.
	told bool
}

// resolved follows each lost answer until its outcome is known, or the same is
// paid again.
func resolved(t *Tape) []Verdict {
	var y tally
	s := resolving{t: t, y: &y, list: t.tries(), born: t.bornOf()}
	n := 0
	for i := range t.Entries {
		e := &t.Entries[i]
		if n < len(s.list) && s.list[n].e == e {
			s.call(n)
			n++
			continue
		}
		s.other(e)
	}
	if len(s.open) > 0 {
		y.skip("a call whose answer was lost was neither made again nor looked up until now")
	}
	return y.exercised("lose the answer to a payment: the fault commit-then-drop")
}

// resolving is the walk along the tape.
type resolving struct {
	t    *Tape
	y    *tally
	list []try
	born map[uint64][]string
	open []*loss
}

// bornOf gives what each call has created.
func (t *Tape) bornOf() map[uint64][]string {
	ids := map[uint64][]string{}
	for e := range t.of(tape.KindTransition) {
		if e.Transition.From == "" && e.Cause != 0 {
			ids[e.Cause] = append(ids[e.Cause], e.Transition.Entity)
		}
	}
	return ids
}

// call looks at a call of the partner: it resolves losses, is one, or pays again.
func (s *resolving) call(n int) {
	c := &s.list[n]
	about, reference := "", ""
	if moneyCalls[c.x.Operation] {
		about, reference = intent(c)
	}
	s.settle(func(l *loss) bool {
		switch {
		case l.c.key != "" && l.c.key == c.key && l.c.x.Operation == c.x.Operation:
			return !c.failed()
		case l.lookedUp(c):
			return true
		case about == "" || about != l.about || c.x.Response.Status >= 400 && c.x.Response.Status < 500:
			return false
		}
		return s.again(l, c, reference)
	}, c.e.Seq)
	if about != "" && c.lost && !s.known(c) {
		l := &loss{c: c, about: about, reference: reference, ids: map[string]bool{}}
		for _, id := range append(s.born[c.e.Seq], c.e.Entities...) {
			l.ids[strings.ToLower(id)] = true
		}
		s.open = append(s.open, l)
	}
}

// settle goes through the losses; those that are resolved by an entry are told.
func (s *resolving) settle(by func(l *loss) bool, seq uint64) {
	var open []*loss
	for _, l := range s.open {
		switch {
		case by(l):
			s.y.ok(l.c.e.Seq, seq)
		case !l.told:
			open = append(open, l)
		}
	}
	s.open = open
}

// again judges a call that pays the same again.
func (s *resolving) again(l *loss, c *try, reference string) bool {
	within := sameOrder
	if reference != "" && l.reference != "" && reference != l.reference {
		within = otherOrder
	}
	if l.excused || c.began-l.c.ended > within {
		return false
	}
	if s.t.stubbed(tape.Kinds()...) {
		s.y.open("whether the outcome was looked up may be in what was too large for the tape", l.c.e.Seq, c.e.Seq)
	} else {
		s.y.fail("the same call with its key, or a look at the state, before anything is paid again",
			"a second "+c.x.Operation+" of the same amount by the same payer "+named(c.key), "repeat a call whose answer is lost with the same Idempotency-Key, or read the report first",
			l.c.e.Seq, c.e.Seq)
	}
	l.told = true
	return false
}

// named says under which key a call was made.
func named(key string) string {
	if key == "" {
		return "without a key"
	}
	return "under another key"
}

// known says whether the loss of a call is followed already, under its key.
func (s *resolving) known(c *try) bool {
	for _, l := range s.open {
		if c.key != "" && l.c.key == c.key {
			return true
		}
	}
	return false
}

// lookedUp says whether a call reads what came of the loss: a report, or the
// state of what was created.
func (l *loss) lookedUp(c *try) bool {
	if !c.reads() || !c.done() {
		return false
	}
	switch c.x.Operation {
	case "reportTransactions":
		return true
	case "getPaymentStatus", "getTransaction":
		return l.names(c.e)
	}
	return false
}

// names says whether an entry is about what the loss has created or was about.
func (l *loss) names(e *tape.Entry) bool {
	return slices.ContainsFunc(e.Entities, func(id string) bool { return l.ids[strings.ToLower(id)] })
}

// other looks at an entry that is no call of the partner: an event that was
// taken tells what came of the loss, and a task may mean another payment.
func (s *resolving) other(e *tape.Entry) {
	if len(s.open) == 0 {
		return
	}
	switch {
	case e.Attempt != nil && succeeded(e.Attempt):
		s.settle(func(l *loss) bool { return l.names(e) }, e.Seq)
	case noted(e, NoteTask):
		for _, l := range s.open {
			l.excused = true
		}
	}
}
