package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/harness/schema"
)

// TestJudgesAsTheLibrary holds what is judged, and its words, to a library that
// knows all of JSON Schema. The program itself does without it: it compiles five
// drafts of the standard whenever a process starts.
func TestJudgesAsTheLibrary(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{
			"A": anySchema(t, 3), "B": anySchema(t, 1),
		}}})
		require.NoError(t, err)
		value, err := json.Marshal(anyValue(t, 3))
		require.NoError(t, err)
		read, err := schema.Value(value)
		require.NoError(t, err)
		d, err := schema.Read(raw)
		require.NoError(t, err)
		require.Equal(t, byLibrary(t, d, read), alike(d.Judge("/components/schemas/A", read)), "%s\n%s", raw, value)
	})
}

var (
	names   = rapid.SampledFrom([]string{"a", "b", "c/d"})
	strs    = rapid.SampledFrom([]string{"", "x", "it's", `a"b`, "2026-03-02", "2026-02-31", "2026-03-02T17:00:00Z", "2026-03-02T17:00:00", "a@b.co", "a b", "https://x.test/y", "/y", "1f0e7c1a-6a0b-4b51-8d3f-000000000001", "1f0e7c1a-6a0b-4b51-8d3f-00000000000g", "1f0e"})
	numbers = rapid.SampledFrom([]json.Number{"0", "1", "-2", "3.5", "1.0", "7"})
)

func anyValue(t *rapid.T, depth int) any {
	kinds := []string{"null", "boolean", "number", "string"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "object")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "null":
		return nil
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	case "number":
		return numbers.Draw(t, "number")
	case "string":
		return strs.Draw(t, "string")
	case "array":
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, anyValue(t, depth-1))
		}
		return list
	default:
		o := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			o[names.Draw(t, "name")] = anyValue(t, depth-1)
		}
		return o
	}
}

// anySchema draws a schema with some of the keywords that are known.
func anySchema(t *rapid.T, depth int) any {
	count := rapid.IntRange(0, 2)
	s := map[string]any{}
	keywords := map[string]func() any{
		"type": func() any {
			return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"null", "boolean", "number", "integer", "string", "array", "object"}), 1, 4, rapid.ID).Draw(t, "types")
		},
		"const": func() any { return anyValue(t, 1) }, "enum": func() any { return []any{anyValue(t, 0), anyValue(t, 0), "x"} },
		"format": func() any {
			return rapid.SampledFrom([]string{"uuid", "date", "date-time", "email", "uri", "int64"}).Draw(t, "format")
		},
		"required":      func() any { return rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "required") },
		"minProperties": func() any { return count.Draw(t, "n") }, "maxProperties": func() any { return count.Draw(t, "n") },
		"minItems": func() any { return count.Draw(t, "n") }, "maxItems": func() any { return count.Draw(t, "n") },
		"minLength": func() any { return count.Draw(t, "n") }, "maxLength": func() any { return count.Draw(t, "n") },
		"minimum": func() any { return numbers.Draw(t, "n") }, "maximum": func() any { return numbers.Draw(t, "n") },
		"pattern": func() any { return rapid.SampledFrom([]string{"^[a-z]+$", "b", "^[0-9'-]*$"}).Draw(t, "pattern") },
	}
	if depth > 0 {
		below := func() any { return anySchema(t, depth-1) }
		keywords["items"], keywords["additionalProperties"] = below, below
		keywords["properties"] = func() any { return map[string]any{"a": below(), "c/d": below()} }
		keywords["anyOf"], keywords["allOf"] = func() any { return []any{below(), below()} }, func() any { return []any{below(), below()} }
	}
	if depth > 1 {
		keywords["$ref"] = func() any { return "#/components/schemas/B" }
	}
	if rapid.IntRange(0, 9).Draw(t, "plain") == 0 {
		return rapid.Bool().Draw(t, "admits")
	}
	words := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(func(yield func(string) bool) {
		for word := range keywords {
			if !yield(word) {
				return
			}
		}
	})), 0, 4, rapid.ID).Draw(t, "keywords")
	for _, word := range words {
		s[word] = keywords[word]()
	}
	return s
}

// byLibrary judges with the library, by the document as it was read.
func byLibrary(t *rapid.T, d *schema.Document, value any) []string {
	const address = "file:///openapi.json"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	require.NoError(t, c.AddResource(address, d.Node("")))
	s, err := c.Compile(address + "#/components/schemas/A")
	require.NoError(t, err)
	var invalid *jsonschema.ValidationError
	if !errors.As(s.Validate(value), &invalid) {
		return nil
	}
	texts := leaves(invalid)
	slices.Sort(texts)
	return alike(slices.Compact(texts))
}

// leaves are the innermost causes of an error, each with its place.
func leaves(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		at := ""
		for _, part := range e.InstanceLocation {
			at += "/" + schema.Escape(part)
		}
		return []string{strings.TrimSpace(at + " " + e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))}
	}
	var texts []string
	for _, cause := range e.Causes {
		texts = append(texts, leaves(cause)...)
	}
	return texts
}

var (
	// reason is why a text has not the format, which each says in its words.
	reason = regexp.MustCompile(`( is not valid [a-z-]+): .*`)
	// more are members that the library lists in no order.
	more = regexp.MustCompile(`additional properties .* not allowed`)
)

func alike(texts []string) []string {
	var list []string
	for _, s := range texts {
		list = append(list, more.ReplaceAllString(reason.ReplaceAllString(strings.ReplaceAll(s, "1.0", "1"), "$1"), "additional properties"))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestValue reads what the library reads.
func TestValue(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{`, `1 2`, ``, `{"a":1.50}`, `[null,true]`} {
		got, err := schema.Value([]byte(raw))
		want, wantErr := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(raw)))
		require.Equal(t, wantErr == nil, err == nil, raw)
		require.Equal(t, want, got, raw)
	}
}
