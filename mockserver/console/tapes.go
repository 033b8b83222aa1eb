package console

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"paysandbox/mockserver/console/archive"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// running is the tape of an integration that runs.
type running struct{ i *integration.Integration }

// Bounds are the numbers of the oldest and the newest entry.
func (t running) Bounds() (first, last uint64) {
	first, last, _ = t.i.Newest()
	return first, last
}

// Read gives the entries that pass, oldest first: piece by piece, for whoever calls the
// API waits while one is copied.
func (t running) Read(f tape.Filter) []tape.Entry {
	var pieces [][]tape.Entry
	limit, found := f.Limit, 0
	for f.Bytes = piece; ; f.Limit = limit - min(limit, found) {
		r := t.i.Peek(f)
		if !r.Gap.Empty() { // dropped meanwhile: a verdict on what was read before it would have a hole
			pieces, found = nil, 0
		}
		pieces, found = append(pieces, r.Entries), found+len(r.Entries)
		if !r.More || limit > 0 && found >= limit {
			return slices.Concat(pieces...)
		}
		f.Since = r.Last
	}
}

// piece is how many bytes of a tape are copied at once.
const piece = 256 << 10

// Back gives the entries that pass, newest first.
func (t running) Back(f tape.Filter, fn func(tape.Entry) bool) { t.i.Look(f, fn) }

// Entry gives one entry.
func (t running) Entry(seq uint64) (tape.Entry, bool) { return t.i.Entry(seq) }

// Meta says what the tape is of.
func (t running) Meta() tape.Meta { return t.i.Peek(tape.Filter{Limit: 1, Bytes: 1}).Meta }

// of tells a tape from one that another process, or another beginning, writes under the
// same name: by where its clock began.
func (v *visit) of() string { return strconv.FormatInt(v.from.Meta().Start, 36) }

// opened is a tape that was read from a file.
type opened struct {
	name    string
	meta    tape.Meta
	entries []tape.Entry
	book    problemBook
	played  played
	ending  ending
	back    func() // gives back what it takes of the memory
	// told is what it tells at its end, read once.
	once sync.Once
	told *archive.Archive
}

// Bounds are the numbers of the oldest and the newest entry.
func (t *opened) Bounds() (first, last uint64) {
	if len(t.entries) == 0 {
		return 0, 0
	}
	return t.entries[0].Seq, t.entries[len(t.entries)-1].Seq
}

// Read gives the entries that pass, oldest first.
func (t *opened) Read(f tape.Filter) []tape.Entry {
	var list []tape.Entry
	at, _ := t.find(f.Since + 1)
	for _, e := range t.entries[at:] {
		if !f.Match(e) {
			continue
		}
		if list = append(list, e); f.Limit > 0 && len(list) == f.Limit {
			break
		}
	}
	return list
}

// Back gives the entries that pass, newest first.
func (t *opened) Back(f tape.Filter, fn func(tape.Entry) bool) {
	for _, e := range slices.Backward(t.entries) {
		if f.Match(e) && !fn(e) {
			return
		}
	}
}

// find is the place of an entry.
func (t *opened) find(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(t.entries, seq, func(e tape.Entry, seq uint64) int {
		switch {
		case e.Seq < seq:
			return -1
		case e.Seq > seq:
			return 1
		default:
			return 0
		}
	})
}

// Entry gives one entry.
func (t *opened) Entry(seq uint64) (tape.Entry, bool) {
	if at, ok := t.find(seq); ok {
		return t.entries[at], true
	}
	return tape.Entry{}, false
}

// Meta says what the tape is of.
func (t *opened) Meta() tape.Meta { return t.meta }

// list names the files that are open, newest first.
func (f *files) list() (list []openFile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range slices.Backward(f.order) {
		list = append(list, openFile{f.byID[id].name, Prefix + "/" + id + "/live", len(f.byID[id].entries)})
	}
	return list
}

// openFile is a file that is open.
type openFile struct {
	Name, Address string
	Entries       int
}

// verdicts keep the newest verdict on each tape, which holds until the tape grows.
type verdicts struct {
	mu   sync.Mutex
	byID map[string]*judged
	// one tape is judged at a time, and so many wait to be.
	one     sync.Mutex
	waiting int
	work    sync.WaitGroup
}

