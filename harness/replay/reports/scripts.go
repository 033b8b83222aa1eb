package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"paysandbox/mockserver/tape"
)

// script is a shell script as a person writes it.
func (w *writer) script(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "#!/usr/bin/env bash\nset -euo pipefail\nBASE=\"%s\"\nJSON='Content-Type: application/json'\n", w.host)
	for i := range calls {
		x := &calls[i]
		fmt.Fprintf(&b, "\n# step %d\ncurl -sS -X %s \"${BASE}%s\" \\\n", i+1, x.method, x.target)
		for _, h := range x.header {
			switch h.Name {
			case "Content-Type":
				b.WriteString("  -H \"$JSON\" \\\n")
			case "User-Agent":
				b.WriteString("  -A '" + h.Value + "' \\\n")
			default:
				b.WriteString("  --header=\"" + h.Name + ": " + h.Value + "\" \\\n")
			}
		}
		if len(x.body) == 0 {
			b.WriteString("  -o /dev/null\n")
			continue
		}
		b.WriteString("  --data-binary @- <<'BODY' | jq .\n" + string(x.body) + "\nBODY\n")
	}
	return b.Bytes(), nil
}

// postmanEnv is a collection with folders, variables and a token that is inherited, and
// its environment.
func (w *writer) postmanEnv(calls []exchange) (map[string][]byte, error) {
	token := ""
	setup, rest := []any{}, []any{}
	for i := range calls {
		x := &calls[i]
		kept := []tape.Header{}
		for _, h := range x.header {
			if name, bearer := strings.CutPrefix(h.Value, "Bearer "); h.Name == "Authorization" && bearer {
				token = name
				continue
			}
			kept = append(kept, h)
		}
		path := strings.Split(strings.TrimPrefix(x.target, "/"), "/")
		request := object{"method": x.method, "header": append(pmHeaders(kept), object{"key": "X-Debug", "value": "1", "disabled": true}), "url": object{"raw": "{{baseUrl}}" + x.target, "host": []any{"{{baseUrl}}"}, "path": path}}
		if i == 0 {
			request["auth"] = object{"type": "noauth"}
		}
		if len(x.body) > 0 {
			request["body"] = object{"mode": "raw", "raw": string(x.body), "options": object{"raw": object{"language": "json"}}}
		}
		item := object{"name": fmt.Sprintf("%d %s", i+1, x.target), "request": request, "event": []any{object{"listen": "test", "script": object{"exec": []any{"pm.test('ok', () => {})"}}}}, "response": []any{object{"name": "run", "originalRequest": request, "code": x.status, "status": http.StatusText(x.status), "_postman_previewlanguage": "json", "header": pmHeaders(x.answerHeader), "body": string(x.answer)}}}
		if i < 2 {
			setup = append(setup, item)
		} else {
			rest = append(rest, item)
		}
	}
	collection, err := json.MarshalIndent(object{
		"info": object{"name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"auth": object{"type": "bearer", "bearer": []any{object{"key": "token", "value": "{{token}}", "type": "string"}}},
		"item": []any{object{"name": "setup", "item": setup}, object{"name": "checkout", "item": rest}},
	}, "", "\t")
	if err != nil {
		return nil, err
	}
	environment, err := json.MarshalIndent(object{"name": "staging", "_postman_variable_scope": "environment", "values": []any{object{"key": "baseUrl", "value": w.host, "enabled": true}, object{"key": "token", "value": token, "type": "secret", "enabled": true}}}, "", "\t")
	return map[string][]byte{"shop.postman_collection.json": collection, "staging.postman_environment.json": environment}, err
}

// curlH2 is what curl -v prints over HTTP/2, with the commands.
func (w *writer) curlH2(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	host := strings.TrimPrefix(w.host, "http://")
	for i := range calls {
		x := &calls[i]
		b.WriteString("$ curl -v " + shellWords(w.args(x)) + "\n")
		fmt.Fprintf(&b, "* Connected to %s (127.0.0.1) port 443\n* using HTTP/2\n* [HTTP/2] [1] OPENED stream for https://%s%s\n* [HTTP/2] [1] [:method: %s]\n* [HTTP/2] [1] [:path: %s]\n", host, host, x.target, x.method, x.target)
		fmt.Fprintf(&b, "> %s %s HTTP/2\n> Host: %s\n", x.method, x.target, host)
		for _, h := range x.header {
			fmt.Fprintf(&b, "> %s: %s\n", strings.ToLower(h.Name), h.Value)
		}
		fmt.Fprintf(&b, "> \n* upload completely sent off: %d bytes\n< HTTP/2 %d \n", len(x.body), x.status)
		for _, h := range x.answerHeader {
			fmt.Fprintf(&b, "< %s: %s\n", strings.ToLower(h.Name), h.Value)
		}
		fmt.Fprintf(&b, "< \n%s\n* Connection #0 to host %s left intact\n", x.answer, host)
	}
	return b.Bytes(), nil
}

// httpClient is a file of JetBrains' HTTP client: scripts around requests, and where
// their answers were saved.
func (w *writer) httpClient(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("@host = " + w.host + "\n")
	for i := range calls {
		x := &calls[i]
		fmt.Fprintf(&b, "\n### call %d\n# @no-log\n< {%%\n    request.variables.set(\"n\", \"%d\")\n%%}\n%s {{host}}%s\n", i+1, i+1, x.method, x.target)
		for _, h := range x.header {
			fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
		}
		if len(x.body) > 0 {
			fmt.Fprintf(&b, "\n%s\n", x.body)
		}
		fmt.Fprintf(&b, "\n> {%%\n    client.test(\"status\", function () { client.assert(response.status === 200) })\n%%}\n\n<> 2026-03-02T1700%02d.%d.json\n", i, x.status)
	}
	return b.Bytes(), nil
}

// fetch is what Chrome copies for Node.js.
func (w *writer) fetch(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	for i := range calls {
		x := &calls[i]
		all := headers(x.header)
		init := object{"headers": all, "method": x.method, "body": nil}
		if len(x.body) > 0 {
			init["body"] = string(x.body)
		}
		text, err := json.MarshalIndent(init, "", "  ")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "fetch(%q, %s);\n", w.host+x.target, text)
	}
	return b.Bytes(), nil
}

// bareHooks are webhooks of which the receiver has logged the bodies alone.
func bareHooks(list []hook) []byte {
	var b bytes.Buffer
	for _, h := range list {
		b.Write(append(bytes.TrimSpace(h.body), '\n'))
	}
	return b.Bytes()
}
