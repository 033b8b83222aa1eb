package integration

// entityBytes is what an entity is taken to weigh, besides what its request brought.
const entityBytes = 512

// weight is what a world has drawn from the budget.
type weight struct {
	bytes    int64
	entities int
}

// grow draws what an input has made the world grow by: at most what the input
// brought, and a bit for each new entity. An input that has made nothing weighs
// nothing.
func (w *weight) grow(b *Budget, entities int, brought int64) {
	grown := entities - w.entities
	if w.entities = entities; grown > 0 {
		n := brought + int64(grown)*entityBytes
		w.bytes += n
		b.Force(n)
	}
}

// forget gives back what a deleted integration holds.
func (i *Integration) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.empty()
}

// empty gives what tape and world have drawn back to the budget.
func (i *Integration) empty() {
	i.tape.Reset()
	i.budget.Give(i.weight.bytes)
	i.weight, i.guests = weight{}, guests{}
}
