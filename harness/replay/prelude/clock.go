package prelude

import (
	"net/http"
	"slices"
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
	by := readings(r)
	for i := range r.Exchanges {
		at := r.Exchanges[i].Begin
		if at.IsZero() {
			if at = last; i > 0 {
				at = at.Add(time.Second)
			}
			if heard := by.of(i, &r.Exchanges[i]); heard.After(at) {
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

// clockReadings are when the newest webhooks came, by the id of a payment or a payer and the status that each tells, and the next moments that
// calls tell themselves: a call without a time that reads such a status was made after that, where none behind it has an earlier time.
type clockReadings struct {
	heard map[string]time.Time
	next  []time.Time
}

func readings(r *recording.Recording) clockReadings {
	t := clockReadings{map[string]time.Time{}, make([]time.Time, len(r.Exchanges)+1)}
	last := time.Time{}
	for i := range r.Received {
		w := &r.Received[i]
		last = arrived(w, last)
		d := trail.ReadBody(w.Body).Object("Data")
		for _, id := range []string{d.Text("PaymentId"), d.Text("RegistrationId")} {
			if key := strings.ToLower(id + " " + d.Text("Status")); last.After(t.heard[key]) {
				t.heard[key] = last
			}
		}
	}
	for i, x := range slices.Backward(r.Exchanges) {
		if t.next[i] = t.next[i+1]; !x.Begin.IsZero() && (t.next[i].IsZero() || x.Begin.Before(t.next[i])) {
			t.next[i] = x.Begin
		}
	}
	return t
}

// of is when the newest webhook came that tells what a call reads; the zero time where none does.
func (t clockReadings) of(n int, x *recording.Exchange) time.Time {
	if x.Method != http.MethodGet || len(t.heard) == 0 {
		return time.Time{}
	}
	at := t.heard[strings.ToLower(trail.UUIDs().FindString(x.Path)+" "+trail.ReadBody(x.Answer.Body).Text("status"))]
	if next := t.next[n+1]; !next.IsZero() && !next.After(at) {
		return time.Time{}
	}
	return at
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
