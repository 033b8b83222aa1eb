package trials_test

import (
	"fmt"
	"strings"
	"time"
)

const (
	iso    = "2006-01-02T15:04:05.000Z07:00"
	spaced = "2006-01-02 15:04:05,000"
)

// The first ten forms: those of the first blind trial, each for its own story.
var firstForms = []form{
	each("vcrpy.yaml", func(p *paper, e *exchange, i int) string {
		head := ""
		if i == 0 {
			head = "interactions:\n"
		}
		yamlHeaders := func(list [][2]string) string {
			var b strings.Builder
			for _, h := range list {
				fmt.Fprintf(&b, "      %s:\n      - %q\n", h[0], h[1])
			}
			return b.String()
		}
		body := "null"
		if e.Body != "" {
			body = "'" + strings.ReplaceAll(strings.ReplaceAll(e.Body, "'", "''"), "\n", "\n\n      ") + "'"
		}
		return head + fmt.Sprintf("- request:\n    body: %s\n    headers:\n%s    method: %s\n    uri: %s\n  response:\n    body:\n      string: '%s'\n    headers:\n%s    status:\n      code: %d\n      message: %s\n",
			body, yamlHeaders(e.Sent), e.Method, p.url(e), strings.ReplaceAll(e.Answer, "'", "''"), yamlHeaders(e.Answered), e.Status, reason(e.Status))
	}),
	{"otel.json", func(p *paper) string {
		attribute := func(k string, v any) map[string]any {
			if n, ok := v.(int); ok {
				return map[string]any{"key": k, "value": map[string]any{"intValue": fmt.Sprint(n)}}
			}
			return map[string]any{"key": k, "value": map[string]any{"stringValue": v}}
		}
		spans := []any{}
		for i := range p.list {
			e := &p.list[i]
			attributes := []any{attribute("http.request.method", e.Method), attribute("url.full", p.url(e)), attribute("server.address", p.hostOf(e)), attribute("http.response.status_code", e.Status)}
			for _, h := range e.Sent {
				attributes = append(attributes, attribute("http.request.header."+strings.ToLower(h[0]), h[1]))
			}
			if e.Body != "" {
				attributes = append(attributes, attribute("http.request.body", e.Body))
			}
			if e.Answer != "" {
				attributes = append(attributes, attribute("http.response.body", e.Answer))
			}
			spans = append(spans, map[string]any{
				"traceId": fmt.Sprintf("%032x", p.rng.Uint64()), "spanId": fmt.Sprintf("%016x", p.rng.Uint64()), "name": e.Method, "kind": 3,
				"startTimeUnixNano": fmt.Sprint(e.At.UnixNano()), "endTimeUnixNano": fmt.Sprint(e.At.Add(e.Took).UnixNano()), "attributes": attributes,
			})
		}
		return js(map[string]any{"resourceSpans": []any{map[string]any{
			"resource":   map[string]any{"attributes": []any{attribute("service.name", "billing")}},
			"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "@opentelemetry/instrumentation-http"}, "spans": spans}},
		}}}) + "\n"
	}},
	each("k6-debug.txt", func(p *paper, e *exchange, i int) string {
		return fmt.Sprintf("time=\"%s\" level=info msg=\"Request:\\n%s\\n\" group= iter=0 request_id=%08x-b1c5 scenario=default source=http-debug vu=1\ntime=\"%s\" level=info msg=\"Response:\\n%s\\n\" group= iter=0 request_id=%08x-b1c5 scenario=default source=http-debug vu=1\n",
			p.at(e, time.RFC3339), goQuoted(wireRequest(p, e)), i, p.end(e, time.RFC3339), goQuoted(wireResponse(e)), i)
	}),
	each("httpie.txt", func(p *paper, e *exchange, _ int) string {
		return strings.ReplaceAll(fmt.Sprintf("$ http -v %s %s\n%s %s HTTP/1.1\n%sHost: %s\n\n%s\n\nHTTP/1.1 %d %s\n%s\n%s\n\n\n", e.Method, p.url(e), e.Method, e.Path, lines(e.Sent, "%s: %s\n"), p.hostOf(e), pretty(e.Body), e.Status, reason(e.Status), lines(e.Answered, "%s: %s\n"), pretty(e.Answer)), "\n", "\r\n")
	}),
	{"burp.xml", func(p *paper) string {
		var b strings.Builder
		b.WriteString("<?xml version=\"1.0\"?>\n<items burpVersion=\"2025.9\" exportTime=\"Tue Mar 03 09:12:44 CET 2026\">\n")
		for i := range p.list {
			e := &p.list[i]
			fmt.Fprintf(&b, "  <item>\n    <time>%s</time>\n    <url><![CDATA[%s]]></url>\n    <host ip=\"203.0.113.9\">%s</host>\n    <port>443</port>\n    <protocol>https</protocol>\n    <method><![CDATA[%s]]></method>\n    <path><![CDATA[%s]]></path>\n    <extension>null</extension>\n    <request base64=\"true\"><![CDATA[%s]]></request>\n    <status>%d</status>\n    <responselength>%d</responselength>\n    <mimetype>JSON</mimetype>\n    <response base64=\"true\"><![CDATA[%s]]></response>\n    <comment></comment>\n  </item>\n",
				p.at(e, "Mon Jan 02 15:04:05 MST 2006"), p.url(e), p.hostOf(e), e.Method, e.Path, b64(wireRequest(p, e)), e.Status, len(e.Answer), b64(wireResponse(e)))
		}
		return b.String() + "</items>\n"
	}},
	{"kibana.json", func(p *paper) string {
		hits := []any{}
		for i := range p.list {
			e := &p.list[i]
			hits = append(hits, map[string]any{"_index": "logs-billing-2026.03.02", "_id": fmt.Sprintf("%x", p.rng.Uint64()), "_score": nil, "_source": map[string]any{
				"@timestamp": p.at(e, iso), "event": map[string]any{"duration": e.Took.Nanoseconds()}, "service": map[string]any{"name": "billing"},
				"http": map[string]any{
					"request":  map[string]any{"method": e.Method, "headers": object(e.Sent), "body": map[string]any{"content": e.Body, "bytes": len(e.Body)}},
					"response": map[string]any{"status_code": e.Status, "body": map[string]any{"content": e.Answer, "bytes": len(e.Answer)}},
				},
				"url": map[string]any{"full": p.url(e), "domain": p.hostOf(e), "path": e.Path},
			}})
		}
		return indented(map[string]any{"took": 12, "timed_out": false, "hits": map[string]any{"total": map[string]any{"value": len(hits)}, "hits": hits}})
	}},
	{"mail.eml", func(p *paper) string {
		var b strings.Builder
		b.WriteString("From: Joana <joana@northgym.example>\nTo: support@pay.example\nSubject: Re: Re: strange status\nDate: Tue, 3 Mar 2026 09:40:00 +0100\nContent-Type: text/plain; charset=utf-8\n\nHi again,\n\nsee my colleague's notes below, all from our log.\n\nBest, Joana\n\nOn Mon, 2 Mar 2026 at 19:03, Piet wrote:\n")
		for i := range p.list {
			e := &p.list[i]
			text := fmt.Sprintf("%s we sent %s %s\n", p.at(e, "2006-01-02 15:04:05 -0700"), e.Method, p.url(e)) + lines(e.Sent, "    %s: %s\n")
			if e.Body != "" {
				text += "with\n" + indent(pretty(e.Body), "    ")
			}
			text += fmt.Sprintf("and you answered %s\n%s\n", told(e), indent(pretty(e.Answer), "    "))
			b.WriteString(indent(text, "> "))
		}
		return b.String()
	}},
	{"firefox.har", harOf("Firefox", "148.0", func(entry map[string]any, _ *exchange) {
		entry["serverIPAddress"], entry["connection"], entry["pageref"] = "203.0.113.9", "443", "page_1"
		entry["_securityState"] = "secure"
	})},
	each("guzzle.log", func(p *paper, e *exchange, _ int) string {
		answer := fmt.Sprintf("HTTP/1.1 %d %s\n%s\n%s", e.Status, reason(e.Status), lines(e.Answered, "%s: %s\n"), e.Answer)
		failed := "NULL"
		if e.Status == 0 {
			answer, failed = "NULL", "cURL error 28: Operation timed out after 10001 milliseconds with 0 bytes received (see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for "+p.url(e)
		}
		return fmt.Sprintf("[%s] billing.DEBUG: >>>>>>>>\n%s %s HTTP/1.1\nHost: %s\n%s\n%s\n<<<<<<<<\n%s\n--------\n%s {\"pid\":211} []\n", p.end(e, "2006-01-02T15:04:05.000000-07:00"), e.Method, e.Path, p.hostOf(e), lines(e.Sent, "%s: %s\n"), e.Body, answer, failed)
	}),
	each("swagger-ui.txt", func(p *paper, e *exchange, _ int) string {
		command := fmt.Sprintf("curl -X '%s' \\\n  '%s' \\\n", e.Method, p.url(e))
		for i, h := range e.Sent {
			command += fmt.Sprintf("  -H '%s: %s'", strings.ToLower(h[0]), h[1])
			if i < len(e.Sent)-1 || e.Body != "" {
				command += " \\\n"
			}
		}
		if e.Body != "" {
			command += "  -d " + quoteShell(pretty(e.Body))
		}
		return fmt.Sprintf("Curl\n\n%s\nRequest URL\n%s\nServer response\nCode\tDetails\n%d\t\n%sResponse body\nDownload\n%s\nResponse headers\n%s\n\n", command, p.url(e), e.Status, map[bool]string{true: "Error: response status is " + fmt.Sprint(e.Status) + "\n\n"}[e.Status >= 400], pretty(e.Answer), lines(lower(e.Answered), " %s: %s \n"))
	}),
}

// goQuoted is a text inside the quotes of logrus.
func goQuoted(s string) string {
	q := fmt.Sprintf("%q", s)
	return q[1 : len(q)-1]
}
