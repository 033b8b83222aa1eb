package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// mainIntegration is the integration that a sandbox begins with.
const mainIntegration = "default"

// printer tells what happens to whoever reads along: people on a terminal in words,
// programs that asked for JSON as log records. It is nil where nobody does. Words go
// to shared, which others may write to.
func (f *sandboxFlags) printer(stderr, shared io.Writer, o *opened, a *announcement) traffic.Printer {
	switch {
	case f.quiet:
		return nil
	case f.logFormat == "json":
		return traffic.Log{Log: o.opts.Log}
	case terminal(stderr):
		p := textFor(stderr, entryLink(a.ConsoleURL))
		p.W, p.Main = shared, mainIntegration
		return p
	default:
		return nil
	}
}

// textFor tells in words; what is no terminal gets neither colours nor links.
func textFor(w io.Writer, link func(integration string, seq uint64) string) *traffic.Text {
	if !terminal(w) || os.Getenv("TERM") == "dumb" {
		link = nil
	}
	return &traffic.Text{W: w, Colour: coloured(w), Width: columns(w), Link: link}
}

// entryLink makes the addresses at which entries can be looked at.
func entryLink(console string) func(integration string, seq uint64) string {
	return func(integration string, seq uint64) string {
		return console + "/" + integration + "/entries/" + strconv.FormatUint(seq, 10)
	}
}

// lookEvery is how often it is looked for integrations that are new.
const lookEvery = 500 * time.Millisecond

// tellTraffic tells what happens in every integration until stop is called, which
// returns when the last line is out.
func tellTraffic(ctx context.Context, s *mockserver.Server, p traffic.Printer, wanted func(*told.Line) bool) (stop func()) {
	if p == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		followed := map[*integration.Integration]context.CancelFunc{}
		for {
			alive := map[*integration.Integration]bool{}
			for _, i := range s.Registry().List() {
				if alive[i] = true; followed[i] != nil {
					continue
				}
				one, end := context.WithCancel(ctx)
				followed[i] = end
				all.Go(func() { _ = follower(i, p, wanted).Run(one, 0) }) // a tape in memory can always be read
			}
			for i, end := range followed {
				if !alive[i] {
					end()
					delete(followed, i)
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(lookEvery):
			}
		}
	})
	return func() { cancel(); all.Wait() }
}

// follower reads the tape of an integration in this process.
func follower(i *integration.Integration, p traffic.Printer, wanted func(*told.Line) bool) *traffic.Follower {
	begun := int64(0) // of one that sleeps: the tape that it had
	return &traffic.Follower{
		Integration: i.ID, Printer: p, Wanted: wanted,
		Source: func(ctx context.Context, since uint64, limit int) (traffic.Reading, error) {
			ctx, cancel := context.WithTimeout(ctx, lookEvery)
			defer cancel()
			r, tapes := i.Overhear(ctx, tape.Filter{Since: since, Limit: limit})
			if tapes > 0 {
				begun = int64(tapes) //nolint:gosec // G115: it counts tapes.
			}
			return traffic.Reading{Begun: begun, Entries: r.Entries, Missing: gapSize(r.Gap)}, nil
		},
		Jump: func() (newest uint64) { // there was more than a look holds: it is awake
			i.Look(tape.Filter{Limit: 1}, func(e tape.Entry) bool { newest = e.Seq; return false })
			return newest
		},
	}
}

func gapSize(g tape.Gap) uint64 {
	if g.Empty() {
		return 0
	}
	return g.To - g.From + 1
}

// fromOutside leaves out what this command does itself.
func fromOutside(l *told.Line) bool { return l.Kind != tape.KindControl && l.Kind != tape.KindClock }
