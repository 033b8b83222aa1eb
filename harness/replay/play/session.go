package play

import (
	"context"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Session is a play that somebody carries out step by step.
type Session struct {
	p     *player
	steps []Step
	next  int
}

// Session begins a script in a fresh world, and does nothing of it yet.
func (s *Sandbox) Session(ctx context.Context, script *Script) (*Session, error) {
	p, err := s.begin(ctx, script)
	if err != nil {
		return nil, err
	}
	return &Session{p: p, steps: script.Clone().Steps}, nil
}

// Close takes the world away.
func (s *Session) Close(ctx context.Context) error {
	return s.p.stage.Delete(context.WithoutCancel(ctx))
}

// Next is the step to come, and its number from 1; nil at the end.
func (s *Session) Next() (*Step, int) {
	if s.next >= len(s.steps) {
		return nil, s.next
	}
	return &s.steps[s.next], s.next + 1
}

// Now is what the world's clock says.
func (s *Session) Now() time.Time { return s.p.clock.UTC() }

// Edit puts a step in the place of the one to come.
func (s *Session) Edit(step *Step) { s.steps[s.next] = *step }

// Skip leaves the step to come out.
func (s *Session) Skip() { s.next++ }

// Done is what a step came to.
type Done struct {
	// Answer is a call's, nil for other steps. Problem says why a move was not possible.
	Answer  *Answered
	Problem string
	// Seq is the number of its first entry on the tape; Caused are the entries since.
	Seq    uint64
	Caused []tape.Entry
}

// Do carries the step to come out.
func (s *Session) Do(ctx context.Context) (*Done, error) {
	before := len(s.p.run.Answers)
	step := s.steps[s.next]
	if step.Call != nil && step.Call.Met { // a person sees each answer before the next call
		alone := *step.Call
		alone.Met, step.Call = false, &alone
	}
	if err := s.p.step(ctx, &step); err != nil {
		return nil, err
	}
	s.next++
	d := &Done{Problem: s.p.run.Moved[len(s.p.run.Script.Steps)-1]}
	if len(s.p.run.Answers) > before {
		d.Answer = &s.p.run.Answers[before]
	}
	return d, s.since(ctx, d)
}

// Advance lets time pass.
func (s *Session) Advance(ctx context.Context, by time.Duration) (*Done, error) {
	if err := s.p.moveClock(ctx, s.p.clock.Add(by)); err != nil {
		return nil, err
	}
	d := &Done{}
	return d, s.since(ctx, d)
}

// since reads what is new on the tape.
func (s *Session) since(ctx context.Context, d *Done) error {
	_, entries, err := s.p.stage.tape(ctx, s.p.seen)
	if err != nil {
		return err
	}
	if d.Caused = entries; len(entries) > 0 {
		d.Seq, s.p.seen = entries[0].Seq, entries[len(entries)-1].Seq
	}
	return nil
}

// Recorded puts the recording's ids in the place of the world's, in bodies and in other texts.
func (s *Session) Recorded(text []byte) []byte {
	return trail.UUIDs().ReplaceAllFunc(s.p.run.Links.Back(text), func(id []byte) []byte {
		if was, known := s.p.run.Links.Recorded(string(id)); known {
			return []byte(was)
		}
		return id
	})
}
