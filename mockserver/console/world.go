package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// slider moves between the entries of a tape, and shows the world as it stood at one.
type slider struct {
	// First, Last and At are entry numbers; At is 0 where the world is shown as it is.
	First, Last, At uint64
	// Row is the entry at which the world is shown, and Before and After lead to the
	// ones beside it.
	Row           *feed.Row
	Before, After string
	// To is the page that the slider leads to.
	To string
}

// playFor bounds how long a tape is played for one page.
const playFor = 10 * time.Second

// slide reads at which entry the world is asked for. Nothing can be done there: what
// has been stands fast.
func (v *visit) slide() *slider {
	s := &slider{To: v.root() + "/entities"}
	s.First, s.Last = v.from.Bounds()
	q := v.r.URL.Query()
	at, err := strconv.ParseUint(q.Get("at"), 10, 63)
	if err != nil || at == 0 || s.Last == 0 {
		return s
	}
	s.At = min(max(at, 1), s.Last)
	v.frame.Acts, v.frame.Stream = false, ""
	if e, ok := v.from.Entry(s.At); ok {
		s.Row = new(feed.RowOf(&e))
	}
	beside := func(seq uint64) string {
		q.Set("at", strconv.FormatUint(seq, 10))
		return v.r.URL.Path + "?" + q.Encode()
	}
	if s.At > s.First {
		s.Before = beside(s.At - 1)
	}
	if s.At < s.Last {
		s.After = beside(s.At + 1)
	}
	return s
}

// world shows the world at an entry: where nobody says at which, at the newest.
func (v *visit) world() {
	at := v.r.URL.Query().Get("at")
	if at == "" {
		_, last := v.from.Bounds()
		at = strconv.FormatUint(last, 10)
	}
	v.goTo(v.root() + "/entities?" + url.Values{"at": {at}}.Encode())
}

// played is the world of a file, played up to an entry.
type played struct {
	mu sync.Mutex
	// at is the one that was shown last, far the one that was played furthest.
	at, far *integration.Integration
	// stops are where it stood on the way, and back gives back what they take.
	stops []*integration.Stop
	back  []func()
}

// stopEvery is how many entries of a file are played between two stops that are kept,
// and maxStops how many are kept of a file.
const (
	stopEvery = 2_000
	maxStops  = 32
)

// drop gives back what the stops take.
func (p *played) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, back := range p.back {
		back()
	}
	p.at, p.far, p.stops, p.back = nil, nil, nil, nil
}

// from is what an entry is played on from: what stands before it, or a stop that is
// nearer; nil for the file's beginning.
func (p *played) from(seq, every uint64) (*integration.Integration, error) {
	best, reach := p.at, uint64(0)
	if best != nil && best.Seq() > seq {
		best = nil
	}
	if best != nil {
		reach = best.Seq() + every/2
	}
	var stop *integration.Stop
	for _, s := range p.stops {
		if s.Seq() <= seq && s.Seq() > reach {
			stop, reach = s, s.Seq()
		}
	}
	if stop == nil {
		return best, nil
	}
	return p.far.Return(stop)
}

// keep keeps a stop, where there is none yet and there is room.
func (p *played) keep(c *Console, t *integration.Integration) {
	if n := len(p.stops); n >= maxStops || n > 0 && p.stops[n-1].Seq() >= t.Seq() {
		return
	}
	s := t.Stop()
	if back, err := c.opts.Registry.Budget().Reserve(s.Size()); err == nil {
		p.stops, p.back = append(p.stops, s), append(p.back, back)
	}
}

var errNoPast = errors.New("this process was put together without what plays a tape")

// look calls fn with the file's integration as it stood at an entry.
func (o *opened) look(ctx context.Context, c *Console, seq uint64, fn func(*integration.Integration) error) error {
	if c.opts.Past == nil {
		return errNoPast
	}
	p := &o.played
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, playFor)
	defer cancel()
	every := max(stopEvery, uint64(len(o.entries)/maxStops)+1)
	t, err := p.from(seq, every)
	for err == nil {
		next := every
		if t != nil {
			next = (t.Seq()/every + 1) * every
		}
		if t, err = c.opts.Past(ctx, t, &o.meta, o.Entry, min(next, seq)); err != nil {
			break
		}
		if p.far == nil || t.Seq() > p.far.Seq() {
			p.far = t
		}
		if p.at = t; next > seq {
			return fn(t)
		}
		p.keep(c, t)
	}
	p.at = nil
	return err
}

