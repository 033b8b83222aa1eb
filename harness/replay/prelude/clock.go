package prelude

import (
	"net/http"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// unknownStart is when a recording without any time is said to have begun: a Monday
// morning, as in a sandbox whose clock stands still.
var unknownStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

// Clock is the service's time of what a recording holds.
type Clock struct {
	Calls    []time.Time
	Received []time.Time
	// Known says whether the recording tells any time.
	Known bool
}

// Times gives every call and webhook a time: what has none comes a second after what
// stands before it.
func Times(r *recording.Recording) Clock {
	last := firstTime(r)
	c := Clock{Known: !last.IsZero()}
	if !c.Known {
		last = unknownStart
	}
	for i := range r.Exchanges {
		at := r.Exchanges[i].Begin
		if at.IsZero() {
			if at = last; i > 0 {
				at = at.Add(time.Second)
			}
			if heard := heardOf(r, i); heard.After(at) {
				at = heard.Add(time.Second)
			}
		}
		last = at
		c.Calls = append(c.Calls, at)
	}
	for i := range r.Received {
		c.Received = append(c.Received, arrived(&r.Received[i], last))
	}
	return c
}

// heardOf is when the newest webhook came which tells of a payment or a payer what a call without a time reads of it: the call
// was made after that. The zero time where none does, or where a later call has an earlier time.
func heardOf(r *recording.Recording, n int) (newest time.Time) {
	x := &r.Exchanges[n]
	status := trail.ReadBody(x.Answer.Body).Text("status")
	if x.Method != http.MethodGet || status == "" {
		return newest
	}
	for i := range r.Received {
		w := &r.Received[i]
		d := trail.ReadBody(w.Body).Object("Data")
		of := func(id string) bool {
			return id != "" && strings.Contains(strings.ToLower(x.Path), strings.ToLower(id))
		}
		if at := arrived(w, newest); strings.EqualFold(d.Text("Status"), status) && (of(d.Text("PaymentId")) || of(d.Text("RegistrationId"))) && at.After(newest) {
			newest = at
		}
	}
	for _, later := range r.Exchanges[n+1:] {
		if !later.Begin.IsZero() && !later.Begin.After(newest) {
			return time.Time{}
		}
	}
	return newest
}

// arrived is when a webhook came, or would have come had it not been tried again, and
// had the clocks agreed: an event tells the whole second in which it happened.
func arrived(w *recording.Received, last time.Time) time.Time {
	stamped := Timestamp(w)
	switch {
	case w.At.IsZero() && stamped.IsZero():
		return last
	case stamped.IsZero():
		return w.At
	case w.At.Before(stamped) || w.At.After(stamped.Add(time.Second)):
		return stamped
	default:
		return w.At
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

func firstTime(r *recording.Recording) time.Time {
	for i := range r.Exchanges {
		if at := r.Exchanges[i].Begin; !at.IsZero() {
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
