package conform

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// address is the name under which the schema compiler knows the document.
const address = "file:///openapi.json"

// Validator holds exchanges to a document. It is safe for concurrent use.
type Validator struct {
	document any
	routes   []route

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// NewValidator makes a validator from a document in JSON. Members that a schema
// does not name are not admitted, so that types and document cannot drift apart.
// Errors: no JSON, or a schema that is none.
func NewValidator(document []byte) (*Validator, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	v := &Validator{document: doc, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	v.closeSchemas()
	v.compiler.DefaultDraft(jsonschema.Draft2020)
	v.compiler.AssertFormat()
	if err := v.compiler.AddResource(address, doc); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	for _, name := range children(v.node("/components/schemas")) {
		if _, err := v.schema("/components/schemas/" + escape(name)); err != nil {
			return nil, err
		}
	}
	v.readRoutes()
	return v, nil
}

// closeSchemas admits no member that a component schema does not name.
func (v *Validator) closeSchemas() {
	for _, name := range children(v.node("/components/schemas")) {
		schema, _ := v.node("/components/schemas/" + escape(name)).(map[string]any)
		_, named := schema["properties"]
		if _, said := schema["additionalProperties"]; named && !said {
			schema["additionalProperties"] = false
		}
	}
}

// schema compiles the schema at a pointer, once.
func (v *Validator) schema(pointer string) (*jsonschema.Schema, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s := v.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := v.compiler.Compile(address + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		return nil, fmt.Errorf("compile the schema %s: %w", pointer, err)
	}
	v.schemas[pointer] = s
	return s, nil
}

// judge holds a value to the schema at a pointer, and lists what is wrong.
func (v *Validator) judge(pointer string, value any) []string {
	s, err := v.schema(pointer)
	if err != nil {
		return []string{err.Error()}
	}
	var invalid *jsonschema.ValidationError
	switch err := s.Validate(value); {
	case errors.As(err, &invalid):
		texts := reasons(invalid, message.NewPrinter(language.English))
		slices.Sort(texts)
		return slices.Compact(texts)
	case err != nil:
		return []string{err.Error()}
	}
	return nil
}

// reasons are the innermost causes of an error, each with its place.
func reasons(e *jsonschema.ValidationError, p *message.Printer) []string {
	if len(e.Causes) == 0 {
		at := ""
		for _, part := range e.InstanceLocation {
			at += "/" + escape(part)
		}
		return []string{strings.TrimSpace(at + " " + e.ErrorKind.LocalizedString(p))}
	}
	var texts []string
	for _, cause := range e.Causes {
		texts = append(texts, reasons(cause, p)...)
	}
	return texts
}
