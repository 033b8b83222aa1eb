package openapi

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi/tree"
	"paysandbox/mockserver/wire"
)

// exampleTrace is a trace id as answers have it.
const exampleTrace = "0000000000000001000000000000002a"

// refusal refers to the description of all refusals with a status; detailed is one
// that says which members are wrong, whatever the choices.
func (b *builder) refusal(status int, detailed bool) openapi31.ResponseOrReference {
	name := strings.ReplaceAll(http.StatusText(status), " ", "")
	if detailed && b.info.Choices.Is(latitude.ErrorBodyEmpty) {
		name += "Detailed"
	}
	if _, known := b.parts.Responses[name]; !known {
		e := sampleError(status)
		b.parts.Responses[name] = b.problem(name, e.Detail+".", status, e, detailed)
	}
	return refResponse(name)
}

// anytime refers to the description of what an armed fault or a mistake of the
// sandbox answers.
func (b *builder) anytime() openapi31.ResponseOrReference {
	const name, status = "Fault", http.StatusServiceUnavailable
	if _, known := b.parts.Responses[name]; !known {
		b.parts.Responses[name] = b.problem(name,
			"A refusal that any operation can give: an armed fault (429 or 5xx), a rate limit that the ledger sets (429), or a mistake of the sandbox (500).",
			status, sampleError(status), false)
	}
	return refResponse(name)
}

func refResponse(name string) openapi31.ResponseOrReference {
	return openapi31.ResponseOrReference{Reference: &openapi31.Reference{Ref: "#/components/responses/" + name}}
}

// problem describes a refusal, as problem details unless the choices say otherwise.
func (b *builder) problem(name, description string, status int, sample *kernel.Error, detailed bool) openapi31.ResponseOrReference {
	out := &openapi31.Response{
		Description: strings.ToUpper(description[:1]) + description[1:],
		Headers:     b.headers(nil, status),
		Content:     b.refused(name+"Problem", status, sample, detailed),
	}
	if status == http.StatusTooManyRequests {
		h := &Header{Name: "Retry-After", Description: "How many seconds to wait.", Example: 1, Integer: true, Required: true}
		b.parts.Headers[h.Name] = openapi31.HeaderOrReference{Header: headerOf(h)}
		out.Headers[h.Name] = refHeader(h.Name)
	}
	if status == http.StatusUnauthorized {
		h := &Header{Name: "WWW-Authenticate", Description: "The scheme that a call needs.", Example: "Bearer", Required: true}
		b.parts.Headers[h.Name] = openapi31.HeaderOrReference{Header: headerOf(h)}
		out.Headers[h.Name] = refHeader(h.Name)
	}
	return openapi31.ResponseOrReference{Response: out}
}

// refused is the body of a refusal; nil when it has none.
func (b *builder) refused(key string, status int, sample *kernel.Error, detailed bool) map[string]openapi31.MediaType {
	switch s := b.info.Choices; {
	case status == http.StatusUnauthorized && s.Is(latitude.UnauthorisedEmptyBody), s.Is(latitude.ErrorBodyEmpty) && !detailed:
		return nil
	case s.Is(latitude.ErrorBodyPlainText):
		b.example(key, http.StatusText(status), tree.Text(sample.Detail+"\n"))
		body := content("", key, []string{mediaPlain})
		plain := body[mediaPlain]
		plain.Schema = map[string]any{"type": "string"}
		body[mediaPlain] = plain
		return body
	}
	value, err := json.Marshal(wire.NewProblem(sample, status, "/console/-/entries/42", exampleTrace))
	if err != nil {
		panic("openapi: " + err.Error()) // A Problem always has a JSON form.
	}
	b.example(key, http.StatusText(status), value)
	return content("Problem", key, []string{wire.ProblemType})
}

// headers refers to the headers that an answer can have; op is nil for refusals.
func (b *builder) headers(op *Operation, status int) map[string]openapi31.HeaderOrReference {
	out := map[string]openapi31.HeaderOrReference{}
	for i := range b.info.Headers {
		if h := &b.info.Headers[i]; h.On == nil || h.On(op, status) {
			out[h.Name] = refHeader(h.Name)
		}
	}
	return out
}

func refHeader(name string) openapi31.HeaderOrReference {
	return openapi31.HeaderOrReference{Reference: &openapi31.Reference{Ref: "#/components/headers/" + name}}
}

// headerOf describes a header.
func headerOf(h *Header) *openapi31.Header {
	schema := map[string]any{"type": "string"}
	if h.Integer {
		schema = map[string]any{"type": "integer", "format": "int64"}
	}
	if h.Format != "" {
		schema["format"] = h.Format
	}
	if h.Enum != nil {
		schema["enum"] = h.Enum
	}
	out := &openapi31.Header{Description: text(h.Description), Schema: schema}
	if h.Required {
		out.WithRequired(true)
	}
	return out.WithExample(h.Example)
}

// sampleError is a refusal that gives the status; an unknown status is a mistake
// of the sandbox.
func sampleError(status int) *kernel.Error {
	for _, e := range sampleErrors() {
		if wire.Status(e.Code) == status {
			return &e
		}
	}
	return &kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"}
}

// sampleErrors has one refusal for each status, for examples.
func sampleErrors() []kernel.Error {
	return []kernel.Error{
		{Code: kernel.Invalid, Detail: "the request breaks one or more rules; nothing was changed", Findings: []kernel.Finding{{
			Pointer: "/owner/ssn", Clause: "company.create.owner-ssn", Source: kernel.Spec, Received: `"xxx"`,
			Expected: "exactly four digits", Fix: "send the last four digits of the social security number",
		}}},
		{Code: kernel.Unauthorised, Detail: "this call needs a valid access token, or the credentials of the token call are wrong"},
		{Code: kernel.NotFound, Detail: "this integration has nothing of that id or path"},
		{Code: kernel.MethodNotAllowed, Detail: "the path does not have this method"},
		{Code: kernel.Conflict, Detail: "the request collides with an earlier one"},
		{Code: kernel.TooLarge, Detail: "the body or an attachment is larger than 10 MiB"},
		{Code: kernel.UnsupportedMediaType, Detail: "the body's media type is not JSON"},
		{Code: kernel.KeyReused, Detail: "the idempotency key was sent before with another body"},
		{Code: kernel.TooManyRequests, Detail: "there were too many requests"},
		{Code: kernel.Unavailable, Detail: "an armed fault refused the request"},
	}
}
