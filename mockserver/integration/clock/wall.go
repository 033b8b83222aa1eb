package clock

import (
	"sync"
	"time"
)

// Steady is a wall clock that is never put back. Where the one that it reads is put back,
// it goes on from where it was, and stays ahead until that one is put forward again.
func Steady(wall func() time.Time) func() time.Time {
	return (&steady{wall: wall}).now
}

type steady struct {
	wall func() time.Time

	mu sync.Mutex
	// last is what the wall said when it was read last, and ahead how far it is behind
	// where it was. read is when that was: nobody puts the processor's own clock.
	last, ahead int64
	read        time.Time
}

func (s *steady) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, read := s.wall(), time.Now()
	put := at.UnixNano() - s.last - int64(read.Sub(s.read))
	switch {
	case s.read.IsZero(): // it is the first time
	case at.UnixNano() < s.last:
		s.ahead -= min(put, at.UnixNano()-s.last)
	case put > 0:
		s.ahead = max(0, s.ahead-put)
	}
	s.last, s.read = at.UnixNano(), read
	return at.Add(time.Duration(s.ahead))
}
