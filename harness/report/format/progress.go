package format

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// plainEvery is the number of scenarios between two plain lines.
const plainEvery = 100

// Progress is a sink that shows how far a run has come: a bar on a terminal, a
// line now and then elsewhere. Its methods may be called from several goroutines.
type Progress struct {
	w        io.Writer
	terminal bool

	mu           sync.Mutex
	planned      int
	done, failed int
	bar          progress.Writer
	tracker      *progress.Tracker
	drawn        chan struct{}
}

// NewProgress makes a sink that writes to w; the caller knows whether that is a
// terminal.
func NewProgress(w io.Writer, terminal bool) *Progress {
	return &Progress{w: w, terminal: terminal}
}

// RunStarted begins to draw.
func (p *Progress) RunStarted(e report.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.planned = e.Planned
	if !p.terminal || p.bar != nil {
		return
	}
	p.tracker = &progress.Tracker{Message: p.message(), Total: int64(max(e.Planned, 1))}
	p.bar = progress.NewWriter()
	p.bar.SetOutputWriter(p.w)
	p.bar.SetAutoStop(true)
	p.bar.SetNumTrackersExpected(1)
	p.bar.SetTrackerLength(24) // with the message it stays below 80 columns: a line that wraps is drawn anew each time
	p.bar.Style().Visibility.Time, p.bar.Style().Visibility.Value = false, false
	p.bar.SetUpdateFrequency(50 * time.Millisecond)
	p.bar.AppendTracker(p.tracker)
	p.drawn = make(chan struct{})
	go func() {
		defer close(p.drawn)
		p.bar.Render()
	}()
}

// ScenarioStarted draws nothing.
func (p *Progress) ScenarioStarted(report.ScenarioStart) {}

// StepFinished draws nothing.
func (p *Progress) StepFinished(report.ScenarioRef, report.Step) {}

// ScenarioFinished moves the bar on.
func (p *Progress) ScenarioFinished(_ report.ScenarioRef, e report.ScenarioEnd) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if e.Status != report.Passed && e.Status != report.Skipped {
		p.failed++
	}
	switch {
	case p.tracker != nil && p.done < p.planned:
		p.tracker.UpdateMessage(p.message())
		p.tracker.SetValue(int64(p.done))
	case p.tracker == nil && !p.terminal && p.done%plainEvery == 0:
		_, _ = fmt.Fprintln(p.w, p.message())
	}
}

// ClauseJudged draws nothing.
func (p *Progress) ClauseJudged(report.ClauseResult) {}

// RunFinished draws the last state and waits until it is drawn.
func (p *Progress) RunFinished(report.RunEnd) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tracker == nil {
		return
	}
	p.tracker.UpdateMessage(p.message())
	if p.done < p.planned {
		p.tracker.MarkAsErrored()
	} else {
		p.tracker.SetValue(int64(max(p.planned, 1)))
		p.tracker.MarkAsDone()
	}
	<-p.drawn
	p.tracker = nil
}

// message says how far the run has come; the caller holds the lock.
func (p *Progress) message() string {
	return fmt.Sprintf("%d of %s, %d failed", p.done, words.Plural(p.planned, "scenario", "scenarios"), p.failed)
}
