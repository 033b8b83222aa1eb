package control

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"sync"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// maxPast is how many pasts are kept ready, and farPast how many entries are played
// sooner than the present is copied.
const (
	maxPast = 3
	farPast = 1_000
)

// stopEvery is how many entries are played between two stops that are kept on the way, so
// that none is far from what is looked at next; maxStops how many are kept. What is
// longer than both allow has stops that stand further apart.
const (
	stopEvery = 2_000
	maxStops  = 32
)

var errGone = errors.New("the integration was reset meanwhile")

// past keeps twins of integrations that stand at an entry of their tapes. A twin goes
// forward only; what lies before it is come to from a stop, or from the beginning.
type past struct {
	mu    sync.Mutex
	ready []*twin // the one used last stands last
	stops []*stop // the one kept last stands last
}

// stop is where an integration stood on the way to an entry.
type stop struct {
	*integration.Stop
	of   *integration.Integration
	life uint64
	back func()
}

// twin is an integration that has been played up to an entry.
type twin struct {
	*integration.Integration
	of   *integration.Integration
	life uint64
	back func() // gives back what it has drawn
}

// standing gives an integration as it stood when entry seq, and all that happened at
// once because of the same input or timer, was on its tape. done lets others have it.
func (x *exchange) standing(i *integration.Integration, seq uint64) (t *integration.Integration, done func(), err error) {
	c := x.control
	if c.opts.Play == nil {
		return nil, nil, notStanding("this sandbox was put together without what plays a tape")
	}
	if newest := i.Seq(); seq == 0 || seq > newest {
		return nil, nil, invalid(wrong("query:at", "control.query", strconv.FormatUint(seq, 10), "the number of an entry of the tape, at most "+strconv.FormatUint(newest, 10), "see the tape"))
	}
	x.patient()
	c.past.mu.Lock()
	w, err := c.past.take(i, seq)
	if err == nil {
		if err = c.past.play(x, w, seq); err != nil {
			w.back()
			err = notStanding(err.Error())
		}
	}
	if err != nil {
		c.past.mu.Unlock()
		return nil, nil, unsaved(err)
	}
	c.past.keep(w)
	return w.Integration, c.past.mu.Unlock, nil
}

// take takes out the twin that has the shortest way to an entry, or a new one.
func (p *past) take(i *integration.Integration, seq uint64) (*twin, error) {
	best := p.nearest(i, seq)
	from := p.stopFor(i, seq, best)
	if from != nil {
		best = -1
	}
	t := &twin{of: i, back: func() {}}
	if best >= 0 {
		t = p.ready[best]
		p.ready = append(p.ready[:best], p.ready[best+1:]...)
	}
	t.back()
	back, err := i.Reserve(1) // it grows to what the integration is at most
	for ; err != nil && len(p.ready) > 0; back, err = i.Reserve(1) {
		p.ready[0].back()
		p.ready = p.ready[1:]
	}
	if t.back = back; err != nil || best >= 0 {
		return t, err
	}
	if from != nil {
		if t.Integration, err = i.Return(from.Stop); err != nil || t.Seq() != from.Seq() {
			t.back()
			return nil, cmp.Or(err, errGone)
		}
		t.life = from.life
		return t, nil
	}
	if t.Integration, t.life = present(i, seq); t.Integration != nil {
		return t, nil
	}
	if t.Integration, t.life, err = i.Twin(); err != nil {
		t.back()
	}
	return t, err
}

// play plays a twin on, and keeps stops on its way.
func (p *past) play(x *exchange, w *twin, seq uint64) error {
	every := max(stopEvery, w.of.Seq()/maxStops+1)
	for {
		next := (w.Seq()/every + 1) * every
		if err := x.control.opts.Play(x.Req.Context(), w.Integration, w.of.Entry, min(next, seq)); err != nil || next > seq {
			return err
		}
		p.stopAt(w, every)
	}
}

