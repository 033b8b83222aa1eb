package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/swaggest/jsonschema-go"
	"github.com/swaggest/openapi-go/openapi31"
	"go.yaml.in/yaml/v4"
)

// schemaPrefix is where a document keeps its schemas.
const schemaPrefix = "#/components/schemas/"

// everyType stands for all types in the descriptions of properties.
const everyType = "*"

// schemas turns Go types into component schemas.
type schemas struct {
	reflector *openapi31.Reflector
	// texts describe properties: type name → property → text.
	texts map[string]map[string]string
	// order is the order of a type's properties, by its name.
	order map[string][]string
	// types are what has been made so far, by name; made is as the document has it.
	types map[string]jsonschema.Schema
	made  map[string]map[string]any
}

func newSchemas(descriptions []byte) (*schemas, error) {
	s := &schemas{
		reflector: openapi31.NewReflector(), texts: map[string]map[string]string{},
		order: map[string][]string{}, types: map[string]jsonschema.Schema{}, made: map[string]map[string]any{},
	}
	if err := yaml.Unmarshal(descriptions, &s.texts); err != nil {
		return nil, fmt.Errorf("read the descriptions of properties: %w", err)
	}
	return s, nil
}

// add makes the schema of a value's type, with those that it needs, and gives
// its name. Pointers in answers can be null; in requests null is as good as
// absent, for every member that may be absent.
func (s *schemas) add(sample any, request bool) (string, error) {
	schema, err := s.reflector.Reflect(sample,
		jsonschema.RootRef, jsonschema.DefinitionsPrefix(schemaPrefix),
		jsonschema.InterceptDefName(func(t reflect.Type, _ string) string { return t.Name() }),
		jsonschema.InterceptProp(func(p jsonschema.InterceptPropParams) error { return s.property(p, request) }),
		jsonschema.CollectDefinitions(func(name string, schema jsonschema.Schema) { s.types[name] = schema }),
	)
	if err != nil {
		return "", fmt.Errorf("describe the type %T: %w", sample, err)
	}
	if schema.Ref == nil {
		return "", fmt.Errorf("describe the type %T: it is no named struct", sample)
	}
	return strings.TrimPrefix(*schema.Ref, schemaPrefix), nil
}

// property finishes one property of a type.
func (s *schemas) property(p jsonschema.InterceptPropParams, request bool) error {
	owner := ownerOf(p)
	if !p.Processed {
		if !slices.Contains(s.order[owner], p.Name) {
			s.order[owner] = append(s.order[owner], p.Name)
		}
		return nil
	}
	schema, tag := p.PropertySchema, p.Field.Tag
	s.describe(schema, owner, p.Name)
	if tag.Get("wire") == "raw" {
		setRaw(schema)
	}
	if request && tag.Get("mask") == "true" {
		schema.WithWriteOnly(true)
	}
	if known := tag.Get("known"); known != "" {
		schema.WithExtraPropertiesItem("x-extensible-enum", strings.Split(known, ","))
	}
	setFormat(schema, p.Field.Type)
	if format := tag.Get("items"); format != "" {
		schema.Items.SchemaOrBool.TypeObject.WithFormat(format)
	}
	setNull(schema, nullable(p.Field, request))
	return nil
}

// describe says what a property means: in the words for its type, in those of
// its tag, or in those for every type.
func (s *schemas) describe(schema *jsonschema.Schema, owner, property string) {
	own, common := s.texts[owner][property], s.texts[everyType][property]
	switch {
	case own != "":
		schema.WithDescription(own)
	case schema.Description == nil && common != "":
		schema.WithDescription(common)
	}
}

// ownerOf names the type that has the property.
func ownerOf(p jsonschema.InterceptPropParams) string {
	t := p.ParentSchema.ReflectType
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return ""
	}
	return t.Name()
}

// setRaw describes a text of Go that holds any JSON object, as does its example.
func setRaw(schema *jsonschema.Schema) {
	schema.Type = nil
	schema.AddType(jsonschema.Object)
	schema.WithAdditionalProperties(*(&jsonschema.SchemaOrBool{}).WithTypeBoolean(true))
	for i, example := range schema.Examples {
		if text, ok := example.(string); ok && json.Valid([]byte(text)) {
			schema.Examples[i] = json.RawMessage(text)
		}
	}
}

// setFormat tells the width of whole numbers.
func setFormat(schema *jsonschema.Schema, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() { //nolint:exhaustive // Other kinds have no format.
	case reflect.Int, reflect.Int64, reflect.Uint64:
		schema.WithFormat("int64")
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		schema.WithFormat("int32")
	}
}

// nullable says whether a member can be null.
func nullable(f reflect.StructField, request bool) bool {
	if tag, ok := f.Tag.Lookup("nullable"); ok {
		return tag == "true"
	}
	if request {
		return f.Tag.Get("required") != "true"
	}
	return f.Type.Kind() == reflect.Pointer
}

// setNull writes the type as OpenAPI 3.1 does: ["string", "null"], or anyOf for
// a reference.
func setNull(schema *jsonschema.Schema, null bool) {
	if schema.Ref != nil {
		if null {
			ref := *(&jsonschema.Schema{}).WithRef(*schema.Ref)
			schema.Ref, schema.Type = nil, nil
			schema.AnyOf = []jsonschema.SchemaOrBool{ref.ToSchemaOrBool(), jsonschema.Null.ToSchemaOrBool()}
		}
		return
	}
	if schema.Type == nil {
		return
	}
	var types []jsonschema.SimpleType
	if schema.Type.SimpleTypes != nil {
		types = append(types, *schema.Type.SimpleTypes)
	}
	types = append(types, schema.Type.SliceOfSimpleTypeValues...)
	types = slices.DeleteFunc(types, func(t jsonschema.SimpleType) bool { return t == jsonschema.Null })
	schema.Type = nil
	for _, t := range types {
		schema.AddType(t)
	}
	if null {
		schema.AddType(jsonschema.Null)
		if len(schema.Enum) > 0 {
			schema.Enum = append(schema.Enum, nil)
		}
	}
}

// close refuses members that the type does not have.
func (s *schemas) close(name string) {
	schema := s.types[name]
	schema.WithAdditionalProperties(*(&jsonschema.SchemaOrBool{}).WithTypeBoolean(false))
	s.types[name] = schema
}

// components gives all schemas as the document has them. The types' own
// descriptions stand in the texts under the empty property.
func (s *schemas) components() (map[string]map[string]any, error) {
	for name, schema := range s.types {
		if text := s.texts[name][""]; text != "" && schema.Description == nil {
			schema.WithDescription(text)
		}
		raw, err := json.Marshal(schema)
		if err != nil {
			return nil, fmt.Errorf("write the schema %s: %w", name, err)
		}
		out := map[string]any{}
		if err := json.Unmarshal(raw, &out); err != nil {
			return nil, fmt.Errorf("write the schema %s: %w", name, err)
		}
		s.made[name] = out
	}
	return s.made, nil
}

func refTo(name string) map[string]any { return map[string]any{"$ref": schemaPrefix + name} }
