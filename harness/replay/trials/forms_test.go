package trials_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
)

// paper is what is written down of a recording.
type paper struct {
	host string
	zone *time.Location
	list []exchange
	rng  *rand.Rand
}

// form writes it, as some tool does.
type form struct {
	name  string
	write func(*paper) string
}

func (p *paper) url(e *exchange) string {
	if e.Host != "" {
		return "https://" + e.Host + e.Path
	}
	return "https://" + p.host + e.Path
}

func (p *paper) hostOf(e *exchange) string {
	if e.Host != "" {
		return e.Host
	}
	return p.host
}

func (p *paper) at(e *exchange, layout string) string { return e.At.In(p.zone).Format(layout) }

func (p *paper) end(e *exchange, layout string) string {
	return e.At.Add(e.Took).In(p.zone).Format(layout)
}

// told is an answer's status as people write it down.
func told(e *exchange) string {
	if e.Status == 0 {
		return "no answer at all, it timed out after 10 s"
	}
	return fmt.Sprintf("%d %s", e.Status, reason(e.Status))
}

func reason(status int) string { return http.StatusText(status) }

func lines(list [][2]string, layout string) string {
	var b strings.Builder
	for _, h := range list {
		fmt.Fprintf(&b, layout, h[0], h[1])
	}
	return b.String()
}

func object(list [][2]string) map[string]any {
	m := map[string]any{}
	for _, h := range list {
		m[h[0]] = h[1]
	}
	return m
}

func lower(list [][2]string) [][2]string {
	list = slices.Clone(list)
	for i := range list {
		list[i][0] = strings.ToLower(list[i][0])
	}
	return list
}

func header(list [][2]string, name string) string {
	for _, h := range list {
		if strings.EqualFold(h[0], name) {
			return h[1]
		}
	}
	return ""
}

func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func indented(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// each writes every exchange one after another.
func each(name string, write func(*paper, *exchange, int) string) form {
	return form{name, func(p *paper) string {
		var b strings.Builder
		for i := range p.list {
			b.WriteString(write(p, &p.list[i], i))
		}
		return b.String()
	}}
}

// pairs is a list of objects with a name and a value.
func pairs(list [][2]string) []map[string]any {
	l := []map[string]any{}
	for _, h := range list {
		l = append(l, map[string]any{"name": h[0], "value": h[1]})
	}
	return l
}

func harOf(creator, version string, odd func(entry map[string]any, e *exchange)) func(*paper) string {
	return func(p *paper) string {
		entries := []any{}
		for i := range p.list {
			e := &p.list[i]
			request := map[string]any{
				"method": e.Method, "url": p.url(e), "httpVersion": "HTTP/2", "headers": pairs(append([][2]string{{"Host", p.hostOf(e)}}, e.Sent...)),
				"cookies": []any{}, "queryString": []any{}, "headersSize": 400, "bodySize": len(e.Body),
			}
			if e.Body != "" {
				request["postData"] = map[string]any{"mimeType": "application/json", "params": []any{}, "text": e.Body}
			}
			response := map[string]any{
				"status": e.Status, "statusText": reason(e.Status), "httpVersion": "HTTP/2", "headers": pairs(e.Answered), "cookies": []any{},
				"content": map[string]any{"mimeType": header(e.Answered, "Content-Type"), "size": len(e.Answer), "text": e.Answer}, "redirectURL": "", "headersSize": 200, "bodySize": len(e.Answer),
			}
			entry := map[string]any{
				"startedDateTime": p.at(e, "2006-01-02T15:04:05.000Z07:00"), "request": request, "response": response, "cache": map[string]any{},
				"timings": map[string]any{"blocked": 0, "send": 0, "wait": e.Took.Milliseconds(), "receive": 1}, "time": e.Took.Milliseconds(),
			}
			odd(entry, e)
			entries = append(entries, entry)
		}
		return indented(map[string]any{"log": map[string]any{"version": "1.2", "creator": map[string]any{"name": creator, "version": version}, "pages": []any{}, "entries": entries}})
	}
}

func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// wire is the message as it goes over the line.
func wireRequest(p *paper, e *exchange) string {
	length := ""
	if e.Body != "" {
		length = fmt.Sprintf("Content-Length: %d\r\n", len(e.Body))
	}
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n%s", e.Method, e.Path, p.hostOf(e), lines(e.Sent, "%s: %s\r\n"), length, e.Body)
}

func wireResponse(e *exchange) string {
	if e.Status == 0 {
		return ""
	}
	return fmt.Sprintf("HTTP/1.1 %d %s\r\n%s\r\n%s", e.Status, reason(e.Status), lines(e.Answered, "%s: %s\r\n"), e.Answer)
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func indent(s, with string) string {
	return with + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+with) + "\n"
}

// pretty is a body as a tool lays it out.
func pretty(body string) string {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return body
	}
	return indented(v)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// value is a body as an object where it is one.
func value(body string) any {
	var v any
	if body == "" {
		return nil
	}
	if json.Unmarshal([]byte(body), &v) != nil {
		return body
	}
	return v
}