// prepared says which tape was played last so that its stops are there, and up to where.
type prepared struct {
	mu   sync.Mutex
	of   string
	upTo uint64
}

// due says whether a tape has grown by so much that it is to be played again.
func (p *prepared) due(of string, last uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last <= stopEvery || p.of == of && last < p.upTo+stopEvery && last >= p.upTo {
		return false
	}
	p.of, p.upTo = of, last
	return true
}

// prepare plays a tape nearly to its end, beside what is asked for, so that the stops on
// the way are there when somebody moves the slider.
func (v *visit) prepare(last uint64) {
	if !v.console.prepared.due(v.id, last) {
		return
	}
	aside := *v
	ctx, end := v.console.life.During(context.WithoutCancel(v.r.Context()))
	aside.r = v.r.WithContext(ctx)
	v.console.verdicts.work.Go(func() {
		defer end()
		var none struct{}
		_ = aside.getAt("/entities", url.Values{"limit": {"1"}}, last-1, &none) // what cannot be played is told to who asks for it
	})
}

// getAt reads something as it stood at an entry: of a file from its world, played up to
// there.
func (v *visit) getAt(path string, q url.Values, at uint64, into any) error {
	f, ok := v.from.(*opened)
	if !ok {
		if at > 0 {
			q.Set("at", strconv.FormatUint(at, 10))
		}
		return v.get(path+"?"+q.Encode(), into)
	}
	return f.look(v.r.Context(), v.console, at, func(stands *integration.Integration) error {
		ctx := integration.WithAgain(v.r.Context(), &integration.Again{Integration: stands})
		c := v.ask()
		return c.Get(v.r.WithContext(ctx), "/integrations/"+url.PathEscape(v.id)+path+"?"+q.Encode(), into)
	})
}

// noWorld says why the world at an entry cannot be shown.
func (v *visit) noWorld(at uint64, err error) {
	v.refuse(http.StatusConflict, "The world at entry #"+strconv.FormatUint(at, 10)+" cannot be shown", "To show it, the tape is played again from its first entry, and "+err.Error()+".")
}

// changed is a member of an entity that an entry has changed.
type changed struct {
	Entity, Kind, Pointer string
	Old, New              *string
}

// changesOf asks what an entry has changed. A tape is played for it, so where that
// would take long it is asked for by hand.
func (v *visit) changesOf(p *entryPage, e *tape.Entry) {
	const short = 500
	if v.on == nil || e.Seq > short && v.r.URL.Query().Get("changes") == "" {
		p.MayChange = v.on != nil
		return
	}
	var told struct {
		Changes []changed
		Unknown string
	}
	if v.get("/entries/"+strconv.FormatUint(e.Seq, 10), &told) == nil {
		p.Changes, p.NoChanges = told.Changes, told.Unknown
	}
}

// ahead tells what will happen to an entity by itself, as far as that is among what is due
// first, and whether anybody will be told.
func (v *visit) ahead(p *entityPage) {
	if v.on == nil || p.World.At > 0 {
		return
	}
	var list struct{ Due []due }
	if v.get("/clock/due?limit=500", &list) == nil {
		p.Due = slices.DeleteFunc(list.Due, func(d due) bool { return d.Entity != p.ID })
	}
	p.Unheard = len(v.endpoints()) == 0
}

// clock is where the virtual time stands.
type clock struct {
	Mode, Now, Shown, Next, NextShown, In string
}

// Day is the date on which it stands.
func (c *clock) Day() string {
	day, _, _ := strings.Cut(c.Shown, " ")
	return day
}

// Time is the time of that day.
func (c *clock) Time() string { return timeOfDay(c.Now) }

// readClock asks where the clock stands.
func (v *visit) readClock() *clock {
	var c struct {
		Mode, Now string
		Next      *string
	}
	if v.get("/clock", &c) != nil {
		return nil
	}
	out := &clock{Mode: c.Mode, Now: c.Now, Shown: shown(c.Now)}
	if c.Next != nil {
		out.Next, out.NextShown = *c.Next, shown(*c.Next)
		now, _ := time.Parse(time.RFC3339Nano, c.Now)
		next, _ := time.Parse(time.RFC3339Nano, *c.Next)
		out.In = feed.Span(next.Sub(now).Round(time.Second))
	}
	return out
}

// shown writes a moment for people.
func shown(moment string) string {
	t, err := time.Parse(time.RFC3339Nano, moment)
	if err != nil {
		return moment
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}
