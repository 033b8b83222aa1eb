package check

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// documentName is the address under which the schema compiler knows the document.
const documentName = "file:///described.json"

// Document is an OpenAPI 3.1 description that answers are held to. It is safe
// for concurrent use.
type Document struct {
	root       any
	operations map[string]operation

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// operation is one operation of the document.
type operation struct {
	// pointer is where it stands in the document.
	pointer string
	// keyed is true when it takes an Idempotency-Key.
	keyed bool
}

// ReadDocument reads a description from JSON. Objects that name their members
// and do not say otherwise admit no others.
func ReadDocument(raw []byte) (*Document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	d := &Document{root: root, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}, operations: map[string]operation{}}
	d.close()
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentName, root); err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	d.list()
	if len(d.operations) == 0 {
		return nil, errors.New("read the OpenAPI description: it has no operation with an operationId")
	}
	return d, nil
}

// close admits no member that a component schema does not name.
func (d *Document) close() {
	schemas, _ := d.node("/components/schemas").(map[string]any)
	for _, v := range schemas {
		schema, _ := v.(map[string]any)
		_, named := schema["properties"]
		if _, said := schema["additionalProperties"]; named && !said {
			schema["additionalProperties"] = false
		}
	}
}

// list finds the operations by their ids.
func (d *Document) list() {
	paths, _ := d.node("/paths").(map[string]any)
	for path, v := range paths {
		methods, _ := v.(map[string]any)
		for method, v := range methods {
			op, _ := v.(map[string]any)
			id, _ := op["operationId"].(string)
			if id == "" {
				continue
			}
			pointer := "/paths/" + escape(path) + "/" + method
			d.operations[id] = operation{pointer: pointer, keyed: d.takesKey(pointer, op)}
		}
	}
}

// takesKey says whether an operation has the header Idempotency-Key.
func (d *Document) takesKey(pointer string, op map[string]any) bool {
	params, _ := op["parameters"].([]any)
	for i := range params {
		p, _ := d.node(d.resolve(pointer + "/parameters/" + strconv.Itoa(i))).(map[string]any)
		if name, _ := p["name"].(string); strings.EqualFold(name, "Idempotency-Key") && p["in"] == "header" {
			return true
		}
	}
	return false
}

// node is the value at a JSON pointer, nil when there is none.
func (d *Document) node(pointer string) any {
	value := d.root
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch x := value.(type) {
		case map[string]any:
			value = x[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			value = x[i]
		default:
			return nil
		}
	}
	return value
}

// resolve follows references within the document.
func (d *Document) resolve(pointer string) string {
	const deepest = 16
	for range deepest {
		o, _ := d.node(pointer).(map[string]any)
		ref, ok := o["$ref"].(string)
		if !ok {
			break
		}
		pointer = strings.TrimPrefix(ref, "#")
	}
	return pointer
}

// names lists the members of the object at a pointer, sorted.
func (d *Document) names(pointer string) []string {
	o, _ := d.node(pointer).(map[string]any)
	return slices.Sorted(maps.Keys(o))
}

// judge holds a value to the schema at a pointer, and lists what is wrong with
// it, sorted.
func (d *Document) judge(pointer string, value any) []string {
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

// schema compiles the schema at a pointer, once.
func (d *Document) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(documentName + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		return nil, fmt.Errorf("compile the schema %s: %w", pointer, err)
	}
	d.schemas[pointer] = s
	return s, nil
}

// leaves are the innermost causes of an error, each with its place.
func leaves(e *jsonschema.ValidationError, p *message.Printer) []string {
	if len(e.Causes) == 0 {
		at := ""
		for _, part := range e.InstanceLocation {
			at += "/" + escape(part)
		}
		return []string{strings.TrimSpace(at + " " + e.ErrorKind.LocalizedString(p))}
	}
	var texts []string
	for _, cause := range e.Causes {
		texts = append(texts, leaves(cause, p)...)
	}
	return texts
}

func escape(part string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(part) }
