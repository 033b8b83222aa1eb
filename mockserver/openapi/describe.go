package openapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"paysandbox/mockserver/latitude"
)

// operation describes one operation.
func (b *builder) operation(op *Operation) (*openapi31.Operation, error) {
	responses, err := b.responses(op)
	if err != nil {
		return nil, err
	}
	tried, known, err := b.tries.of(op.ID)
	if err != nil {
		return nil, err
	}
	out := &openapi31.Operation{
		ID: &op.ID, Tags: []string{op.Tag}, Summary: &op.Summary, Description: text(strings.TrimSpace(b.describe(op) + " " + tried.Cannot)),
		Responses: responses, MapOfAnything: map[string]any{},
	}
	if op.Surface != "" {
		out.MapOfAnything["x-surface"] = op.Surface
	}
	if op.Clause != "" {
		out.MapOfAnything["x-clause"] = op.Clause
	}
	if op.AliasOf != "" {
		out.MapOfAnything["x-alias-of"] = op.AliasOf
	}
	if op.Open && b.info.Token != "" {
		out.Security = []map[string][]string{{}}
	}
	for i := range op.Params {
		out.Parameters = append(out.Parameters, openapi31.ParameterOrReference{Parameter: parameter(&op.Params[i])})
	}
	if known {
		out.MapOfAnything["x-try"] = tried
	}
	if op.Request == nil {
		return out, nil
	}
	body, err := b.requestBody(op, tried.Body)
	out.RequestBody = &openapi31.RequestBodyOrReference{RequestBody: body}
	return out, err
}

// describe says more than the summary does.
func (b *builder) describe(op *Operation) string {
	d := op.Description
	if d == "" {
		d = op.Summary + "."
	}
	if op.AliasOf != "" {
		d += " This is another spelling of the operation " + op.AliasOf + "."
	}
	switch op.Surface {
	case Docs:
		d += " Published outside the specification."
	case Provisional:
		d += " Known to exist; its path is the sandbox's own."
	case Spec:
	}
	if again := b.repeat(op); again != "" && op.Method == http.MethodPost {
		d += " " + again
	}
	return d
}

// repeat says what comes of the same request sent again: who has lost an answer must
// know it. What moves money has room for an Idempotency-Key.
func (b *builder) repeat(op *Operation) string {
	switch {
	case op.Repeat != "":
		return op.Repeat
	case honoured(op, b.info.Choices):
		return "May be repeated with the same Idempotency-Key, which gives the same answer; without a key a lost answer is looked up first."
	case idempotent(op):
		return "Not to be repeated unseen: a lost answer is looked up first. An Idempotency-Key is ignored here, and the answer warns of it."
	}
	return ""
}

// parameter describes a parameter in path, query or header.
func parameter(p *Param) *openapi31.Parameter {
	schema := map[string]any{"type": "string"}
	if p.Format != "" {
		schema["format"] = p.Format
	}
	if p.Enum != nil {
		schema["enum"] = p.Enum
	}
	out := &openapi31.Parameter{
		Name: p.Name, In: openapi31.ParameterIn(p.In), Description: text(p.Description), Schema: schema,
	}
	if p.Required || p.In == "path" {
		out.WithRequired(true)
	}
	example := p.Example
	if example == "" {
		example = formatExample(p.Format)
	}
	if example != "" {
		out.WithExample(example)
	}
	return out
}

// requestBody describes the body, once for each media type.
func (b *builder) requestBody(op *Operation, tried json.RawMessage) (*openapi31.RequestBody, error) {
	name, err := b.schemas.add(op.Request, true)
	if err != nil {
		return nil, err
	}
	if slices.Contains(b.info.Closed, op.ID) {
		b.schemas.close(name)
	}
	example := b.tries.sample(tried)
	if example == nil {
		if example, err = b.schemas.example(name); err != nil {
			return nil, err
		}
	}
	key := op.ID + "Request"
	b.example(key, op.Summary, example)
	body := &openapi31.RequestBody{Content: content(name, key, b.info.RequestMedia)}
	return body.WithRequired(true), nil
}

// responses describes the answer that goes well, every refusal of the
// operation, and what can come at any time.
func (b *builder) responses(op *Operation) (*openapi31.Responses, error) {
	status := op.Success
	if status == 0 {
		status = http.StatusOK
	}
	good, err := b.success(op, status)
	if err != nil {
		return nil, err
	}
	all := map[string]openapi31.ResponseOrReference{strconv.Itoa(status): {Response: good}}
	for _, s := range op.Errors {
		if s == http.StatusPaymentRequired && op.Response != nil {
			other := *good
			other.Description = "The answer, under a status that the ledger can choose for a card that was not charged."
			all[strconv.Itoa(s)] = openapi31.ResponseOrReference{Response: &other}
			continue
		}
		all[strconv.Itoa(s)] = b.refusal(s, op.Detailed && s == http.StatusBadRequest)
	}
	if !b.info.Choices.Is(latitude.RateLimitNone) {
		all[strconv.Itoa(http.StatusTooManyRequests)] = b.refusal(http.StatusTooManyRequests, false)
	}
	anytime := b.anytime()
	return &openapi31.Responses{MapOfResponseOrReferenceValues: all, Default: &anytime}, nil
}

// success describes the answer that goes well.
func (b *builder) success(op *Operation, status int) (*openapi31.Response, error) {
	out := &openapi31.Response{Description: "Done; there is no body.", Headers: b.headers(op, status)}
	if op.Response == nil {
		return out, nil
	}
	name, err := b.schemas.add(op.Response, false)
	if err != nil {
		return nil, err
	}
	example, err := b.schemas.example(name)
	if err != nil {
		return nil, err
	}
	key := op.ID + "Response"
	b.example(key, op.Summary, example)
	media := op.Media
	if media == nil {
		media = b.info.ResponseMedia
	}
	out.Description, out.Content = "Done.", content(name, key, media)
	return out, nil
}

// example keeps a named example.
func (b *builder) example(key, summary string, value json.RawMessage) {
	e := &openapi31.Example{Summary: text(summary)}
	b.parts.Examples[key] = openapi31.ExampleOrReference{Example: e.WithValue(value)}
}

// content is a body of a schema in several media types, with one example.
func content(schema, example string, media []string) map[string]openapi31.MediaType {
	out := map[string]openapi31.MediaType{}
	for _, m := range media {
		out[m] = openapi31.MediaType{Schema: refTo(schema), Examples: map[string]openapi31.ExampleOrReference{
			"canonical": {Reference: &openapi31.Reference{Ref: "#/components/examples/" + example}},
		}}
	}
	return out
}
