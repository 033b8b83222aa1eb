// Package tree holds JSON whose members keep their order, to be looked at and
// changed. It knows nothing of what the JSON means.
package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Node is JSON whose members keep an order. An object has as many names as
// values, an array has values alone, anything else is a leaf.
type Node struct {
	names  []string
	values []*Node
	array  bool
	leaf   json.RawMessage
}

// Parse reads one JSON value.
func Parse(raw []byte) (*Node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	t, err := read(d)
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	return t, nil
}

func read(d *json.Decoder) (*Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return &Node{leaf: Text(token)}, nil
	}
	t := &Node{array: delim == '['}
	for d.More() {
		if !t.array {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			t.names = append(t.names, fmt.Sprint(name))
		}
		value, err := read(d)
		if err != nil {
			return nil, err
		}
		t.values = append(t.values, value)
	}
	_, err = d.Token()
	return t, err
}

// Get gives a member; an object without it gives an empty tree.
func (t *Node) Get(name string) *Node {
	if i := slices.Index(t.names, name); i >= 0 {
		return t.values[i]
	}
	return &Node{}
}

// Each calls f for every member of that name, at whatever depth.
func (t *Node) Each(name string, f func(*Node)) {
	for i, value := range t.values {
		if !t.array && t.names[i] == name {
			f(value)
		}
		value.Each(name, f)
	}
}

// Arrange sorts an object's members by a list of names; others go behind, as
// they were.
func (t *Node) Arrange(first []string) {
	type member struct {
		name  string
		value *Node
		place int
	}
	list := make([]member, 0, len(t.names))
	for i, name := range t.names {
		place := slices.Index(first, name)
		if place < 0 {
			place = len(first)
		}
		list = append(list, member{name, t.values[i], place})
	}
	slices.SortStableFunc(list, func(a, b member) int { return a.place - b.place })
	for i, m := range list {
		t.names[i], t.values[i] = m.name, m.value
	}
}

// Write appends the tree as JSON.
func (t *Node) Write(b *bytes.Buffer) {
	if t.leaf != nil {
		b.Write(t.leaf)
		return
	}
	brackets := "{}"
	if t.array {
		brackets = "[]"
	}
	b.WriteByte(brackets[0])
	for i, value := range t.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if !t.array {
			b.Write(Text(t.names[i]))
			b.WriteByte(':')
		}
		value.Write(b)
	}
	b.WriteByte(brackets[1])
}

// Text writes a text, number, truth value or null as JSON, without the
// escapes that only HTML needs.
func Text(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("tree: " + err.Error()) // Such a value always has a JSON form.
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
