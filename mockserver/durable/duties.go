package durable

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Duty is an effect that was asked for and has not been answered.
type Duty struct {
	Effect string
	// Owner is the process that carries it out.
	Owner uuid.UUID
	// Epoch counts how often it has been taken over.
	Epoch uint64
}

// Duties are the effects of a shard that are to be carried out. Every process comes to
// the same ones, for the log alone decides it.
type Duties struct {
	all  map[string]owed
	next uint64
}

// owed is a duty with its place among the others.
type owed struct {
	Duty
	place uint64
}

// Len is how many there are.
func (d *Duties) Len() int { return len(d.all) }

// List gives them, oldest first.
func (d *Duties) List() []Duty {
	sorted := slices.SortedStableFunc(maps.Values(d.all), func(a, b owed) int { return cmp.Compare(a.place, b.place) })
	list := make([]Duty, len(sorted))
	for n := range sorted {
		list[n] = sorted[n].Duty
	}
	return list
}

// owners are the processes that owe something, in a fixed order.
func (d *Duties) owners() []uuid.UUID {
	seen := map[uuid.UUID]struct{}{}
	for _, x := range d.all {
		seen[x.Owner] = struct{}{}
	}
	return slices.SortedStableFunc(maps.Keys(seen), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

func (d *Duties) add(x Duty) {
	if d.all == nil {
		d.all = map[string]owed{}
	}
	d.next++
	d.all[x.Effect] = owed{x, d.next}
}

// hash tells what is owed from other duties.
func (d *Duties) hash() uint64 {
	h := fnv.New64a()
	for _, x := range d.List() {
		_, _ = fmt.Fprintf(h, "%s\x00%s%d", x.Effect, x.Owner, x.Epoch)
	}
	return h.Sum64()
}

// answer takes an effect off the list; false when it is not there, for it has been
// answered before.
func (d *Duties) answer(effect string) bool {
	_, ok := d.all[effect]
	delete(d.all, effect)
	return ok
}

// void takes those off the list whose names begin so.
func (d *Duties) void(prefix string) {
	if prefix != "" {
		maps.DeleteFunc(d.all, func(name string, _ owed) bool { return strings.HasPrefix(name, prefix) })
	}
}

// takeOver gives what one process owes to another, and tells what that is.
func (d *Duties) takeOver(from, to uuid.UUID) (effects []string) {
	if from == to {
		return nil
	}
	for _, x := range d.List() {
		if x.Owner == from {
			x.Owner, x.Epoch = to, x.Epoch+1
			d.all[x.Effect] = owed{x, d.all[x.Effect].place}
			effects = append(effects, x.Effect)
		}
	}
	return effects
}

// maxRecent is how many inputs of a shard are known to have been applied.
const maxRecent = 1024

// recent knows the ids of the last inputs.
type recent struct {
	ids  []uuid.UUID
	next int
	all  map[uuid.UUID]struct{}
}

// add notes an id, and says whether it is new.
func (r *recent) add(id uuid.UUID) bool {
	if _, known := r.all[id]; known {
		return false
	}
	if r.all == nil {
		r.all = map[uuid.UUID]struct{}{}
	}
	if len(r.ids) < maxRecent {
		r.ids = append(r.ids, id)
	} else {
		delete(r.all, r.ids[r.next])
		r.ids[r.next] = id
		r.next = (r.next + 1) % maxRecent
	}
	r.all[id] = struct{}{}
	return true
}
