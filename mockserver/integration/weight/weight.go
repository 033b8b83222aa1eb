// Package weight estimates what a world takes of the process's memory, and draws that
// from the budget.
package weight

import (
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// What an entity is taken to weigh, besides what its request brought; and an event on
// its way to a receiver, with the attempt that may be under way.
const (
	entityBytes   = 512
	deliveryBytes = 4 << 10
)

// Weight is what a world has drawn from the budget: Bytes in all, of which some were
// brought by the inputs that made its entities.
type Weight struct {
	Bytes          int64
	brought, files int64
	entities       int
}

// Follow draws what the world has grown by since the last time, or gives back what it
// has shrunk by. An input that has made no entity has brought nothing that stays.
func (w *Weight) Follow(b *budget.Bytes, world *world.World, brought int64) {
	entities := world.Entities()
	files, inMemory := world.FileBytes()
	if entities > w.entities {
		w.brought += max(brought-(files-w.files)*4/3, 0) // a file came as Base64
	}
	w.entities, w.files = entities, files
	now := w.Of(world, inMemory)
	if now > w.Bytes {
		b.Force(now - w.Bytes)
	} else if now < w.Bytes {
		b.Give(w.Bytes - now)
	}
	w.Bytes = now
}

// Of is what a world weighs with so many bytes of files.
func (w *Weight) Of(world *world.World, files int64) int64 {
	return w.brought + files + int64(w.entities)*entityBytes + int64(world.Webhooks().OnTheirWay())*deliveryBytes
}

// Pack lists the fields.
func (w *Weight) Pack(k *kernel.Codec) {
	k.Ints(&w.Bytes, &w.brought, &w.files)
	k.Int(&w.entities)
}
