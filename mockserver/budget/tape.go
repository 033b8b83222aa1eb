package budget

// Parts of a budget: tapes leave an eighth to others, however long they grow, so that there
// is room to read a body. What others make stays out of a quarter, so that a sandbox that is
// full still remembers its last calls; and of a sixteenth each tape may have its share, also
// when the others have taken all that tapes may have.
const (
	tapesLeave = 8
	tapesKeep  = 4
	tapesShare = 16
)

// Tape is the budget as one tape draws from it. It is NOT safe for concurrent use.
type Tape struct {
	all  *Bytes
	held int64
}

// ForTape is what a new tape draws from.
func (b *Bytes) ForTape() *Tape { return &Tape{all: b} }

// Take draws bytes and says whether they were there, besides what is not for tapes.
func (t *Tape) Take(n int64) bool {
	b := t.all
	switch {
	case b == nil:
		return true
	case b.Has(n + b.limit/tapesLeave):
		if !b.Take(n) {
			return false
		}
		t.hold(n)
	case t.held+n <= b.limit/tapesShare/max(b.tapes.Load(), 1):
		t.Force(n)
	default:
		return false
	}
	return true
}

// Force draws bytes although they may not be there.
func (t *Tape) Force(n int64) {
	if t.all != nil {
		t.all.Force(n)
		t.hold(n)
	}
}

// Give puts bytes back.
func (t *Tape) Give(n int64) {
	if t.all != nil {
		t.all.Give(n)
		t.hold(-n)
	}
}

// hold counts what the tape holds.
func (t *Tape) hold(n int64) {
	before := t.held
	t.held += n
	t.all.taped.Add(n)
	switch {
	case before == 0 && t.held > 0:
		t.all.tapes.Add(1)
	case before > 0 && t.held == 0:
		t.all.tapes.Add(-1)
	}
}
