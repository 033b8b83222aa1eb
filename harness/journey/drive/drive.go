package drive

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/journey"
	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Plan says which journeys the reference application lives, and where.
type Plan struct {
	// Scenarios holds the journeys, Names those that are played; none means all.
	Scenarios fs.FS
	Names     []string
	// BaseURL is the sandbox's address without a slash at the end, Target how the
	// report calls it; empty means BaseURL. ControlToken opens its control API.
	BaseURL, Target, ControlToken string
	// Hosts knows where a sandbox inside this process listens, and tells it where
	// the applications do: its webhooks have to be dialled through Resolve. Nil for
	// a sandbox elsewhere, which calls the applications by their real addresses.
	Hosts *Hosts
	// Seed decides everything that is left to chance.
	Seed uint64
	// Latitude sets knobs of the service's ledger by name; Strict lets it refuse what
	// it would only remark upon.
	Latitude map[string]string
	Strict   bool
	// Now is the wall clock: how long things took for us.
	Now func() time.Time
	// Sink hears of everything while it happens; nil hears nothing.
	Sink report.Sink
	// New makes the applications; nil makes careful ones.
	New func(Setting) (Application, error)
	// Finished hears of each journey when it has come to its end; it may be nil.
	Finished func(*Driven) error
	// Tool, Version and Command go into the report.
	Tool, Version, Command string
}

// Application is a partner's application inside this process. Its methods are
// called one at a time.
type Application interface {
	// Start listens, Close ends that.
	Start(ctx context.Context) error
	Close() error
	// Listens is the host and port where it really listens.
	Listens() string
	// HooksURL and StateURL are its addresses, as the service is to know them.
	HooksURL() string
	StateURL() string
	// Do performs a task, now or when it may.
	Do(ctx context.Context, t partner.Task) error
	// Drain does what has become due, and says how many things it did.
	Drain(ctx context.Context) (int, error)
}

// Setting is what an application is made for.
type Setting struct {
	// BaseURL is the service's, the rest are the credentials there.
	BaseURL, ClientID, ClientSecret, WebhookSecret string
	// PublicURL is how the service is to call the application; empty for its real
	// address.
	PublicURL string
	// Keys says that the service honours idempotency keys.
	Keys bool
	// HTTP makes its calls.
	HTTP *http.Client
	// Seed decides its keys, references and pauses.
	Seed uint64
	// Now and Sleep are the virtual clock.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Driven is what came of one journey.
type Driven struct {
	journey.Played
	// Meta and Entries are the tape.
	Meta    tape.Meta
	Entries []tape.Entry
	// Clauses are the judgements on the integration, Standing those on the service.
	Clauses, Standing []check.Result
	// Verdict is the whole journey's, Problems say what is wrong with it.
	Verdict  verdict.Word
	Problems []string
}

// callPatience bounds one call of the application and of the harness.
const callPatience = 30 * time.Second

// driver is a drive under way.
type driver struct {
	plan      *Plan
	client    *http.Client
	described service.Descriptions
}

// Run lets the reference application live the journeys of a plan, each in an
// integration of its own, and judges the tapes: every clause that a journey names
// has to be seen to hold, and no check may fail. The error is about the drive
// itself, or the context's.
func Run(ctx context.Context, p Plan) (report.RunEnd, error) {
	began := p.Now()
	if p.Sink == nil {
		p.Sink = report.Tee()
	}
	if p.New == nil {
		p.New = Careless("")
	}
	list, err := journey.List(p.Scenarios)
	if err == nil {
		list, err = journey.Choose(list, p.Names)
	}
	p.Sink.RunStarted(report.Run{
		Kind: report.KindJourneys,
		Tool: p.Tool, Version: p.Version, Target: p.target(), Command: p.Command, Seed: p.Seed, Started: began, Planned: len(list),
	})
	d := &driver{plan: &p, client: p.hosts().Client(callPatience, false)}
	defer d.client.CloseIdleConnections()
	g := &verdict.Gate{}
	if err == nil {
		err = d.all(ctx, list, g)
	}
	g.Broke = err
	ended := report.EndOf(g.Outcome(), reason(g))
	ended.Duration = p.Now().Sub(began)
	p.Sink.RunFinished(ended)
	return ended, err
}

func (p *Plan) target() string {
	if p.Target != "" {
		return p.Target
	}
	return p.BaseURL
}

// hosts are the plan's, or none.
func (p *Plan) hosts() *Hosts {
	if p.Hosts != nil {
		return p.Hosts
	}
	return &Hosts{}
}

// all drives one journey after the other.
func (d *driver) all(ctx context.Context, list []journey.Journey, g *verdict.Gate) error {
	var err error
	if d.described.Usual, err = d.description(ctx); err != nil {
		return err
	}
	for _, j := range list {
		driven, err := d.one(ctx, j)
		if err != nil && ctx.Err() != nil {
			return fmt.Errorf("%w at %s", errInterrupted, j.Name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", j.Name, err)
		}
		tell(g, d.plan.Sink, driven)
		if d.plan.Finished == nil {
			continue
		}
		if err := d.plan.Finished(driven); err != nil {
			return err
		}
	}
	return nil
}

var errInterrupted = errors.New("the run was interrupted")

// description reads the service's OpenAPI description.
func (d *driver) description(ctx context.Context) (*service.Document, error) {
	c := partner.Client{Base: d.plan.BaseURL, HTTP: d.client}
	a, err := c.Send(ctx, http.MethodGet, "/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, nil //nolint:nilnil // answers are then not held to a description
	}
	return service.ReadDocument(a.Body)
}

// seedOf is the seed of a journey's integration: the same for the same plan, and
// never the same for two journeys.
func seedOf(name string, seed uint64) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "integration\x00%s\x00%d", name, seed)
	return h.Sum64() >> 1
}
