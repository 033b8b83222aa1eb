package openapi

import (
	"fmt"

	"github.com/swaggest/openapi-go/openapi31"
)

// events describes the webhooks that the API sends.
func (b *builder) events() error {
	for i := range b.info.Events {
		e := &b.info.Events[i]
		op, err := b.event(e)
		if err != nil {
			return fmt.Errorf("describe the event %s: %w", e.Name, err)
		}
		if b.spec.Webhooks == nil {
			b.spec.Webhooks = map[string]openapi31.PathItemOrReference{}
		}
		b.spec.Webhooks[e.Name] = openapi31.PathItemOrReference{PathItem: &openapi31.PathItem{Post: op}}
	}
	return nil
}

// event describes one webhook from the sender's side.
func (b *builder) event(e *Event) (*openapi31.Operation, error) {
	name, err := b.schemas.add(e.Body, false)
	if err != nil {
		return nil, err
	}
	example, err := b.schemas.example(name)
	if err != nil {
		return nil, err
	}
	b.example(name, e.Summary, example)
	body := (&openapi31.RequestBody{Content: content(name, name, []string{mediaJSON})}).WithRequired(true)
	taken := openapi31.ResponseOrReference{Response: &openapi31.Response{
		Description: "Any 2xx ends the delivery; everything else, a redirect too, is tried again later.",
	}}
	op := &openapi31.Operation{
		ID: text("on" + name), Summary: text(e.Summary), Description: text(e.Summary + ". Deliveries can come more than once."),
		RequestBody: &openapi31.RequestBodyOrReference{RequestBody: body},
		Responses:   &openapi31.Responses{MapOfResponseOrReferenceValues: map[string]openapi31.ResponseOrReference{"2XX": taken}},
		Security:    []map[string][]string{{}},
	}
	for i := range e.Headers {
		h := &e.Headers[i]
		p := &Param{Name: h.Name, In: "header", Description: h.Description, Example: fmt.Sprint(h.Example), Format: h.Format, Required: h.Required}
		op.Parameters = append(op.Parameters, openapi31.ParameterOrReference{Parameter: parameter(p)})
	}
	return op, nil
}
