package prelude

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Otherwise is a script in which what was there before the recording is otherwise, as far as
// the recording does not tell how it was: other names, numbers, addresses and amounts. What
// answers show otherwise then was only assumed. False where nothing was assumed.
func Otherwise(s *play.Script, r *recording.Recording) (play.Script, bool) {
	o := others{shown: shown(r)}
	out := s.Clone()
	for i := range out.Steps {
		switch step := &out.Steps[i]; {
		case step.Call != nil && step.Call.N == play.Prelude:
			call := *step.Call
			call.Exchange.Body, step.Call = o.body(call.Exchange.Body), &call
		case step.Move != nil && step.Move.Machine == "" && step.Why != "":
			move := *step.Move
			move.Body, step.Move = o.body(move.Body), &move
		}
	}
	return out, o.any
}

// others changes bodies.
type others struct {
	shown map[string]bool
	any   bool
}

// shown are the texts and numbers that the service shows in a recording: what was sent is about other things.
func shown(r *recording.Recording) map[string]bool {
	set := map[string]bool{}
	note := func(body []byte) {
		correlate.Walk(body, func(_ []string, v any) {
			switch v := v.(type) {
			case string:
				set[v] = true
				if strings.Contains(v, "*") {
					set["*"+lastDigits(v)] = true
				}
			case json.Number:
				set[v.String()] = true
			}
		})
	}
	for i := range r.Exchanges {
		note(r.Exchanges[i].Answer.Body)
	}
	for i := range r.Received {
		note(r.Received[i].Body)
	}
	return set
}

func (o *others) body(raw []byte) []byte {
	b := trail.ReadBody(raw)
	if b == nil || b.Get("clientId") != nil {
		return raw
	}
	with := trail.Quote(o.object(b))
	o.any = o.any || !bytes.Equal(with, trail.Quote(map[string]any(b)))
	return with
}

// object changes an object. The members of an address belong together.
func (o *others) object(b map[string]any) map[string]any {
	street, _ := b["streetNumberAndName"].(string)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		with := b[name]
		switch v := with.(type) {
		case map[string]any:
			with = o.object(v)
		case []any:
			list := make([]any, len(v))
			for i := range v {
				list[i] = v[i]
				if one, ok := v[i].(map[string]any); ok {
					list[i] = o.object(one)
				}
			}
			with = list
		case string:
			known := o.shown[v]
			if standing[name] {
				known = o.shown[street]
			}
			if !known {
				with = o.text(name, v)
			}
		case json.Number:
			if n, err := v.Int64(); err == nil && name == "amount" && !o.shown[v.String()] {
				with = n + 100
			}
		}
		out[name] = with
	}
	return out
}

// standing are the members of an address.
var standing = map[string]bool{"streetNumberAndName": true, "apartmentNumber": true, "city": true, "zipCode": true, "state": true}

// text is another text that is as good under a member's name; itself where there is none.
func (o *others) text(name, v string) string {
	switch name {
	case "name", "streetNumberAndName", "apartmentNumber", "city", "shortDescription":
		return v + " II"
	case "state":
		if v == "CA" {
			return "NY"
		}
		return "CA"
	case "zipCode":
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0' + (r-'0'+1)%10
			}
			return r
		}, v)
	case "email", "emailAddress":
		return "other-" + v
	case "contactNumber", "mobileNumber":
		return otherNumber(v)
	case "accountNumber":
		if v == Account("") && !o.shown["*"+lastDigits(v)] {
			return Account("2222")
		}
	case "card":
		if v == Card("") {
			return Card("4444")
		}
	}
	return v
}

// otherNumber is another number of the same place: its last two digits are others.
func otherNumber(v string) string {
	n := len(v)
	if n < 2 || v[n-2] < '0' || v[n-2] > '9' {
		return v
	}
	return v[:n-2] + string('0'+(v[n-2]-'0'+5)%10) + v[n-1:]
}

// Card is the number of a test card that ends in some digits, else of any good one.
func Card(lastFour string) string {
	cards := fixtures.Cards()
	at := slices.IndexFunc(cards, func(c fixtures.Card) bool { return c.Last4 == lastFour })
	return cards[max(0, at)].Number
}

// CardOf is a number that ends in some digits for a payment method, of a card that can be charged where a recorded answer shows that it was,
// and of one that is declined where answers show that alone.
func CardOf(r *recording.Recording, id, lastFour string) string {
	number := Card(lastFour)
	answered := func(words ...string) bool {
		return slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
			return strings.EqualFold(trail.ReadBody(x.Body).Text("paymentMethodId"), id) && slices.Contains(words, strings.ToLower(trail.ReadBody(x.Answer.Body).Text("status")))
		})
	}
	declines := slices.ContainsFunc(fixtures.Cards(), func(c fixtures.Card) bool {
		return c.Number == number && c.Outcome != fixtures.CardApproved && c.Outcome != fixtures.CardChallengePasses
	})
	switch charged := answered("success"); {
	case charged && declines:
		return Card("")
	case !charged && !declines && answered("declined"):
		cards := fixtures.Cards()
		return cards[max(0, slices.IndexFunc(cards, func(c fixtures.Card) bool { return c.Outcome == fixtures.CardLaterDecline }))].Number
	}
	return number
}
