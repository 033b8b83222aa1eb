package integration

import (
	"time"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// HungUp notes, as an input, that the caller of c hung up while its answer was
// held back; after is the wall time that it had waited. Call it after Do.
func (i *Integration) HungUp(c *Call, after time.Duration) {
	i.mu.Lock()
	if c.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	now := i.clock.now()
	i.fire(now)
	i.recordHangup(now, c.Seq, c.Entities, tape.Hangup{After: int64(after)})
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// recordHangup puts a caller's hanging up on the tape; the world has no use for it.
func (i *Integration) recordHangup(now int64, cause uint64, entities []string, h tape.Hangup) {
	seq := i.world.Begin(world.Input{Now: now})
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindHangup, Entities: entities, Hangup: &h,
	}
	i.append(&i.scratch.entry)
}
