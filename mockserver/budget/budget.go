// Package budget bounds the bytes that a process holds for its callers: bodies that are
// being read, tapes, worlds, attachments and work on copies of them draw from one sum.
// It knows none of them, and it must not decide what a caller is answered.
package budget

import (
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"paysandbox/mockserver/filestore"
)

// ErrNoRoom says that the process has no memory left for a piece of work.
var ErrNoRoom = errors.New("there is no memory left for what the snapshot holds; reset or delete integrations, or give the process more by --memory")

// Bytes bounds the bytes that a process holds for its callers: bodies that are
// being read, tapes, worlds and attachments draw from one. It is safe for
// concurrent use; nil is a budget without a bound.
type Bytes struct {
	limit int64
	used  atomic.Int64
	// freed counts what was given back since the memory went back to the system.
	freed atomic.Int64
	work  work
	// copies are those of integrations that are put to sleep, or woken.
	copies work
	// answers are the bytes of large answers on their way.
	answers atomic.Int64
	// taped are the bytes of tapes, and tapes is how many have some.
	taped, tapes atomic.Int64
	// Disk takes files, which then draw nothing; nil where there is no disk.
	Disk *filestore.Store
}

// New makes a budget of so many bytes.
func New(bytes int64) *Bytes {
	b := &Bytes{limit: bytes}
	b.work.ended.L, b.copies.ended.L = &b.work.mu, &b.copies.mu
	return b
}

// Holder gives an integration what its files go to; nil where they stay in memory.
func (b *Bytes) Holder() *filestore.Holder {
	if b == nil {
		return nil
	}
	return b.Disk.Holder()
}

// Files is how many files are on the disk, and how many bytes they take.
func (b *Bytes) Files() (files int, bytes int64) {
	if b == nil {
		return 0, 0
	}
	return b.Disk.Used()
}

// Take draws bytes and says whether they were there; if not, nothing is drawn.
func (b *Bytes) Take(n int64) bool {
	if b == nil {
		return true
	}
	if b.used.Add(n) <= b.limit {
		return true
	}
	b.used.Add(-n)
	return false
}

// Force draws bytes although they may not be there: what has happened already
// cannot be refused.
func (b *Bytes) Force(n int64) {
	if b != nil {
		b.used.Add(n)
	}
}

// Give puts bytes back.
func (b *Bytes) Give(n int64) {
	if b != nil {
		b.used.Add(-n)
		b.freed.Add(n)
	}
}

// work bounds what is made of large bodies at the same time. It is not drawn: it lasts as
// long as a processor needs, and who wants to begin waits.
type work struct {
	mu    sync.Mutex
	ended sync.Cond
	bytes int64
}

// workPart is the part of a budget that work on large bodies may take at once.
const workPart = 5

// Begin waits until work that takes so many bytes can begin beside what is under way.
// Work that alone takes more than all may goes alone.
func (b *Bytes) Begin(n int64) {
	if b != nil {
		b.work.begin(n, b.limit/workPart)
	}
}

// End says that work has ended, which took so many bytes.
func (b *Bytes) End(n int64) {
	if b != nil {
		b.work.end(n)
	}
}

// Copy waits like Begin, for other copies alone: who works on a large body may be the one
// that wakes an integration. They are drawn, too, until done: what has to be woken cannot be
// refused, but others can.
func (b *Bytes) Copy(n int64) (done func()) {
	if b == nil {
		return func() {}
	}
	b.copies.begin(n, b.limit/workPart)
	b.Force(n)
	if n >= worthFreeing && !b.Has(b.limit/workPart) {
		debug.FreeOSMemory()
	}
	return func() {
		b.Give(n)
		b.copies.end(n)
	}
}

func (w *work) begin(n, most int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.bytes > 0 && w.bytes+n > most {
		w.ended.Wait()
	}
	w.bytes += n
}

func (w *work) end(n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes -= n
	w.ended.Broadcast()
}

// answersPart is the part of a budget that large answers may take at once, until their
// callers have read them. It is not drawn: a sandbox that is full is read still.
const answersPart = 5

// Answer says whether an answer may be held until it is read, beside those that are; one
// alone always may. [Bytes.Answered] follows.
func (b *Bytes) Answer(n int64) bool {
	if b == nil {
		return true
	}
	if held := b.answers.Add(n); held == n || held <= b.limit/answersPart {
		return true
	}
	b.answers.Add(-n)
	return false
}

// AnswerAnyway is Answer for one that cannot be refused any more.
func (b *Bytes) AnswerAnyway(n int64) {
	if b != nil {
		b.answers.Add(n)
	}
}

// Answered says that an answer has been read, or that nobody waits for it.
func (b *Bytes) Answered(n int64) {
	if b != nil {
		b.answers.Add(-n)
	}
}

// Has says whether so many bytes are left.
func (b *Bytes) Has(n int64) bool { return b == nil || b.used.Load()+n <= b.limit }

// Spent says whether no more of anything can be made: nothing is left, or what is left is
// for tapes.
func (b *Bytes) Spent() bool {
	if b == nil {
		return false
	}
	used := b.used.Load()
	return used >= b.limit || used-b.taped.Load() >= b.limit-b.limit/tapesKeep
}

// Used and Limit are in bytes; 0 and 0 without a bound.
func (b *Bytes) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// Limit is how many bytes there are in all.
func (b *Bytes) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// worthFreeing is how much has to be given back before the system gets it, in
// bytes: the collection that goes with it stops others for a moment.
const worthFreeing = 16 << 20

// Reserve draws what a piece of work takes while it lasts, and gives the function that
// puts it back. Before much is taken, the collector frees what nobody needs: it does not
// stop somebody who asks for much at once. Errors: ErrNoRoom.
func (b *Bytes) Reserve(n int64) (back func(), err error) {
	if !b.Take(n) {
		return nil, ErrNoRoom
	}
	if b != nil && n >= worthFreeing {
		debug.FreeOSMemory()
	}
	return func() { b.Give(n) }, nil
}

// Release gives memory back to the system when much was put back, as after a reset.
// It takes a while: call it without a lock.
func (b *Bytes) Release() {
	if b == nil || b.freed.Load() < worthFreeing {
		return
	}
	b.freed.Store(0)
	debug.FreeOSMemory()
}
