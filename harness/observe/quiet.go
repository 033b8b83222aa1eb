package observe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// settle wakes those who wait until nothing happens any more.
func (s *Session) settle(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.news) >= calm && !s.planner.Busy() && !s.prober.waits() {
		close(s.quiet)
		s.quiet = make(chan struct{})
	}
}

// Enough says whether no more trouble is made, and Met how often trouble was met so
// far. They may be called while Watch runs.
func (s *Session) Enough() bool { return s.enough.Load() }

// Met counts the troubles that were met.
func (s *Session) Met() int64 { return s.met.Load() }

// WaitsFor are the calls and events that trouble waits for, in words, as they were told
// last. It may be called while Watch runs.
func (s *Session) WaitsFor() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.waits)
}

// waitsEvery is how often it is told at the most what trouble waits for.
const waitsEvery = 2 * time.Second

// tellEnough tells, once, that whoever is watched may stop: more traffic would be
// met by no more trouble; and before that which calls trouble waits for.
func (s *Session) tellEnough(ctx context.Context, now time.Time) {
	if s.enough.Load() || s.resting() {
		return
	}
	if !s.planner.Enough(s.verdict) {
		if waits := s.planner.Waits(s.verdict); now.Sub(s.waited) >= waitsEvery && !slices.Equal(waits, s.waits) {
			s.waited = now
			s.mu.Lock()
			s.waits = waits
			s.mu.Unlock()
			s.tellNote(ctx, trail.NoteWaits, "trouble waits for calls and events", map[string]any{"for": waits})
		}
		return
	}
	const text = "all trouble is over: each clause that it can show was shown, or given up"
	s.enough.Store(true)
	s.say(text)
	s.tellNote(ctx, trail.NoteEnough, text, struct{}{})
}

// tellLeft tells, after Watch, what trouble has had no turn: whoever reads the report has to
// know that a longer session would have shown more.
func (s *Session) tellLeft(ctx context.Context) {
	left := s.planner.Left(s.verdict)
	s.mu.Lock()
	s.waits = s.planner.Waits(s.verdict) // a short session has not told them yet
	s.mu.Unlock()
	if !s.enough.Load() && !s.resting() && !s.repeats && len(left.Short)+len(left.Waiting) > 0 {
		s.tellNote(ctx, trail.NoteWaits, "the session ended before all trouble had its turn", left)
	}
}

// tellNote leaves a note that others read.
func (s *Session) tellNote(ctx context.Context, kind, text string, data any) {
	if err := s.panel.note(ctx, kind, text, data); err != nil && ctx.Err() == nil {
		s.say("that could not be noted: " + err.Error())
	}
}

// resting says whether no more trouble is wanted.
func (s *Session) resting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rest
}

// Rest lets Watch make no trouble from now on.
func (s *Session) Rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = true
}

// Quiet waits, while Watch runs, until nothing happens any more: no traffic, no
// trouble whose reaction is waited for. It ends with the context at the latest.
func (s *Session) Quiet(ctx context.Context) {
	for range 2 { // the first time may have been long ago
		s.mu.Lock()
		quiet := s.quiet
		s.mu.Unlock()
		select {
		case <-quiet:
		case <-ctx.Done():
			return
		}
	}
}

// Finish waits, after Watch, until no receiver works on a delivery, and asks the
// application for its state once more. It ends with the context at the latest.
func (s *Session) Finish(ctx context.Context) {
	s.tellLeft(ctx)
	for ctx.Err() == nil {
		n, err := s.panel.underway(ctx)
		if err != nil || n == 0 {
			break
		}
		// The next delivery to come back is news.
		meta, entries, err := s.panel.read(ctx, s.last(), pollSoon)
		if err != nil {
			break
		}
		s.take(meta, entries, s.now())
	}
	s.probe(ctx, true)
	for len(s.prober.returned) > 0 && s.prober.waits() && ctx.Err() == nil { // it may still take back
		meta, entries, err := s.panel.read(ctx, s.last(), pollSoon)
		if err != nil {
			return
		}
		s.take(meta, entries, s.now())
		if s.prober.due(s.now()) {
			s.probe(ctx, false)
		}
	}
}

// Tape reads, after Watch, the whole tape as it stands.
func (s *Session) Tape(ctx context.Context) (tape.Meta, []tape.Entry, error) {
	s.begunAnew(ctx)
	meta, entries, err := s.panel.read(ctx, 0, 0)
	if err != nil {
		return meta, nil, fmt.Errorf("at the end: %w", err)
	}
	return meta, entries, nil
}

// Kept is, after Watch, what is known of the tape: all of it but for what has come
// last, and for the older half of what became too much.
func (s *Session) Kept() (tape.Meta, []tape.Entry) { return s.meta, s.entries }
