package play

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
)

// Play plays a script to a fresh world and takes that away again. The guide may be
// nil. An error means that the sandbox could not be used, not that a call was refused.
func (s *Sandbox) Play(ctx context.Context, script *Script, guide Guide) (*Run, error) {
	p, err := s.begin(ctx, script)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.stage.Delete(context.WithoutCancel(ctx)) }()
	if err := p.all(ctx, script.Steps, guide); err != nil {
		return nil, err
	}
	p.stale = true
	p.run.Index()
	return p.run, p.look(ctx)
}

// Standing is a world in which a script has come to a call and stopped.
type Standing struct {
	partner.Integration
	// Now is what its clock says, UTC.
	Now time.Time
	// Next is the call that was not made, as this world takes it.
	Next *http.Request
}

// Until plays a script up to an exchange of the recording, from 0, and leaves the world
// as the partner had it before that call.
func (s *Sandbox) Until(ctx context.Context, script *Script, n int) (*Standing, error) {
	at := slices.IndexFunc(script.Steps, func(s Step) bool { return s.Call != nil && s.Call.N == n })
	if at < 0 {
		return nil, fmt.Errorf("%w: %d", ErrNoCall, n+1)
	}
	p, err := s.begin(ctx, script)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.all(ctx, script.Steps[:at], nil), p.moveClock(ctx, script.Steps[at].At)); err != nil {
		return nil, err
	}
	c := script.Steps[at].Call
	operation, _ := s.Routes.Match(c.Exchange.Method, c.Exchange.Path)
	next, err := p.request(ctx, c, operation)
	return &Standing{Integration: p.stage.made, Now: p.clock.UTC(), Next: next}, err
}

// ErrTooMuch says that the answers of a play are larger than they may be together.
var ErrTooMuch = errors.New("the answers of the replay are too large")

// ErrNoCall says that a script has no such call.
var ErrNoCall = errors.New("the recording has no such call")

// player is a play under way.
type player struct {
	sandbox *Sandbox
	stage   *stage
	run     *Run
	clock   time.Time
	world   Standings
	seen    uint64
	// watched says that states are followed; stale, that more may have happened than was seen.
	watched, stale bool
	// sent is what is recorded of the play, nil for nothing; hand plays everybody else
	// where no control API does.
	sent *recording.Recording
	hand *ByHand
	// held is a call that others are made at once with, nil for none.
	held  *held
	pages pages
	// answered counts the bytes of all answers.
	answered int64
}

func (s *Sandbox) begin(ctx context.Context, script *Script) (*player, error) {
	stage, err := s.fresh(ctx, &script.World)
	if err != nil {
		return nil, err
	}
	return s.player(script, stage), nil
}

func (s *Sandbox) player(script *Script, on *stage) *player {
	p := &player{sandbox: s, stage: on, clock: script.World.Start, run: &Run{Script: Script{World: script.World}, Moved: map[int]string{}}, stale: true}
	p.run.Links.Undo(script.World.Undone)
	p.world = Standings{States: map[string]State{}, By: map[string]string{}}
	return p
}

func (p *player) all(ctx context.Context, steps []Step, guide Guide) error {
	p.watched = guide != nil
	defer func() { _ = p.release() }() // where the play ends with an error
	var failed error
	now := p.now(ctx, &failed)
	for i := range steps {
		var err error
		if guide != nil {
			err = p.guided(ctx, steps, i, guide, now)
		} else {
			err = p.step(ctx, &steps[i])
		}
		if err == nil && i%lookEvery == lookEvery-1 {
			err = p.look(ctx)
		}
		if err = errors.Join(err, failed); err != nil {
			return err
		}
	}
	return p.release()
}

// now is what a guide may ask; where the world cannot be read, failed says why.
func (p *player) now(ctx context.Context, failed *error) *Now {
	payers := map[string]string{}
	return &Now{
		Links: &p.run.Links,
		World: func() *Standings {
			*failed = errors.Join(*failed, p.look(ctx))
			return &p.world
		},
		Payer: func(payment string) string {
			of, known := payers[payment]
			if !known {
				of = p.stage.payer(ctx, payment)
				payers[payment] = of
			}
			return of
		},
	}
}

