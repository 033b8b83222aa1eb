// Package owed keeps the book of what an integration owes to the outside: the effects
// that were asked for and have no answer, by their names in the order of inputs, and says
// in words what is to become of one. It carries nothing out, and has no lock: who holds
// the integration's calls it.
package owed

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"paysandbox/mockserver/kernel"
)

// State says what is to become of an effect that a process is to carry out.
type State uint8

// The states. They differ in what the order of inputs is told: Over alone takes an effect
// off the book for ever.
const (
	// Over says that nobody calls for it any more, as after a reset: the order is told.
	Over State = iota
	// Later says that it is owed and cannot leave now: the integration is held, or has
	// ended with its process. The order is told nothing: who comes next carries it out.
	Later
	// UnderWay says that this process carries it out already.
	UnderWay
	// Leaves says that it leaves now.
	Leaves
)

// Effect is one in a life of its integration.
type Effect struct {
	kernel.Effect
	Life uint64
}

// Pack lists the fields.
func (e *Effect) Pack(k *kernel.Codec) {
	e.Effect.Pack(k)
	k.Num(&e.Life)
}

// Of begins the names of all effects of an integration.
func Of(id string) string { return id + "\x00" }

// Name is what an effect is called in the order.
func Name(id string, e Effect) string { return Of(id) + string(kernel.Encode(nil, &e)) }

// Read gives the effect of a name.
func Read(name string) (e Effect, err error) {
	_, written, _ := strings.Cut(name, "\x00")
	return e, kernel.Decode([]byte(written), &e)
}

// Book is what one integration owes. The zero value owes nothing.
type Book struct {
	asked, later []string
	open         map[string]entry
	next         uint64
}

// entry is an effect with its place among the others.
type entry struct {
	kernel.Effect
	place uint64
}

// Ask notes an effect that an input asks for.
func (b *Book) Ask(name string, e kernel.Effect) {
	b.asked = append(b.asked, name)
	b.Owe(name, e)
}

// Owe notes an effect that the order knows already.
func (b *Book) Owe(name string, e kernel.Effect) {
	if b.open == nil {
		b.open = map[string]entry{}
	}
	b.next++
	b.open[name] = entry{e, b.next}
}

// Asked gives the names of what was asked for since it was called last.
func (b *Book) Asked() []string {
	asked := b.asked
	b.asked = nil
	return asked
}

// Unasked are the effects that the order has not been told of.
func (b *Book) Unasked() []kernel.Effect {
	list := make([]kernel.Effect, len(b.asked))
	for n, name := range b.asked {
		list[n] = b.open[name].Effect
	}
	return list
}

// Defer keeps the name of an effect that cannot leave now, and Deferred gives them back.
func (b *Book) Defer(name string) { b.later = append(b.later, name) }

// Deferred gives the names that were deferred since it was called last.
func (b *Book) Deferred() []string {
	later := b.later
	b.later = nil
	return later
}

// Answered takes an effect off the book; false when it is not there.
func (b *Book) Answered(name string) bool {
	_, open := b.open[name]
	delete(b.open, name)
	return open
}

// Void says that nobody calls any more for what is owed.
func (b *Book) Void() { b.asked, b.later, b.open = nil, nil, nil }

// Len is how many effects are owed.
func (b *Book) Len() int { return len(b.open) }

// Owes says whether one of the names is owed.
func (b *Book) Owes(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, open := b.open[name]; return open })
}

// Names gives the names of what is owed, oldest first.
func (b *Book) Names() []string {
	return slices.SortedFunc(maps.Keys(b.open), func(x, y string) int { return cmp.Compare(b.open[x].place, b.open[y].place) })
}

// Open gives what is owed, oldest first.
func (b *Book) Open() []kernel.Effect {
	names := b.Names()
	list := make([]kernel.Effect, len(names))
	for n, name := range names {
		list[n] = b.open[name].Effect
	}
	return list
}
