package integration

import (
	"sync"

	"paysandbox/mockserver/tape"
)

// Calls that come without a token, or with one that is nobody's, are shown to the
// owner, who may have forgotten it; but they must not push the owner's own entries
// off the tape. So only a few of them go there, and only while the tape is not half
// full. The others go on a small tape of their own.
const (
	maxGuests      = 500
	maxGuestBytes  = 1 << 20
	strangersKept  = 200
	strangersBytes = 256 << 10
)

// guests counts the strangers' calls on an owner's tape.
type guests struct {
	entries int
	bytes   int64
}

// room says whether one more may go there.
func (g *guests) room(m *tape.Memory) bool {
	l := m.Limits()
	return g.entries < maxGuests && g.bytes < maxGuestBytes && m.Len() < l.Entries/2 && m.Bytes() < l.Bytes/2
}

func (g *guests) count(bytes int64) {
	g.entries++
	g.bytes += max(0, bytes)
}

// Strangers keeps the last calls of nobody. It is safe for concurrent use.
type Strangers struct {
	mu   sync.Mutex
	tape *tape.Memory
}

func newStrangers() *Strangers {
	return &Strangers{tape: tape.New(tape.Limits{Entries: strangersKept, Bytes: strangersBytes})}
}

// keep puts a call on the tape, under a number of that tape's own.
func (s *Strangers) keep(c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := c.Exchange
	err := s.tape.Append(&tape.Entry{Seq: s.tape.Last() + 1, At: c.Time.UnixNano(), Kind: c.Kind, Exchange: &x})
	if err != nil {
		panic("integration: strangers are numbered here: " + err.Error())
	}
}

// Entries gives what is kept, oldest first, and how many calls were dropped.
func (s *Strangers) Entries() (list []tape.Entry, dropped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tape.Scan(0, tape.Filter{}, func(e tape.Entry) bool {
		list = append(list, e)
		return true
	})
	return list, s.tape.Dropped()
}
