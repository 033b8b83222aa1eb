package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// pmRequest is a request of a collection; one that is a text is an address to get.
type pmRequest struct {
	Method text    `json:"method"`
	URL    pmURL   `json:"url"`
	Header pmPairs `json:"header"`
	Body   *pmBody `json:"body"`
	Auth   *pmAuth `json:"auth"`
}

// UnmarshalJSON takes an object or an address.
func (r *pmRequest) UnmarshalJSON(data []byte) error {
	type plain pmRequest
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &r.URL.Raw)
	}
	return json.Unmarshal(data, (*plain)(r))
}

// pmURL is an address, whole or in parts. Newman writes the parts alone.
type pmURL struct {
	Raw      text    `json:"raw"`
	Protocol text    `json:"protocol"`
	Host     pmWords `json:"host"`
	Port     text    `json:"port"`
	Path     pmWords `json:"path"`
	Query    pmPairs `json:"query"`
	Variable pmPairs `json:"variable"`
}

// UnmarshalJSON takes an object or a text.
func (u *pmURL) UnmarshalJSON(data []byte) error {
	type plain pmURL
	if len(data) > 0 && data[0] == '{' {
		return json.Unmarshal(data, (*plain)(u))
	}
	return json.Unmarshal(data, &u.Raw)
}

// address is the address with the values of its own path variables (":id").
func (u *pmURL) address() string {
	raw := string(u.Raw)
	if raw == "" {
		raw = strings.Join(u.Host, ".")
		if u.Protocol != "" {
			raw = string(u.Protocol) + "://" + raw
		}
		if u.Port != "" {
			raw += ":" + string(u.Port)
		}
		if len(u.Path) > 0 {
			raw += "/" + strings.Join(u.Path, "/")
		}
		for i, one := range u.Query {
			if !one.Disabled {
				raw += map[bool]string{true: "?", false: "&"}[i == 0] + string(one.Key) + "=" + string(one.Value)
			}
		}
	}
	for _, one := range u.Variable {
		if one.Value != "" && one.Key != "" {
			raw = strings.ReplaceAll(raw+"/", "/:"+string(one.Key)+"/", "/"+string(one.Value)+"/")
			raw = strings.TrimSuffix(raw, "/")
		}
	}
	return raw
}

// pmWords are the parts of a host or a path, or all of it as one text.
type pmWords []string

// UnmarshalJSON takes a list of texts, of which some may be objects, or one text.
func (w *pmWords) UnmarshalJSON(data []byte) error {
	var list []text
	if len(data) > 0 && data[0] != '[' {
		list = make([]text, 1)
		if err := list[0].UnmarshalJSON(data); err != nil {
			return err
		}
	} else if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, one := range list {
		*w = append(*w, string(one))
	}
	return nil
}

type pmBody struct {
	Mode       text    `json:"mode"`
	Raw        text    `json:"raw"`
	URLEncoded pmPairs `json:"urlencoded"`
	Disabled   bool    `json:"disabled"`
	Options    struct {
		Raw struct {
			Language text `json:"language"`
		} `json:"raw"`
	} `json:"options"`
	GraphQL json.RawMessage `json:"graphql"`
}

// set gives a call its body.
func (b *pmBody) set(x *recording.Exchange, v source.Variables) error {
	switch {
	case b == nil || b.Disabled:
	case b.Mode == "raw" || b.Mode == "" && b.Raw != "":
		x.Body = []byte(v.Fill(string(b.Raw)))
		if b.Options.Raw.Language == "json" {
			x.Header, x.Body = source.SetHeader(x.Header, "Content-Type", "application/json"), withoutComments(x.Body)
		}
	case b.Mode == "urlencoded":
		x.Body = []byte(b.URLEncoded.form(v))
		x.Header = source.SetHeader(x.Header, "Content-Type", "application/x-www-form-urlencoded")
	case b.Mode == "formdata" || b.Mode == "file":
		x.BodyMissing = true
	case b.Mode == "graphql":
		x.Body = b.GraphQL
	case b.Mode == "" || b.Mode == "none":
	default:
		return errBody
	}
	return nil
}

// withoutComments is a JSON body as Postman sends it: it takes out comments (// to the
// line's end, and /* */) where the rest is JSON.
func withoutComments(body []byte) []byte {
	if json.Valid(body) || !bytes.Contains(body, []byte("/")) {
		return body
	}
	var b bytes.Buffer
	quoted := false
	for i := 0; i < len(body); i++ {
		rest := body[i:]
		switch {
		case quoted && body[i] == '\\' && len(rest) > 1:
			b.WriteByte(body[i])
			i++
		case body[i] == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(rest, []byte("//")):
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			i += len(line) - 1
			continue
		case !quoted && bytes.HasPrefix(rest, []byte("/*")):
			said, _, _ := bytes.Cut(rest[2:], []byte("*/"))
			i += len(said) + 3
			continue
		}
		if i < len(body) {
			b.WriteByte(body[i])
		}
	}
	if json.Valid(b.Bytes()) {
		return b.Bytes()
	}
	return body
}

// pmAuth is how a request is to be admitted: a type, and values under its name.
type pmAuth struct {
	Type   text    `json:"type"`
	Bearer pmPairs `json:"bearer"`
	Basic  pmPairs `json:"basic"`
	APIKey pmPairs `json:"apikey"`
}

// set gives a call its Authorization.
func (a *pmAuth) set(x *recording.Exchange, v source.Variables) {
	if a == nil {
		return
	}
	switch a.Type {
	case "bearer":
		written := a.Bearer.variables()["token"]
		token := v.Fill(written)
		if strings.TrimSpace(token) == "" { // an export leaves out what a variable held
			token = written
		}
		x.Header = source.SetHeader(x.Header, "Authorization", "Bearer "+token)
	case "basic":
		values := a.Basic.variables()
		x.Header = source.SetHeader(x.Header, "Authorization", source.Basic(v.Fill(values["username"]), v.Fill(values["password"])))
	case "apikey":
		values := a.APIKey.variables()
		if values["in"] != "query" && values["key"] != "" {
			x.Header = source.SetHeader(x.Header, values["key"], v.Fill(values["value"]))
		}
	}
}

// pmStream is the bytes of an answer as newman writes them: a Buffer of numbers.
type pmStream struct{ bytes []byte }

// UnmarshalJSON takes {"type":"Buffer","data":[…]}, and base64.
func (s *pmStream) UnmarshalJSON(data []byte) error {
	var buffer struct {
		Data []int `json:"data"`
	}
	if err := json.Unmarshal(data, &s.bytes); err == nil {
		return nil
	}
	if err := json.Unmarshal(data, &buffer); err != nil {
		return fmt.Errorf("an answer's stream: %w", err)
	}
	for _, b := range buffer.Data {
		s.bytes = append(s.bytes, byte(b)) //nolint:gosec // numbers of a Buffer are bytes
	}
	return nil
}