// judged is the newest verdict on a tape.
type judged struct {
	// upTo is the entry up to which it was judged, begun when the tape began; 0 before
	// the first verdict.
	upTo    uint64
	begun   int64
	verdict readiness.Verdict
	err     error
	// trend are the verdicts that this process has come to, oldest first.
	trend []readiness.Point
	// busy is closed when the judgement that is under way has ended; nil when none is.
	busy chan struct{}
	// rest is until when nothing is judged again.
	rest time.Time
}

// note adds the newest verdict to the trend.
func (j *judged) note(before *readiness.Verdict) {
	p := readiness.PointOf(&j.verdict, before)
	p.UpTo = j.upTo
	j.trend = readiness.Follow(j.trend, p)
}

// maxVerdicts bounds how many are kept, and maxWaiting how many wait: a page whose verdict
// has no place asks again. soon is how long a page waits for a verdict,
// and resting how many times as long as a judgement took the next one waits: a page
// that is open must not keep a processor busy.
const (
	maxVerdicts = 64
	maxWaiting  = 16
	soon        = 50 * time.Millisecond
	resting     = 4
)

// of has what is visited judged anew where the tape has grown. What it gives waits for the
// newest verdict, but not longer than soon from now: known up to which entry, or still under
// way.
func (b *verdicts) of(v *visit, last uint64) func() (j judged, underWay bool) {
	begun, label := v.from.Meta().Start, v.frame.Label
	key := v.id + "\x00" + label
	b.mu.Lock()
	if b.byID == nil || b.byID[key] == nil && len(b.byID) >= maxVerdicts {
		b.byID = map[string]*judged{}
	}
	known := b.byID[key]
	if known == nil || known.begun != begun || known.upTo > last {
		known = &judged{begun: begun}
		b.byID[key] = known
	}
	if known.upTo != last && known.busy == nil && b.waiting < maxWaiting && !integration.Wall().Before(known.rest) {
		known.busy = make(chan struct{})
		b.waiting++
		b.work.Go(func() { b.judge(v.console, v.from, label, known) })
	}
	busy := known.busy
	b.mu.Unlock()
	t := time.NewTimer(soon)
	return func() (judged, bool) {
		defer t.Stop()
		if busy != nil {
			select {
			case <-busy:
			case <-t.C:
			}
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		return *known, known.busy != nil
	}
}

// judge comes to a verdict and tells who waits for it. Once the console has stopped it
// comes to none.
func (b *verdicts) judge(c *Console, t feed.Tape, label string, known *judged) {
	b.one.Lock()
	defer b.one.Unlock()
	if !c.life.Over() {
		b.judgeTape(c.opts.Judge, t, label, known)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting--
	close(known.busy)
	known.busy = nil
}

func (b *verdicts) judgeTape(by readiness.Judge, t feed.Tape, label string, known *judged) {
	begun := integration.Wall()
	_, last := t.Bounds()
	verdict, err := by(context.Background(), t.Meta(), t.Read(tape.Filter{}), label)
	took := integration.Wall().Sub(begun)
	b.mu.Lock()
	defer b.mu.Unlock()
	before := known.verdict
	known.upTo, known.verdict, known.err = last, verdict, err
	if err == nil {
		known.note(&before)
	}
	if took > soon {
		known.rest = integration.Wall().Add(resting * took)
	}
}

// files are the tapes that were opened in the console, in memory only.
type files struct {
	mu    sync.Mutex
	next  int
	order []string
	byID  map[string]*opened
}

func (f *files) get(id string) *opened {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.byID[id]
}

// put keeps a tape; the oldest one makes room.
func (f *files) put(o *opened) string {
	id, old := f.add(o)
	if old != nil {
		old.played.drop() // once nobody looks at it any more
	}
	return id
}

func (f *files) add(o *opened) (id string, old *opened) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[string]*opened{}
	}
	if len(f.order) >= maxFiles {
		old = f.byID[f.order[0]]
		old.back()
		delete(f.byID, f.order[0])
		f.order = slices.Delete(f.order, 0, 1)
	}
	f.next++
	id = "file-" + strconv.Itoa(f.next)
	f.order = append(f.order, id)
	f.byID[id] = o
	return id, old
}
