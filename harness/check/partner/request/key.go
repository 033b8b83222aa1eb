package request

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// repeatWithin is for how long a call of the same content counts as one made
// again, after one that failed.
const repeatWithin = int64(10 * time.Minute)

// ignoresKeys is the whole verdict where the ledger has keys ignored.
func ignoresKeys(t *trail.Trail) []verdict.Judgement {
	if knob := t.KeysIgnored(); knob != "" {
		return verdict.DoesNotApply("the choice " + knob + " ignores keys")
	}
	return nil
}

// moving are those of the calls that move money.
func moving(t *trail.Trail) []*trail.Call {
	var found []*trail.Call
	for _, c := range t.Calls() {
		if trail.OperationOf(c.Exchange).Pays() && c.Exchange.Auth == tape.AuthValid {
			found = append(found, c)
		}
	}
	return found
}

// keyPresent looks for a key in every call that moves money.
func keyPresent(t *trail.Trail) []verdict.Judgement {
	if off := ignoresKeys(t); off != nil {
		return off
	}
	var y verdict.Tally
	var bad verdict.Offences
	for _, c := range moving(t) {
		switch {
		case c.Key != "":
			y.Holds(c.Entry.Seq)
		case c.MayHaveActed():
			bad.Add(c.Exchange.Operation+" without one", c.Entry.Seq)
		default:
			y.Skip("every call that moves money was refused")
		}
	}
	bad.Fail(&y, "an Idempotency-Key in every call that moves money")
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
}

// keyKept looks at what followed calls that have failed. A lost answer that is
// followed by another key is a matter of partner.outcome.resolved. Where the service ignores
// keys, who makes one for each try is told all the same: where it does not, they keep
// nothing from being paid twice.
func keyKept(t *trail.Trail) []verdict.Judgement {
	off := ignoresKeys(t)
	var y verdict.Tally
	next := map[string][]*trail.Call{}
	keys := map[string][]*trail.Call{}
	list := moving(t)
	for _, c := range list {
		name := sameIntent(c)
		next[name] = append(next[name], c)
		if c.Key != "" {
			keys[c.Key] = append(keys[c.Key], c)
		}
	}
	for _, c := range list {
		if !c.Failed() || c.Key == "" || off != nil && !unserved(c) {
			continue
		}
		if again := following(keys[c.Key], c); again != nil {
			y.Holds(c.Entry.Seq, again.Entry.Seq)
			continue
		}
		again := following(next[sameIntent(c)], c)
		if off != nil && again != nil && again.Began-c.Ended > atOnce {
			y.Skip("it was taken up anew")
			continue
		}
		otherKey(t, &y, c, again)
	}
	if off != nil && y.Problems() == 0 {
		return off
	}
	return y.Exercised()
}

// otherKey judges a call that failed and what came of it, if anything, without its key.
func otherKey(t *trail.Trail, y *verdict.Tally, c, again *trail.Call) {
	switch {
	case again == nil || again.Began-c.Ended > repeatWithin:
		y.Skip("a call that failed was not made again")
	case c.Lost:
		y.Skip("a lost answer was followed by another key, which is judged by partner.outcome.resolved")
	case !referred(c) && !t.Settled(again):
		y.Skip("a call of the same content may be another payment: there is no reference to tell")
	case t.Stubbed(tape.KindExchange):
		y.Open("whether the call was made again with its key may be in what was too large for the tape", c.Entry.Seq, again.Entry.Seq)
	default:
		y.Fail("the key of the first time", "the call was made again "+trail.UnderKey(again.Key), c.Entry.Seq, again.Entry.Seq)
	}
}

// atOnce is how soon a call is made again by whoever has made it, in nanoseconds.
const atOnce = int64(5 * time.Second)

// unserved says whether a call names its payment and was refused on its way: with another
// answer some services bind the key to it, and who has looked what came of the call takes
// a new one.
func unserved(c *trail.Call) bool {
	return !c.Lost && referred(c) && slices.Contains([]int{429, 502, 503, 504}, c.Exchange.Response.Status)
}

// sameIntent is equal for calls that mean the same payment.
func sameIntent(c *trail.Call) string {
	about, reference := trail.Intent(c)
	if reference != "" {
		return about + "\x00" + reference
	}
	return c.Same
}

// referred says whether a call tells by its reference which payment is meant.
func referred(c *trail.Call) bool {
	_, reference := trail.Intent(c)
	return reference != ""
}

// following finds the first of the calls that comes after another; they are in
// the order of the tape.
func following(list []*trail.Call, c *trail.Call) *trail.Call {
	low, high := 0, len(list)
	for low < high {
		if mid := (low + high) / 2; list[mid].Entry.Seq > c.Entry.Seq {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low == len(list) {
		return nil
	}
	return list[low]
}

// keyFresh compares what was sent under one key. Where the service ignores keys nothing is
// lost yet, but who sends one key for two payments loses the second where it does not:
// of two calls of one operation that is told all the same.
func keyFresh(t *trail.Trail) []verdict.Judgement {
	off := ignoresKeys(t)
	var y verdict.Tally
	keys := map[string]*trail.Call{}
	for _, c := range moving(t) {
		if c.Key == "" || len(c.Exchange.Request.Body) == 0 {
			continue
		}
		before := keys[c.Key]
		switch {
		case before == nil || c.Entry.At-before.Entry.At >= int64(trail.KeyLife):
			y.Holds(c.Entry.Seq)
		case alike(before, c):
			continue
		case !before.MayHaveActed(): // what was refused may be mended
		case off != nil && before.Exchange.Operation != c.Exchange.Operation: // keys may be told apart by what is called
		default:
			y.Fail("a key of its own for each body", "the same key with another body", before.Entry.Seq, c.Entry.Seq)
		}
		keys[c.Key] = c
	}
	if off != nil && y.Problems() == 0 {
		return off
	}
	t.Omitted(&y, tape.KindExchange)
	if y.Held() == 1 && y.Problems() == 0 {
		return []verdict.Judgement{{Word: verdict.NotExercised, Received: "there is one key only"}}
	}
	return y.Exercised()
}

// alike says whether two calls ask for the same, however their JSON is written.
func alike(c *trail.Call, other *trail.Call) bool {
	return c.Same == other.Same ||
		strings.EqualFold(c.Exchange.Path+"?"+c.Exchange.Query, other.Exchange.Path+"?"+other.Exchange.Query) && canonical(c.Exchange.Request.Body) == canonical(other.Exchange.Request.Body)
}

// canonical writes JSON with sorted members and no spaces.
func canonical(raw []byte) string {
	b := trail.ReadBody(raw)
	if b == nil {
		return string(raw)
	}
	out, err := json.Marshal(b)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
