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
	k.Int(&a.Count)
	k.Int(&a.Seen)
	k.Int(&a.Hits)
	kernel.PackList(k, &a.Log)
	k.Require(len(a.Log) <= MaxHits, "as many hits as are remembered")
}

// Pack lists the fields of an effect.
func (e *Effect) Pack(k *kernel.Codec) {
	k.Int(&e.Status)
	k.Int(&e.RetryAfter)
	k.Ints((*int64)(&e.Latency), (*int64)(&e.SlowBody))
	k.Strs((*string)(&e.Cut), (*string)(&e.Revoke))
	k.Bools(&e.CommitThenDrop)
	if k.Reading() && k.Sound() {
		k.Require(len(e.Validate()) == 0, "an effect that can be")
	}
}

// Pack lists the fields of a hit.
func (h *Hit) Pack(k *kernel.Codec) {
	k.Num(&h.Exchange)
	k.Ints(&h.At)
}
