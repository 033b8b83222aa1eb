package viewer

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"paysandbox/mockserver/openapi/tree"
)

// reader reads a document for an integration in an environment.
type reader struct {
	d           *tree.Node
	environment string
}

// group are the operations of a tag.
type group struct {
	ID, Name, Text string
	Operations     []operation
}

// operation is one operation, or an event that the API sends.
type operation struct {
	ID, Method, Path, Summary, Text, Surface, Clause string
	Open                                             bool
	Params                                           []param
	Body                                             body
	Answers                                          []answer
	// Try is x-try as JSON; empty for what cannot be tried.
	Try, TryBody string
	Steps        int
}

// param is a parameter; Value is what the page sends as long as nobody types.
type param struct {
	member
	In, Value string
}

// body is a body: the name of its schema, its members, and an example.
type body struct {
	Schema  string
	Members []member
	Example string
}

// answer is an answer under a status.
type answer struct {
	Status, Text string
	Body         body
}

func (r reader) text(names ...string) string { return r.d.At(names...).String() }

// resolved follows a $ref.
func (r reader) resolved(n *tree.Node) *tree.Node {
	if ref := n.Get("$ref").String(); ref != "" {
		return r.d.At(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return n
}

// groups are the tags with their operations, in the document's order.
func (r reader) groups() []group {
	var list []group
	for _, tag := range r.d.Get("tags").All() {
		name := tag.Get("name").String()
		list = append(list, group{ID: strings.ReplaceAll(strings.ToLower(name), " ", "-"), Name: name, Text: tag.Get("description").String()})
	}
	for path, item := range r.d.Get("paths").All() {
		for method, op := range item.All() {
			o := r.operation(strings.ToUpper(method), path, op)
			for _, tag := range op.Get("tags").All() {
				if i := slices.IndexFunc(list, func(g group) bool { return g.Name == tag.String() }); i >= 0 {
					list[i].Operations = append(list[i].Operations, o)
				}
			}
		}
	}
	return list
}

// events are the webhooks.
func (r reader) events() []operation {
	var list []operation
	for name, item := range r.d.Get("webhooks").All() {
		list = append(list, r.operation("event", name, item.Get("post")))
	}
	return list
}

func (r reader) operation(method, path string, op *tree.Node) operation {
	o := operation{
		ID: op.Get("operationId").String(), Method: method, Path: path, Summary: op.Get("summary").String(), Text: op.Get("description").String(),
		Surface: op.Get("x-surface").String(), Clause: op.Get("x-clause").String(), Open: op.Get("security").Len() > 0,
		Body: r.body(op.Get("requestBody")),
	}
	how := op.Get("x-try")
	how.Get("steps").Keep(func(_ string, step *tree.Node) bool {
		when := step.Get("when").String()
		return when == "" || when == r.environment
	})
	if how.Len() > 0 && how.Get("cannot").String() == "" {
		o.Try, o.Steps, o.TryBody = string(how.JSON()), how.Get("steps").Len(), indented(how.Get("body"))
	}
	for _, n := range op.Get("parameters").All() {
		o.Params = append(o.Params, r.param(r.resolved(n), how.Get("with")))
	}
	for status, n := range op.Get("responses").All() {
		n = r.resolved(n)
		o.Answers = append(o.Answers, answer{Status: status, Text: n.Get("description").String(), Body: r.body(n)})
	}
	slices.SortStableFunc(o.Answers, func(a, b answer) int { return strings.Compare(a.Status, b.Status) }) // default comes behind the numbers
	return o
}

func (r reader) param(n, with *tree.Node) param {
	p := param{In: n.Get("in").String(), member: member{
		Name: n.Get("name").String(), Text: n.Get("description").String(), Type: kind(n.Get("schema")), Required: bytes.HasPrefix(n.Get("required").JSON(), []byte("true")),
	}}
	p.Value = with.Get(p.Name).String()
	if p.Value == "" && p.Required {
		p.Value = "{" + p.Name + "}"
	}
	return p
}

// body reads the first of a body's media types; the others hold the same.
func (r reader) body(n *tree.Node) body {
	for _, media := range n.Get("content").All() {
		schema := media.Get("schema")
		b := body{Schema: nameOf(schema.Get("$ref").String())}
		b.Members = r.members(r.resolved(schema))
		for _, e := range media.Get("examples").All() {
			b.Example = indented(r.resolved(e).Get("value"))
		}
		return b
	}
	return body{}
}

// indented is JSON for people; empty for none.
func indented(n *tree.Node) string {
	if n.Null() || n.Len() == 0 && n.String() == "" {
		return ""
	}
	var raw, out bytes.Buffer
	n.Write(&raw)
	if json.Indent(&out, raw.Bytes(), "", "  ") != nil {
		return raw.String()
	}
	return out.String()
}
