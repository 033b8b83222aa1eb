package viewer

import (
	"strings"

	"paysandbox/mockserver/openapi/tree"
)

// schema is a named shape.
type schema struct {
	Name, Text string
	Members    []member
}

// member is one member of a shape. Ref is the shape that it has, empty for a plain one.
type member struct {
	Name, Type, Ref, Text string
	Values                []string
	Required              bool
}

// schemas are the document's named shapes.
func (r reader) schemas() []schema {
	var list []schema
	for name, n := range r.d.At("components", "schemas").All() {
		list = append(list, schema{Name: name, Text: n.Get("description").String(), Members: r.members(n)})
	}
	return list
}

func (r reader) members(n *tree.Node) []member {
	required := map[string]bool{}
	for _, name := range n.Get("required").All() {
		required[name.String()] = true
	}
	var list []member
	for name, m := range n.Get("properties").All() {
		one := member{Name: name, Type: kind(m), Ref: refOf(m), Text: m.Get("description").String(), Required: required[name]}
		for _, value := range m.Get("enum").All() {
			if !value.Null() {
				one.Values = append(one.Values, value.String())
			}
		}
		list = append(list, one)
	}
	return list
}

// refOf is the name of the shape that a schema is, holds as an array, or may be.
func refOf(n *tree.Node) string {
	if ref := n.Get("$ref").String(); ref != "" {
		return nameOf(ref)
	}
	if n.Get("items").Len() > 0 {
		return refOf(n.Get("items"))
	}
	for _, one := range n.Get("anyOf").All() {
		if name := refOf(one); name != "" {
			return name
		}
	}
	return ""
}

func nameOf(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// kind is a schema's type in words.
func kind(n *tree.Node) string {
	var words []string
	for _, one := range n.Get("anyOf").All() {
		words = append(words, kind(one))
	}
	for _, one := range n.Get("type").All() {
		words = append(words, one.String())
	}
	if len(words) > 0 {
		return strings.Join(words, " or ") + format(n)
	}
	switch {
	case n.Get("$ref").String() != "":
		return nameOf(n.Get("$ref").String())
	case n.Get("items").Len() > 0:
		return "array of " + kind(n.Get("items"))
	}
	return n.Get("type").String() + format(n)
}

func format(n *tree.Node) string {
	if f := n.Get("format").String(); f != "" {
		return " (" + f + ")"
	}
	return ""
}
