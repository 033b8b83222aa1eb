package api

import (
	"sync"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// claims are the idempotency keys of calls that are at work: from their first
// byte until their answer begins to leave, or its connection is cut. Who has an
// answer, or knows that none comes, can send the same again at once.
type claims struct {
	mu   sync.Mutex
	held map[claimed]bool
}

// claimed is a key within its integration, operation and payment.
type claimed struct{ integration, scope, key string }

// take claims a key; false when another call holds it.
func (c *claims) take(k claimed) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[k] {
		return false
	}
	if c.held == nil {
		c.held = map[claimed]bool{}
	}
	c.held[k] = true
	return true
}

func (c *claims) release(k claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, k)
}

// claimKey takes the call's idempotency key, where it is honoured. A call that is played again does as the tape says.
func (x *exchange) claimKey() {
	switch {
	case x.Again != nil:
		x.overtaken = x.Again.InFlight
	case x.caller.Verdict == tape.AuthValid && x.keyed():
		k := claimed{x.On.ID, x.keyScope(), x.Req.Header.Get(keyHeader)}
		if x.overtaken = !x.api.claims.take(k); !x.overtaken {
			x.claim = &k
		}
	}
}

// giveUpKey lets others use the call's idempotency key.
func (x *exchange) giveUpKey() {
	if x.claim != nil {
		x.api.claims.release(*x.claim)
		x.claim = nil
	}
}

// meetClaim refuses a call whose key another call holds.
func (x *exchange) meetClaim() {
	x.Call.Exchange.InFlight = x.overtaken
	if x.overtaken {
		x.refusal = &kernel.Error{
			Code: kernel.Conflict, Detail: "a call with this Idempotency-Key is still at work; send the same again when it has answered",
		}
	}
}
