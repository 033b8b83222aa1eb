package fault

import "paysandbox/mockserver/kernel"

// Pack lists what is armed and what has been withdrawn.
func (s *Set) Pack(k *kernel.Codec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.Reading() {
		s.waiting, s.revoked = nil, nil
	}
	kernel.PackEach(k, &s.all, 1, func(a **Armed) {
		if k.Reading() {
			*a = &Armed{}
		}
		(*a).Pack(k)
		if k.Reading() && (*a).Remaining() != 0 {
			s.waiting = append(s.waiting, *a)
		}
	})
	k.Int(&s.named)
	kernel.PackEach(k, &s.oldest, 1, func(token *string) {
		by := s.revoked[*token]
		k.Strs(token, &by)
		if s.revoked == nil {
			s.revoked = map[string]string{}
		}
		s.revoked[*token] = by
	})
	k.Require(len(s.all) <= MaxArmed && len(s.oldest) <= maxRevoked, "as many faults and tokens as a set may hold")
	s.count()
}

// Become makes the set what another is; the other is of no use afterwards.
func (s *Set) Become(other *Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all, s.waiting, s.named, s.revoked, s.oldest = other.all, other.waiting, other.named, other.revoked, other.oldest
	s.count()
}

// Pack lists the fields of a fault and what it has done.
func (a *Armed) Pack(k *kernel.Codec) {
	k.Str(&a.ID)
	k.Strs(&a.Match.Operation, &a.Match.Method, &a.Match.Entity)
	k.Int(&a.Match.Nth)
	a.Effect.Pack(k)
	a.packEnd(k)
	k.Int(&a.Count)
	k.Int(&a.Seen)
	k.Int(&a.Hits)
	kernel.PackList(k, &a.Log)
	k.Require(len(a.Log) <= MaxHits, "as many hits as are remembered")
}

// The marks behind an effect. One that has no end is written as before there were ends.
const (
	markDrop = 1 << iota
	markEnds
	markNone
)

// packEnd lists how the call ends, and the fault.
func (a *Armed) packEnd(k *kernel.Codec) {
	var marks uint8
	if a.Effect.CommitThenDrop {
		marks = markDrop
	}
	if a.Until != 0 {
		marks |= markEnds
	}
	k.Num8s(&marks)
	k.Require(marks < markNone, "marks of a fault")
	a.Effect.CommitThenDrop = marks&markDrop != 0
	if k.Reading() && k.Sound() {
		k.Require(len(a.Effect.Validate()) == 0, "an effect that can be")
	}
	if marks&markEnds != 0 {
		k.Ints(&a.Until)
		k.Require(a.Until != 0, "when the fault ends")
	}
}

// Pack lists the fields of an effect, but for the one that packEnd lists.
func (e *Effect) Pack(k *kernel.Codec) {
	k.Int(&e.Status)
	k.Int(&e.RetryAfter)
	k.Ints((*int64)(&e.Latency), (*int64)(&e.SlowBody))
	k.Strs((*string)(&e.Cut), (*string)(&e.Revoke))
}

// Pack lists the fields of a hit.
func (h *Hit) Pack(k *kernel.Codec) {
	k.Num(&h.Exchange)
	k.Ints(&h.At)
}
