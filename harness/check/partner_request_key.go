package check

import (
	"encoding/json"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// repeatWithin is for how long a call of the same content counts as one made
// again, after one that failed.
const repeatWithin = int64(10 * time.Minute)

// ignoresKeys is the whole verdict where keys are ignored, as they are unless the
// ledger has them honoured.
func (t *Tape) ignoresKeys() []verdict.Judgement {
	switch choice := t.Meta.Latitude["idempotency"]; choice {
	case "honoured":
		return nil
	case "":
		return verdict.DoesNotApply("the choice idempotency=ignored ignores keys")
	default:
		return verdict.DoesNotApply("the choice idempotency=" + choice + " ignores keys")
	}
}

// intent says who is to pay what by a call, and under which reference.
func intent(c *try) (about, reference string) {
	b := read(c.x.Request.Body)
	payer := ""
	for _, name := range []string{"registrationId", "contactNumber", "emailAddress"} {
		if payer = b.text(name); payer != "" {
			break
		}
	}
	where := ""
	if strings.HasPrefix(c.x.Operation, "refund") {
		where = c.x.Path + "?" + c.x.Query
	}
	about = strings.ToLower(c.x.Operation + "\x00" + where + "\x00" + string(quoted(b.get("amount"))) + "\x00" + payer)
	return about, b.text("reference")
}

// moving are those of the calls that move money.
func moving(list []try) []*try {
	var found []*try
	for n := range list {
		if moneyCalls[list[n].x.Operation] && list[n].x.Auth == tape.AuthValid {
			found = append(found, &list[n])
		}
	}
	return found
}

// withKey looks for a key in every call that moves money.
func withKey(t *Tape) []verdict.Judgement {
	if off := t.ignoresKeys(); off != nil {
		return off
	}
	var y verdict.Tally
	var bad offences
	for _, c := range moving(t.tries()) {
		switch {
		case c.key != "":
			y.Holds(c.e.Seq)
		case c.took():
			bad.add(c.x.Operation+" without one", c.e.Seq)
		default:
			y.Skip("every call that moves money was refused")
		}
	}
	bad.fail(&y, "an Idempotency-Key in every call that moves money", "send a fresh uuid as Idempotency-Key with each payment, and the same again when the call is repeated")
	t.omitted(&y, tape.KindExchange)
	return y.Exercised("request a payment")
}

// sameKey looks at what followed calls that have failed. A lost answer that is
// followed by another key is a matter of partner.outcome.resolved.
func sameKey(t *Tape) []verdict.Judgement {
	if off := t.ignoresKeys(); off != nil {
		return off
	}
	var y verdict.Tally
	next := map[string][]*try{}
	keys := map[string][]*try{}
	all := t.tries()
	list := moving(all)
	for _, c := range list {
		name := sameIntent(c)
		next[name] = append(next[name], c)
		if c.key != "" {
			keys[c.key] = append(keys[c.key], c)
		}
	}
	for _, c := range list {
		if !c.failed() || c.key == "" {
			continue
		}
		if again := following(keys[c.key], c); again != nil {
			y.Holds(c.e.Seq, again.e.Seq)
			continue
		}
		switch again := following(next[sameIntent(c)], c); {
		case again == nil || again.began-c.ended > repeatWithin:
			y.Skip("a call that failed was not made again")
		case c.lost:
			y.Skip("a lost answer was followed by another key, which is judged by partner.outcome.resolved")
		case !referred(c) && !t.settled(all, again.n):
			y.Skip("a call of the same content may be another payment: there is no reference to tell")
		case t.stubbed(tape.KindExchange):
			y.Open("whether the call was made again with its key may be in what was too large for the tape", c.e.Seq, again.e.Seq)
		default:
			y.Fail("the key of the first time", "the call was made again "+named(again.key),
				"make the key when the payment is meant, not when the request is sent, and keep it until there is an answer", c.e.Seq, again.e.Seq)
		}
	}
	return y.Exercised("let a money-moving call fail with 5xx, or lose its answer")
}

// sameIntent is equal for calls that mean the same payment.
func sameIntent(c *try) string {
	about, reference := intent(c)
	if reference != "" {
		return about + "\x00" + reference
	}
	return c.same
}

// referred says whether a call tells by its reference which payment is meant.
func referred(c *try) bool {
	_, reference := intent(c)
	return reference != ""
}

// following finds the first of the calls that comes after another; they are in
// the order of the tape.
func following(list []*try, c *try) *try {
	low, high := 0, len(list)
	for low < high {
		if mid := (low + high) / 2; list[mid].e.Seq > c.e.Seq {
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

// freshKey compares what was sent under one key.
func freshKey(t *Tape) []verdict.Judgement {
	if off := t.ignoresKeys(); off != nil {
		return off
	}
	var y verdict.Tally
	keys := map[string]*try{}
	for _, c := range moving(t.tries()) {
		if c.key == "" || len(c.x.Request.Body) == 0 {
			continue
		}
		before := keys[c.key]
		switch {
		case before == nil || c.e.At-before.e.At >= int64(keyLife):
			y.Holds(c.e.Seq)
		case before.alike(c):
			continue
		case !before.took(): // what was refused may be mended
		default:
			y.Fail("a key of its own for each body", "the same key with another body", "make a fresh key for each payment, refund and charge", before.e.Seq, c.e.Seq)
		}
		keys[c.key] = c
	}
	t.omitted(&y, tape.KindExchange)
	if y.Held() == 1 && y.Problems() == 0 {
		return []verdict.Judgement{{Word: verdict.NotExercised, Received: "there is one key only; make two money-moving calls"}}
	}
	return y.Exercised("make two money-moving calls with keys")
}

// alike says whether two calls ask for the same, however their JSON is written.
func (c *try) alike(other *try) bool {
	return c.same == other.same ||
		strings.EqualFold(c.x.Path+"?"+c.x.Query, other.x.Path+"?"+other.x.Query) && canonical(c.x.Request.Body) == canonical(other.x.Request.Body)
}

// canonical writes JSON with sorted members and no spaces.
func canonical(raw []byte) string {
	b := read(raw)
	if b == nil {
		return string(raw)
	}
	out, err := json.Marshal(b)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
