package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// tree is JSON whose members keep an order. An object has as many names as
// values, an array has values alone, anything else is a leaf.
type tree struct {
	names  []string
	values []*tree
	array  bool
	leaf   json.RawMessage
}

// parse reads one JSON value.
func parse(raw []byte) (*tree, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	t, err := read(d)
	if err != nil {
		return nil, fmt.Errorf("read the document again: %w", err)
	}
	return t, nil
}

func read(d *json.Decoder) (*tree, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return &tree{leaf: jsonOf(token)}, nil
	}
	t := &tree{array: delim == '['}
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

// get gives a member; an object without it gives an empty tree.
func (t *tree) get(name string) *tree {
	if i := slices.Index(t.names, name); i >= 0 {
		return t.values[i]
	}
	return &tree{}
}

// each calls f for every member of that name, at whatever depth.
func (t *tree) each(name string, f func(*tree)) {
	for i, value := range t.values {
		if !t.array && t.names[i] == name {
			f(value)
		}
		value.each(name, f)
	}
}

// arrange sorts an object's members by a list of names; others go behind, as
// they were.
func (t *tree) arrange(first []string) {
	type member struct {
		name  string
		value *tree
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

// write appends the tree as JSON.
func (t *tree) write(b *bytes.Buffer) {
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
			b.Write(jsonOf(t.names[i]))
			b.WriteByte(':')
		}
		value.write(b)
	}
	b.WriteByte(brackets[1])
}

// jsonOf writes a text, number, truth value or null as JSON, without the
// escapes that only HTML needs.
func jsonOf(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("openapi: " + err.Error()) // Such a value always has a JSON form.
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
