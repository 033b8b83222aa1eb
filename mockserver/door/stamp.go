package door

import (
	"net/http"
	"sync/atomic"
	"time"
)

// stamp is one second of virtual time, as headers write it.
type stamp struct {
	second    int64
	iso, date string
}

// stamps remembers the last second that was written: under load there are many
// answers in each.
type stamps struct{ last atomic.Pointer[stamp] }

// at writes a moment in UTC.
func (s *stamps) at(t time.Time) *stamp {
	if last := s.last.Load(); last != nil && last.second == t.Unix() {
		return last
	}
	fresh := &stamp{second: t.Unix(), iso: t.Format(time.RFC3339), date: t.Format(http.TimeFormat)}
	s.last.Store(fresh)
	return fresh
}
