package trail

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/tape"
)

// Accepted says whether a receiver took a delivery.
func Accepted(a *tape.Attempt) bool { return a.Status >= 200 && a.Status < 300 }

// Forgeries are the delivery profiles whose deliveries are not genuine.
var Forgeries = []string{"altered-byte", "altered-signature", "missing-signature", "wrong-secret", "empty-secret", "stale-signature", "altered-status"}

// Delivery is one attempt to deliver and the event that it is about, nil when that
// is not on the tape.
type Delivery struct {
	*tape.Attempt
	Entry, Emitted *tape.Entry

	about, says string
}

// Deliveries are the attempts of the tape, in its order.
func (t *Trail) Deliveries() []*Delivery { return Once(t, "deliveries", t.readDeliveries) }

// DeliveriesAbout are the attempts to tell of a resource, in the tape's order.
func (t *Trail) DeliveriesAbout(id string) []*Delivery {
	return Once(t, "deliveries by resource", func() map[string][]*Delivery {
		by := map[string][]*Delivery{}
		for _, h := range t.Deliveries() {
			by[h.About()] = append(by[h.About()], h)
		}
		return by
	})[id]
}

// DeliveryBy is the attempt of an entry, which is one.
func (t *Trail) DeliveryBy(e *tape.Entry) *Delivery {
	return Once(t, "deliveries by entry", func() map[uint64]*Delivery {
		by := map[uint64]*Delivery{}
		for _, h := range t.Deliveries() {
			by[h.Entry.Seq] = h
		}
		return by
	})[e.Seq]
}

// EventsAbout are the events about a resource, in the tape's order; its id is in lower case.
func (t *Trail) EventsAbout(id string) []*tape.Entry {
	return Once(t, "events by resource", func() map[string][]*tape.Entry {
		by := map[string][]*tape.Entry{}
		for e := range t.Of(tape.KindEvent) {
			about := strings.ToLower(Subject(e))
			by[about] = append(by[about], e)
		}
		return by
	})[id]
}

func (t *Trail) readDeliveries() []*Delivery {
	events := map[string]Delivery{}
	for e := range t.Of(tape.KindEvent) {
		events[e.Event.ID] = Delivery{Emitted: e, about: strings.ToLower(Subject(e)), says: ReadBody(e.Event.Body).Object("Data").Text("Status")}
	}
	var list []*Delivery
	for e := range t.Of(tape.KindAttempt) {
		h := events[e.Attempt.Event]
		h.Attempt, h.Entry = e.Attempt, e
		list = append(list, &h)
	}
	return list
}

// About is the resource that was told about, "" when that is not known.
func (h *Delivery) About() string { return h.about }

// Says is the status that the event tells.
func (h *Delivery) Says() string { return h.says }

// Claims is the status that the delivery tells as it came, which may have been altered on its
// way.
func (h *Delivery) Claims() string {
	if Spoilt(h.Attempt, "altered-status") {
		return ReadBody(h.Body).Object("Data").Text("Status")
	}
	return h.Says()
}

// ForgedPaid says whether a delivery that is not genuine had told that a payment is Paid before
// an entry: what is fulfilled then may be so on its word.
func (t *Trail) ForgedPaid(id string, by uint64) bool {
	return slices.ContainsFunc(t.DeliveriesAbout(id), func(h *Delivery) bool {
		return h.Entry.Seq < by && !h.Genuine() && h.Claims() == "Paid"
	})
}

// Genuine says whether the delivery is what the service signs: a receiver may
// accept it.
func (h *Delivery) Genuine() bool { return !Spoilt(h.Attempt, Forgeries...) }

// Taken says whether a genuine delivery was taken.
func (h *Delivery) Taken() bool { return h.Genuine() && Accepted(h.Attempt) }

// Told says whether a genuine delivery was taken that says what has happened:
// under a name that the application knows, and with the moment at which it did.
func (h *Delivery) Told() bool {
	return h.Taken() && !Spoilt(h.Attempt, "unknown-event", "stale-timestamp")
}

// Heard says whether the receiver may know of a genuine delivery: it has taken it, or has
// come to grief over it, or was still at work when nobody waited any more.
func (h *Delivery) Heard() bool {
	return h.Genuine() && (Accepted(h.Attempt) || h.Status == 0 || h.Status >= 500)
}

// Signed says whether the delivery carries a signature: without one the endpoint
// has no secret, or the signature was left out on purpose.
func (h *Delivery) Signed() bool {
	_, ok := Header(h.Header, SignatureHeader)
	return ok
}

// Away says whether nobody was there who could judge the delivery: no answer, a
// gateway's answer, or the wish to come later.
func (h *Delivery) Away() bool {
	switch h.Status {
	case 0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return false
	}
}

// Refused says whether the receiver has answered that it does not want it.
func (h *Delivery) Refused() bool { return !Accepted(h.Attempt) && !h.Away() }

// Takes says whether an endpoint has taken anything genuine. What was dropped counts
// in its favour.
func (t *Trail) Takes(endpoint string) bool {
	took := Once(t, "takers", func() map[string]bool {
		took := map[string]bool{}
		for _, h := range t.Deliveries() {
			if h.Taken() {
				took[h.Endpoint] = true
			}
		}
		return took
	})
	return took[endpoint] || t.Cut(tape.KindAttempt)
}

// SignatureHeader carries the signature. Specification, Events.
const SignatureHeader = "X-HMAC-Signature"

// Spoilt says whether a delivery was spoilt on purpose in one of these ways.
func Spoilt(a *tape.Attempt, ways ...string) bool {
	return a.Profile.Has(ways...)
}
