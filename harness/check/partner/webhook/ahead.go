package webhook

import (
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// aheadProfile is the delivery profile whose events come before the answer to
// the call that has caused them.
const aheadProfile = "before-response"

// beforeResponse judges the answers to events that came before the answer to the call. Who
// takes one about what it knew already may still refuse one about what the call makes.
func beforeResponse(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	set := aheadSet(t)
	var away putOff
	var half []uint64
	for _, h := range t.Deliveries() {
		ahead := h.Number == 1 && h.Genuine() && early(t, h, set)
		away.note(h, ahead)
		switch {
		case ahead && trail.Accepted(h.Attempt) && !ofItsMaking(t, h):
			half = []uint64{h.Entry.Seq}
		case ahead:
			judgeUnusual(&y, h, ways[aheadProfile], t.Takes(h.Endpoint))
		case h.Number == 1 && h.Genuine() && len(h.Profile) == 0 && unknownYet(t, h) && t.Takes(h.Endpoint):
			y.FailAs("soon", "2xx to an event that comes with the answer to the call", "status "+strconv.Itoa(h.Status)+": the receiver did not know yet what the call had made", h.Entry.Seq)
		}
	}
	away.judge(t, &y, ways[aheadProfile])
	if half != nil && y.Held() == 0 {
		y.ReviewAs("half", "an event about what was known already came before the answer and was accepted; one about what the call makes, such as the charge of a saved card, did not come", half...)
	}
	return y.Exercised()
}

// ofItsMaking says whether an event is about what the call that has caused it has made.
func ofItsMaking(t *trail.Trail, h *trail.Delivery) bool {
	born := t.Born(h.About())
	return born != nil && born.Cause != 0 && (born.Cause == h.Entry.Cause || h.Emitted != nil && born.Cause == h.Emitted.Cause)
}

// early says whether an event was sent before the call was answered: the attempt
// says so, or the endpoint was set so and the cause is a call.
func early(t *trail.Trail, h *trail.Delivery, set []setting) bool {
	cause := t.Entry(h.Entry.Cause)
	switch {
	case trail.Spoilt(h.Attempt, aheadProfile):
		return true
	case cause == nil || cause.Kind != tape.KindExchange:
		return false
	case t.Meta.Latitude["event-before-response"] == "yes":
		return true
	}
	var last *setting
	for i := range set {
		if s := &set[i]; s.seq < h.Entry.Cause && s.endpoint == h.Endpoint {
			last = s
		}
	}
	return last != nil && last.ahead && (last.next == 0 || firsts(t, last, h.Entry) < last.next)
}

// firsts counts the deliveries that an endpoint was sent between a setting and an
// attempt.
func firsts(t *trail.Trail, s *setting, until *tape.Entry) int64 {
	n := int64(0)
	for e := range t.Of(tape.KindAttempt) {
		if a := e.Attempt; e.Seq > s.seq && e.Seq < until.Seq && a.Endpoint == s.endpoint && a.Number == 1 {
			n++
		}
	}
	return n
}

// setting is the profile of an endpoint from an entry on, for good or for the
// next few deliveries.
type setting struct {
	seq      uint64
	endpoint string
	ahead    bool
	next     int64
}

// aheadSet lists when endpoints were set to send events ahead, or no more.
func aheadSet(t *trail.Trail) []setting {
	var list []setting
	for e := range t.Of(tape.KindControl) {
		x := e.Exchange
		if x.Operation != "addWebhook" && x.Operation != "setProfile" || !trail.Served(x) || len(e.Entities) == 0 {
			continue
		}
		body := trail.ReadBody(x.Request.Body)
		next, _ := body.Whole("next")
		list = append(list, setting{e.Seq, trail.Subject(e), tape.Profiles(body.Text("profile")).Has(aheadProfile), next})
	}
	return list
}
