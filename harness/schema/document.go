package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// components is where a description keeps its schemas.
const components = "/components/schemas"

// Document is an OpenAPI 3.1 description. It is safe for concurrent use.
type Document struct {
	root     any
	patterns sync.Map
}

// Read reads a description from JSON. Component schemas that name their members
// and do not say otherwise admit no others, so that nothing can drift apart.
func Read(raw []byte) (*Document, error) {
	root, err := Value(raw)
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	d := &Document{root: root}
	d.close()
	return d, nil
}

// Value reads JSON as Judge takes it: numbers keep all their digits. Anything
// behind the first value is an error.
func Value(raw []byte) (any, error) {
	var value any
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber()
	if err := read.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := read.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return value, nil
}

// Body reads the body of a media type as Judge takes it for the schema at a pointer:
// plain text is JSON, too, unless the schema wants a text.
func (d *Document) Body(pointer, media string, raw []byte) (any, error) {
	if media == "text/plain" && d.Object(pointer)["type"] == "string" {
		return string(raw), nil
	}
	return Value(raw)
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

// Compile looks at every component schema. The error names the first that is
// none, or that uses a keyword which this package does not know; without this
// call it is found out by the first value that is judged.
func (d *Document) Compile() error {
	for _, name := range Children(d.Node(components)) {
		at := components + "/" + Escape(name)
		if err := d.readable(at, d.Node(at)); err != nil {
			return err
		}
	}
	return nil
}

// pattern compiles a regular expression once.
func (d *Document) pattern(text string) (*regexp.Regexp, error) {
	if known, ok := d.patterns.Load(text); ok {
		return known.(*regexp.Regexp), nil
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	d.patterns.Store(text, compiled)
	return compiled, nil
}
