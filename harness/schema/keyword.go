package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The keywords of JSON Schema that are judged, by what they hold.
var (
	schemaKeywords = []string{"items", "additionalProperties"}
	listKeywords   = []string{"anyOf", "oneOf", "allOf"}
	plainKeywords  = []string{
		"$ref", "type", "const", "enum", "format", "properties", "required", "minProperties", "maxProperties",
		"minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum",
	}
	// toldKeywords say something to people and nothing about a value.
	toldKeywords = []string{
		"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "externalDocs",
	}
	typeNames = []string{"null", "boolean", "number", "integer", "string", "array", "object"}
)

// longestPointer bounds how deep schemas lie in each other, by the bytes of the pointer.
const longestPointer = 2048

// readable says what makes a value no schema, or one that cannot be judged: a
// keyword that is passed over would be a rule that nobody keeps.
func (d *Document) readable(at string, schema any) error {
	if _, plain := schema.(bool); plain {
		return nil
	}
	if len(at) > longestPointer {
		return fmt.Errorf("compile the schema %s…: it lies too deep in others", at[:80])
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return fmt.Errorf("compile the schema %s: it is no object", at)
	}
	for _, word := range Children(s) {
		for _, below := range schemasIn(at+"/"+word, word, s[word]) {
			if err := d.readable(below, d.Node(below)); err != nil {
				return err
			}
		}
		if err := d.keyword(word, s[word]); err != nil {
			return fmt.Errorf("compile the schema %s: %s: %w", at, word, err)
		}
	}
	return nil
}

// schemasIn are the pointers of the schemas in a keyword that holds some.
func schemasIn(at, word string, value any) (list []string) {
	switch {
	case slices.Contains(schemaKeywords, word):
		return []string{at}
	case slices.Contains(listKeywords, word), word == "properties":
		for _, name := range Children(value) {
			list = append(list, at+"/"+Escape(name))
		}
	}
	return list
}

// keyword looks at one keyword of a schema.
func (d *Document) keyword(word string, value any) error {
	switch {
	case slices.Contains(schemaKeywords, word), slices.Contains(listKeywords, word):
		return nil
	case word == "type":
		for _, name := range words(value) {
			if !slices.Contains(typeNames, name) {
				return fmt.Errorf("%q is not a type", name)
			}
		}
		if len(words(value)) == 0 {
			return fmt.Errorf("%v is not a type", value)
		}
		return nil
	case word == "$ref":
		if ref, ok := value.(string); !ok || d.Node(strings.TrimPrefix(ref, "#")) == nil {
			return fmt.Errorf("nothing stands at %v", value)
		}
		return nil
	case word == "pattern":
		_, err := d.pattern(fmt.Sprint(value))
		return err
	case slices.Contains(plainKeywords, word), slices.Contains(toldKeywords, word), strings.HasPrefix(word, "x-"):
		return nil
	default:
		return fmt.Errorf("%s is not a keyword that is judged here", word)
	}
}

// words are the strings of a keyword that takes one or several.
func words(value any) []string {
	switch x := value.(type) {
	case string:
		return []string{x}
	case []any:
		var list []string
		for _, one := range x {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

// typeOf names the type of a value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	default:
		return "object"
	}
}
