package conform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"paysandbox/harness/schema"
)

// Check judges a document: that it is sound OpenAPI 3.1, and that every example
// in it keeps to its schema. The error lists all problems, one a line, sorted.
func Check(document []byte) error {
	problems, err := unsound(document)
	if err != nil {
		return err
	}
	v, err := NewValidator(document)
	if err != nil {
		return err
	}
	return list(append(problems, v.examples("")...))
}

// unsound is what kin-openapi finds.
func unsound(document []byte) ([]string, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("load the document: %w", err)
	}
	// Examples are judged by a validator whose native dialect is that of 3.1.
	err = doc.Validate(loader.Context, openapi3.IsOpenAPI31OrLater(), openapi3.EnableMultiError(),
		openapi3.DisableExamplesValidation())
	return leaves(err), nil
}

// leaves flattens an error to the texts of its innermost lists' entries.
func leaves(err error) []string {
	if err == nil {
		return nil
	}
	var many openapi3.MultiError
	if !errors.As(err, &many) {
		return []string{err.Error()}
	}
	var texts []string
	for _, e := range many {
		texts = append(texts, leaves(e)...)
	}
	return texts
}

// list makes one error of many texts, nil of none.
func list(texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	slices.Sort(texts)
	return errors.New(strings.Join(slices.Compact(texts), "\n"))
}

// examples judges the examples at and below a place of the document.
func (v *Validator) examples(at string) []string {
	node := v.doc.Node(at)
	var texts []string
	if object, ok := node.(map[string]any); ok {
		texts = v.examplesOf(object, at)
	}
	for _, child := range schema.Children(node) {
		if child != "example" && child != "examples" {
			texts = append(texts, v.examples(at+"/"+schema.Escape(child))...)
		}
	}
	return texts
}

// examplesOf judges the examples that stand in one object: those of a schema in
// its own examples, those of a parameter, header or media type beside a schema.
func (v *Validator) examplesOf(object map[string]any, at string) []string {
	var texts []string
	judge := func(pointer, place string, value any) {
		for _, problem := range v.doc.Judge(pointer, value) {
			texts = append(texts, place+": "+problem)
		}
	}
	if _, beside := object["schema"]; beside {
		if value, ok := object["example"]; ok {
			judge(at+"/schema", at+"/example", value)
		}
		for _, name := range schema.Children(object["examples"]) {
			place := at + "/examples/" + schema.Escape(name)
			judge(at+"/schema", place, v.doc.Node(v.doc.Resolve(place)+"/value"))
		}
		return texts
	}
	if values, ok := object["examples"].([]any); ok {
		for i, value := range values {
			judge(at, fmt.Sprintf("%s/examples/%d", at, i), value)
		}
	}
	return texts
}
