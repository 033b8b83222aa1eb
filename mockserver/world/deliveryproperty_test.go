package world_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/world"
)

// courier sends deliveries at random and keeps what came of them.
type courier struct {
	h *hooks
	// flying are the attempts under way; ended the events, by endpoint and
	// entity, in the order in which they were delivered or given up.
	flying []delivery.View
	ended  map[string][]uuid.UUID
	// want are the events in the order in which they happened.
	want    map[string][]uuid.UUID
	tries   map[uuid.UUID]int
	emitted int
}

func lane(v delivery.View) string { return v.Endpoint.String() + " " + v.Entity.String() }

// take notes the attempts that are asked for. Two of one lane at once would
// break the order.
func (c *courier) take(rt *rapid.T) {
	for _, v := range c.h.sent() {
		for _, other := range c.flying {
			if lane(other) == lane(v) {
				rt.Fatalf("two attempts at once in %s", lane(v))
			}
		}
		if c.tries[v.ID]++; c.tries[v.ID] != v.Attempt || v.Attempt > 8 {
			rt.Fatalf("attempt %d is sent as %d", c.tries[v.ID], v.Attempt)
		}
		c.flying = append(c.flying, v)
	}
}

// land answers one attempt.
func (c *courier) land(rt *rapid.T, r delivery.AttemptResult) {
	i := rapid.IntRange(0, len(c.flying)-1).Draw(rt, "attempt")
	v := c.flying[i]
	c.flying = slices.Delete(c.flying, i, i+1)
	out := c.h.answer(v, r)
	if out.Done {
		c.ended[lane(v)] = append(c.ended[lane(v)], v.EventID)
	}
}

// note keeps which events there are, before their attempts are taken.
func (c *courier) note(rt *rapid.T) {
	for _, p := range c.h.w.Webhooks().Pending() {
		key, id := p.Endpoint+" "+p.Entity, uuid.MustParse(p.EventID)
		if !slices.Contains(c.want[key], id) {
			c.want[key] = append(c.want[key], id)
		}
	}
	c.take(rt)
}

// step does one thing of those that can happen.
func (c *courier) step(rt *rapid.T, payments []string) {
	w := c.h.w
	switch op := rapid.IntRange(0, 3).Draw(rt, "op"); {
	case op == 0:
		p := rapid.SampledFrom(payments).Draw(rt, "payment")
		event := rapid.SampledFrom([]string{"approve", "pay", "return", "fail", "cancel"}).Draw(rt, "event")
		if w.MovePayment(p, event, world.PaymentMove{}) == nil {
			c.emitted++
		}
	case op == 1:
		w.Advance(w.Now().Add(time.Duration(rapid.Int64Range(0, int64(4*time.Second)).Draw(rt, "wait"))).UnixNano())
	case op == 2 && len(c.flying) > 0:
		c.land(rt, delivery.AttemptResult{Status: rapid.SampledFrom([]int{0, 200, 204, 302, 500}).Draw(rt, "status")})
	case op == 3 && len(c.flying) > 0:
		c.land(rt, delivery.AttemptResult{Status: 503, RetryAfter: strconv.Itoa(rapid.IntRange(0, 9).Draw(rt, "after"))})
	}
	c.note(rt)
}

// drain goes on until nothing is pending.
func (c *courier) drain(rt *rapid.T) {
	for len(c.h.w.Webhooks().Pending()) > 0 {
		if len(c.flying) > 0 {
			c.land(rt, delivery.AttemptResult{Status: rapid.SampledFrom([]int{200, 500}).Draw(rt, "last")})
		} else {
			c.h.w.FireNext()
		}
		c.note(rt)
	}
}

// TestEveryEventArrivesInOrder: without profiles each event reaches each
// listening endpoint once or is given up, in order for each entity, whatever
// the receivers answer and whenever.
func TestEveryEventArrivesInOrder(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(rt *rapid.T) {
		h := newHooks(t, world.Config{Seed: rapid.Uint64().Draw(rt, "seed")})
		c := &courier{h: h, want: map[string][]uuid.UUID{}, ended: map[string][]uuid.UUID{}, tries: map[uuid.UUID]int{}}
		endpoints := rapid.IntRange(1, 3).Draw(rt, "endpoints")
		for range endpoints {
			addEndpoint(t, h.w, "", paymentEvent)
		}
		payments := []string{}
		for range rapid.IntRange(1, 3).Draw(rt, "payments") {
			payments = append(payments, h.payment())
		}
		h.w.Take()
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			c.step(rt, payments)
		}
		c.drain(rt)
		if !reflect.DeepEqual(c.want, c.ended) {
			rt.Fatalf("wanted %v, ended %v", c.want, c.ended)
		}
		heard := 0
		for _, ids := range c.ended {
			heard += len(ids)
		}
		if heard < c.emitted*endpoints {
			rt.Fatalf("%d events for %d endpoints made %d deliveries", c.emitted, endpoints, heard)
		}
	})
}
