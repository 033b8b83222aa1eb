package steps

import (
	"context"
	_ "embed"
	"sync"
)

// machine is a resource with states, as the partner and the stage see it.
type machine struct {
	// Noun names it in steps and in what the story knows.
	Noun string
	// Control is its place in the control API.
	Control string
	// Read is the path that tells its status, Tape its machine's name on the tape.
	Read, Tape string
	First      first
	// Ways are the events that lead from the first state to each other one.
	Ways map[string][]string
}

// first is what brings a resource into its first state.
type first struct {
	Make    []string
	State   map[string]string
	Pending string
	Do      string
	Accept  string
}

//go:embed machines.yaml
var machineText []byte

// machines are all of them.
var machines = sync.OnceValue(func() []machine { return load[machine](machineText) })

// begin brings a resource into its first state.
func (s *story) begin(ctx context.Context, f *first) error {
	if err := s.makeAll(ctx, f.Make...); err != nil {
		return err
	}
	for noun, state := range f.State {
		if err := s.reachState(ctx, noun, state); err != nil {
			return err
		}
	}
	if f.Pending != "" {
		return s.make(ctx, "a", f.Pending, [][2]string{{"transactionStatus", "Pending"}})
	}
	if f.Do != "" {
		if err := s.insist(ctx, f.Do); err != nil {
			return err
		}
	}
	if f.Accept != "" {
		return s.happens(ctx, "accept", f.Accept)
	}
	return nil
}
