package receiver

import (
	"time"

	"paysandbox/harness/replay/recording"
)

// leading is by how much a webhook has to come before the end of a call's answer, for the answer's way not to tell it.
const leading = 100 * time.Millisecond

// Crossed says whether a webhook came within a call, as exactly as its time is told.
func Crossed(w *recording.Received, x *recording.Exchange) bool {
	lead := leading
	if w.At.Nanosecond() == 0 {
		lead += time.Second
	}
	return !w.At.IsZero() && !x.Begin.IsZero() && !w.At.Before(x.Begin) && x.End.Sub(w.At) >= lead
}

// OneClock says whether the times of a webhook and of a call can be compared: one file tells both, or nothing shows that the
// clocks of their files differ.
func OneClock(r *recording.Recording, w *recording.Received, x *recording.Exchange) bool {
	right := func(p recording.Place) bool { return r.Told(time.Unix(0, 0), p).Equal(time.Unix(0, 0)) }
	return w.Place.Source == x.Place.Source || right(w.Place) && right(x.Place)
}

// TakenLater is the webhook, from 1, by which a receiver took the event of an earlier one, 0 for none.
func TakenLater(r *recording.Recording, i int) int {
	for j := i + 1; j < len(r.Received); j++ {
		if w := &r.Received[j]; w.Status/100 == 2 && w.Says() == r.Received[i].Says() {
			return j + 1
		}
	}
	return 0
}
