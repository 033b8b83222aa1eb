package service

import (
	"bytes"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// takesKey says whether an operation honours an Idempotency-Key.
func (o *Options) takesKey(operation string) bool {
	if d := o.Document; d != nil {
		return d.operations[operation].keyed
	}
	return trail.OperationNamed(operation).Keyed
}

// idempotency compares calls with the same key.
func (o *Options) idempotency(t *trail.Trail) []verdict.Judgement {
	if knob := t.KeysIgnored(); knob != "" {
		return verdict.DoesNotApply("the choice " + knob + " ignores keys")
	}
	var y verdict.Tally
	effects := effects(t)
	first := map[string]*tape.Entry{}
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		key, sent := trail.Header(x.Request.Header, "Idempotency-Key")
		if !sent || !o.takesKey(x.Operation) || trail.Faulted(x) || x.Auth != tape.AuthValid {
			continue
		}
		id := strings.ToLower(strings.Join([]string{x.Operation, x.Path, x.Query}, " ")) + "\x00" + key
		before := first[id]
		if before != nil && e.At >= before.At+int64(trail.KeyLife) {
			before = nil
		}
		if before != nil {
			answersAgain(&y, before, e, effects[e.Seq])
			continue
		}
		firstOf(t, &y, e)
		if trail.Served(x) {
			first[id] = e
		}
	}
	return y.Judgements("no call that repeats an Idempotency-Key")
}

// firstOf judges the first call with a key that the tape has.
func firstOf(t *trail.Trail, y *verdict.Tally, e *tape.Entry) {
	if !trail.Replayed(e.Exchange) {
		return
	}
	if t.Cut(tape.KindExchange) {
		y.Open("the first call with the key is not on the tape", e.Seq)
		return
	}
	// A first call whose connection a fault has cut has left no answer.
	y.Skip("the first call with the key was cut off by a fault")
}

// answersAgain judges a call whose key was sent before.
func answersAgain(y *verdict.Tally, before, e *tape.Entry, effect uint64) {
	x, first := e.Exchange, before.Exchange
	same := bytes.Equal(x.Request.Body, first.Request.Body)
	switch {
	case !same && trail.Served(x):
		y.Breach("payment.idempotency.reuse", "422 for another body under the same key", "the call was served", "", before.Seq, e.Seq)
	case !same:
		y.Holds(before.Seq, e.Seq)
	case !trail.Served(x) || !bytes.Equal(x.Response.Body, first.Response.Body):
		y.Breach("payment.idempotency", "the first answer again: "+trail.Show(first.Response.Body), trail.Show(x.Response.Body), "", before.Seq, e.Seq)
	case !trail.Replayed(x):
		y.Breach("payment.idempotency", "Idempotent-Replayed: true", "no such header", "", before.Seq, e.Seq)
	case effect != 0:
		y.Breach("payment.idempotency", "no second effect", "the repeated call changed something", "", before.Seq, e.Seq, effect)
	default:
		y.Holds(before.Seq, e.Seq)
	}
}

// effects gives the first change or event that each entry has caused.
func effects(t *trail.Trail) map[uint64]uint64 {
	found := map[uint64]uint64{}
	for i := range t.Entries {
		e := &t.Entries[i]
		if (e.Kind == tape.KindTransition || e.Kind == tape.KindEvent) && e.Cause != 0 && found[e.Cause] == 0 {
			found[e.Cause] = e.Seq
		}
	}
	return found
}
