package check

import (
	"slices"
	"strconv"
	"time"

	"paysandbox/mockserver/tape"
)

// What it means to answer quickly.
const (
	quickWithin = 3 * time.Second
	quickWindow = time.Minute
	quickEvents = 10
)

// lasting is when an attempt was over, without the moves of the clock, and whether
// it took too long.
type lasting struct {
	at   int64
	seq  uint64
	slow bool
}

// quick judges how long receivers take, in every minute with enough deliveries.
// One that is slow is let pass: an application that has just started is.
func quick(t *Tape) []Verdict {
	var y tally
	list := t.lastings()
	last, slow := 0, []uint64{}
	for first, a := range list {
		for ; last < len(list) && list[last].at-a.at <= int64(quickWindow); last++ {
			if list[last].slow {
				slow = append(slow, list[last].seq)
			}
		}
		n := last - first
		switch {
		case n < quickEvents:
		case len(slow) > max(1, n/20):
			y.fail("95 of 100 deliveries answered within 3 seconds", strconv.Itoa(len(slow))+" of "+strconv.Itoa(n)+" within a minute took longer",
				"put the event into a queue, answer 200 at once, and work later", slow[:min(len(slow), maxEvidence)]...)
			return y.exercised("")
		default:
			y.ok(a.seq)
		}
		if a.slow {
			slow = slow[1:]
		}
	}
	exercise := "be sent at least ten events within a minute"
	if t.Meta.Clock != "real" {
		exercise += ", under a clock that runs: only then it is measured how long a receiver takes"
	}
	return y.exercised(exercise)
}

// lastings are the attempts whose duration is known, in the order of time.
func (t *Tape) lastings() []lasting {
	var list []lasting
	for e := range t.of(tape.KindAttempt) {
		a := e.Attempt
		took := time.Duration(a.Took)
		if took <= 0 || spoilt(a, "slow-read", "cut-connection") || a.Status == 0 && took < quickWithin {
			continue
		}
		list = append(list, lasting{t.waited(e), e.Seq, took >= quickWithin})
	}
	slices.SortStableFunc(list, func(a, b lasting) int { return int(max(-1, min(1, a.at-b.at))) })
	return list
}

// rotated judges whether an event gets lost once the secret was changed.
func rotated(t *Tape) []Verdict {
	var y tally
	hooks := t.hooks()
	for e := range t.of(tape.KindControl) {
		if e.Exchange.Operation == "rotateSecret" && served(e.Exchange) {
			t.afterRotation(&y, e, hooks)
		}
	}
	return y.exercised("change the secret of the endpoint and go on")
}

// afterRotation follows the deliveries to an endpoint up to the next change.
func (t *Tape) afterRotation(y *tally, change *tape.Entry, hooks []hook) {
	last := map[string]*hook{}
	var order []string
	accepted := uint64(0)
	until := t.nextRotation(change)
	for i := range hooks {
		h := &hooks[i]
		if h.Endpoint != main(change) || h.entry.Seq < change.Seq || !h.genuine() || !h.signed() {
			continue
		}
		if last[h.Delivery] == nil {
			if h.entry.Seq > until {
				continue
			}
			order = append(order, h.Delivery)
		}
		if before := last[h.Delivery]; before == nil || !succeeded(before.Attempt) {
			last[h.Delivery] = h
		}
		if succeeded(h.Attempt) {
			accepted = max(accepted, h.entry.Seq)
		}
	}
	for _, id := range order {
		t.keptThrough(y, change, last[id], accepted)
	}
}

// nextRotation is the number of the next change of the endpoint's secret, or a
// number beyond the tape.
func (t *Tape) nextRotation(change *tape.Entry) uint64 {
	for e := range t.of(tape.KindControl) {
		if e.Seq > change.Seq && e.Exchange.Operation == "rotateSecret" && served(e.Exchange) && main(e) == main(change) {
			return e.Seq
		}
	}
	return ^uint64(0)
}

// keptThrough judges one delivery by its last attempt, and by the last one that
// the endpoint has accepted since the change.
func (t *Tape) keptThrough(y *tally, change *tape.Entry, h *hook, accepted uint64) {
	const grace = time.Minute
	switch lost := h.Next == 0; {
	case succeeded(h.Attempt):
		y.ok(change.Seq, h.entry.Seq)
	case !h.refused():
		y.skip("a delivery that was not answered")
	case !lost && (accepted > h.entry.Seq || !t.wentOn(h.entry, grace) && h.Number < 3):
		y.skip("a delivery that is to be tried again")
	default:
		y.fail("every event accepted in the end", "status "+strconv.Itoa(h.Status)+" to attempt "+strconv.Itoa(h.Number)+" after the secret was changed",
			"accept the old and the new secret for a while, and take the new one up without a restart", change.Seq, h.entry.Seq)
	}
}
