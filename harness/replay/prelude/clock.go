package prelude

import (
	"net/http"
	"slices"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// unknownStart is when a recording without any time is said to have begun: a Monday
// morning, as in a sandbox whose clock stands still.
var unknownStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

// apart is how far a file's clock may be from the service's without being told.
const apart = 2 * time.Second

// Clock is the service's time of what a recording holds.
type Clock struct {
	Calls    []time.Time
	Received []time.Time
	// Offsets are what was added to the times of a file, by its name.
	Offsets map[string]time.Duration
	// Known says whether the recording tells any time.
	Known bool
}

// Times brings the times of all files to the service's own: what its Date headers and
// the timestamps of its events say. What has no time comes a second after what stands
// before it.
func Times(r *recording.Recording) Clock {
	c := Clock{Offsets: offsets(r)}
	last := firstTime(r)
	c.Known = !last.IsZero()
	if !c.Known {
		last = unknownStart
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		at := x.Begin
		if at.IsZero() {
			at = served(x)
		} else {
			at = at.Add(c.Offsets[x.Place.Source])
		}
		if at.IsZero() {
			at = last
			if i > 0 {
				at = last.Add(time.Second)
			}
		}
		last = at
		c.Calls = append(c.Calls, at)
	}
	for i := range r.Received {
		c.Received = append(c.Received, c.arrived(&r.Received[i], last))
	}
	return c
}

// arrived is when a webhook came, or would have come had it not been tried again: an
// event tells whole seconds.
func (c *Clock) arrived(w *recording.Received, last time.Time) time.Time {
	stamped := Timestamp(w)
	switch at := w.At.Add(c.Offsets[w.Place.Source]); {
	case w.At.IsZero() && stamped.IsZero():
		return last
	case w.At.IsZero(), !stamped.IsZero() && at.After(stamped.Add(time.Second)):
		return stamped.Add(time.Second - time.Nanosecond)
	default:
		return at
	}
}

// Timestamp is when an event says that it happened, by the service's clock.
func Timestamp(w *recording.Received) time.Time {
	at, err := time.Parse(time.RFC3339Nano, trail.ReadBody(w.Body).Object("Data").Text("Timestamp"))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// served is the Date of an answer, zero for none.
func served(x *recording.Exchange) time.Time {
	text, _ := trail.Header(x.Answer.Header, "Date")
	at, err := http.ParseTime(text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// offsets are how far the service's clock is ahead of each file's, where it is more
// than a little: the middle of what the answers' Date headers say.
func offsets(r *recording.Recording) map[string]time.Duration {
	by := map[string][]time.Duration{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if at := served(x); !at.IsZero() && !x.Begin.IsZero() {
			end := x.End
			if end.IsZero() {
				end = x.Begin
			}
			by[x.Place.Source] = append(by[x.Place.Source], at.Sub(end))
		}
	}
	result := map[string]time.Duration{}
	for name, list := range by {
		slices.Sort(list)
		if d := list[len(list)/2]; d > apart || d < -apart {
			result[name] = d.Round(time.Second)
		}
	}
	return result
}

func firstTime(r *recording.Recording) time.Time {
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; !x.Begin.IsZero() {
			return x.Begin
		} else if at := served(x); !at.IsZero() {
			return at
		}
	}
	for i := range r.Received {
		if at := Timestamp(&r.Received[i]); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}
