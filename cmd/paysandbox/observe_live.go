package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/observe"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
	"paysandbox/scenarios"
)

// The longest that an end is waited for.
const (
	quietFor  = 15 * time.Second // until nothing happens any more after the last journey
	finishFor = 8 * time.Second  // until deliveries under way have come back, and what was returned is taken back
	callFor   = 90 * time.Second // one call of the control API
)

// observation is one application that is watched.
type observation struct {
	flags          *observeFlags
	names, command []string
	stage          *partner.Stage
	session        *observe.Session
	announced      announcement
	collector      *report.Collector
	stderr         *shared
	say            func(string)
	// notes are what the report tells besides, runs how often the command was run, failed
	// what it came to, broken what went wrong with the watching.
	notes  []string
	runs   int
	failed string
	broken error
}

// live starts a sandbox, watches, judges and tells.
func (f *observeFlags) live(ctx context.Context, options judge.Options, names, command []string, stdout, stderr io.Writer) (err error) {
	box, err := f.sandbox.open(ctx, stderr)
	if err != nil {
		return err
	}
	// The sandbox outlives an interruption, so that the session can end in order.
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- box.server.Serve(life, box.listeners) }()
	defer func() { stop(); err = errors.Join(err, <-served) }()

	// Files are touched only now: what is there may be wanted when nothing is watched.
	writers, err := f.openReports(stdout)
	if err != nil {
		return err
	}
	saved, err := createTape(f.saveTape)
	if err != nil {
		return errors.Join(err, writers.close())
	}
	o := f.observation(f.sandbox.announcement(box.server, box.opts, box.listeners), names, command, stderr, saved.keep)
	t := telling{began: time.Now(), writers: writers, history: f.history, say: o.say, tape: f.saveTape}
	defer o.stage.HTTP.CloseIdleConnections()
	t.collector = o.collector
	if err := o.announce(f.sandbox.announce, stdout); err != nil {
		return errors.Join(err, writers.close(), saved.close())
	}
	collectLess()
	quiet := tellTraffic(life, box.server, f.sandbox.printer(stderr, o.stderr, box, &o.announced), fromOutside)
	meta, entries, err := o.watch(ctx, life)
	quiet()
	if err != nil {
		return errors.Join(err, writers.close(), saved.close())
	}
	if err := saved.finish(meta, entries); err != nil {
		o.broken, t.tape = errors.Join(o.broken, err), ""
	}
	judged, err := judge.Tape(meta, entries, options)
	if err != nil {
		return errors.Join(err, writers.close())
	}
	o.addTo(&judged)
	// Only now is known what there is to be noted.
	t.start(&meta, report.Run{
		Target: o.announced.BaseURL, Observed: o.observed(), Command: o.again(), Planned: len(names), Notes: slices.Concat(o.notes, judged.Notes),
	})
	return t.end(&judged)
}

// observation makes an observation of a sandbox that serves.
func (f *observeFlags) observation(a announcement, names, command []string, stderr io.Writer, keep func(tape.Meta, []tape.Entry)) *observation {
	o := &observation{flags: f, names: names, command: command, announced: a, stderr: &shared{w: stderr}}
	redact := redact.New(a.ClientSecret, a.WebhookSecret, f.sandbox.controlToken, f.sandbox.statusKey)
	o.collector = report.NewCollector(redact)
	o.say = func(line string) { tellLines(o.stderr, "  ", "observe: "+line) }
	o.stage = &partner.Stage{Base: a.BaseURL, Token: f.sandbox.controlToken, Integration: "default", HTTP: &http.Client{Timeout: callFor, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	filter, _ := f.options() // it was read before
	o.session = observe.NewSession(observe.Config{
		Stage: o.stage, Faults: !f.noFaults, Clauses: filter.Clauses, StateURL: f.stateURL, Say: o.sessionSays, Now: time.Now, Keep: keep, Polling: f.uses == "polling", Repeated: f.untilEnough,
	})
	if f.noFaults {
		o.notes = append(o.notes, "No trouble was made (--no-faults).")
	}
	for _, name := range sortedNames(a.Latitude) {
		o.notes = append(o.notes, "latitude "+name+"="+a.Latitude[name])
	}
	return o
}

// sessionSays tells what the session does. A person who works by hand has to know all
// of it; beside a command it is enough to hear what is broken, unless all is wanted.
func (o *observation) sessionSays(line string) {
	detail := strings.HasPrefix(line, "trouble: ") || strings.HasPrefix(line, "met: ") || strings.HasPrefix(line, "  ") && !strings.Contains(line, ": "+string(verdict.Fail))
	if len(o.command) == 0 || o.flags.verbose || !detail {
		o.say(line)
	}
}

// announce tells how the sandbox is reached: a person on standard error, a
// program on standard output.
func (o *observation) announce(format string, stdout io.Writer) error {
	if format == "json" {
		return o.announced.print("json", stdout)
	}
	if len(o.command) > 0 {
		o.say("the sandbox is " + o.announced.BaseURL + ", environment " + o.announced.Environment)
		if k := o.announced.Kept; k != nil {
			o.say("the session is kept " + *k)
		}
		return nil
	}
	if err := o.announced.print("text", o.stderr); err != nil {
		return err
	}
	o.say("watching; Ctrl-C ends it and judges. Webhooks go to --webhook-url, or to what is registered with POST " + o.announced.ControlURL + "/integrations/default/webhooks")
	return nil
}

// watch observes until the application is done, and gives the tape: what is known of
// it where the sandbox does not answer any more. The error is about the command line.
func (o *observation) watch(ctx, life context.Context) (tape.Meta, []tape.Entry, error) {
	watching, unwatch := context.WithCancel(life)
	defer unwatch()
	lost := make(chan error, 1)
	go func() { lost <- o.session.Watch(watching) }()
	o.broken = o.accompany(ctx)
	unwatch()
	o.broken = errors.Join(o.broken, <-lost)
	if wrong := (*usageError)(nil); errors.As(o.broken, &wrong) {
		return tape.Meta{}, nil, o.broken
	}
	ending, cancel := context.WithTimeout(life, finishFor)
	defer cancel()
	o.session.Finish(ending)
	if o.flags.untilEnough && o.runs > 0 {
		o.notes = append(o.notes, o.ended(o.runs))
	}
	meta, entries, err := o.session.Tape(life)
	if err != nil {
		o.broken = errors.Join(o.broken, err)
		meta, entries = o.session.Kept()
	}
	return meta, entries, nil
}

// accompany lasts as long as the application is at work.
func (o *observation) accompany(ctx context.Context) error {
	if o.flags.lasts > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.flags.lasts)
		defer cancel()
	}
	if len(o.command) == 0 {
		if len(o.names) == 0 {
			<-ctx.Done()
			return nil
		}
		err := o.play(ctx, nil)
		o.settle(ctx)
		return err
	}
	for n := 1; ; n++ {
		met := o.session.Met()
		if err := o.runCommand(ctx); err != nil || ctx.Err() != nil {
			return err
		}
		again := o.flags.untilEnough && o.failed == "" && !o.session.Enough() && n < mostRuns && (n == 1 || o.session.Met() > met)
		if again {
			o.say(fmt.Sprintf("more trouble can be met: the command is run again (%d of %d at most)", n+1, mostRuns))
			continue
		}
		o.runs = n
		return nil
	}
}