// stopAt keeps a stop where a twin stands, unless one is near or there is no room for it.
func (p *past) stopAt(w *twin, every uint64) {
	p.stops = slices.DeleteFunc(p.stops, func(s *stop) bool {
		gone := s.of == w.of && s.life != w.life
		if gone {
			s.back()
		}
		return gone
	})
	if s := p.stopBefore(w.of, w.life, w.Seq()); s != nil && w.Seq()-s.Seq() < every/2 {
		return
	}
	s := &stop{Stop: w.Stop(), of: w.of, life: w.life}
	var err error
	if s.back, err = w.of.ReserveBytes(s.Size()); err != nil {
		return
	}
	if p.stops = append(p.stops, s); len(p.stops) > maxStops {
		p.stops[0].back()
		p.stops = p.stops[1:]
	}
}

// stopBefore is the last stop of an integration that is not behind an entry, nil for none.
func (p *past) stopBefore(i *integration.Integration, life, seq uint64) *stop {
	var best *stop
	for _, s := range p.stops {
		if s.of == i && s.life == life && s.Seq() <= seq && (best == nil || s.Seq() > best.Seq()) {
			best = s
		}
	}
	return best
}

// stopFor is the stop from which an entry is nearer than from a twin that may be ready, nil
// for none. The twin then stays where it is: who looks there again finds it.
func (p *past) stopFor(i *integration.Integration, seq uint64, ready int) *stop {
	s := p.stopBefore(i, i.Life(), seq)
	if s == nil || seq == i.Seq() || ready >= 0 && s.Seq() < p.ready[ready].Seq()+stopEvery/2 {
		return nil
	}
	return s
}

// nearest is the place of the twin that has the shortest way to an entry, -1 where none
// has one, or where a copy of the present is nearer.
func (p *past) nearest(i *integration.Integration, seq uint64) int {
	best, life := -1, i.Life()
	for n, t := range p.ready {
		if t.of == i && t.life == life && t.Seq() <= seq && (best < 0 || t.Seq() > p.ready[best].Seq()) {
			best = n
		}
	}
	if best >= 0 && seq == i.Seq() && seq-p.ready[best].Seq() > farPast {
		return -1
	}
	return best
}

// present is a copy of an integration that stands at an entry now, and of which life:
// its tape need not be played, nor be whole. It is nil when the integration has gone on.
func present(i *integration.Integration, seq uint64) (t *integration.Integration, life uint64) {
	if life = i.Life(); i.Seq() != seq {
		return nil, 0
	}
	if t, err := i.Copy(); err == nil && t.Seq() == seq && i.Life() == life {
		return t, life
	}
	return nil, 0
}

// keep keeps a twin, and lets go the one that was not used for longest.
func (p *past) keep(t *twin) {
	if p.ready = append(p.ready, t); len(p.ready) > maxPast {
		p.ready[0].back()
		p.ready = p.ready[1:]
	}
}

// notStanding says why the world cannot be shown as it stood.
func notStanding(why string) error {
	return &kernel.Error{Code: kernel.Conflict, Detail: "the world cannot be shown as it stood then: " + why}
}

// standingAsked gives the integration as the query asks for it: at an entry, or now.
func (x *exchange) standingAsked(i *integration.Integration, at uint64) (*integration.Integration, func(), error) {
	if at == 0 {
		return i, func() {}, nil
	}
	return x.standing(i, at)
}

// group is the stretch of entries that one input or timer has made at once: its first
// number, and its last.
func group(i *integration.Integration, e *tape.Entry) (first, last uint64, ok bool) {
	root := *e
	for !root.Kind.Input() && root.Kind != tape.KindTimer {
		if root, ok = i.Entry(root.Cause); !ok {
			return 0, 0, false
		}
	}
	last = root.Seq
	i.Heads(root.Seq, func(seq, cause uint64, k tape.Kind) bool {
		if cause != root.Seq || k.Input() || k == tape.KindTimer {
			return false
		}
		last = seq
		return true
	})
	return root.Seq, last, true
}
