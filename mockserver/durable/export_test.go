package durable

import "github.com/google/uuid"

// Turns are the turns of who appends to a shard.
type Turns struct{ turns }

// Took notes a batch, Lost one that came second, and Yields says who waits.
func (t *Turns) Took(by uuid.UUID)          { t.took(by) }
func (t *Turns) Lost()                      { t.lost() }
func (t *Turns) Yields(self uuid.UUID) bool { return t.yields(self) }
