package random

import (
	"slices"
	"strings"

	"paysandbox/harness/schema"
)

// parameter is one that a description names for an operation.
type parameter struct {
	name, in string
	required bool
	// values are those of its enumeration and its example.
	values []string
}

// operation is one that a description names. schema is the pointer of its body's schema,
// empty when it has none.
type operation struct {
	id, method, path string
	parameters       []parameter
	document         *schema.Document
	example          any
	schema           string
	// control is true for one of the control API.
	control bool
}

// besides are operations that are not drawn: they reach beyond one integration, or take
// away what is judged in the end.
var besides = []string{
	"GET /_sandbox/integrations", "DELETE /_sandbox/integrations/{i}", "POST /_sandbox/integrations/{i}/reset",
	"POST /_sandbox/integrations/{i}/snapshots/{s}/restore", "POST /_sandbox/integrations/{i}/snapshots/{s}/fork",
	"POST /_sandbox/integrations/{i}/snapshots/{s}/download", "POST /_sandbox/integrations/{i}/load", "GET /_sandbox/strangers",
	"GET /_sandbox/ready", "GET /_sandbox/integrations/{i}/openapi.json",
}

const jsonBody = "/requestBody/content/application~1json"

// operations lists those of a description, in the order of their paths and methods.
func operations(d *schema.Document, control bool) []operation {
	var list []operation
	for _, path := range schema.Children(d.Node("/paths")) {
		at := "/paths/" + schema.Escape(path)
		for _, method := range schema.Children(d.Node(at)) {
			o := operation{method: strings.ToUpper(method), path: path, document: d, control: control}
			if strings.ToLower(method) != method || method == "parameters" || slices.Contains(besides, o.method+" "+path) {
				continue
			}
			at := at + "/" + method
			o.id, _ = d.Object(at)["operationId"].(string)
			for _, n := range schema.Children(d.Node(at + "/parameters")) {
				o.parameters = append(o.parameters, readParameter(d, at+"/parameters/"+n))
			}
			// Nothing comes while one waits, and the digest at the end of a tape is of ports, too.
			o.parameters = slices.DeleteFunc(o.parameters, func(p parameter) bool { return p.name == "wait" || p.name == "end" })
			if d.Object(at+jsonBody) != nil {
				o.schema = d.Resolve(at + jsonBody + "/schema")
				o.example = d.Object(at + jsonBody + "/examples/canonical")["value"]
			}
			list = append(list, o)
		}
	}
	return list
}

func readParameter(d *schema.Document, at string) parameter {
	o := d.Object(at)
	p := parameter{}
	p.name, _ = o["name"].(string)
	p.in, _ = o["in"].(string)
	p.required, _ = o["required"].(bool)
	all, _ := d.Object(at + "/schema")["enum"].([]any)
	for _, v := range append(all, o["example"]) {
		if text, ok := v.(string); ok && !slices.Contains(p.values, text) {
			p.values = append(p.values, text)
		}
	}
	return p
}

// admitted are values that a schema names by itself, and those at its bounds, on both
// sides. Its members are left out when it has any.
func admitted(d *schema.Document, pointer string) []any {
	o := d.Object(pointer)
	list := append(slices.Clone(listOf(o["enum"])), listOf(o["examples"])...)
	for _, n := range schema.Children(o["anyOf"]) {
		list = append(list, admitted(d, d.Resolve(pointer)+"/anyOf/"+n)...)
	}
	for _, bound := range [...]string{"minimum", "maximum"} {
		if n, ok := whole(o[bound]); ok {
			list = append(list, n-1, n, n+1)
		}
	}
	for _, bound := range [...]string{"minLength", "maxLength"} {
		if n, ok := whole(o[bound]); ok && n < longest {
			list = append(list, strings.Repeat("a", int(max(n-1, 0))), strings.Repeat("b", int(n)), strings.Repeat("c", int(n+1)))
		}
	}
	if of := d.Object(pointer + "/items"); of != nil {
		if inner := filled(d, d.Resolve(pointer)+"/items", deepest); inner != nil {
			list = append(list, []any{inner}, []any{inner, inner})
		}
	}
	return slices.DeleteFunc(list, func(v any) bool { return v == nil })
}

// longest bounds a text that is made for a schema's bound, in letters; deepest bounds
// how far schemas are followed.
const (
	longest = 2001
	deepest = 3
)

// filled is a value with every member that a schema names, by their first examples.
func filled(d *schema.Document, pointer string, depth int) any {
	pointer = d.Resolve(pointer)
	for _, n := range schema.Children(d.Object(pointer)["anyOf"]) {
		if v := filled(d, pointer+"/anyOf/"+n, depth); v != nil {
			return v
		}
	}
	names := schema.Children(d.Object(pointer)["properties"])
	if len(names) == 0 || depth == 0 {
		if all := admitted(d, pointer); len(all) > 0 && depth > 0 {
			return all[0]
		}
		return nil
	}
	o := map[string]any{}
	for _, name := range names {
		if v := filled(d, pointer+"/properties/"+schema.Escape(name), depth-1); v != nil {
			o[name] = v
		}
	}
	return o
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}
