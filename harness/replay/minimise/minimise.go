package minimise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"paysandbox/harness/replay/play"
)

// Task is what is made smaller.
type Task struct {
	Sandbox *play.Sandbox
	Script  play.Script
	// Shows says whether a play still shows what is asked for.
	Shows func(run *play.Run) bool
	// Evidence are the exchanges that it is known to rest on; they are tried first.
	Evidence []int
	// Parallel is how many plays run at once; 0 is one.
	Parallel int
	// Progress is told how far it has come; nil tells nobody.
	Progress func(text string)
}

// Result is the smallest script that was found, and its play.
type Result struct {
	Script play.Script
	Run    *play.Run
	// Plays counts how often something was played, Before and After the steps.
	Plays         int
	Before, After int
}

// ErrNotShown says that the script does not show what is asked for, or does so by
// chance only.
var ErrNotShown = errors.New("the script does not show what is to be kept")

// stalled is how many steps a result may have before the search is begun again from the
// original: what the evidence has left out may have been the shorter way.
const stalled = 12

// Run makes a script smaller. The first play shows that it can be reproduced; what is
// left is played again, without the cache, before its bodies are made smaller; and the
// last play shows that the result can be reproduced.
func Run(ctx context.Context, t Task) (Result, error) {
	s := &search{Task: t, need: needs(t.Sandbox.Routes, t.Script.Steps), cache: map[string]bool{}}
	keep := make([]bool, len(t.Script.Steps))
	for i := range keep {
		keep[i] = true
	}
	if !s.shows(ctx, s.chosen(keep)) {
		return Result{}, cmp.Or(ctx.Err(), errors.Join(ErrNotShown, s.err))
	}
	script := s.settled(ctx, s.smaller(ctx, s.chosen(s.fewest(ctx, keep))))
	run, err := t.Sandbox.Play(ctx, &script, nil)
	if err = cmp.Or(ctx.Err(), errors.Join(s.err, err)); err != nil { // what is found so far is not the shortest, and what was under way has failed of it
		return Result{}, err
	}
	if !t.Shows(run) {
		return Result{}, ErrNotShown
	}
	return Result{Script: script, Run: run, Plays: s.plays + 1, Before: len(t.Script.Steps), After: len(script.Steps)}, nil
}

// settled goes on until nothing more can go: a member that a later body has lost may have been what an earlier step, or a member
// of its body, was there for.
func (s *search) settled(ctx context.Context, script play.Script) play.Script {
	for ctx.Err() == nil {
		again := &search{Task: s.Task, need: needs(s.Sandbox.Routes, script.Steps), cache: map[string]bool{}}
		again.Script = script
		keep := make([]bool, len(script.Steps))
		for i := range keep {
			keep[i] = true
		}
		next := again.smaller(ctx, again.chosen(again.steps(ctx, keep)))
		s.plays, s.err = s.plays+again.plays, errors.Join(s.err, again.err)
		if size(&next) == size(&script) {
			return script
		}
		script = next
	}
	return script
}

// size is how much a script has that could go.
func size(script *play.Script) int {
	n := len(script.Steps)
	for i := range script.Steps {
		if c := script.Steps[i].Call; c != nil {
			n += len(c.Exchange.Body) + len(c.Exchange.Header)
		}
	}
	return n
}

// fewest takes steps away, beginning with the evidence. When that stalls, or its result
// does not show the same again, it is begun again from the original.
func (s *search) fewest(ctx context.Context, all []bool) []bool {
	keep := s.steps(ctx, s.evidence(ctx, all))
	sound := s.shows(ctx, s.chosen(keep))
	if n := len(places(keep)); sound && (n <= stalled || len(s.Evidence) == 0) || ctx.Err() != nil {
		return keep
	}
	s.tell("it stalls at %d steps: begun again from the original", len(places(keep)))
	s.cache = map[string]bool{}
	other := s.steps(ctx, all)
	if sound && (len(places(other)) >= len(places(keep)) || !s.shows(ctx, s.chosen(other))) {
		return keep
	}
	return other
}

// search is a search under way.
type search struct {
	Task
	need  [][]int
	cache map[string]bool
	plays int
	err   error
}

// chosen is the script of the steps that are kept.
func (s *search) chosen(keep []bool) play.Script {
	out := play.Script{World: s.Script.World}
	for i, k := range keep {
		if k {
			out.Steps = append(out.Steps, s.Script.Steps[i])
		}
	}
	return out
}

