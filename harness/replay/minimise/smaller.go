package minimise

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/mockserver/tape"
)

// smaller takes the clock and then the bodies back as far as it goes.
func (s *search) smaller(ctx context.Context, script play.Script) play.Script {
	script = s.still(ctx, script)
	for i := range script.Steps {
		if script.Steps[i].Call != nil {
			script = s.call(ctx, script, i)
		}
	}
	return script
}

// still lets everything happen at one moment, or each step at that of the one before
// it, where that shows the same.
func (s *search) still(ctx context.Context, script play.Script) play.Script {
	one := script.Clone()
	for i := range one.Steps {
		one.Steps[i].At = one.World.Start
	}
	if s.shows(ctx, one) {
		return one
	}
	for i := 1; i < len(script.Steps); i++ {
		if gap := script.Steps[i].At.Sub(script.Steps[i-1].At); gap > 0 {
			next := script.Clone()
			for k := i; k < len(next.Steps); k++ {
				next.Steps[k].At = next.Steps[k].At.Add(-gap)
			}
			if s.shows(ctx, next) {
				script = next
			}
		}
	}
	return script
}

// call takes members out of a body, one by one, and headers that mean nothing.
func (s *search) call(ctx context.Context, script play.Script, i int) play.Script {
	bare := changed(script, i, func(c *play.Call) { c.Exchange.Header = kept(c.Exchange.Header) })
	if len(bare.Steps[i].Call.Exchange.Header) < len(script.Steps[i].Call.Exchange.Header) && s.shows(ctx, bare) {
		script = bare
	}
	for {
		var list []play.Script
		body := script.Steps[i].Call.Exchange.Body
		for _, less := range lesser(body) {
			list = append(list, changed(script, i, func(c *play.Call) {
				c.Exchange.Body, c.Smaller = less, !slices.Contains(s.Evidence, c.N) // what an answer lacks then is no difference
			}))
		}
		hit := s.first(ctx, len(list), func(k int) play.Script { return list[k] })
		if hit < 0 {
			return script
		}
		script = list[hit]
	}
}

// changed is a script with another call in one place.
func changed(script play.Script, i int, change func(c *play.Call)) play.Script {
	out := script.Clone()
	c := *out.Steps[i].Call
	change(&c)
	out.Steps[i].Call = &c
	return out
}

// kept are the headers that mean something.
func kept(list []tape.Header) []tape.Header {
	return slices.DeleteFunc(slices.Clone(list), func(h tape.Header) bool {
		switch strings.ToLower(h.Name) {
		case "authorization", "content-type", "idempotency-key", "user-agent":
			return false
		default:
			return true
		}
	})
}

// member is one member of an object, in the order of its body.
type member struct {
	name  string
	value json.RawMessage
}

// lesser are the bodies that have one member less, at the top and in objects below it.
func lesser(body []byte) [][]byte {
	members, ok := object(body)
	if !ok {
		return nil
	}
	var list [][]byte
	for i := len(members) - 1; i >= 0; i-- {
		list = append(list, joined(slices.Delete(slices.Clone(members), i, i+1)))
	}
	for i, m := range members {
		for _, less := range lesser(m.value) {
			next := slices.Clone(members)
			next[i].value = less
			list = append(list, joined(next))
		}
	}
	return list
}

// object reads an object's members in their order; a name that stands twice is none
// that can be made smaller.
func object(body []byte) ([]member, bool) {
	d := json.NewDecoder(strings.NewReader(string(body)))
	t, err := d.Token()
	if err != nil || t != json.Delim('{') {
		return nil, false
	}
	var list []member
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		text, _ := name.(string)
		var value json.RawMessage
		if d.Decode(&value) != nil || seen[text] {
			return nil, false
		}
		seen[text] = true
		list = append(list, member{text, value})
	}
	return list, true
}

func joined(list []member) []byte {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name) //nolint:errchkjson // a text
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return []byte(b.String())
}
