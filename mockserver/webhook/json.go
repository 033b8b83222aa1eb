package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"unicode/utf16"
)

// value is a JSON value that keeps its members in order and its scalars as they
// were written.
type value struct {
	kind    byte // '{', '[', '"', or 0 for the other scalars
	raw     []byte
	members []member
	items   []value
}

// member is one member of an object.
type member struct {
	name  string
	value value
}

// parseJSON reads exactly one value.
func parseJSON(text []byte) (value, error) {
	text = bytes.TrimSpace(text)
	if !json.Valid(text) {
		return value{}, errors.New("the body is not JSON")
	}
	v := value{raw: text}
	switch text[0] {
	case '"':
		v.kind = '"'
	case '{', '[':
		v = value{kind: text[0]}
		if err := v.fill(json.NewDecoder(bytes.NewReader(text))); err != nil {
			return value{}, fmt.Errorf("read the body: %w", err)
		}
	}
	return v, nil
}

// fill reads the members or items of a value.
func (v *value) fill(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		var name string
		if v.kind == '{' {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ = token.(string)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		child, err := parseJSON(raw)
		if err != nil {
			return err
		}
		if v.kind == '{' {
			v.members = append(v.members, member{name, child})
		} else {
			v.items = append(v.items, child)
		}
	}
	return nil
}

// member finds a member of an object, or gives nil.
func (v *value) member(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return nil
}

// text is what a string says.
func (v *value) text() string {
	var s string
	if err := json.Unmarshal(v.raw, &s); err != nil {
		return ""
	}
	return s
}

// append writes the value without white space.
func (v *value) append(b []byte) []byte {
	switch v.kind {
	case '{':
		b = append(b, '{')
		for i := range v.members {
			b = comma(b, i)
			b = append(append(b, quoteJSON(v.members[i].name)...), ':')
			b = v.members[i].value.append(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i := range v.items {
			b = v.items[i].append(comma(b, i))
		}
		return append(b, ']')
	default:
		return append(b, v.raw...)
	}
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// appendOdd writes the same value as nobody would: white space everywhere,
// members in another order, letters as escapes.
func (v *value) appendOdd(b []byte, rng *rand.Rand) []byte {
	b = space(b, rng)
	switch v.kind {
	case '{':
		b = append(b, '{')
		for i, at := range oddOrder(v.members, rng) {
			b = space(comma(b, i), rng)
			b = space(oddString(b, v.members[at].name, rng), rng)
			b = v.members[at].value.appendOdd(append(b, ':'), rng)
		}
		b = append(b, '}')
	case '[':
		b = append(b, '[')
		for i := range v.items {
			b = v.items[i].appendOdd(comma(b, i), rng)
		}
		b = append(b, ']')
	case '"':
		b = oddString(b, v.text(), rng)
	default:
		b = append(b, v.raw...)
	}
	return space(b, rng)
}

// oddOrder never is the usual one where two members can change places. It
// leaves an object alone that has a name twice: there the order has a meaning.
func oddOrder(members []member, rng *rand.Rand) []int {
	order := make([]int, len(members))
	names := map[string]bool{}
	for i := range members {
		order[i] = i
		names[members[i].name] = true
	}
	if len(names) < len(members) || len(members) < 2 {
		return order
	}
	by := 1 + rng.IntN(len(order)-1)
	for i := range order {
		order[i] = (i + by) % len(order)
	}
	return order
}

// space writes one to three of the four kinds of white space.
func space(b []byte, rng *rand.Rand) []byte {
	for range 1 + rng.IntN(3) {
		b = append(b, " \t\r\n"[rng.IntN(4)])
	}
	return b
}

// oddString writes every third character or so as an escape.
func oddString(b []byte, s string, rng *rand.Rand) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r >= ' ' && r != '"' && r != '\\' && rng.IntN(3) > 0:
			b = append(b, string(r)...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04X`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}
