package plans

import (
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Early is a payment that was collected before the day that it was asked for.
type Early struct {
	// Heard is the webhook that tells of it, from 1, and Call the call that asked for it, from 0.
	Heard, Call int
	Payment     string
	// Due is the day that was asked for.
	Due time.Time
}

// TooEarly are such payments, each once. In which zone the service's days are the specification leaves open: what is before the day in all
// from UTC to the west is too early.
func TooEarly(r *recording.Recording) []Early {
	asked := map[string]Early{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		due, err := time.Parse(time.DateOnly, trail.ReadBody(x.Body).Text("dueDate"))
		id := strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"))
		if _, again := asked[id]; err == nil && id != "" && !again && x.Answer.Status/100 == 2 {
			asked[id] = Early{Call: i, Payment: id, Due: due}
		}
	}
	var list []Early
	for i := range r.Received {
		w := &r.Received[i]
		d := trail.ReadBody(w.Body).Object("Data")
		e, known := asked[strings.ToLower(d.Text("PaymentId"))]
		if status := d.Text("Status"); !known || status != "Processing" && status != "Paid" || w.Signature == recording.Wrong || w.At.IsZero() {
			continue
		}
		delete(asked, e.Payment)
		if w.At.Before(e.Due) { // the day has begun nowhere from Greenwich to Hawaii
			e.Heard = i + 1
			list = append(list, e)
		}
	}
	return list
}