// shows plays a script, and says whether it shows what is asked for.
func (s *search) shows(ctx context.Context, script play.Script) bool {
	return s.first(ctx, 1, func(int) play.Script { return script }) == 0
}

// first is the first of some scripts that shows it, -1 for none. They are played side
// by side; which is the first does not hang on how many are, and those behind it count for nothing.
func (s *search) first(ctx context.Context, n int, script func(i int) play.Script) int {
	width := max(1, s.Parallel)
	for from := 0; from < n && ctx.Err() == nil; from += width {
		hits, errs := make([]bool, min(width, n-from)), make([]error, min(width, n-from))
		var wait sync.WaitGroup
		for k := range hits {
			wait.Go(func() {
				one := script(from + k)
				run, err := s.Sandbox.Play(ctx, &one, nil)
				hits[k], errs[k] = err == nil && s.Shows(run), err
			})
		}
		wait.Wait()
		for k, hit := range hits {
			s.plays++
			if s.err = errors.Join(s.err, errs[k]); hit {
				return from + k
			}
		}
	}
	return -1
}

// try is shows for a choice of steps, remembered.
func (s *search) try(ctx context.Context, list [][]bool) int {
	var fresh []int
	for i, keep := range list {
		shown, known := s.cache[name(keep)]
		if known && shown {
			list, fresh = list[:i+1], append(fresh, i)
			break
		}
		if !known {
			fresh = append(fresh, i)
		}
	}
	hit := s.first(ctx, len(fresh), func(k int) play.Script { return s.chosen(list[fresh[k]]) })
	for k, i := range fresh {
		if hit < 0 || k <= hit {
			s.cache[name(list[i])] = k == hit
		}
	}
	if hit < 0 {
		return -1
	}
	return fresh[hit]
}

func name(keep []bool) string {
	b := make([]byte, len(keep))
	for i, k := range keep {
		b[i] = '0'
		if k {
			b[i] = '1'
		}
	}
	return string(b)
}

// evidence tries what is known to matter, with all that it needs, and then the same
// with everything that is no recorded call.
func (s *search) evidence(ctx context.Context, all []bool) []bool {
	if len(s.Evidence) == 0 {
		return all
	}
	matters := map[int]bool{}
	for _, n := range s.Evidence {
		matters[n] = true
	}
	calls, more := make([]bool, len(all)), make([]bool, len(all))
	for i := range s.Script.Steps {
		c := s.Script.Steps[i].Call
		calls[i] = c != nil && c.N >= 0 && matters[c.N]
		more[i] = calls[i] || c == nil || c.N == play.Prelude
	}
	few := closed(s.need, calls)
	touched := without(s.need, more, func(i int) bool { return !few[i] && s.Script.Steps[i].Call != nil })
	for i := range touched {
		touched[i] = touched[i] || few[i]
	}
	list := [][]bool{few, touched, closed(s.need, more)}
	if hit := s.try(ctx, list); hit >= 0 {
		return list[hit]
	}
	return all
}

// steps takes steps away, halves first, then ever smaller parts, until none can go.
func (s *search) steps(ctx context.Context, keep []bool) []bool {
	for parts := 2; ; {
		left := places(keep)
		if len(left) == 0 || ctx.Err() != nil {
			return keep
		}
		parts = min(parts, len(left))
		var list [][]bool
		for p := range parts {
			// What comes late is needed least often by others: it goes first.
			from, to := len(left)*(parts-1-p)/parts, len(left)*(parts-p)/parts
			gone := map[int]bool{}
			for _, i := range left[from:to] {
				gone[i] = true
			}
			list = append(list, without(s.need, keep, func(i int) bool { return gone[i] }))
		}
		if hit := s.try(ctx, list); hit >= 0 {
			keep = list[hit]
			s.tell("%d steps are left", len(places(keep)))
			parts = max(parts-1, 2)
			continue
		}
		if parts >= len(left) {
			return keep
		}
		parts *= 2
	}
}

func places(keep []bool) []int {
	var list []int
	for i, k := range keep {
		if k {
			list = append(list, i)
		}
	}
	return list
}

func (s *search) tell(format string, args ...any) {
	if s.Progress != nil {
		s.Progress(fmt.Sprintf(format, args...))
	}
}
