package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// plainTool makes calls itself; what was recorded is written in a tool's documented form.
type plainTool struct {
	stage *stage
	form  string
}

func (t *plainTool) call(r *request) error {
	req, err := http.NewRequest(r.Method, r.URL, strings.NewReader(r.Body)) //nolint:noctx // a tool of a generator
	if err != nil {
		return err
	}
	for name, value := range r.Headers {
		req.Header.Set(name, value)
	}
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return nil // a lost answer is part of the story
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func (t *plainTool) files() (map[string][]byte, error) {
	calls := t.stage.recorded()
	w := &writer{host: "http://" + t.stage.proxy.address, skew: t.stage.skew(), bodies: t.stage.story.Bodies != "none"}
	name, write := "session.har", w.har
	switch t.form {
	case "jsonl":
		name, write = "calls.jsonl", w.jsonLines
	case "curl":
		name, write = "calls.sh", w.curl
	case "cmd":
		name, write = "calls.cmd.txt", w.cmd
	case "http":
		name, write = "calls.http", w.http
	case "postman":
		name, write = "collection.json", w.postman
	case "tape":
		_, _, data, err := t.stage.tape()
		return map[string][]byte{"session.tape": data}, err
	case "postman-env":
		return w.postmanEnv(calls)
	default:
		w.creator = t.form
	}
	if odd, ok := w.odd()[t.form]; ok {
		name, write = odd.file, odd.write
	}
	data, err := write(calls)
	return map[string][]byte{name: data}, err
}

// recorded are the calls from the one on at which the recording begins.
func (s *stage) recorded() []exchange {
	return s.proxy.calls[max(0, s.story.From-1):]
}

func (s *stage) skew() time.Duration {
	d, _ := time.ParseDuration(s.story.Skew)
	return d
}

// writer writes calls in the forms of tools that do not run here.
type writer struct {
	host, creator string
	skew          time.Duration
	bodies        bool
}

const took = 120 * time.Millisecond

type object = map[string]any

// har writes what the creator writes: where it puts pseudo headers, bodies in base64, and
// calls without an answer.
func (w *writer) har(calls []exchange) ([]byte, error) {
	entries := []any{}
	for i := range calls {
		x := &calls[i]
		request := object{"method": x.method, "url": w.host + x.target, "httpVersion": "HTTP/1.1", "headers": w.pairs(x.header, x), "queryString": []any{}, "cookies": []any{}, "headersSize": -1, "bodySize": len(x.body)}
		if len(x.body) > 0 && w.bodies {
			request["postData"] = object{"mimeType": "application/json", "text": string(x.body), "params": []any{}}
		}
		content := object{"size": len(x.answer), "mimeType": "application/json"}
		if w.bodies {
			content["text"] = string(x.answer)
			if w.creator == "Charles Proxy" || w.creator == "mitmproxy" {
				content["text"], content["encoding"] = base64.StdEncoding.EncodeToString(x.answer), "base64"
			}
		}
		response := object{"status": x.status, "statusText": http.StatusText(x.status), "httpVersion": "HTTP/1.1", "headers": w.pairs(x.answerHeader, nil), "cookies": []any{}, "content": content, "redirectURL": "", "headersSize": -1, "bodySize": len(x.answer)}
		if x.status == 0 {
			response["content"] = object{"size": 0, "mimeType": "x-unknown"}
		}
		entries = append(entries, object{"startedDateTime": w.stamp(x.at), "time": took.Milliseconds(), "request": request, "response": response, "cache": object{}, "timings": object{"send": 0, "wait": took.Milliseconds(), "receive": 0}})
	}
	log := object{"version": "1.2", "creator": object{"name": w.creator, "version": "1"}, "pages": []any{}, "entries": entries}
	data, err := json.MarshalIndent(object{"log": log}, "", " ")
	if err == nil && w.creator == "Fiddler" {
		data = append([]byte("\xef\xbb\xbf"), data...)
	}
	return data, err
}

// stamp is a time as the creator writes it, on the partner's clock.
func (w *writer) stamp(at time.Time) string {
	at = at.Add(w.skew)
	switch w.creator {
	case "Fiddler":
		return at.In(time.FixedZone("", -5*3600)).Format("2006-01-02T15:04:05.0000000-07:00")
	case "Firefox", "Charles Proxy":
		return at.In(time.FixedZone("", 3600)).Format("2006-01-02T15:04:05.000-07:00")
	default:
		return at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
}

func (w *writer) pairs(list []tape.Header, request *exchange) []any {
	all := []any{}
	if request != nil && w.creator == "WebInspector" {
		for _, h := range [][2]string{{":authority", strings.TrimPrefix(w.host, "http://")}, {":method", request.method}, {":path", request.target}, {":scheme", "http"}} {
			all = append(all, object{"name": h[0], "value": h[1]})
		}
	}
	for _, h := range list {
		all = append(all, object{"name": h.Name, "value": h.Value})
	}
	return all
}

func (w *writer) jsonLines(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	for i := range calls {
		x := &calls[i]
		line := object{"time": x.at.Add(w.skew), "end": x.at.Add(w.skew + took), "method": x.method, "url": w.host + x.target, "headers": headers(x.header), "answer": nil}
		if x.status > 0 {
			line["status"], line["answerHeaders"], line["answer"] = x.status, headers(x.answerHeader), string(x.answer)
		}
		if len(x.body) > 0 {
			line["body"] = string(x.body)
		}
		if !w.bodies {
			delete(line, "answer")
			delete(line, "body")
			line["bodyMissing"] = len(x.body) > 0
		}
		data, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		b.Write(append(data, '\n'))
	}
	return b.Bytes(), nil
}

func headers(list []tape.Header) object {
	all := object{}
	for _, h := range list {
		all[h.Name] = h.Value
	}
	return all
}

// args are what curl is called with.
func (w *writer) args(x *exchange) []string {
	args := []string{w.host + x.target}
	if x.method != "GET" && (x.method != "POST" || len(x.body) == 0) {
		args = append(args, "-X", x.method)
	}
	for _, h := range x.header {
		args = append(args, "-H", h.Name+": "+h.Value)
	}
	if len(x.body) > 0 {
		args = append(args, "--data-raw", string(x.body))
	}
	return args
}

// curl writes what Chrome copies for bash.
func (w *writer) curl(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	for i := range calls {
		b.WriteString("curl " + strings.ReplaceAll(shellWords(w.args(&calls[i])), " -H ", " \\\n  -H ") + " ;\n")
	}
	return b.Bytes(), nil
}

// cmd writes what Chrome copies for Windows.
func (w *writer) cmd(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	escape := strings.NewReplacer(`\`, `\\`, `"`, `^\^"`, "^", "^^", "%", "^%", "&", "^&", "{", "^{", "}", "^}", "<", "^<", ">", "^>", "|", "^|", "!", "^!")
	for i := range calls {
		b.WriteString("curl")
		for _, arg := range w.args(&calls[i]) {
			if strings.HasPrefix(arg, "-") {
				b.WriteString(" ^\r\n  " + arg)
			} else {
				b.WriteString(` ^"` + escape.Replace(arg) + `^"`)
			}
		}
		b.WriteString(" &\r\n")
	}
	return b.Bytes(), nil
}

func (w *writer) http(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "@base = %s\n", w.host)
	for i := range calls {
		x := &calls[i]
		fmt.Fprintf(&b, "\n### %d\n%s {{base}}%s\n", i+1, x.method, x.target)
		for _, h := range x.header {
			fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
		}
		if len(x.body) > 0 {
			fmt.Fprintf(&b, "\n%s\n", x.body)
		}
	}
	return b.Bytes(), nil
}

// postman writes a collection with the answers saved in it.
func (w *writer) postman(calls []exchange) ([]byte, error) {
	items := []any{}
	for i := range calls {
		x := &calls[i]
		request := object{"method": x.method, "header": pmHeaders(x.header), "url": object{"raw": w.host + x.target}}
		if len(x.body) > 0 {
			request["body"] = object{"mode": "raw", "raw": string(x.body), "options": object{"raw": object{"language": "json"}}}
		}
		item := object{"name": x.method + " " + x.target, "request": request, "response": []any{}}
		if x.status > 0 {
			item["response"] = []any{object{"name": "saved", "originalRequest": request, "code": x.status, "status": http.StatusText(x.status), "header": pmHeaders(x.answerHeader), "body": string(x.answer)}}
		}
		items = append(items, item)
	}
	info := object{"_postman_id": "5a3e7c1e-0000-4000-8000-000000000001", "name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}
	return json.MarshalIndent(object{"info": info, "item": items}, "", " ")
}

func pmHeaders(list []tape.Header) []any {
	all := []any{}
	for _, h := range list {
		all = append(all, object{"key": h.Name, "value": h.Value})
	}
	return all
}

// rawHooks writes webhooks as a receiver that dumps requests does.
func rawHooks(list []hook, skew time.Duration) []byte {
	var b bytes.Buffer
	for _, h := range list {
		fmt.Fprintf(&b, "# %s\nPOST %s HTTP/1.1\n", h.at.Add(skew).UTC().Format(time.RFC3339Nano), h.path)
		for _, one := range h.header {
			fmt.Fprintf(&b, "%s: %s\n", one.Name, one.Value)
		}
		fmt.Fprintf(&b, "Content-Length: %d\n\n%s\n\n", len(h.body), h.body)
	}
	return b.Bytes()
}

// hookLines writes them as JSON lines.
func hookLines(list []hook, skew time.Duration) ([]byte, error) {
	var b bytes.Buffer
	for _, h := range list {
		data, err := json.Marshal(object{"time": h.at.Add(skew), "webhook": true, "url": "https://shop.example.org" + h.path, "headers": headers(h.header), "body": string(h.body), "status": 204})
		if err != nil {
			return nil, err
		}
		b.Write(append(data, '\n'))
	}
	return b.Bytes(), nil
}
