package service

import (
	"errors"
	"strconv"
	"strings"

	"paysandbox/harness/schema"
)

// Document is an OpenAPI 3.1 description that answers are held to. It is safe
// for concurrent use.
type Document struct {
	described  *schema.Document
	operations map[string]operation
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
	described, err := schema.Read(raw)
	if err != nil {
		return nil, err
	}
	d := &Document{described: described, operations: map[string]operation{}}
	d.list()
	if len(d.operations) == 0 {
		return nil, errors.New("read the OpenAPI description: it has no operation with an operationId")
	}
	return d, nil
}

// list finds the operations by their ids.
func (d *Document) list() {
	paths, _ := d.described.Node("/paths").(map[string]any)
	for path, v := range paths {
		methods, _ := v.(map[string]any)
		for method, v := range methods {
			op, _ := v.(map[string]any)
			id, _ := op["operationId"].(string)
			if id == "" {
				continue
			}
			pointer := "/paths/" + schema.Escape(path) + "/" + method
			d.operations[id] = operation{pointer: pointer, keyed: d.takesKey(pointer, op)}
		}
	}
}

// takesKey says whether an operation has the header Idempotency-Key.
func (d *Document) takesKey(pointer string, op map[string]any) bool {
	params, _ := op["parameters"].([]any)
	for i := range params {
		p, _ := d.described.Node(d.described.Resolve(pointer + "/parameters/" + strconv.Itoa(i))).(map[string]any)
		if name, _ := p["name"].(string); strings.EqualFold(name, "Idempotency-Key") && p["in"] == "header" {
			return true
		}
	}
	return false
}
