package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Judge comes to the verdict on a tape: whether the integration that made it is
// ready. cmd hands it in.
type Judge func(ctx context.Context, meta tape.Meta, entries []tape.Entry) (Verdict, error)

// Verdict is whether an integration is ready for production.
type Verdict struct {
	// Word is the verdict, Tone its colour (good, warn or bad), Reason why.
	Word, Tone, Reason string
	// Clauses are all that were judged, in the order of the catalogue.
	Clauses []Clause
	// Missing is what was not seen.
	Missing []Missing
	// Notes tell about the tape what the clauses do not.
	Notes []string
}

// Clause is the verdict on one clause.
type Clause struct {
	ID, Title, Level, Area, Source string
	// Word is the verdict, Tone its colour.
	Word, Tone string
	// Reason is why, Expected, Received and Fix tell the first piece of evidence, and
	// Entries are its numbers on the tape.
	Reason, Expected, Received, Fix string
	Entries                         []uint64
	// Blocks says that it must be mended before production.
	Blocks bool
}

// Missing is a clause that nothing on the tape had to do with.
type Missing struct {
	Clause, Level, Title string
	// How says how to bring it up, Why what stands in the way, and Journeys are those
	// in which it comes up.
	How, Why string
	Journeys []string
}

// readinessPage is what the screen Readiness shows.
type readinessPage struct {
	Verdict
	Root     string
	Blockers []Clause
	Areas    []area
	Counts   []count
	Coverage []covered
	Missing  []Missing
	More     int
	// None says that nothing can be judged here; Quiet that nothing has happened.
	None, Quiet bool
	// Judging says that the first verdict is not known yet; Behind counts the entries
	// since the one that is shown, which is on those up to UpTo; Again that another
	// look will show more.
	Judging, Again bool
	Behind, UpTo   uint64
	Name           string
	Entries        uint64
}

// area is the tiles of one area.
type area struct {
	Name    string
	Clauses []Clause
}

// count is how many clauses came to a verdict.
type count struct {
	Word, Tone string
	N          int
}

// covered is how much of what can be used has been used.
type covered struct {
	Name       string
	Seen, All  int
	Percentage int
	Unseen     []string
}

// maxMissing bounds what is listed of the missing.
const maxMissing = 40

// readiness shows the verdict.
func (v *visit) readiness() {
	v.open("readiness", "Readiness")
	p := readinessPage{Root: v.root(), Name: v.frame.Name, None: v.console.opts.Judge == nil}
	first, last := v.from.Bounds()
	if p.Quiet = last == 0; !p.None && !p.Quiet {
		p.Entries = last - first + 1
		j, underWay := v.console.verdicts.of(v, last)
		if j.err != nil {
			v.failed(j.err)
			return
		}
		p.Verdict, p.Judging, p.Behind, p.UpTo = j.verdict, underWay && j.upTo == 0, last-min(j.upTo, last), j.upTo
		p.Again = underWay || p.Behind > 0
		p.sort()
		p.cover(v)
	}
	v.show(http.StatusOK, "readiness", &p)
}

// maxUnseen bounds what is named of what was not seen.
const maxUnseen = 40

// cover asks how much of what can be used has been used.
func (p *readinessPage) cover(v *visit) {
	var c struct {
		Parts []struct {
			Part        string
			Seen, Total int
			Items       []struct {
				Of, Name string
				Count    int
			}
		}
	}
	if v.on == nil || v.get("/coverage", &c) != nil {
		return
	}
	for _, part := range c.Parts {
		if part.Total == 0 {
			continue
		}
		one := covered{Name: part.Part, Seen: part.Seen, All: part.Total, Percentage: 100 * part.Seen / part.Total}
		for _, i := range part.Items {
			if i.Count == 0 && len(one.Unseen) < maxUnseen {
				one.Unseen = append(one.Unseen, strings.TrimPrefix(i.Of+": "+i.Name, ": "))
			}
		}
		p.Coverage = append(p.Coverage, one)
	}
}

// verdicts keep the newest verdict on each tape, which holds until the tape grows.
type verdicts struct {
	mu   sync.Mutex
	byID map[string]*judged
	// one tape is judged at a time.
	one  sync.Mutex
	work sync.WaitGroup
}

// judged is the newest verdict on a tape.
type judged struct {
	// upTo is the entry up to which it was judged, begun when the tape began; 0 before
	// the first verdict.
	upTo    uint64
	begun   int64
	verdict Verdict
	err     error
	// busy is closed when the judgement that is under way has ended; nil when none is.
	busy chan struct{}
	// rest is until when nothing is judged again.
	rest time.Time
}

// maxVerdicts bounds how many are kept. soon is how long a page waits for a verdict,
// and resting how many times as long as a judgement took the next one waits: a page
// that is open must not keep a processor busy.
const (
	maxVerdicts = 64
	soon        = 60 * time.Millisecond
	resting     = 4
)

// of gives the newest verdict on what is visited, and has it judged anew where the
// tape has grown: known up to which entry, or still under way.
func (b *verdicts) of(v *visit, last uint64) (j judged, underWay bool) {
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
	if known.upTo != last && known.busy == nil && !integration.Wall().Before(known.rest) {
		known.busy = make(chan struct{})
		b.work.Go(func() { b.judge(v.console.opts.Judge, v.from, label, known) })
	}
	busy := known.busy
	b.mu.Unlock()
	if busy != nil {
		t := time.NewTimer(soon)
		defer t.Stop()
		select {
		case <-busy:
		case <-t.C:
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return *known, known.busy != nil
}

// others says whether an entry is of somebody else who shares the integration. What
// nobody in particular has caused is of all: the clock, the control calls.
func others(e *tape.Entry, label string) bool {
	return e.Label != label && (e.Label != "" || e.Kind == tape.KindExchange)
}

// judge comes to a verdict and tells who waits for it.
func (b *verdicts) judge(by Judge, t feed.Tape, label string, known *judged) {
	b.one.Lock()
	defer b.one.Unlock()
	begun := integration.Wall()
	_, last := t.Bounds()
	entries := t.Read(tape.Filter{})
	if label != "" {
		entries = slices.DeleteFunc(entries, func(e tape.Entry) bool { return others(&e, label) })
	}
	verdict, err := by(context.Background(), t.Meta(), entries)
	took := integration.Wall().Sub(begun)
	b.mu.Lock()
	defer b.mu.Unlock()
	known.upTo, known.verdict, known.err = last, verdict, err
	if took > soon {
		known.rest = integration.Wall().Add(resting * took)
	}
	close(known.busy)
	known.busy = nil
}

// sort puts the clauses into their places on the page.
func (p *readinessPage) sort() {
	for _, c := range p.Clauses {
		if c.Blocks {
			p.Blockers = append(p.Blockers, c)
		}
		at := slices.IndexFunc(p.Areas, func(a area) bool { return a.Name == c.Area })
		if at < 0 {
			at = len(p.Areas)
			p.Areas = append(p.Areas, area{Name: c.Area})
		}
		p.Areas[at].Clauses = append(p.Areas[at].Clauses, c)
		at = slices.IndexFunc(p.Counts, func(n count) bool { return n.Word == c.Word })
		if at < 0 {
			at = len(p.Counts)
			p.Counts = append(p.Counts, count{Word: c.Word, Tone: c.Tone})
		}
		p.Counts[at].N++
	}
	slices.SortStableFunc(p.Counts, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	p.Missing = p.Verdict.Missing
	if p.More = len(p.Missing) - maxMissing; p.More > 0 {
		p.Missing = p.Missing[:maxMissing]
	}
}
