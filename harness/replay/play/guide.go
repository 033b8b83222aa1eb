package play

import (
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/mockserver/tape"
)

// Guide says, while a script is played, what else has to happen. States are by the
// world's ids.
type Guide interface {
	// Before gives the steps that come before a step; After those behind it.
	Before(now *Now, step int) []Step
	After(now *Now, step int) []Step
}

// Now is what a guide may ask while a script is played.
type Now struct {
	Links *correlate.Links
	// World is the world as it stands. It is read when it is asked for: most steps need no guiding.
	World func() *Standings
	// Payer is the world's registration that a payment of the world is asked of, "" where it cannot be told.
	Payer func(payment string) string
}

// Standings are how the resources of a world stand, by their ids.
type Standings struct {
	States map[string]State
	// Born are the ids in the order in which they came to be, and By the paths of the calls that made them.
	Born []string
	By   map[string]string

	// last is the last call that was followed, and path its path.
	last uint64
	path string
}

// State is the machine of a resource and the state that it is in.
type State struct{ Machine, Name string }

// follow takes in an entry.
func (n *Standings) follow(e *tape.Entry) {
	if e.Exchange != nil {
		n.last, n.path = e.Seq, e.Exchange.Path
	}
	m := e.Transition
	if m == nil {
		return
	}
	id := strings.ToLower(m.Entity)
	if _, known := n.States[id]; !known {
		n.Born = append(n.Born, id)
		if e.Cause == n.last {
			n.By[id] = n.path
		}
	}
	n.States[id] = State{m.Machine, m.To}
}
