package retry

import (
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

const (
	// afterSlack is how much too early a repetition may come.
	afterSlack = int64(50 * time.Millisecond)
	// afterLate is how long after the wait, if not half of it, a reading may come to be the
	// one that was put off, where others came before: what comes later has reasons of its own.
	afterLate = int64(500 * time.Millisecond)
	// afterMove is how long a move of the clock may take in truth, which the tape does
	// not tell: it waits for what is delivered on the way.
	afterMove = int64(time.Second)
	// afterHeard is how long before a reading an event may have been sent that is the reason
	// for the next one: where much runs an application comes to its events late.
	afterHeard = int64(2 * time.Second)
	// afterPattern is from how many early readings on they are no other reader's.
	afterPattern = 2
)

// putOff is a call that was answered with Retry-After, and the calls of the same
// that came too early, maybe by others than its caller.
type putOff struct {
	c     *trail.Call
	wait  int64
	early []*trail.Call
}

// puttingOff is the walk along the calls.
type puttingOff struct {
	t     *trail.Trail
	y     *verdict.Tally
	list  []*trail.Call
	keeps bool
	open  map[string][]*putOff
	made  map[string][]*trail.Call
	order []*putOff
	// hasty are those that were not made again in time, only too early.
	hasty []*putOff
}

// retryAfterObeyed compares the next call of the same with the Retry-After before.
func retryAfterObeyed(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	s := puttingOff{t: t, y: &y, list: t.Calls(), keeps: t.KeepsTime(), open: map[string][]*putOff{}, made: map[string][]*trail.Call{}}
	for _, c := range s.list {
		name := putOffAs(c)
		s.open[name] = s.meets(s.open[name], c)
		s.made[name] = append(s.made[name], c)
		if wait := trail.RetryAfter(c.Exchange); !c.Lost && wait > 0 {
			p := &putOff{c: c, wait: wait}
			s.open[name], s.order = append(s.open[name], p), append(s.order, p)
		}
	}
	s.end()
	return y.Exercised()
}

// shared says whether several parts of an application may make the same call,
// none of which knows what the others were told.
func shared(c *trail.Call) bool { return c.Reads() || trail.OperationOf(c.Exchange).Token }

// putOffAs is equal for a call and its repetition: of what several may ask for by
// the address, of anything else by body and key.
func putOffAs(c *trail.Call) string {
	if shared(c) {
		return c.Same
	}
	return c.Same + "\x00" + c.Key
}

// meets holds a call against those of the same that were put off, and gives those
// that are still to be made again.
func (s *puttingOff) meets(open []*putOff, c *trail.Call) []*putOff {
	var left []*putOff
	for _, p := range open {
		gap := c.Began - p.c.Ended
		switch {
		case gap >= p.wait-afterSlack && (len(p.early) == 0 || gap <= p.wait+max(afterLate, p.wait/2)):
			s.y.Holds(p.c.Entry.Seq, c.Entry.Seq)
			p.early = nil
		case gap >= p.wait-afterSlack: // which has nothing to do with it any more
			s.hasty = append(s.hasty, p)
		case s.t.Meta.Clock == "real" && gap >= p.wait-afterSlack-afterMove*int64(s.t.MovesBefore(c.Entry.Seq)-s.t.MovesBefore(p.c.Entry.Seq)):
			s.y.Skip("the clock was moved while a call was put off: how long that took is not known")
		case !s.keeps && gap == 0:
			s.y.Skip(clockStill)
			p.early = nil
		case shared(c) && (gap < 0 || s.told(p.c, c)): // it was made before the answer, or an event is its reason
			left = append(left, p)
		case shared(c):
			p.early = append(p.early, c)
			left = append(left, p)
		default:
			s.fail(p, c, gap)
		}
	}
	return left
}

// told says whether an event about what is read is the reason for reading it: one that
// began to be sent since a reading was put off, or of those of shortly before one more than
// there were readings.
func (s *puttingOff) told(since, c *trail.Call) bool {
	from, reasons := since.Began-afterHeard, 0
	for _, id := range c.Entry.Entities {
		for _, h := range s.t.DeliveriesAbout(strings.ToLower(id)) {
			switch began := s.t.Waited(h.Entry) - h.Took; {
			case began >= c.Began || began < from:
			case began > since.Ended:
				return true
			default:
				reasons++
			}
		}
	}
	made := s.made[putOffAs(c)]
	for n := len(made) - 1; n >= 0 && reasons > 0 && made[n].Began >= from; n-- {
		reasons--
	}
	return reasons > 0
}

// end judges what was made again too early only. One such reading may be another
// reader's, whose first it is; more of them show that nobody waits.
func (s *puttingOff) end() {
	for _, p := range s.order {
		switch n := len(p.early); {
		case n == 0:
		case s.waits(p):
			s.y.Skip("a call was put off just before the tape ends")
		default:
			s.hasty = append(s.hasty, p)
		}
	}
	early := 0
	for _, p := range s.hasty {
		early += len(p.early)
	}
	if early >= afterPattern {
		p := s.hasty[0]
		s.fail(p, p.early[0], p.early[0].Began-p.c.Ended)
		return
	}
	if early > 0 {
		s.y.Skip("one reading came too early, which may be another reader's that had not been put off")
	}
	if len(s.order) > 0 {
		s.y.Skip("a call that was put off was not made again")
	}
}

// waits says whether the repetition of a call that was put off may still come.
func (s *puttingOff) waits(p *putOff) bool {
	for _, done := range s.hasty {
		if done == p {
			return true
		}
	}
	return !s.t.Settled(p.early[len(p.early)-1])
}

// fail tells of a call that was made again too early.
func (s *puttingOff) fail(p *putOff, c *trail.Call, gap int64) {
	s.y.Fail("no repetition within "+trail.Span(p.wait), c.Exchange.Method+" "+c.Exchange.Path+" again after "+trail.Span(max(0, gap)), p.c.Entry.Seq, c.Entry.Seq)
}
