package openapi

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi/tree"
)

// follower changes the bodies of a description.
type follower struct {
	d, schemas *tree.Node
	s          latitude.Settings
	ops        []Operation
	events     []Event
}

// bodies are the schemas below the bodies of answers that went well, or of requests:
// those that stand for a whole body, and with them all that they refer to. Those of
// operations that leave says are not among them.
func (f *follower) bodies(requests bool, leave func(*Operation) bool) (whole, all []string) {
	for i := range f.ops {
		op := &f.ops[i]
		if leave != nil && leave(op) {
			continue
		}
		described := f.d.At("paths", op.Path, strings.ToLower(op.Method))
		bodies := described.Get("requestBody")
		if !requests {
			bodies = described.Get("responses")
		}
		bodies.Each("schema", func(n *tree.Node) { whole = append(whole, refersTo(n)) })
	}
	slices.Sort(whole)
	whole = slices.DeleteFunc(slices.Compact(whole), func(name string) bool { return name == "" })
	all = slices.Clone(whole)
	for i := 0; i < len(all); i++ {
		f.schemas.Get(all[i]).Walk(func(n *tree.Node) {
			if name := refersTo(n); name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		})
	}
	return whole, all
}

// refersTo is the name of the schema that a node refers to, or "".
func refersTo(n *tree.Node) string {
	name, _ := strings.CutPrefix(n.Get("$ref").String(), schemaPrefix)
	return name
}

// examples calls f for each example of an answer that went well.
func (f *follower) examples(do func(op *Operation, value *tree.Node)) {
	for i := range f.ops {
		if value := f.d.At("components", "examples", f.ops[i].ID+"Response", "value"); value.Len() > 0 {
			do(&f.ops[i], value)
		}
	}
}

// without takes a member from a schema.
func (f *follower) without(schema, member string) {
	n := f.schemas.Get(schema)
	n.Get("properties").Drop(member)
	n.Get("required").Keep(func(_ string, v *tree.Node) bool { return v.String() != member })
}

// withoutMetadata: nobody is shown metadata again.
func (f *follower) withoutMetadata() {
	_, answers := f.bodies(false, nil)
	for _, name := range answers {
		f.without(name, "metadata")
	}
	f.examples(func(_ *Operation, value *tree.Node) { value.Drop("metadata") })
}

// withoutTimestamp: events do not tell when they happened.
func (f *follower) withoutTimestamp() {
	for _, e := range f.events {
		event := reflect.TypeOf(e.Body).Name()
		f.without(event+"Data", "Timestamp")
		f.d.At("components", "examples", event, "value", "Data").Drop("Timestamp")
	}
}

// amountText: the amount of an event is a text of digits.
func (f *follower) amountText() {
	amount := f.schemas.At("PaymentEventData", "properties", "Amount")
	amount.Drop("format", "minimum", "examples")
	amount.Set("type", tree.Of("string"))
	amount.Set("pattern", tree.Of("^[0-9]+$"))
	amount.Set("examples", tree.Of([]string{"5000"}))
	f.d.At("components", "examples", "PaymentEvent", "value", "Data").Set("Amount", tree.Of("5000"))
}

// absent: a member without a value is left out.
func (f *follower) absent() {
	keeps := func(op *Operation) bool { return op.KeepsNulls }
	_, answers := f.bodies(false, keeps)
	for _, name := range answers {
		schema := f.schemas.Get(name)
		for member, property := range schema.Get("properties").All() {
			if notNull(property) {
				schema.Get("required").Keep(func(_ string, v *tree.Node) bool { return v.String() != member })
			}
		}
		if schema.Get("required").Len() == 0 {
			schema.Drop("required")
		}
	}
	f.examples(func(op *Operation, value *tree.Node) {
		if !op.KeepsNulls {
			value.Walk(func(n *tree.Node) { n.Keep(func(name string, v *tree.Node) bool { return name == "" || !v.Null() }) })
		}
	})
}

