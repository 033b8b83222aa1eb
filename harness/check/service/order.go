package service

import (
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// line is where the events about one resource wait for one endpoint.
type line struct{ endpoint, entity string }

// front is the delivery of a line that went out last.
type front struct {
	// event is the number of the event's entry, attempt that of the first
	// attempt, delivery the id.
	event, attempt uint64
	delivery       string
	// waiting is true while the delivery has another attempt before it.
	waiting bool
}

// deliveryOrder holds the deliveries of each line to the order of the events. The
// profiles that change the order on purpose are left out, and what is sent once
// more stands in no line.
func deliveryOrder(t *trail.Trail) []verdict.Judgement {
	if t.Meta.Latitude["event-order"] == "shuffled" {
		return verdict.DoesNotApply("the choice event-order=shuffled changes the order")
	}
	var y verdict.Tally
	events := map[string]*tape.Entry{}
	fronts := map[line]*front{}
	again := resent(t)
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Event != nil:
			events[e.Event.ID] = e
		case e.Transition != nil && e.Transition.Machine == "webhook endpoint": // what waited for it is given up
			for at := range fronts {
				if at.endpoint == e.Transition.Entity {
					delete(fronts, at)
				}
			}
		case e.Attempt == nil:
		case again[e.Attempt.Delivery]:
			y.Skip("a delivery that was sent once more on demand")
		case trail.Spoilt(e.Attempt, "reorder", "burst", "delay"):
			y.Skip("a delivery that was held back on purpose: " + string(e.Attempt.Profile))
		default:
			judgeOrder(&y, t, fronts, events[e.Attempt.Event], e)
		}
	}
	return y.Judgements("no delivery")
}

// resent are the ids of the deliveries that were asked for once more.
func resent(t *trail.Trail) map[string]bool {
	return resentBy(t, func(*tape.Exchange) bool { return true })
}

// rewritten are those of them that have another body than their event.
func rewritten(t *trail.Trail) map[string]bool {
	return resentBy(t, func(x *tape.Exchange) bool { return trail.ReadBody(x.Request.Body).Text("body") != "" })
}

func resentBy(t *trail.Trail, is func(x *tape.Exchange) bool) map[string]bool {
	ids := map[string]bool{}
	for e := range t.Of(tape.KindControl) {
		if x := e.Exchange; x != nil && x.Operation == "resendDelivery" && trail.Served(x) && is(x) {
			ids[strings.ToLower(trail.ReadBody(x.Response.Body).Text("id"))] = true
		}
	}
	return ids
}

// outOfSight says whether something is missing that could explain an attempt: an
// attempt before it, the end of its endpoint, or the call that has asked for it.
func outOfSight(t *trail.Trail, e *tape.Entry) bool {
	return t.LostCause(e) || t.Stubbed(tape.KindAttempt, tape.KindTransition, tape.KindControl)
}

// judgeOrder judges one attempt by the one before it in its line.
func judgeOrder(y *verdict.Tally, t *trail.Trail, fronts map[line]*front, event, e *tape.Entry) {
	if event == nil {
		if t.Cut(tape.KindEvent) {
			y.Open("the event of this delivery is not on the tape", e.Seq)
		}
		return
	}
	at := line{e.Attempt.Endpoint, trail.Subject(event)}
	f := fronts[at]
	now := &front{event.Seq, e.Seq, e.Attempt.Delivery, e.Attempt.Next != 0}
	switch {
	case f == nil, f.delivery == now.delivery:
	case (f.waiting || f.event > now.event) && outOfSight(t, e):
		y.Open("what came between two deliveries may have been dropped", f.attempt, e.Seq)
		fronts[at] = now
		return
	case f.event > now.event:
		y.Breach("", "the earlier event first", "the event of entry "+decimal(f.event)+" before that of entry "+decimal(now.event), "", f.attempt, e.Seq)
		return
	case f.waiting:
		y.Breach("", "the delivery before it to be over", "an attempt while the event of entry "+decimal(f.event)+" was still to be tried again", "", f.attempt, e.Seq)
		fronts[at] = now
		return
	}
	fronts[at] = now
	y.Holds(e.Seq)
}
