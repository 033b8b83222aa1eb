package kernel

import "github.com/google/uuid"

// TimerKind names what happens when a timer fires.
type TimerKind uint8

// Timer is a moment that the machine waits for. It holds no pointers.
type Timer struct {
	// Due is in nanoseconds since 1970 UTC of virtual time.
	Due   int64
	order uint64
	cause uint64
	// Arg is for whoever set the timer.
	Arg  int64
	ID   uuid.UUID
	Kind TimerKind
}

// digest tells a timer from others. Two with the same one do not both mean
// something: what the first does takes away the other's reason.
func (t *Timer) digest() Digest {
	//nolint:gosec // G115: the bits count, not the sign.
	return Digest{}.Num(uint64(t.Kind)).Bytes(t.ID[:]).Num(uint64(t.Due)).Num(uint64(t.Arg))
}

// Pack lists the fields of a timer.
func (t *Timer) Pack(k *Codec) {
	k.Ints(&t.Due, &t.Arg)
	k.Num(&t.order)
	k.Num(&t.cause)
	k.ID(&t.ID)
	packNum(k, &t.Kind, 1<<8-1)
}

// timers are a heap by due time, then by insertion.
type timers struct {
	heap  []Timer
	order uint64
}

// Pack lists the fields of timers.
func (t *timers) Pack(k *Codec) {
	PackList(k, &t.heap)
	k.Num(&t.order)
	for i := 1; k.whole && i < len(t.heap); i++ {
		k.Require(!t.heap[i].before(&t.heap[(i-1)/4]), "timers in the order of a heap")
	}
}

func (t *Timer) before(u *Timer) bool {
	return t.Due < u.Due || t.Due == u.Due && t.order < u.order
}

func (t *timers) push(x Timer) {
	t.order++
	x.order = t.order
	t.heap = append(t.heap, x)
	i := len(t.heap) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&t.heap[up]) {
			break
		}
		t.heap[i] = t.heap[up]
		i = up
	}
	t.heap[i] = x
}

func (t *timers) pop() Timer {
	top := t.heap[0]
	last := len(t.heap) - 1
	x := t.heap[last]
	t.heap = t.heap[:last]
	i := 0
	for {
		child := 4*i + 1
		if child >= last {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, last); c++ {
			if t.heap[c].before(&t.heap[least]) {
				least = c
			}
		}
		if !t.heap[least].before(&x) {
			break
		}
		t.heap[i] = t.heap[least]
		i = least
	}
	if last > 0 {
		t.heap[i] = x
	}
	return top
}

// first lists the timers that are popped first, in order, and leaves them: the next
// one is always a child of one that was listed.
func (t *timers) first(limit int) []Timer {
	var list []Timer
	edge := []int{}
	if len(t.heap) > 0 {
		edge = append(edge, 0)
	}
	for len(edge) > 0 && len(list) < limit {
		least := 0
		for n := range edge {
			if t.heap[edge[n]].before(&t.heap[edge[least]]) {
				least = n
			}
		}
		at := edge[least]
		edge = append(edge[:least], edge[least+1:]...)
		list = append(list, t.heap[at])
		for child := 4*at + 1; child < min(4*at+5, len(t.heap)); child++ {
			edge = append(edge, child)
		}
	}
	return list
}
