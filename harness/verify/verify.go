package verify

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"paysandbox/harness/check/service"
	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/steps"
	"paysandbox/harness/verdict"
)

// Run carries out the plan. The report is always there and tells how the run
// ended, in its verdict, exit code and reason. The error is not nil when nothing
// could be judged; it wraps ErrConfig, ErrNothing or ErrTarget, or is the
// context's. A clause that failed is no error.
func Run(ctx context.Context, p Plan) (report.Report, error) {
	collector := report.NewCollector(redact.New(p.ClientSecret, p.ControlToken))
	var sink report.Sink = collector
	if p.Sink != nil {
		sink = report.Tee(collector, p.Sink)
	}
	if p.Now == nil {
		end, err := stopped(errors.Join(ErrConfig, errNoClock))
		sink.RunFinished(end)
		return *collector.Report(), err
	}
	p = p.filled()
	r := &run{plan: &p, sink: sink, started: p.Now()}
	end, err := r.run(ctx)
	end.Duration = p.Now().Sub(r.started)
	sink.RunFinished(end)
	return *collector.Report(), err
}

var errNoClock = errors.New("a plan needs a clock")

// run is one run under way.
type run struct {
	plan    *Plan
	sink    report.Sink
	started time.Time
	silence *silence
}

// run carries out the plan step by step. RunStarted is told when it is known what
// will run, or that nothing will.
func (r *run) run(ctx context.Context) (report.RunEnd, error) {
	ctx, silence, stop := r.plan.bounded(ctx)
	defer stop()
	r.silence = silence
	choice, ground, client, err := r.prepare(ctx)
	if err != nil {
		r.announce(0, nil)
		return stopped(err)
	}
	defer client.CloseIdleConnections()
	choice.set(r.plan, ground.control != "")
	r.announce(len(choice.scenarios), ground.notes)
	player := &player{
		now: r.plan.Now, sink: r.sink, ledger: newLedger(), failFast: r.plan.FailFast, control: ground.control != "", plan: r.plan,
		standing: &standing{
			stage:     partner.Stage{Base: ground.control, Token: r.plan.ControlToken, HTTP: client},
			described: &service.Descriptions{Usual: ground.document}, words: r.plan.Words, given: r.plan.Given,
		},
	}
	broken := player.play(ctx, choice, r.world(ground, client), r.plan.Concurrency)
	if cause := context.Cause(ctx); errors.Is(cause, ErrTarget) {
		broken = cause
	} else if ctx.Err() != nil {
		broken = errors.Join(errInterrupted, broken)
	} else if player.failed.Load() {
		// A target that is gone has not failed its clauses.
		if err := r.plan.enter(ctx, client); err != nil && broken == nil {
			broken = err
		}
	}
	gate := player.ledger.settle(r.sink, r.plan.Deviations, r.started)
	gate.Broke, gate.Silent, gate.MayMiss = broken, errors.Is(broken, ErrTarget), r.plan.AllowUnreached
	why := reason(&gate)
	if !player.control && why != "" {
		why += player.ledger.beside(broken != nil)
	}
	return report.EndOf(gate.Outcome(), why), nil
}

var errInterrupted = errors.New("the run was interrupted")

// prepare finds out what runs and against what.
func (r *run) prepare(ctx context.Context) (*choice, *ground, *http.Client, error) {
	if err := r.plan.Validate(); err != nil {
		return nil, nil, nil, err
	}
	choice, err := r.plan.choose()
	if err != nil {
		return nil, nil, nil, err
	}
	client := r.client()
	ground, err := r.plan.preflight(ctx, client)
	if err != nil {
		client.CloseIdleConnections()
		return nil, nil, nil, err
	}
	return choice, ground, client, nil
}

// client makes the calls and lets the run see them.
func (r *run) client() *http.Client {
	if h := r.plan.HTTP; h != nil {
		copied := *h
		if copied.Transport == nil {
			copied.Transport = http.DefaultTransport
		}
		copied.Transport = recorder{copied.Transport, r.silence}
		return &copied
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 2 * r.plan.Concurrency, IdleConnTimeout: patience}
	return &http.Client{Transport: recorder{transport, r.silence}, Timeout: patience}
}

// announce tells what will run.
func (r *run) announce(planned int, notes []string) {
	r.sink.RunStarted(report.Run{
		Tool: r.plan.Tool, Version: r.plan.Version, Target: r.plan.Target, Command: r.plan.Command, Seed: r.plan.Seed,
		Started: r.started, Notes: slices.Concat(r.plan.Notes, notes, overdue(r.plan.Deviations, r.started)), Planned: planned,
	})
}

// world is what the steps need to know.
func (r *run) world(g *ground, client *http.Client) steps.Config {
	return steps.Config{
		BaseURL: r.plan.BaseURL, ControlURL: g.control, ControlToken: r.plan.ControlToken,
		ClientID: r.plan.ClientID, ClientSecret: r.plan.ClientSecret, Run: r.plan.Run, Seed: r.plan.Seed, HTTP: client,
		MayAdd: g.control == "" && r.plan.Choices[extraMembers] != "none",
	}
}

// stopped is how a run ends that judged nothing.
func stopped(err error) (report.RunEnd, error) {
	outcome := verdict.RunBroke
	switch {
	case errors.Is(err, ErrConfig):
		outcome = verdict.Misconfigured
	case errors.Is(err, ErrNothing):
		outcome = verdict.NothingJudged
	}
	return report.EndOf(outcome, err.Error()), err
}
