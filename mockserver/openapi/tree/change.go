package tree

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
)

// Of makes a node of a value that has a JSON form; one that has none is a mistake
// of the program, and panics.
func Of(value any) *Node {
	n, err := Parse(Text(value))
	if err != nil {
		panic(err)
	}
	return n
}

// At follows names down; where one is missing it gives an empty node.
func (t *Node) At(names ...string) *Node {
	for _, name := range names {
		t = t.Get(name)
	}
	return t
}

// Set gives a member another value, or adds it as the last one.
func (t *Node) Set(name string, value *Node) {
	if i := slices.Index(t.names, name); i >= 0 {
		t.values[i] = value
		return
	}
	t.names, t.values, t.leaf = append(t.names, name), append(t.values, value), nil
}

// Drop takes members away.
func (t *Node) Drop(names ...string) {
	for _, name := range names {
		if i := slices.Index(t.names, name); i >= 0 {
			t.names, t.values = slices.Delete(t.names, i, i+1), slices.Delete(t.values, i, i+1)
		}
	}
}

// Keep leaves out the values of an array, or the members of an object, of which
// keep says no. A value of an array has no name.
func (t *Node) Keep(keep func(name string, value *Node) bool) {
	out := &Node{array: t.array}
	for name, value := range t.All() {
		if keep(name, value) {
			out.values = append(out.values, value)
			if !t.array {
				out.names = append(out.names, name)
			}
		}
	}
	t.names, t.values = out.names, out.values
}

// All gives the members of an object, or the values of an array without names.
func (t *Node) All() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		for i, value := range t.values {
			name := ""
			if !t.array {
				name = t.names[i]
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// Rename gives the members of an object other names.
func (t *Node) Rename(name func(string) string) {
	for i := range t.names {
		t.names[i] = name(t.names[i])
	}
}

// Len counts the members or values.
func (t *Node) Len() int { return len(t.values) }

// Null says whether the node is null.
func (t *Node) Null() bool { return string(t.leaf) == "null" }

// String is the text of a node that is a text; else "".
func (t *Node) String() string {
	var s string
	if len(t.leaf) == 0 || json.Unmarshal(t.leaf, &s) != nil {
		return ""
	}
	return s
}

// Walk calls f for the node and for all that is below it.
func (t *Node) Walk(f func(*Node)) {
	f(t)
	for _, value := range t.values {
		value.Walk(f)
	}
}

// Replace makes the node another one, wherever it stands.
func (t *Node) Replace(by *Node) { *t = *by }

// JSON is the node as JSON text, indented by two blanks, with a line end.
func (t *Node) JSON() []byte {
	var compact, out bytes.Buffer
	t.Write(&compact)
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		panic("tree: " + err.Error()) // What Write has written is JSON.
	}
	out.WriteByte('\n')
	return out.Bytes()
}
