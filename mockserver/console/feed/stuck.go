package feed

import "paysandbox/mockserver/tape"

// Stuck is the kind of a group of what waits until somebody does something.
const Stuck = "stuck"

// endpointMachine is the machine of webhook endpoints.
const endpointMachine = "webhook endpoint"

// wait notes that a delivery was given up, or that one has arrived after all. It was given
// up when the attempt that decides has failed, and there is no next one.
func (s *Sorter) wait(e *tape.Entry) {
	a := e.Attempt
	s.address[0], s.address[1] = a.Endpoint, a.URL
	decides := s.decides(a)
	switch {
	case arrived(a):
		s.free(a.Delivery)
	case decides && a.Next == 0:
		s.block(e, a.Delivery, Group{
			Title: "An event has not arrived, and is not tried again", Operation: "POST " + a.URL, Expected: a.Reason,
			Fix: "resend it under Deliveries when the receiver works, or let the application read the state",
		})
	}
}

// decides says whether an event has not arrived if this attempt fails. One that repeats what
// has arrived says nothing of it; of two attempts of the same moment the later one decides, if
// the first has failed.
func (s *Sorter) decides(a *tape.Attempt) bool {
	if !a.Profile.Has("parallel-duplicate") {
		return !a.Profile.Has("duplicate")
	}
	first, later := s.pairs[a.Delivery]
	if later {
		delete(s.pairs, a.Delivery)
	} else if len(s.pairs) < keptMost {
		s.pairs[a.Delivery] = arrived(a)
	}
	return later && !first
}

// arrived says whether the receiver took the event.
func arrived(a *tape.Attempt) bool { return a.Status >= 200 && a.Status < 300 }

// endpoint notes that nothing is sent to an endpoint, or again.
func (s *Sorter) endpoint(e *tape.Entry) {
	t := e.Transition
	switch {
	case t.Machine != endpointMachine:
	case t.To == "Disabled":
		about := "endpoint " + t.Entity
		if s.address[0] == t.Entity {
			about = "POST " + s.address[1]
		}
		s.block(e, t.Entity, Group{
			Title: "Nothing is sent to an endpoint: it is Disabled", Operation: about, Expected: t.Reason,
			Fix: "enable it under Deliveries when the receiver takes events again",
		})
	default:
		s.free(t.Entity)
	}
}

// block counts one more that waits, known by an id.
func (s *Sorter) block(e *tape.Entry, id string, g Group) {
	g.Kind, g.Outcome = Stuck, Bad
	known := s.put(e, g)
	if known == nil || s.waits[id] != nil {
		return
	}
	known.Waits++
	if len(s.waits) < keptMost { // what is not kept is not seen to go on
		s.waits[id] = known
	}
}

// free takes out what goes on.
func (s *Sorter) free(id string) {
	if g := s.waits[id]; g != nil {
		g.Waits--
		delete(s.waits, id)
	}
}
