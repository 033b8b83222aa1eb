package conform

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"paysandbox/harness/schema"
)

// Exchange holds one exchange to the document: status, headers, media type and
// body of the answer, and the body of the request where it was accepted without
// a Sandbox-Warning (such a warning means that the request broke a rule that the
// document shows but the service does not insist on). path is as requested, with
// or without a query; header is the answer's. The error lists all problems.
func (v *Validator) Exchange(method, path string, status int, header http.Header, requestBody, responseBody []byte) error {
	r := v.find(method, path)
	if r == nil {
		if status == http.StatusNotFound || status == http.StatusMethodNotAllowed {
			return nil
		}
		return fmt.Errorf("%s %s: answered %d, but the document has no such operation", method, path, status)
	}
	at := v.responseAt(r, status)
	if at == "" {
		return fmt.Errorf("%s %s: the status %d is not documented", r.method, r.template, status)
	}
	problems := v.headers(at, header)
	if method != http.MethodHead {
		problems = append(problems, v.body(at, header, responseBody)...)
	}
	if status < http.StatusMultipleChoices && header.Get("Sandbox-Warning") == "" {
		problems = append(problems, v.request(r, requestBody)...)
	}
	for i, p := range problems {
		problems[i] = fmt.Sprintf("%s %s %d: %s", r.method, r.template, status, p)
	}
	return list(problems)
}

// responseAt is where the document describes an answer; "" when it does not.
// The default stands for what a fault can answer, not for any status.
func (v *Validator) responseAt(r *route, status int) string {
	at := r.pointer + "/responses/" + strconv.Itoa(status)
	if v.doc.Node(at) != nil {
		return v.doc.Resolve(at)
	}
	at = r.pointer + "/responses/default"
	if v.doc.Node(at) != nil && (status == http.StatusTooManyRequests || status >= http.StatusInternalServerError) {
		return v.doc.Resolve(at)
	}
	return ""
}

// headers judges the documented headers of an answer.
func (v *Validator) headers(response string, header http.Header) []string {
	var problems []string
	for _, name := range schema.Children(v.doc.Node(response + "/headers")) {
		at := v.doc.Resolve(response + "/headers/" + schema.Escape(name))
		values := header.Values(name)
		if len(values) == 0 {
			if v.doc.Object(at)["required"] == true {
				problems = append(problems, "the header "+name+" is missing")
			}
			continue
		}
		for _, p := range v.doc.Judge(at+"/schema", v.headerValue(at, values[0])) {
			problems = append(problems, "header "+name+": "+p)
		}
	}
	return problems
}

// headerValue is a number where the schema wants one.
func (v *Validator) headerValue(at, value string) any {
	if _, err := strconv.ParseInt(value, 10, 64); err == nil && v.doc.Object(at + "/schema")["type"] == "integer" {
		return json.Number(value)
	}
	return value
}

// body judges media type and body of an answer.
func (v *Validator) body(response string, header http.Header, body []byte) []string {
	content, _ := v.doc.Node(response + "/content").(map[string]any)
	if len(content) == 0 {
		if len(body) > 0 {
			return []string{"a body came although none is documented"}
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || content[media] == nil {
		return []string{fmt.Sprintf("the media type %q is not documented", header.Get("Content-Type"))}
	}
	at := v.doc.Resolve(response + "/content/" + schema.Escape(media) + "/schema")
	value, err := v.doc.Body(at, media, body)
	if err != nil {
		return []string{"the body is no JSON: " + err.Error()}
	}
	return within("body", v.doc.Judge(at, value))
}

// request judges the body of a request that was accepted.
func (v *Validator) request(r *route, body []byte) []string {
	request := v.doc.Resolve(r.pointer + "/requestBody")
	content := schema.Children(v.doc.Node(request + "/content"))
	if len(content) == 0 {
		return nil
	}
	value, err := schema.Value(body)
	if err != nil {
		return []string{"a request body was accepted that is no JSON: " + err.Error()}
	}
	at := v.doc.Resolve(request + "/content/" + schema.Escape(content[0]) + "/schema")
	return within("request", v.doc.Judge(at, v.fold(value, at)))
}

// fold brings a request to the document's spelling: names in any letter case,
// and null for an absent member.
func (v *Validator) fold(value any, at string) any {
	at = v.doc.Resolve(at)
	switch x := value.(type) {
	case map[string]any:
		names := schema.Children(v.doc.Node(at + "/properties"))
		if len(names) == 0 {
			return x
		}
		out := map[string]any{}
		for name, member := range x {
			if known := spelling(names, name); member != nil {
				out[known] = v.fold(member, at+"/properties/"+schema.Escape(known))
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = v.fold(x[i], at+"/items")
		}
		return out
	}
	return value
}

// spelling is the documented spelling of a name, or the name itself.
func spelling(names []string, name string) string {
	for _, known := range names {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

func within(what string, problems []string) []string {
	for i, p := range problems {
		problems[i] = what + ": " + p
	}
	return problems
}