// ended says how often the command was run, and why not once more.
func (o *observation) ended(n int) string {
	said := "The command was run " + words.Times(n) + " (--until-enough)"
	switch {
	case o.session.Enough():
		return said + ": there is no more trouble to meet."
	case o.failed != "":
		return said + ": it failed."
	case n == mostRuns:
		said += ", which is as often as it may be"
	default:
		said += ": the last time it met no new trouble"
	}
	waits := o.session.WaitsFor()
	if len(waits) == 0 {
		return said + "."
	}
	return said + ". What is left waits for calls that it does not make: " + strings.Join(waits, ", ") + "."
}

// mostRuns is how often a command is run until it is enough.
const mostRuns = 10

// runCommand runs the command once, with the journeys that are named.
func (o *observation) runCommand(ctx context.Context) error {
	c, err := o.start(ctx)
	if ctx.Err() != nil && err != nil {
		return nil //nolint:nilerr // the time was over before it began
	}
	if err != nil {
		return err
	}
	if len(o.names) > 0 {
		err = o.playWith(ctx, c)
	}
	o.failed = c.wait(ctx)
	return err
}

// playWith plays the journeys to a command until it is gone.
func (o *observation) playWith(ctx context.Context, c *child) error {
	alive, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.gone, cancel)()
	err := o.play(alive, c.stdin)
	o.settle(alive)
	_ = c.stdin.Close()
	return err
}

// settle lets what is under way come to its end, without new trouble.
func (o *observation) settle(ctx context.Context) {
	o.session.Rest()
	ctx, cancel := context.WithTimeout(ctx, quietFor)
	defer cancel()
	o.session.Quiet(ctx)
}

// play tells the stories; lines takes the tasks for a program.
func (o *observation) play(ctx context.Context, lines io.Writer) error {
	patient := waiting{say: o.say}
	played, err := journey.Play(ctx, journey.Plan{
		Scenarios: scenarios.FS(), Names: o.names, Sink: o.collector,
		Setting: task.Setting{
			Actor: &observe.Announcer{Say: o.say, Lines: lines}, Stage: o.stage, Patience: o.flags.patience, Now: time.Now,
			Progress: patient.progress, Visit: visit, Probe: o.session.State, Seed: o.announced.Seed,
		},
	})
	var stuck []string
	var told error
	for i := range played {
		p := &played[i]
		switch {
		case p.Err == nil:
		case errors.Is(p.Err, journey.ErrNotHere):
			o.notes = append(o.notes, fmt.Sprintf("The journey %s was left out: %s.", p.Name, p.Err))
		default:
			stuck = append(stuck, p.Name)
			o.notes = append(o.notes, brokeOff(p, ctx.Err() != nil && i == len(played)-1))
		}
	}
	if stuck = slices.Compact(append(stuck, o.names[min(len(played), len(o.names)):]...)); len(stuck) > 0 {
		told = o.session.BrokeOff(context.WithoutCancel(ctx), stuck)
	}
	if ctx.Err() == nil {
		return errors.Join(err, told)
	}
	return told // the application is gone, or the user has had enough
}
