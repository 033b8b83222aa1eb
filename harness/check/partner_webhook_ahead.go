package check

import (
	"slices"
	"strings"

	"paysandbox/mockserver/tape"
)

// aheadProfile is the delivery profile whose events come before the answer to
// the call that has caused them.
const aheadProfile = "before-response"

// ahead judges the answers to events that came before the answer to the call.
func ahead(t *Tape) []Verdict {
	var y tally
	hooks := t.hooks()
	takes := t.takers(hooks)
	set := t.aheadSet()
	for i := range hooks {
		h := &hooks[i]
		if h.Number == 1 && h.genuine() && t.early(h, set) {
			y.unusual(h, "the profile "+aheadProfile, "accept an event about a payment that is not known yet: keep it, or read the payment's status later", takes(h.Endpoint))
		}
	}
	return y.exercised("be sent an event before the answer to the call: the delivery profile " + aheadProfile)
}

// early says whether an event was sent before the call was answered: the attempt
// says so, or the endpoint was set so and the cause is a call.
func (t *Tape) early(h *hook, set []setting) bool {
	cause := t.entry(h.entry.Cause)
	switch {
	case spoilt(h.Attempt, aheadProfile):
		return true
	case cause == nil || cause.Kind != tape.KindExchange:
		return false
	case t.Meta.Latitude["event-before-response"] == "yes":
		return true
	}
	on := false
	for i := range set {
		if s := &set[i]; s.seq < h.entry.Cause && s.endpoint == h.Endpoint {
			on = s.ahead
		}
	}
	return on
}

// setting is the profile of an endpoint from an entry on.
type setting struct {
	seq      uint64
	endpoint string
	ahead    bool
}

// aheadSet lists when endpoints were set to send events ahead, for good; a
// profile for the next few attempts is named by the attempts.
func (t *Tape) aheadSet() []setting {
	var list []setting
	for e := range t.of(tape.KindControl) {
		x := e.Exchange
		if x.Operation != "addWebhook" && x.Operation != "setProfile" || !served(x) || len(e.Entities) == 0 {
			continue
		}
		body := read(x.Request.Body)
		next, _ := body.whole("next")
		names := strings.Split(body.text("profile"), ",")
		list = append(list, setting{e.Seq, main(e), next == 0 && slices.Contains(names, aheadProfile)})
	}
	return list
}
