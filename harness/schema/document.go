package schema

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

// address is the name under which the compiler knows the document.
const address = "file:///openapi.json"

// components is where a description keeps its schemas.
const components = "/components/schemas"

// Document is an OpenAPI 3.1 description. It is safe for concurrent use.
type Document struct {
	root any

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// Read reads a description from JSON. Component schemas that name their members
// and do not say otherwise admit no others, so that nothing can drift apart.
func Read(raw []byte) (*Document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	d := &Document{root: root, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.close()
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(address, root); err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	return d, nil
}

// close admits no member that a component schema does not name.
func (d *Document) close() {
	for _, name := range Children(d.Node(components)) {
		schema, _ := d.Node(components + "/" + Escape(name)).(map[string]any)
		_, named := schema["properties"]
		if _, said := schema["additionalProperties"]; named && !said {
			schema["additionalProperties"] = false
		}
	}
}

// Compile compiles every component schema. The error names the first that is
// none; without this call it is found out by the first value that is judged.
func (d *Document) Compile() error {
	for _, name := range Children(d.Node(components)) {
		if _, err := d.schema(components + "/" + Escape(name)); err != nil {
			return err
		}
	}
	return nil
}

// schema compiles the schema at a pointer, once.
func (d *Document) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(address + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		return nil, fmt.Errorf("compile the schema %s: %w", pointer, err)
	}
	d.schemas[pointer] = s
	return s, nil
}

// Judge holds a value, as the schema library reads JSON, to the schema at a
// pointer, and lists what is wrong with it, sorted. A schema that is none is wrong,
// too.
func (d *Document) Judge(pointer string, value any) []string {
	s, err := d.schema(pointer)
	if err != nil {
		return []string{err.Error()}
	}
	var invalid *jsonschema.ValidationError
	switch err := s.Validate(value); {
	case errors.As(err, &invalid):
		texts := leaves(invalid, message.NewPrinter(language.English))
		slices.Sort(texts)
		return slices.Compact(texts)
	case err != nil:
		return []string{err.Error()}
	}
	return nil
}

// leaves are the innermost causes of an error, each with its place.
func leaves(e *jsonschema.ValidationError, p *message.Printer) []string {
	if len(e.Causes) == 0 {
		at := ""
		for _, part := range e.InstanceLocation {
			at += "/" + Escape(part)
		}
		return []string{strings.TrimSpace(at + " " + e.ErrorKind.LocalizedString(p))}
	}
	var texts []string
	for _, cause := range e.Causes {
		texts = append(texts, leaves(cause, p)...)
	}
	return texts
}
