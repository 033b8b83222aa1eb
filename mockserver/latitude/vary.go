package latitude

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Vary draws every knob that has alternatives from the seed, so that a partner
// finds out what they wrongly depend on. The same seed gives the same settings.
// Each draw depends on the seed and the knob's own name alone: excepting a knob,
// or a later release adding one, changes no other.
//
// A choice is drawn only when a client that keeps to the specification can live
// with it; Choice.Drawn tells, and the ledger says why not. Any of them can
// still be asked for by name.
func Vary(seed uint64, except ...Knob) Settings {
	var s Settings
	for _, k := range Knobs() {
		if !slices.Contains(except, k) {
			s = s.Choose(draw(seed, k))
		}
	}
	return s
}

// Drawable returns the choices among which Vary draws for the knob; the default
// is the first of them, and the only one where Vary leaves the knob alone.
func (k Knob) Drawable() []Choice {
	return slices.DeleteFunc(k.Choices(), func(c Choice) bool { return !c.Drawn() })
}

func draw(seed uint64, k Knob) Choice {
	choices := k.Drawable()
	name := fnv.New64a()
	_, _ = name.Write([]byte(k.Name())) // a hash never fails
	source := rand.NewPCG(seed, name.Sum64())
	return choices[source.Uint64()%uint64(len(choices))]
}
