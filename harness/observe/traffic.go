package observe

import (
	"slices"
	"time"

	"paysandbox/mockserver/tape"
)

// traffic is what the application has shown so far, as far as troubles look at
// it.
type traffic struct {
	// read is true once it has made a GET that needs a token.
	read bool
	// move and state are the operations of these kinds that it has used last.
	move, state string
	// endpoint is the webhook endpoint that has accepted a delivery last.
	endpoint string
	// arrived are the times of the latest deliveries.
	arrived []time.Time
}

// briskly is the time in which deliveries come one after the other.
const briskly = 5 * time.Second

// kept is how many times of deliveries are kept.
const kept = 10

// take takes in one entry.
func (s *traffic) take(e *tape.Entry, now time.Time) {
	switch x := e.Exchange; {
	case e.Attempt != nil:
		s.arrived = append(s.arrived, now)
		if len(s.arrived) > kept {
			s.arrived = slices.Delete(s.arrived, 0, 1)
		}
		if e.Attempt.Status >= 200 && e.Attempt.Status < 300 {
			s.endpoint = e.Attempt.Endpoint
		}
	case x == nil || e.Kind != tape.KindExchange || x.Operation == "":
	default:
		s.read = s.read || x.Method == "GET" && x.Token != ""
		if slices.Contains(moves(), x.Operation) {
			s.move = x.Operation
		}
		if slices.Contains(states(), x.Operation) {
			s.state = x.Operation
		}
	}
}

// target says what the trouble is armed for, if there is such traffic.
func (s *traffic) target(t *Trouble, now time.Time) (operation, method, endpoint string, possible bool) {
	switch {
	case t.Profile != "":
		return "", "", s.endpoint, s.endpoint != "" && s.brisk(now) >= t.Brisk
	case t.On == ARead:
		return "", "GET", "", s.read
	case t.On == AMove:
		return s.move, "", "", s.move != ""
	case t.On == AState:
		return s.state, "", "", s.state != ""
	default:
		return "", "", "", true
	}
}

// brisk is how many deliveries have come a short while ago.
func (s *traffic) brisk(now time.Time) int {
	n := 0
	for _, at := range s.arrived {
		if now.Sub(at) < briskly {
			n++
		}
	}
	return n
}