func (p *player) guided(ctx context.Context, steps []Step, i int, guide Guide, now *Now) error {
	if err := p.moveClock(ctx, steps[i].At); err != nil {
		return err
	}
	for _, when := range []func(*Now, int) []Step{guide.Before, nil, guide.After} {
		if when == nil {
			if err := p.step(ctx, &steps[i]); err != nil {
				return err
			}
			continue
		}
		extra := when(now, i)
		for k := range extra {
			if err := p.step(ctx, &extra[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookEvery is after how many steps the tape is read, at the latest: a world keeps its last entries alone, and a step may make many.
const lookEvery = 32

// look reads what is new on the tape, and follows the states by it.
func (p *player) look(ctx context.Context) error {
	if !p.stale || p.hand != nil {
		return nil
	}
	meta, entries, err := p.stage.tape(ctx, p.seen)
	if err != nil {
		return err
	}
	p.stale, p.run.Meta = false, meta
	p.run.Entries = append(p.run.Entries, entries...)
	for i := range entries {
		p.seen = entries[i].Seq
		p.world.follow(&entries[i])
	}
	return nil
}

// step carries out one step.
func (p *player) step(ctx context.Context, s *Step) error {
	if s.Call == nil || !s.Call.Meets {
		if err := p.release(); err != nil {
			return err
		}
	}
	if err := p.moveClock(ctx, s.At); err != nil {
		return err
	}
	p.stale = true
	n := len(p.run.Script.Steps)
	p.run.Script.Steps = append(p.run.Script.Steps, *s)
	switch {
	case s.Call != nil && s.Call.Met && p.sent == nil && len(s.Call.Exchange.Body) > 0:
		return p.hold(ctx, s.Call, n)
	case s.Call != nil:
		a, err := p.call(ctx, s.Call)
		if err != nil {
			return fmt.Errorf("play call %d: %w", s.Call.N+1, err)
		}
		a.Step = n
		p.run.Answers = append(p.run.Answers, a)
	case s.Move != nil && p.hand != nil:
		return p.asked(ctx, s)
	case s.Move != nil:
		return p.move(ctx, n, s.Move)
	}
	return nil
}

// moveClock never goes back: recorded times of several files may.
func (p *player) moveClock(ctx context.Context, to time.Time) error {
	if !to.After(p.clock) {
		return nil
	}
	if p.hand != nil {
		return p.pass(ctx, to)
	}
	p.clock, p.stale = to, true
	if _, err := p.stage.Do(ctx, "/clock/advance", map[string]string{"to": to.UTC().Format(time.RFC3339Nano)}); err != nil {
		return fmt.Errorf("move the clock: %w", err)
	}
	return nil
}

// move lets somebody do something. What is not possible is told, and no error.
func (p *player) move(ctx context.Context, n int, m *Move) error {
	parts := strings.Split(m.Path, "/")
	for i := range parts {
		if v, ok := p.run.Links.Find("", parts[i]); ok {
			parts[i] = url.PathEscape(v)
		}
	}
	a, err := p.stage.Try(ctx, strings.Join(parts, "/"), p.run.Links.Body(m.body()))
	if err != nil {
		return fmt.Errorf("play the move %s: %w", m.Path, err)
	}
	if a.Status >= 400 {
		problem, err := a.Problem()
		if err != nil {
			problem.Detail = fmt.Sprintf("status %d", a.Status)
		}
		p.run.Moved[n] = problem.Detail
		return nil
	}
	p.stand(0, m.Stands, a.Body)
	return nil
}

func (m *Move) body() []byte {
	if len(m.Body) == 0 {
		return []byte("{}")
	}
	return m.Body
}

// stand binds recorded values to what an answer shows, of a call from 1 or of none that
// was recorded.
func (p *player) stand(call int, values []correlate.Value, answer []byte) {
	at := map[string]string{}
	correlate.Walk(answer, func(path []string, v any) {
		if text, ok := v.(string); ok {
			at[strings.ToLower(correlate.Pointer(path))] = text
		}
	})
	for _, v := range values {
		one := correlate.Link{Type: v.Type, Recorded: v.Text, Replayed: at[strings.ToLower(v.Where)], Call: call, Where: v.Where}
		if call == 0 {
			one.Where = "before the recording"
		}
		p.run.Links.Stand(one)
	}
}
