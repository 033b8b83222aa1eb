package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// member is one member of a JSON object whose order matters.
type member struct {
	name  string
	value json.RawMessage
}

// members takes an object apart.
func members(object json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("expected an object, not %v: %w", t, err)
	}
	var list []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read a member's name: %w", err)
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("read the member %s: %w", m.name, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// object puts an object together.
func object(list []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonOf(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// within changes the value of a member by its path; an object without the
// member stays.
func within(whole json.RawMessage, path []string, change func(json.RawMessage) (json.RawMessage, error)) (json.RawMessage, error) {
	if len(path) == 0 {
		return change(whole)
	}
	list, err := members(whole)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].name != path[0] {
			continue
		}
		if list[i].value, err = within(list[i].value, path[1:], change); err != nil {
			return nil, err
		}
	}
	return object(list), nil
}

// inOrder sorts an object's members by a list of names; others go behind, as
// they were.
func inOrder(names []string) func(json.RawMessage) (json.RawMessage, error) {
	rank := map[string]int{}
	for i, n := range names {
		if _, ok := rank[n]; !ok {
			rank[n] = i
		}
	}
	place := func(m member) int {
		if r, ok := rank[m.name]; ok {
			return r
		}
		return len(rank)
	}
	return func(whole json.RawMessage) (json.RawMessage, error) {
		list, err := members(whole)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(list, func(a, b member) int { return place(a) - place(b) })
		return object(list), nil
	}
}
