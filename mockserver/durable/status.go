package durable

import (
	"context"
	"os"
	"time"
)

// Status is how a runner stands, for those who run it.
type Status struct {
	// Position is the last message that was applied, and Last the log's; what lies between
	// is the lag.
	Position, Last uint64
	// Snapshot is the last message in the newest snapshot, and SnapshotAt when that was
	// written; 0 for none.
	Snapshot   uint64
	SnapshotAt time.Time
}

// Status asks the log, too. The error says why nothing is applied.
func (r *Runner) Status(ctx context.Context) (Status, error) {
	if err := r.Err(); err != nil {
		return Status{}, err
	}
	_, last, err := r.opts.Log.Held(ctx)
	s := Status{Last: last}
	for _, l := range r.lines {
		l.at.Lock()
		s.Position = max(s.Position, l.shard.at.Seq)
		l.at.Unlock()
	}
	s.Last = max(s.Last, s.Position) // what was applied meanwhile
	if images := r.opts.Images; images != nil {
		s.Snapshot, s.SnapshotAt = images.newest()
	}
	return s, err
}

// newest is the newest file of a snapshot, and when it was written.
func (s *Images) newest() (uint64, time.Time) {
	tops, err := s.List()
	if err != nil || len(tops) == 0 {
		return 0, time.Time{}
	}
	top := tops[len(tops)-1]
	about, err := os.Stat(s.path(top))
	if err != nil {
		return 0, time.Time{}
	}
	return top, about.ModTime().UTC()
}
