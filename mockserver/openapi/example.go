package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/swaggest/jsonschema-go"

	"paysandbox/mockserver/openapi/tree"
)

// The examples of members whose tags give none.
const (
	exampleUUID = "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"
	exampleTime = "2026-01-02T15:04:05Z"
	exampleDate = "2026-01-31"
)

// example makes a value of a type from the examples of its members, in the
// order of their declaration. Members without one are left out unless they are
// required.
func (s *schemas) example(name string) (json.RawMessage, error) {
	schema := s.types[name]
	var b bytes.Buffer
	b.WriteByte('{')
	for _, property := range s.order[name] {
		member := schema.Properties[property].TypeObject
		value, err := s.value(member, requires(&schema, property))
		if err != nil {
			return nil, fmt.Errorf("example of %s.%s: %w", name, property, err)
		}
		if value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(tree.Text(property))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func requires(schema *jsonschema.Schema, property string) bool {
	for _, r := range schema.Required {
		if r == property {
			return true
		}
	}
	return false
}

// value is the example of a member; nil leaves it out.
func (s *schemas) value(m *jsonschema.Schema, required bool) (json.RawMessage, error) {
	switch {
	case len(m.Examples) > 0:
		return json.Marshal(m.Examples[0])
	case m.Ref != nil:
		return s.example(strings.TrimPrefix(*m.Ref, schemaPrefix))
	case !required:
		return nil, nil
	case len(m.AnyOf) > 0 || m.HasType(jsonschema.Null):
		return json.RawMessage("null"), nil
	case m.HasType(jsonschema.Array):
		return s.list(m)
	case m.HasType(jsonschema.Object):
		return json.RawMessage("{}"), nil
	case m.HasType(jsonschema.Integer) || m.HasType(jsonschema.Number):
		return json.RawMessage("0"), nil
	case m.HasType(jsonschema.Boolean):
		return json.RawMessage("false"), nil
	default:
		return tree.Text(exampleText(m)), nil
	}
}

// list is an array of one element, or of none where its elements are texts
// without an example.
func (s *schemas) list(m *jsonschema.Schema) (json.RawMessage, error) {
	if m.Items == nil || m.Items.SchemaOrBool == nil || m.Items.SchemaOrBool.TypeObject == nil || m.Items.SchemaOrBool.TypeObject.Ref == nil {
		return json.RawMessage("[]"), nil
	}
	item, err := s.value(m.Items.SchemaOrBool.TypeObject, true)
	if err != nil {
		return nil, err
	}
	return append(append(json.RawMessage("["), item...), ']'), nil
}

func exampleText(m *jsonschema.Schema) string {
	if len(m.Enum) > 0 {
		return fmt.Sprint(m.Enum[0])
	}
	if m.Format != nil {
		return formatExample(*m.Format)
	}
	return "text"
}

// formatExample is a text of a format; "" for a format that has none.
func formatExample(format string) string {
	switch format {
	case "uuid":
		return exampleUUID
	case "date":
		return exampleDate
	case "date-time":
		return exampleTime
	case "uri":
		return "https://partner.example.com/"
	case "email":
		return "pat@example.com"
	}
	return ""
}
