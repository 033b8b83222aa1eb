package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/swaggest/openapi-go/openapi31"

	"paysandbox/mockserver/openapi/tree"
	"paysandbox/mockserver/wire"
)

// bearer names the security scheme.
const bearer = "bearerAuth"

// builder is a document in the making.
type builder struct {
	info    Info
	spec    openapi31.Spec
	schemas *schemas
	tries   *tries
	parts   *openapi31.Components
}

// Document makes the OpenAPI 3.1 document of an API as indented JSON. The same
// arguments give the same bytes. Errors: a type that has no schema, or a method
// that OpenAPI does not have; both are mistakes of the caller's table.
func Document(info Info, ops []Operation) ([]byte, error) {
	b, err := newBuilder(info.described())
	if err != nil {
		return nil, err
	}
	if err := b.operations(ops); err != nil {
		return nil, err
	}
	if err := b.events(); err != nil {
		return nil, err
	}
	if b.parts.Schemas, err = b.schemas.components(); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(b.spec)
	if err != nil {
		return nil, fmt.Errorf("write the document: %w", err)
	}
	return b.finish(raw, ops)
}

func newBuilder(info Info) (*builder, error) {
	s, err := newSchemas(info.Descriptions)
	if err != nil {
		return nil, err
	}
	how, err := readTries(info.Tries)
	if err != nil {
		return nil, err
	}
	b := &builder{info: info, schemas: s, tries: how, parts: &openapi31.Components{
		Responses: map[string]openapi31.ResponseOrReference{},
		Examples:  map[string]openapi31.ExampleOrReference{},
		Headers:   map[string]openapi31.HeaderOrReference{},
	}}
	b.spec = openapi31.Spec{
		Openapi: "3.1.0",
		Info: openapi31.Info{
			Title: info.Title, Version: info.version(), Description: text(info.Description),
			Contact: &openapi31.Contact{Name: text("The maintainers of paysandbox")},
			License: &openapi31.License{Name: "Apache License 2.0", Identifier: text("Apache-2.0")},
		},
		Servers:    []openapi31.Server{{URL: "/", Description: text("This sandbox")}},
		Components: b.parts,
	}
	for _, t := range info.Tags {
		b.spec.Tags = append(b.spec.Tags, openapi31.Tag{Name: t.Name, Description: text(t.Description)})
	}
	if info.Token != "" {
		b.security()
	}
	for _, h := range info.Headers {
		b.parts.Headers[h.Name] = openapi31.HeaderOrReference{Header: headerOf(&h)}
	}
	_, err = s.add(wire.Problem{}, false)
	return b, err
}

// security makes the bearer token the rule.
func (b *builder) security() {
	scheme := &openapi31.SecurityScheme{
		Description: text(b.info.Token),
		HTTPBearer:  &openapi31.SecuritySchemeHTTPBearer{Scheme: "bearer", BearerFormat: text(b.info.TokenFormat)},
	}
	b.parts.SecuritySchemes = map[string]openapi31.SecuritySchemeOrReference{bearer: {SecurityScheme: scheme}}
	b.spec.Security = []map[string][]string{{bearer: {}}}
}

// operations adds every operation.
func (b *builder) operations(ops []Operation) error {
	paths := map[string]openapi31.PathItem{}
	for i := range ops {
		op, err := b.operation(&ops[i])
		if err != nil {
			return fmt.Errorf("describe the operation %s: %w", ops[i].ID, err)
		}
		item := paths[ops[i].Path]
		slot, err := slotFor(&item, ops[i].Method)
		if err != nil {
			return fmt.Errorf("describe the operation %s: %w", ops[i].ID, err)
		}
		*slot = op
		paths[ops[i].Path] = item
	}
	b.spec.Paths = &openapi31.Paths{MapOfPathItemValues: paths}
	return nil
}

// slotFor is where a path keeps its operation of a method.
func slotFor(item *openapi31.PathItem, method string) (**openapi31.Operation, error) {
	slot := map[string]**openapi31.Operation{
		http.MethodGet: &item.Get, http.MethodPut: &item.Put, http.MethodPost: &item.Post, http.MethodDelete: &item.Delete,
		http.MethodOptions: &item.Options, http.MethodHead: &item.Head, http.MethodPatch: &item.Patch, http.MethodTrace: &item.Trace,
	}[method]
	switch {
	case slot == nil:
		return nil, fmt.Errorf("%s is not a method of OpenAPI", method)
	case *slot != nil:
		return nil, fmt.Errorf("the path has a second operation for %s", method)
	}
	return slot, nil
}

// finish puts paths, properties and media types in the order of their
// declaration: what stands first is what a page offers first.
func (b *builder) finish(raw json.RawMessage, ops []Operation) ([]byte, error) {
	t, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	paths := make([]string, 0, len(ops))
	for i := range ops {
		paths = append(paths, ops[i].Path)
	}
	t.Get("paths").Arrange(paths)
	media := slices.Concat(b.info.RequestMedia, b.info.ResponseMedia)
	t.Each("content", func(content *tree.Node) { content.Arrange(media) })
	for name, schema := range t.At("components", "schemas").All() {
		schema.Get("properties").Arrange(b.schemas.order[name])
	}
	follow(t, b.info.Choices, ops, b.info.Events)
	return t.JSON(), nil
}

// text is a text that may be left out.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
