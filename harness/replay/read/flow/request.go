package flow

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// request sets what a node sends, and says whether its address is known.
func (s *scope) request(x *recording.Exchange, n *node) bool {
	p := n.Parameters
	x.Method = strings.ToUpper(cmp.Or(s.text(p["method"]), s.text(p["requestMethod"]), "GET"))
	if source.SetAddress(x, s.echoed(s.text(p["url"]))) != nil {
		return false
	}
	if query := s.pairs(p, "sendQuery", "queryParameters"); len(query) > 0 {
		values := make([]string, len(query))
		for i, q := range query {
			values[i] = url.QueryEscape(q.Name) + "=" + strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(q.Value), "%7B", "{"), "%7D", "}")
		}
		x.Query = strings.TrimPrefix(x.Query+"&"+strings.Join(values, "&"), "&")
	}
	for _, h := range s.pairs(p, "sendHeaders", "headerParameters") {
		x.Header = source.SetHeader(x.Header, h.Name, h.Value)
	}
	if kind := s.text(p["authentication"]); kind != "" && kind != "none" && !strings.HasSuffix(strings.ToLower(x.Path), "/token") {
		x.Header = source.SetHeader(x.Header, "Authorization", "***") // the credential stands in no execution
	}
	s.body(x, p)
	return true
}

// credential is the value of an Authorization; marks stand for what the file does not show.
func (s *scope) credential(v any) string {
	text := s.text(v)
	if strings.Contains(text, "{{") {
		return "***"
	}
	return text
}

// pairs are the names and values that a node lists, where it is told to send them.
func (s *scope) pairs(p map[string]any, flag, name string) []tape.Header {
	if on, said := p[flag].(bool); said && !on {
		return nil
	}
	if raw := s.text(p[strings.Replace(name, "Parameters", "ParametersJson", 1)]); raw != "" {
		var v any
		_ = decode([]byte(raw), &v)
		return headers(v)
	}
	under, _ := p[name].(map[string]any)
	list, _ := under["parameters"].([]any)
	var made []tape.Header
	for _, one := range list {
		m, _ := one.(map[string]any)
		key := s.text(m["name"])
		if key == "" {
			continue
		}
		value := s.text(m["value"])
		if strings.EqualFold(key, "Authorization") {
			value = s.credential(m["value"])
		}
		made = append(made, tape.Header{Name: key, Value: value})
	}
	return made
}

// body sets what a node sends in the body: JSON that is written, or made of pairs. A text that no run shows is missing.
func (s *scope) body(x *recording.Exchange, p map[string]any) {
	if x.Method == "GET" || x.Method == "HEAD" {
		return
	}
	raw, media := cmp.Or(s.bodyText(p["jsonBody"]), s.bodyText(p["bodyParametersJson"]), s.bodyText(p["body"])), "application/json"
	if said := s.text(p["rawContentType"]); said != "" && p["contentType"] == "raw" {
		media = said
	}
	if pairs, listed := s.members(p); raw == "" && listed {
		if raw = string(source.Encoded(pairs)); p["contentType"] == "form-urlencoded" {
			raw, media = s.form(p), "application/x-www-form-urlencoded"
		}
	}
	if raw == "" {
		if sends, _ := p["sendBody"].(bool); sends {
			x.BodyMissing = true
		}
		return
	}
	x.Body = []byte(s.echoed(raw))
	x.Header = source.SetHeader(x.Header, "Content-Type", media)
}

// bodyText is the text of a body.
func (s *scope) bodyText(v any) string {
	text := strings.TrimSpace(s.text(v))
	if text == "{}" {
		return ""
	}
	return text
}

// members are the pairs of a body as an object: what an expression gives keeps its kind.
func (s *scope) members(p map[string]any) (map[string]any, bool) {
	under, _ := p["bodyParameters"].(map[string]any)
	list, _ := under["parameters"].([]any)
	made := map[string]any{}
	for _, one := range list {
		m, _ := one.(map[string]any)
		if key := s.text(m["name"]); key != "" {
			made[key] = s.value(m["value"])
		}
	}
	return made, len(made) > 0
}

func (s *scope) form(p map[string]any) string {
	values := url.Values{}
	for _, pair := range s.pairs(p, "sendBody", "bodyParameters") {
		values.Add(pair.Name, pair.Value)
	}
	return values.Encode()
}

// echoed fills what is not known of a text with what the answer says again under the same name.
func (s *scope) echoed(text string) string {
	said, _ := s.echo.(map[string]any)
	if len(said) == 0 || !strings.Contains(text, "{{") {
		return text
	}
	return openName().ReplaceAllStringFunc(text, func(open string) string {
		if again, known := said[openName().FindStringSubmatch(open)[1]].(string); known && plainID().MatchString(again) {
			return again
		}
		return open
	})
}

// headers are the members of an object as headers.
func headers(v any) []tape.Header {
	m, _ := v.(map[string]any)
	var list []tape.Header
	for _, name := range sorted(m) {
		switch value := m[name].(type) {
		case string:
			list = append(list, tape.Header{Name: name, Value: value})
		case json.Number:
			list = append(list, tape.Header{Name: name, Value: value.String()})
		}
	}
	return list
}
