package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// odd are forms with the oddities of tools that do not run here, each with its file.
func (w *writer) odd() map[string]struct {
	file  string
	write func([]exchange) ([]byte, error)
} {
	return map[string]struct {
		file  string
		write func([]exchange) ([]byte, error)
	}{
		"charles": {"session.har", w.charles}, "firefox-gaps": {"network.har", w.firefox}, "fiddler-quirks": {"capture.har", w.fiddler},
		"safari-quirks": {"inspector.har", w.safari}, "cmd-new": {"copied.bat", w.cmdNew}, "powershell": {"copied.ps1", w.powershell},
		"insomnia-export": {"insomnia.json", w.insomnia}, "jq-log": {"calls.jsonl", w.jq}, "script": {"checkout.sh", w.script},
		"curl-h2": {"terminal.txt", w.curlH2}, "http-client": {"calls.http", w.httpClient}, "fetch": {"copied.mjs", w.fetch},
	}
}

// entry is one of a HAR, with what all tools write.
func (w *writer) entry(x *exchange, at string, content object) object {
	request := object{"method": x.method, "url": w.host + x.target, "httpVersion": "HTTP/1.1", "headers": w.pairs(x.header, nil), "queryString": []any{}, "cookies": []any{}, "headersSize": 120, "bodySize": len(x.body)}
	if len(x.body) > 0 {
		request["postData"] = object{"mimeType": "application/json; charset=utf-8", "text": string(x.body)}
	}
	response := object{"status": x.status, "statusText": http.StatusText(x.status), "httpVersion": "HTTP/1.1", "headers": w.pairs(x.answerHeader, nil), "cookies": []any{}, "content": content, "redirectURL": nil, "headersSize": 99, "bodySize": len(x.answer)}
	return object{"startedDateTime": at, "time": 87.25, "request": request, "response": response, "cache": object{}, "timings": object{"dns": -1, "connect": -1, "ssl": -1, "send": 1, "wait": 80, "receive": 6}}
}

func (w *writer) log(creator, version string, entries []any) ([]byte, error) {
	return json.MarshalIndent(object{"log": object{"version": "1.2", "creator": object{"name": creator, "version": version}, "entries": entries}}, "", "  ")
}

// connect is the tunnel that a proxy writes down before the calls in it.
func (w *writer) connect(at string) object {
	host := strings.TrimPrefix(w.host, "http://")
	e := w.entry(&exchange{method: "CONNECT", status: 200}, at, object{"size": 0, "mimeType": ""})
	e["request"].(object)["url"] = "https://" + host
	return e
}

func (w *writer) charles(calls []exchange) ([]byte, error) {
	const form = "2006-01-02T15:04:05.000-07:00"
	zone := time.FixedZone("", 2*3600)
	entries := []any{w.connect(calls[0].at.Add(w.skew - time.Second).In(zone).Format(form))}
	for i := range calls {
		x := &calls[i]
		e := w.entry(x, x.at.Add(w.skew).In(zone).Format(form), object{"size": len(x.answer), "compression": 0, "mimeType": "application/json; charset=utf-8", "text": string(x.answer)})
		e["comment"] = "" // Charles writes the notes of the session
		entries = append(entries, e)
		foreign := w.entry(&exchange{method: "GET", status: 204}, x.at.Add(w.skew).In(zone).Format(form), object{"size": 0, "mimeType": nil})
		foreign["request"].(object)["url"] = fmt.Sprintf("https://stats.tracker.example/collect?n=%d", i)
		entries = append(entries, foreign)
	}
	return w.log("Charles Proxy", "4.6.4", entries)
}

// firefox drops the bodies of answers whose tab was left, and says so in a comment; a
// page's calls have a preflight.
func (w *writer) firefox(calls []exchange) ([]byte, error) {
	const form = "2006-01-02T15:04:05.000-07:00"
	zone := time.FixedZone("", -4*3600)
	entries := []any{}
	for i := range calls {
		x := &calls[i]
		at := x.at.Add(w.skew).In(zone).Format(form)
		before := w.entry(&exchange{method: "OPTIONS", target: x.target, status: 204}, at, object{"mimeType": "text/plain", "size": 0, "text": ""})
		entries = append(entries, before)
		e := w.entry(x, at, object{"mimeType": "application/json; charset=utf-8", "size": len(x.answer), "comment": "Response bodies are not included."})
		e["request"].(object)["httpVersion"] = "HTTP/2"
		e["_securityState"] = "secure"
		entries = append(entries, e)
	}
	return w.log("Firefox", "128.0.3", entries)
}

func (w *writer) fiddler(calls []exchange) ([]byte, error) {
	const form = "2006-01-02T15:04:05.0000000-07:00"
	zone := time.FixedZone("", 5*3600+1800)
	entries := []any{w.connect(calls[0].at.Add(w.skew).In(zone).Format(form))}
	for i := range calls {
		x := &calls[i]
		content := object{"size": len(x.answer), "mimeType": "application/json; charset=utf-8", "text": string(x.answer)}
		if i%2 == 1 {
			content["text"], content["encoding"] = base64.StdEncoding.EncodeToString(x.answer), "base64"
		}
		e := w.entry(x, x.at.Add(w.skew).In(zone).Format(form), content)
		e["comment"], e["connection"] = fmt.Sprintf("[#%d]", i+2), "ClientPort:51234; EgressPort:51235"
		entries = append(entries, e)
	}
	data, err := w.log("Fiddler", "5.0.20242.10753", entries)
	return append([]byte("\xef\xbb\xbf"), data...), err
}

