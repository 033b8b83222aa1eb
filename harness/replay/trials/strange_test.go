package trials_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"mime/quotedprintable"
	"strconv"
	"strings"
)

// Forms in which structure stands beneath other marks, or a call's two sides stand apart.
var strangeForms = []form{
	each("proxy-access.log", func(p *paper, e *exchange, _ int) string {
		status := e.Status
		if status == 0 {
			status = 499
		}
		return fmt.Sprintf("10.4.0.21 - - [%s] \"%s %s HTTP/1.1\" %d %d \"-\" %q upstream=\"%s:443\" auth=\"%s\" ikey=%q rt=%.3f req_body=\"%s\" resp_body=\"%s\"\n",
			p.end(e, "02/Jan/2006:15:04:05 -0700"), e.Method, e.Path, status, len(e.Answer), header(e.Sent, "User-Agent"), p.hostOf(e), header(e.Sent, "Authorization"), header(e.Sent, "Idempotency-Key"), e.Took.Seconds(), hexed(e.Body), hexed(e.Answer))
	}),
	{"packets.json", func(p *paper) string {
		list, number := []any{}, 100
		for i := range p.list {
			e := &p.list[i]
			packet := func(epoch int64, http map[string]any) {
				number += 1 + p.rng.IntN(5)
				list = append(list, map[string]any{"_index": "packets-2026-03-02", "_score": nil, "_source": map[string]any{"layers": map[string]any{
					"frame": map[string]any{"frame.time_epoch": fmt.Sprintf("%d.%09d", epoch/1e9, epoch%1e9), "frame.number": strconv.Itoa(number)}, "tcp": map[string]any{"tcp.stream": strconv.Itoa(i)}, "http": http,
				}}})
			}
			sent := map[string]any{
				e.Method + " " + e.Path + ` HTTP/1.1\r\n`: map[string]any{"http.request.method": e.Method, "http.request.uri": e.Path, "http.request.version": "HTTP/1.1"},
				"http.host": p.hostOf(e), "http.request.line": headerLines(e.Sent), "http.request.full_uri": p.url(e),
			}
			if e.Body != "" {
				sent["http.file_data"] = e.Body
			}
			packet(e.At.UnixNano(), sent)
			if e.Status == 0 {
				continue
			}
			got := map[string]any{
				fmt.Sprintf(`HTTP/1.1 %d %s\r\n`, e.Status, reason(e.Status)): map[string]any{"http.response.version": "HTTP/1.1", "http.response.code": strconv.Itoa(e.Status), "http.response.phrase": reason(e.Status)},
				"http.response.line": headerLines(e.Answered), "http.request_in": strconv.Itoa(number),
			}
			if e.Answer != "" {
				got["http.file_data"] = e.Answer
			}
			packet(e.At.Add(e.Took).UnixNano(), got)
		}
		return indented(list)
	}},
	{"insights.csv", func(p *paper) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"@timestamp", "@message", "@logStream"})
		for i := range p.list {
			e := &p.list[i]
			call := map[string]any{"verb": e.Method, "uri": p.url(e), "req_headers": object(e.Sent), "req": value(e.Body), "code": e.Status, "resp_headers": object(e.Answered), "resp": value(e.Answer), "ms": e.Took.Milliseconds()}
			if e.Status == 0 {
				call["code"], call["resp"] = nil, nil
			}
			_ = w.Write([]string{e.At.UTC().Format("2006-01-02 15:04:05.000"), js(map[string]any{"level": "INFO", "message": "partner call", "http": call}), "2026/03/02/[$LATEST]ab12"})
		}
		w.Flush()
		return b.String()
	}},
	each("pino.log", func(p *paper, e *exchange, i int) string {
		id, common := fmt.Sprintf("req-%x", i+1), map[string]any{"level": 30, "pid": 1, "hostname": "billing-7f9"}
		line := func(members map[string]any) string {
			for name, v := range common {
				members[name] = v
			}
			return js(members) + "\n"
		}
		text := line(map[string]any{"time": e.At.UnixMilli(), "reqId": id, "msg": "outgoing request", "method": e.Method, "url": p.url(e), "headers": object(lower(e.Sent)), "data": value(e.Body)})
		if e.Status == 0 {
			return text + line(map[string]any{"time": e.At.Add(e.Took).UnixMilli(), "reqId": id, "msg": "request failed", "err": map[string]any{"type": "AxiosError", "message": "timeout of 30000ms exceeded", "code": "ECONNABORTED"}})
		}
		return text + line(map[string]any{"time": e.At.Add(e.Took).UnixMilli(), "reqId": id, "msg": "incoming response", "statusCode": e.Status, "headers": object(lower(e.Answered)), "data": value(e.Answer)})
	}),
	each("ktor.txt", func(p *paper, e *exchange, _ int) string {
		tag := " [DefaultDispatcher-worker-2] INFO  io.ktor.client.HttpClient - "
		text := p.at(e, "15:04:05.000") + tag + fmt.Sprintf("REQUEST: %s\nMETHOD: HttpMethod(value=%s)\nCOMMON HEADERS\n%sCONTENT HEADERS\n-> Content-Length: %d\nBODY Content-Type: application/json\nBODY START\n%s\nBODY END\n", p.url(e), e.Method, lines(e.Sent, "-> %s: %s\n"), len(e.Body), e.Body)
		if e.Status == 0 {
			return text + p.end(e, "15:04:05.000") + tag + "REQUEST " + p.url(e) + " failed with exception: HttpRequestTimeoutException: Request timeout has expired\n"
		}
		return text + p.end(e, "15:04:05.000") + tag + fmt.Sprintf("RESPONSE: %d %s\nMETHOD: HttpMethod(value=%s)\nFROM: %s\nCOMMON HEADERS\n%sBODY Content-Type: application/json\nBODY START\n%s\nBODY END\n", e.Status, reason(e.Status), e.Method, p.url(e), lines(e.Answered, "-> %s: %s\n"), e.Answer)
	}),
	each("tracker.txt", func(p *paper, e *exchange, i int) string {
		status := "no answer, timed out"
		if e.Status > 0 {
			status = strconv.Itoa(e.Status)
		}
		text := fmt.Sprintf("*Step %d* (%s)\n||Method||Endpoint||HTTP status||Duration||\n|%s|%s|%s|%d ms|\n\nRequest headers:\n{noformat}\n%s{noformat}\n", i+1, p.at(e, "02 Jan 2006, 15:04:05"), e.Method, p.url(e), status, e.Took.Milliseconds(), lines(e.Sent, "%s: %s\n"))
		if e.Body != "" {
			text += "Payload:\n{code:json}\n" + pretty(e.Body) + "\n{code}\n"
		}
		return text + "Response:\n{code:json}\n" + pretty(e.Answer) + "\n{code}\n\n"
	}),
	{"page.eml", func(p *paper) string {
		var b strings.Builder
		b.WriteString("From: Ines <ines@acme.example>\r\nTo: support@pay.example\r\nSubject: strange\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte("<html><head><style>p{margin:0}</style></head><body><div>Hello,<br>these are the calls of our server.</div>"))
		for i := range p.list {
			e := &p.list[i]
			status := "timed out"
			if e.Status > 0 {
				status = fmt.Sprint(e.Status, " ", reason(e.Status))
			}
			_, _ = fmt.Fprintf(w, "<p style=\"color:#555\">%s &mdash; <b>%s</b> <a href=\"%s\">%s</a></p><pre>%s</pre><p>Response: <b>%s</b></p><pre>%s</pre><hr>\n",
				p.at(e, "2006-01-02 15:04:05 -0700"), e.Method, p.url(e), p.url(e), html.EscapeString(lines(e.Sent, "%s: %s\n")+"\n"+pretty(e.Body)), status, html.EscapeString(pretty(e.Answer)))
		}
		_, _ = w.Write([]byte("</body></html>"))
		_ = w.Close()
		return b.String()
	}},
}

// hexed is a text as a server writes it into its log.
func hexed(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 32 || c > 126 || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\x%02X`, c)
			continue
		}
		b.WriteByte(c)
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

func headerLines(list [][2]string) []any {
	var all []any
	for _, h := range list {
		all = append(all, h[0]+": "+h[1]+"\r\n")
	}
	return all
}
