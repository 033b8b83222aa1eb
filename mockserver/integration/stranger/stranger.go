// Package stranger keeps the calls of nobody: those that come without a token, or with one
// that is nobody's. The owner, who may have forgotten it, is shown them; but they must not
// push the owner's own entries off the tape. So only a few of them go there, and only
// while the tape is not half full. The others go on a small tape of their own.
package stranger

import (
	"sync"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

const (
	maxGuests     = 500
	maxGuestBytes = 1 << 20
)

// Guests counts the strangers' calls on an owner's tape.
type Guests struct {
	entries int
	bytes   int64
}

// Room says whether one more may go there.
func (g *Guests) Room(m *tape.Memory) bool {
	l := m.Limits()
	return g.entries < maxGuests && g.bytes < maxGuestBytes && m.Len() < l.Entries/2 && m.Bytes() < l.Bytes/2
}

// Count counts one that has made the tape longer by so many bytes.
func (g *Guests) Count(bytes int64) {
	g.entries++
	g.bytes += max(0, bytes)
}

// Pack lists the fields.
func (g *Guests) Pack(k *kernel.Codec) {
	k.Int(&g.entries)
	k.Ints(&g.bytes)
}

// The bounds of the strangers' tape.
const (
	maxEntries = 200
	maxBytes   = 256 << 10
)

// Calls keeps the last calls of nobody. It is safe for concurrent use.
type Calls struct {
	mu   sync.Mutex
	tape *tape.Memory
}

// NewCalls gives an empty tape.
func NewCalls() *Calls {
	return &Calls{tape: tape.New(tape.Limits{Entries: maxEntries, Bytes: maxBytes})}
}

// Keep puts a call on the tape, under a number of that tape's own.
func (c *Calls) Keep(at int64, kind tape.Kind, x tape.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.tape.Append(&tape.Entry{Seq: c.tape.Last() + 1, At: at, Kind: kind, Exchange: &x})
	if err != nil {
		panic("stranger: calls are numbered here: " + err.Error())
	}
}

// Entries gives what is kept, oldest first, and how many calls were dropped.
func (c *Calls) Entries() (list []tape.Entry, dropped uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tape.Scan(0, tape.Filter{}, func(e tape.Entry) bool {
		list = append(list, e)
		return true
	})
	return list, c.tape.Dropped()
}
