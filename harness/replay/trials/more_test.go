package trials_test

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Further forms, as the documentation of each tool has them.
var moreForms = []form{
	{"safari.har", harOf("WebKit Web Inspector", "1.0", func(entry map[string]any, _ *exchange) {
		request := entry["request"].(map[string]any)
		request["httpVersion"] = "h2"
		request["headersSize"], request["bodySize"] = -1, -1
		if data, ok := request["postData"].(map[string]any); ok {
			delete(data, "params")
		}
		entry["_fetchType"], entry["_priority"] = "Network Load", "medium"
	})},
	{"charles.har", harOf("Charles Proxy", "5.0.1", func(entry map[string]any, e *exchange) {
		response := entry["response"].(map[string]any)
		content := response["content"].(map[string]any)
		content["text"], content["encoding"] = b64(e.Answer), "base64"
		if e.Status == 0 {
			response["content"] = map[string]any{"size": 0}
			response["_charlesStatus"] = "Failed"
		}
	})},
	each("okhttp.log", func(p *paper, e *exchange, _ int) string {
		at := p.at(e, "01-02 15:04:05.000") + "  8123  8160 I okhttp.OkHttpClient: "
		var b strings.Builder
		if e.Body != "" {
			fmt.Fprintf(&b, "--> %s %s\n%sHost: %s\n\n%s\n--> END %s (%d-byte body)\n", e.Method, p.url(e), lines(e.Sent, "%s: %s\n"), p.hostOf(e), e.Body, e.Method, len(e.Body))
		} else {
			fmt.Fprintf(&b, "--> %s %s\n%s--> END %s\n", e.Method, p.url(e), lines(e.Sent, "%s: %s\n"), e.Method)
		}
		if e.Status == 0 {
			b.WriteString("<-- HTTP FAILED: java.net.SocketTimeoutException: timeout\n")
		} else {
			fmt.Fprintf(&b, "<-- %d %s %s (%dms)\n%s\n%s\n<-- END HTTP (%d-byte body)\n", e.Status, reason(e.Status), p.url(e), e.Took.Milliseconds(), lines(lower(e.Answered), "%s: %s\n"), e.Answer, len(e.Answer))
		}
		return indent(b.String(), at)
	}),
	each("curl-v.txt", func(p *paper, e *exchange, _ int) string {
		command := fmt.Sprintf("$ curl -v -X %s %s%s", e.Method, quoteShell(p.url(e)), lines(e.Sent, " -H '%s: %s'"))
		if e.Body != "" {
			command += " -d " + quoteShell(e.Body)
		}
		got := "* Operation timed out after 10002 milliseconds with 0 bytes received\n* Closing connection\ncurl: (28) Operation timed out after 10002 milliseconds with 0 bytes received\n"
		if e.Status != 0 {
			got = fmt.Sprintf("< HTTP/2 %d \n%s< \n* Connection #0 to host %s left intact\n%s\n", e.Status, lines(lower(e.Answered), "< %s: %s\n"), p.hostOf(e), e.Answer)
		}
		return fmt.Sprintf("%s\n* Host %s:443 was resolved.\n* using HTTP/2\n> %s %s HTTP/2\n> Host: %s\n%s> \n* Request completely sent off\n%s", command, p.hostOf(e), e.Method, e.Path, p.hostOf(e), lines(e.Sent, "> %s: %s\n"), got)
	}),
	each("cmd.txt", func(p *paper, e *exchange, _ int) string {
		command := fmt.Sprintf("C:\\billing>curl.exe -i -X %s \"%s\"%s", e.Method, p.url(e), lines(e.Sent, " ^\n  -H \"%s: %s\""))
		if e.Body != "" {
			command += " ^\n  -d \"" + strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(e.Body, "\n", ""), `\`, `\\`), `"`, `\"`) + "\""
		}
		if e.Status == 0 {
			return command + "\ncurl: (28) Operation timed out after 10002 milliseconds with 0 bytes received\n\n"
		}
		return command + fmt.Sprintf("\nHTTP/1.1 %d %s\n%s\n%s\n\n", e.Status, reason(e.Status), lines(e.Answered, "%s: %s\n"), e.Answer)
	}),
	each("http-client.py.log", func(p *paper, e *exchange, _ int) string {
		sent := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", e.Method, e.Path, p.hostOf(e), lines(e.Sent, "%s: %s\r\n"))
		text := fmt.Sprintf("send: b%s\n", pyQuoted(sent))
		if e.Body != "" {
			text += fmt.Sprintf("send: b%s\n", pyQuoted(e.Body))
		}
		if e.Status == 0 {
			return text + "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='" + p.hostOf(e) + "', port=443): Read timed out. (read timeout=10)\n"
		}
		return text + fmt.Sprintf("reply: 'HTTP/1.1 %d %s\\r\\n'\n%s%s DEBUG body: %s\n", e.Status, reason(e.Status), lines(e.Answered, "header: %s: %s\n"), p.end(e, spaced), e.Answer)
	}),
	each("access.jsonl", func(p *paper, e *exchange, _ int) string {
		return js(map[string]any{
			"time_iso8601": p.end(e, time.RFC3339), "request_time": fmt.Sprintf("%.3f", e.Took.Seconds()), "request_method": e.Method, "request_uri": e.Path, "host": p.hostOf(e),
			"status": strconv.Itoa(e.Status), "http_authorization": header(e.Sent, "Authorization"), "http_user_agent": header(e.Sent, "User-Agent"), "content_type": header(e.Sent, "Content-Type"), "http_idempotency_key": header(e.Sent, "Idempotency-Key"),
			"request_body": e.Body, "response_body": e.Answer,
		}) + "\n"
	}),
	each("serilog.clef", func(p *paper, e *exchange, _ int) string {
		return js(map[string]any{
			"@t": p.end(e, "2006-01-02T15:04:05.0000000Z07:00"), "@mt": "HTTP {RequestMethod} {RequestUri} responded {StatusCode} in {Elapsed:0.0000} ms", "RequestMethod": e.Method, "RequestUri": p.url(e),
			"StatusCode": e.Status, "Elapsed": float64(e.Took.Microseconds()) / 1000, "RequestHeaders": object(e.Sent), "RequestBody": orNull(e.Body), "ResponseHeaders": object(e.Answered), "ResponseBody": orNull(e.Answer),
			"SourceContext": "Billing.PayClient",
		}) + "\n"
	}),
	{"wiremock.json", func(p *paper) string {
		list := []any{}
		for i := len(p.list) - 1; i >= 0; i-- {
			e := &p.list[i]
			list = append(list, map[string]any{
				"id":       fmt.Sprintf("%08x-1d4e-4a6c-9a5b-3f1f1c1f1c1f", i),
				"request":  map[string]any{"url": e.Path, "absoluteUrl": p.url(e), "method": e.Method, "clientIp": "172.18.0.1", "headers": object(e.Sent), "cookies": map[string]any{}, "loggedDate": e.At.UnixMilli(), "loggedDateString": p.at(e, time.RFC3339), "bodyAsBase64": b64(e.Body), "body": e.Body},
				"response": map[string]any{"status": e.Status, "headers": object(e.Answered), "body": e.Answer, "bodyAsBase64": b64(e.Answer)}, "wasMatched": true,
				"timing": map[string]any{"addedDelay": 0, "processTime": e.Took.Milliseconds(), "totalTime": e.Took.Milliseconds()},
			})
		}
		return indented(map[string]any{"requests": list, "meta": map[string]any{"total": len(list)}, "requestJournalDisabled": false})
	}},
	{"hoverfly.json", func(p *paper) string {
		list := []any{}
		match := func(v string) []any { return []any{map[string]any{"matcher": "exact", "value": v}} }
		many := func(l [][2]string) map[string]any {
			m := map[string]any{}
			for _, h := range l {
				m[h[0]] = []string{h[1]}
			}
			return m
		}
		for i := range p.list {
			e := &p.list[i]
			list = append(list, map[string]any{
				"request":  map[string]any{"path": e.Path, "method": e.Method, "destination": p.hostOf(e), "scheme": "https", "query": "", "body": e.Body, "headers": many(e.Sent)},
				"response": map[string]any{"status": e.Status, "body": e.Answer, "encodedBody": false, "headers": many(e.Answered), "templated": false},
			})
		}
		_ = match
		return indented(map[string]any{"data": map[string]any{"pairs": list}, "meta": map[string]any{"schemaVersion": "v1", "hoverflyVersion": "v1.10"}})
	}},
	each("vcr-ruby.yml", func(p *paper, e *exchange, i int) string {
		head := ""
		if i == 0 {
			head = "---\nhttp_interactions:\n"
		}
		many := func(list [][2]string) string {
			var b strings.Builder
			for _, h := range list {
				fmt.Fprintf(&b, "      %s:\n      - %q\n", h[0], h[1])
			}
			return b.String()
		}
		return head + fmt.Sprintf("- request:\n    method: %s\n    uri: %s\n    body:\n      encoding: UTF-8\n      string: %q\n    headers:\n%s  response:\n    status:\n      code: %d\n      message: %s\n    headers:\n%s    body:\n      encoding: UTF-8\n      string: %q\n  recorded_at: %s\n",
			strings.ToLower(e.Method), p.url(e), e.Body, many(e.Sent), e.Status, reason(e.Status), many(e.Answered), e.Answer, p.end(e, http1123))
	}),
	{"slack.json", func(p *paper) string {
		list := []any{map[string]any{"type": "message", "user": "U04AB", "ts": fmt.Sprintf("%d.000100", p.list[0].At.Unix()-600), "text": "hey, the integration again :see_no_evil:"}}
		for i := range p.list {
			e := &p.list[i]
			text := fmt.Sprintf("%s `%s %s`", p.at(e, "15:04:05"), e.Method, p.url(e))
			text += "\n```" + lines(e.Sent, "%s: %s\n")
			if e.Body != "" {
				text += "\n" + e.Body + "\n"
			}
			text += "```\nanswer: " + told(e) + "\n```" + e.Answer + "```"
			list = append(list, map[string]any{"type": "message", "user": "U04AB", "ts": fmt.Sprintf("%d.%06d", e.At.Unix(), i), "text": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)})
		}
		return indented(list)
	}},
	{"calls.csv", func(p *paper) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"Timestamp", "Method", "URL", "Request Headers", "Request Body", "Status Code", "Response Headers", "Response Body", "Duration (ms)"})
		for i := range p.list {
			e := &p.list[i]
			_ = w.Write([]string{p.at(e, iso), e.Method, p.url(e), lines(e.Sent, "%s: %s\n"), e.Body, strconv.Itoa(e.Status), lines(e.Answered, "%s: %s\n"), e.Answer, strconv.FormatInt(e.Took.Milliseconds(), 10)})
		}
		w.Flush()
		return b.String()
	}},
	each("issue.md", func(p *paper, e *exchange, i int) string {
		text := fmt.Sprintf("### %d. `%s %s` (%s)\n\n", i+1, e.Method, p.url(e), p.at(e, "2006-01-02 15:04:05 MST")) + "Headers:\n\n```\n" + lines(e.Sent, "%s: %s\n") + "```\n\n"
		if e.Body != "" {
			text += "Request body:\n\n```json\n" + pretty(e.Body) + "\n```\n\n"
		}
		return text + fmt.Sprintf("Response: **%s**\n\n```json\n%s\n```\n\n", told(e), pretty(e.Answer))
	}),
	each("spring.log", func(p *paper, e *exchange, _ int) string {
		at := p.at(e, "2006-01-02T15:04:05.000Z07:00") + " DEBUG 41 --- [nio-8080-exec-3] c.n.billing.LoggingInterceptor           : "
		text := at + "===========================request begin================================================\n" +
			at + "URI         : " + p.url(e) + "\n" + at + "Method      : " + e.Method + "\n" + at + "Headers     : " + springHeaders(e.Sent) + "\n" + at + "Request body: " + strings.ReplaceAll(e.Body, "\n", "") + "\n" +
			at + "==========================request end================================================\n"
		if e.Status == 0 {
			return text + p.end(e, "2006-01-02T15:04:05.000Z07:00") + " ERROR 41 --- [nio-8080-exec-3] c.n.billing.PayClient                    : I/O error on " + e.Method + " request for \"" + p.url(e) + "\": Read timed out\n"
		}
		at = p.end(e, "2006-01-02T15:04:05.000Z07:00") + " DEBUG 41 --- [nio-8080-exec-3] c.n.billing.LoggingInterceptor           : "
		return text + at + "============================response begin==========================================\n" +
			at + fmt.Sprintf("Status code  : %d %s\n", e.Status, strings.ToUpper(strings.ReplaceAll(reason(e.Status), " ", "_"))) + at + "Status text  : " + reason(e.Status) + "\n" +
			at + "Headers      : " + springHeaders(e.Answered) + "\n" + at + "Response body: " + e.Answer + "\n" + at + "=======================response end=================================================\n"
	}),
	{"datadog.json", func(p *paper) string {
		data := []any{}
		for i := range p.list {
			e := &p.list[i]
			data = append(data, map[string]any{"id": fmt.Sprintf("AgAAA%x", p.rng.Uint64()), "type": "log", "attributes": map[string]any{
				"timestamp": p.end(e, iso), "service": "billing", "status": map[bool]string{true: "error", false: "info"}[e.Status >= 400], "message": "outgoing call", "tags": []string{"env:prod"},
				"attributes": map[string]any{
					"http": map[string]any{
						"method": e.Method, "url": p.url(e), "status_code": e.Status, "request": map[string]any{"headers": object(e.Sent), "body": value(e.Body)},
						"response": map[string]any{"headers": object(e.Answered), "body": value(e.Answer)},
					},
					"duration": e.Took.Nanoseconds(),
				},
			}})
		}
		return js(map[string]any{"data": data})
	}},
	each("tesla.log", func(p *paper, e *exchange, _ int) string {
		sent := "(no body)"
		if e.Body != "" {
			sent = e.Body
		}
		if e.Status == 0 {
			return fmt.Sprintf("%s [error] %s %s -> error: :timeout (10001.114 ms)\n\n>>> REQUEST >>>\n(no query)\n%s\n%s\n", p.end(e, "15:04:05.000"), e.Method, p.url(e), lines(lower(e.Sent), "%s: %s\n"), sent)
		}
		return fmt.Sprintf("%s [debug] %s %s -> %d (%.3f ms)\n\n>>> REQUEST >>>\n(no query)\n%s\n%s\n\n<<< RESPONSE <<<\n%s\n%s\n", p.end(e, "15:04:05.000"), e.Method, p.url(e), e.Status, float64(e.Took.Microseconds())/1000, lines(lower(e.Sent), "%s: %s\n"), sent, lines(lower(e.Answered), "%s: %s\n"), e.Answer)
	}),
	each("mitmdump.txt", func(p *paper, e *exchange, i int) string {
		text := fmt.Sprintf("[%s] 10.0.0.7:51%03d: %s %s HTTP/2.0\n%s", p.at(e, "15:04:05.000"), i, e.Method, p.url(e), lines(lower(e.Sent), "    %s: %s\n"))
		if e.Body != "" {
			text += "\n" + indent(pretty(e.Body), "    ")
		}
		if e.Status == 0 {
			return text + "\n << Server disconnected: connection reset\n\n"
		}
		return text + fmt.Sprintf("\n << HTTP/2.0 %d %s %db\n%s\n%s\n", e.Status, reason(e.Status), len(e.Answer), lines(lower(e.Answered), "    %s: %s\n"), indent(pretty(e.Answer), "    "))
	}),
	{"insomnia-timeline.txt", func(p *paper) string {
		var b strings.Builder
		for i := range p.list {
			e := &p.list[i]
			fmt.Fprintf(&b, "* Preparing request to %s\n* Current time is %s\n* Enable timeout of 30000ms\n* Using HTTP 1.1\n\n> %s %s HTTP/1.1\n> Host: %s\n%s\n", p.url(e), e.At.UTC().Format("2006-01-02T15:04:05.000Z"), e.Method, e.Path, p.hostOf(e), lines(e.Sent, "> %s: %s\n"))
			if e.Body != "" {
				b.WriteString("| " + strings.ReplaceAll(e.Body, "\n", "\n| ") + "\n\n")
			}
			fmt.Fprintf(&b, "< HTTP/1.1 %d %s\n%s\n* Received %d B chunk\n* Connection #0 to host left intact\n\n%s\n\n", e.Status, reason(e.Status), lines(e.Answered, "< %s: %s\n"), len(e.Answer), e.Answer)
		}
		return b.String()
	}},
	{"sentry.json", func(p *paper) string {
		values := []any{}
		for i := range p.list {
			e := &p.list[i]
			values = append(values, map[string]any{"timestamp": p.end(e, iso), "type": "http", "category": "httplib", "level": "info", "data": map[string]any{
				"url": p.url(e), "method": e.Method, "status_code": e.Status, "reason": reason(e.Status), "request_headers": object(e.Sent), "request_body": e.Body, "response_headers": object(e.Answered), "response_body": e.Answer,
			}})
		}
		return js(map[string]any{"event_id": "9d1c", "platform": "python", "breadcrumbs": map[string]any{"values": values}})
	}},
}

const http1123 = "Mon, 02 Jan 2006 15:04:05 GMT"

func pyQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\r", `\r`, "\n", `\n`).Replace(s) + "'"
}

func springHeaders(list [][2]string) string {
	var parts []string
	for _, h := range list {
		parts = append(parts, fmt.Sprintf("%s:%q", h[0], h[1]))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
