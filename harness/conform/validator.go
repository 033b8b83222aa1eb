package conform

import "paysandbox/harness/schema"

// Validator holds exchanges to a document. It is safe for concurrent use.
type Validator struct {
	doc    *schema.Document
	routes []route
}

// NewValidator makes a validator from a document in JSON. Members that a schema
// does not name are not admitted, so that types and document cannot drift apart.
// Errors: no JSON, or a schema that is none.
func NewValidator(document []byte) (*Validator, error) {
	doc, err := schema.Read(document)
	if err != nil {
		return nil, err
	}
	if err := doc.Compile(); err != nil {
		return nil, err
	}
	v := &Validator{doc: doc}
	v.readRoutes()
	return v, nil
}
