package mention

import (
	"cmp"
	"slices"
	"time"

	"paysandbox/harness/replay/recording"
)

// nearArrival is how far apart the times may be that an access log and a receiver's own log tell of one request.
const nearArrival = 2 * time.Second

// Answered gives webhooks of which no file tells what they were answered the statuses of an access log: where as many requests came, one
// after the other at the times of the webhooks, and no status that is known is another.
func Answered(r *recording.Recording) {
	for i := range r.Sources {
		all := slices.SortedStableFunc(slices.Values(r.Sources[i].Arrivals), func(a, b recording.Arrival) int { return a.At.Compare(b.At) })
		if len(all) == 0 || !areThose(all, r.Received) {
			continue
		}
		for n := range r.Received {
			r.Received[n].Status = cmp.Or(r.Received[n].Status, all[n].Status)
		}
	}
}

// areThose says whether requests that came are the webhooks, in their order.
func areThose(all []recording.Arrival, heard []recording.Received) bool {
	if len(all) != len(heard) {
		return false
	}
	for n := range heard {
		w := &heard[n]
		if w.At.IsZero() || all[n].Status == 0 || w.Status != 0 && w.Status != all[n].Status || w.At.Sub(all[n].At).Abs() > nearArrival {
			return false
		}
	}
	return true
}