func (w *writer) safari(calls []exchange) ([]byte, error) {
	entries := []any{}
	for i := range calls {
		x := &calls[i]
		e := w.entry(x, x.at.Add(w.skew).UTC().Format("2006-01-02T15:04:05.000Z"), object{"size": len(x.answer), "compression": 12, "mimeType": "application/json", "text": string(x.answer)})
		request, _ := e["request"].(object)
		headers := []any{object{"name": ":method", "value": x.method}, object{"name": ":path", "value": x.target}}
		for _, h := range x.header {
			headers = append(headers, object{"name": strings.ToLower(h.Name), "value": h.Value})
		}
		request["headers"], request["httpVersion"] = headers, "h2"
		response, _ := e["response"].(object)
		response["statusText"], response["_transferSize"], e["_fetchType"] = "", 512, "Network Load"
		entries = append(entries, e)
	}
	return w.log("WebKit Web Inspector", "1.0", entries)
}

// cmdNew is what Chrome copies for Windows since 2023: every mark has its caret.
func (w *writer) cmdNew(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	for i := range calls {
		x := calls[i]
		var pretty bytes.Buffer
		if len(x.body) > 0 && json.Indent(&pretty, x.body, "", "  ") == nil {
			x.body = pretty.Bytes()
		}
		b.WriteString("curl")
		for _, arg := range w.args(&x) {
			if strings.HasPrefix(arg, "-") {
				b.WriteString(" ^\r\n  " + arg)
			} else {
				b.WriteString(" " + caret(arg))
			}
		}
		b.WriteString(" &\r\n")
	}
	return b.Bytes(), nil
}

// caret quotes as the developer tools of Chrome do (escapeStringWin).
func caret(s string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) {
		switch {
		case r == '\n':
			b.WriteString("^\n\n")
		case r < 128 && !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-:=+~'/.,?;()*`", r):
			b.WriteString("^" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return `^"` + b.String() + `^"`
}

func (w *writer) powershell(calls []exchange) ([]byte, error) {
	var b bytes.Buffer
	quote := func(s string) string {
		return `"` + strings.NewReplacer("`", "``", `"`, "`\"", "$", "`$").Replace(s) + `"`
	}
	for i := range calls {
		x := &calls[i]
		b.WriteString("$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\r\n$session.UserAgent = \"Mozilla/5.0 (Windows NT 10.0; Win64; x64)\"\r\n")
		fmt.Fprintf(&b, "Invoke-WebRequest -UseBasicParsing -Uri %s `\r\n", quote(w.host+x.target))
		if x.method != "GET" {
			fmt.Fprintf(&b, "-Method %s `\r\n", quote(x.method))
		}
		b.WriteString("-WebSession $session `\r\n-Headers @{\r\n")
		for _, h := range x.header {
			if h.Name != "Content-Type" {
				fmt.Fprintf(&b, "  %s=%s\r\n", quote(strings.ToLower(h.Name)), quote(h.Value))
			}
		}
		b.WriteString("}")
		if len(x.body) > 0 {
			fmt.Fprintf(&b, " `\r\n-ContentType \"application/json\" `\r\n-Body %s", quote(string(x.body)))
		}
		b.WriteString(";\r\n")
	}
	return b.Bytes(), nil
}

// insomnia is an export of version 4: requests, no answers.
func (w *writer) insomnia(calls []exchange) ([]byte, error) {
	resources := []any{object{"_id": "wrk_1", "_type": "workspace", "name": "shop", "parentId": nil}, object{"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "data": object{"base": w.host}}}
	for i := range calls {
		x := &calls[i]
		headers := []any{}
		for _, h := range x.header {
			headers = append(headers, object{"name": h.Name, "value": h.Value})
		}
		resources = append(resources, object{"_id": fmt.Sprintf("req_%d", i), "_type": "request", "parentId": "wrk_1", "name": x.target, "method": x.method, "url": "{{ _.base }}" + x.target, "headers": headers, "body": object{"mimeType": "application/json", "text": string(x.body)}, "metaSortKey": -1000 + i, "created": x.at.UnixMilli()})
	}
	return json.MarshalIndent(object{"_type": "export", "__export_format": 4, "__export_source": "insomnia.desktop.app:v2023.5.8", "resources": resources}, "", "  ")
}

// recipe turns the log of a Node.js service (pino) into the documented lines.
const recipe = `{time: .t, method: .req.verb, url: .req.uri, headers: .req.h, body: .req.payload, status: .res.code, answerHeaders: .res.h, answer: .res.payload}`

func (w *writer) jq(calls []exchange) ([]byte, error) {
	var log bytes.Buffer
	for i := range calls {
		x := &calls[i]
		line := object{"level": 30, "t": x.at.Add(w.skew).In(time.FixedZone("", 7200)).Format(time.RFC3339), "req": object{"verb": x.method, "uri": w.host + x.target, "h": headers(x.header), "payload": value(x.body)}, "res": object{"code": x.status, "h": headers(x.answerHeader), "payload": value(x.answer)}}
		if err := json.NewEncoder(&log).Encode(line); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("jq", "-c", recipe) //nolint:noctx // a tool of a generator
	cmd.Stdin = &log
	return cmd.Output()
}

// value is a body as a log has it: as JSON where it is some.
func value(body []byte) any {
	var v any
	if json.Unmarshal(body, &v) == nil {
		return v
	}
	return string(body)
}
