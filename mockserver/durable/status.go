package durable

import (
	"context"
	"fmt"
	"log/slog"
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
		s.Snapshot, s.SnapshotAt = images.latest(ctx)
	}
	return s, err
}

// refuse tells all that wait that the shard applies no more.
func (r *Runner) refuse(l *line) {
	l.at.Lock()
	err := l.shard.Err()
	l.at.Unlock()
	l.refuses.Store(&err)
	if r.broken.CompareAndSwap(nil, &err) {
		r.opts.Tell.Error("the log is not applied any more", slog.Any("reason", err))
	}
	r.abandon(l)
}

// abandon ends the waits of a line that is not driven any more.
func (r *Runner) abandon(l *line) {
	l.at.Lock()
	defer l.at.Unlock()
	l.inbox.Lock()
	defer l.inbox.Unlock()
	err := l.shard.Err()
	if err == nil {
		err = ErrUnknown
	}
	for _, list := range [][]offered{l.in, l.shard.pending, l.shard.sent} {
		give(list, err)
	}
	l.in, l.active = nil, false
}

// Followed is the number up to which the runner has read the whole log.
func (r *Runner) Followed() uint64 { return r.follow.Load() }

// Broken is why the log is not applied any more, or nil.
func (r *Runner) Broken() error {
	if err := r.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Err is why the log is not applied, or nil: it is broken, leads others to another state, or
// cannot be reached.
func (r *Runner) Err() error {
	if err := r.Broken(); err != nil {
		return err
	}
	for _, l := range r.lines {
		if err := l.refuses.Load(); err != nil {
			return *err
		}
	}
	if d := r.down.Load(); d != nil {
		return d.of(ErrNotTaken)
	}
	return nil
}

// down is why the log takes nothing, and since when.
type down struct {
	since time.Time
	why   error
}

// errLate is why, where the log has said nothing.
var errLate = fmt.Errorf("no answer within %s", patience)

// fails notes why the log has not taken something: what was said first of that counts no
// more than what is said last, but the time does.
func (r *Runner) fails(why error) *down {
	d, before := &down{r.opts.Wall(), why}, r.down.Load()
	if before != nil {
		d.since = before.since
		if why == errLate { //nolint:errorlint // It is this very one, which says less.
			d.why = before.why
		}
	}
	r.down.Store(d)
	return d
}

// of adds why to an error.
func (d *down) of(err error) error {
	return fmt.Errorf("%w (since %s: %w)", err, d.since.UTC().Format(time.RFC3339), d.why)
}