// notNull takes null from what a property can be, and says whether it was there.
func notNull(property *tree.Node) (was bool) {
	keep := func(_ string, v *tree.Node) bool {
		null := v.Null() || v.String() == "null" || v.Get("type").String() == "null"
		was = was || null
		return !null
	}
	for _, list := range []string{"type", "anyOf", "enum"} {
		property.Get(list).Keep(keep)
	}
	for _, one := range property.Get("type").All() {
		if property.Get("type").Len() == 1 {
			property.Set("type", one)
		}
	}
	for _, one := range property.Get("anyOf").All() {
		if property.Get("anyOf").Len() == 1 {
			property.Drop("anyOf")
			for name, v := range one.All() {
				property.Set(name, v)
			}
		}
	}
	return was
}

// The member that answers carry beside the described ones.
const extraMember = "sandboxExtra"

// extra: an answer's object has one member more.
func (f *follower) extra() {
	whole, _ := f.bodies(false, nil)
	for _, name := range whole {
		if p := f.schemas.At(name, "properties"); p.Len() > 0 {
			p.Set(extraMember, tree.Of(map[string]any{"type": "string", "description": "A member that nobody has described. A client must ignore members that it does not know."}))
		}
	}
}

// pascal: the members of answers begin with a capital letter.
func (f *follower) pascal() {
	_, answers := f.bodies(false, nil)
	for _, name := range answers {
		schema := f.schemas.Get(name)
		schema.Get("properties").Rename(capital)
		for _, required := range schema.Get("required").All() {
			required.Replace(tree.Of(capital(required.String())))
		}
	}
	f.examples(func(_ *Operation, value *tree.Node) { capitals(value) })
}

// capitals renames the members of an example, but not those of a free object.
func capitals(n *tree.Node) {
	for name, v := range n.All() {
		if !strings.EqualFold(name, "metadata") {
			capitals(v)
		}
	}
	n.Rename(capital)
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// closed: unknown members of requests are refused.
func (f *follower) closed() {
	_, requests := f.bodies(true, nil)
	for _, name := range requests {
		if f.schemas.At(name, "properties").Len() > 0 {
			f.schemas.Get(name).Set("additionalProperties", tree.Of(false))
		}
	}
}

// numberTexts: requests may write whole numbers as texts.
func (f *follower) numberTexts() {
	_, requests := f.bodies(true, nil)
	for _, name := range requests {
		for _, property := range f.schemas.At(name, "properties").All() {
			types := []string{property.Get("type").String()}
			for _, t := range property.Get("type").All() {
				types = append(types, t.String())
			}
			if slices.Contains(types, "integer") {
				types = slices.DeleteFunc(append(types, "string"), func(t string) bool { return t == "" })
				property.Set("type", tree.Of(types))
				property.Set("pattern", tree.Of("^[0-9]+$"))
			}
		}
	}
}

// zip: a hyphen needs four digits behind it.
func (f *follower) zip() {
	f.schemas.Each("zipCode", func(n *tree.Node) {
		if n.Get("pattern").Len() == 0 && n.Get("pattern").String() != "" {
			n.Set("pattern", tree.Of("^[0-9]{5}(-[0-9]{4})?$"))
		}
	})
}

var (
	wholeSeconds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`) })
	starred      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\*(\d{4})$`) })
)

// millis: moments have milliseconds.
func (f *follower) millis() {
	f.reword(func(s string) string {
		if wholeSeconds().MatchString(s) {
			return strings.TrimSuffix(s, "Z") + ".000Z"
		}
		return s
	})
}

// masks: a masked number has no asterisk.
func (f *follower) masks() {
	f.reword(func(s string) string { return starred().ReplaceAllString(s, "$1") })
}

// reword changes the texts of examples, also those of members.
func (f *follower) reword(other func(string) string) {
	for _, part := range []*tree.Node{f.d.At("components", "examples"), f.schemas} {
		part.Walk(func(n *tree.Node) {
			if said := n.String(); said != "" && other(said) != said {
				n.Replace(tree.Of(other(said)))
			}
		})
	}
}

// live: events say that they come from production.
func (f *follower) live() {
	for _, event := range []string{"CompanyEvent", "PaymentEvent"} {
		f.schemas.At(event, "properties", "Live").Set("examples", tree.Of([]bool{true}))
		f.d.At("components", "examples", event, "value").Set("Live", tree.Of(true))
	}
}
