package tape

import "slices"

// Filter chooses entries. The zero value chooses all; what is set must hold
// together.
type Filter struct {
	// Kinds are the kinds wanted; none means all.
	Kinds []Kind
	// Operation is the operation id of an exchange, page or control entry.
	Operation string
	// Entity is an id that must be among the entry's entities.
	Entity string
	// Since leaves out entries up to and with this number.
	Since uint64
	// Limit ends the scan after so many matches; 0 means no limit.
	Limit int
}

// Match tells whether one entry passes. Limit plays no part.
func (f Filter) Match(e Entry) bool {
	return e.Seq > f.Since &&
		f.kinds()&bitIf(true, e.Kind) != 0 &&
		(f.Entity == "" || slices.Contains(e.Entities, f.Entity)) &&
		(f.Operation == "" || e.Exchange != nil && e.Exchange.Operation == f.Operation)
}

// kinds is the set of wanted kinds, one bit a kind.
func (f Filter) kinds() uint32 {
	if len(f.Kinds) == 0 {
		return ^uint32(0)
	}
	var set uint32
	for _, k := range f.Kinds {
		set |= bit(k)
	}
	return set
}

// looksInside tells whether the kind alone does not decide.
func (f Filter) looksInside() bool { return f.Entity != "" || f.Operation != "" }

// matchRaw applies Entity and Operation to an encoded entry without decoding
// its body.
func (f Filter) matchRaw(raw []byte) bool {
	c := cursor{raw: raw}
	c.text()
	h := c.fixed()
	found := f.Entity == ""
	for range c.count(1) {
		if string(c.bytes()) == f.Entity {
			found = true
		}
	}
	if !found || f.Operation == "" {
		return found && !c.bad
	}
	// A stub ends here, which is bad.
	return hasExchange(h.kind) && string(c.bytes()) == f.Operation && !c.bad
}

// hasExchange tells whether entries of this kind carry an Exchange.
func hasExchange(k Kind) bool {
	return k == KindExchange || k == KindPage || k == KindControl
}
