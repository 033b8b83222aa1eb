package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/mocktest"
)

// planted is a call with canaries where secrets stand.
type planted struct {
	method, target, body, answer string
	headers                      []string
}

const plantedBase = "https://api.example.com"

// plantedCalls are the calls that every form is written from.
func plantedCalls(t *testing.T, c canaries) []planted {
	t.Helper()
	company, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	var body object
	require.NoError(t, json.Unmarshal(company, &body))
	body["password"], body["emailAddress"] = c.in("a member named password"), c.in("an e-mail")+"@example.org"
	company, err = json.Marshal(body)
	require.NoError(t, err)
	token := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"shop","exp":1772474401}`)) + "." + c.in("a JWT's signature")
	headers := func(more ...string) []string {
		return append([]string{"Content-Type", "application/json", "Authorization", "Bearer " + token, "Cookie", "session=" + c.in("a cookie")}, more...)
	}
	return []planted{
		{"POST", "/Authentication/Token", `{"clientId":"shop","clientSecret":"` + c.in("the client secret") + `"}`, `{"accessToken":"` + token + `","expiresInSeconds":3600}`, []string{"Content-Type", "application/json"}},
		{"POST", "/Company/Create?access_token=" + c.in("a token in a query"), string(company), `{"companyId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","locationIds":[],"apiKey":"` + c.in("a key in an answer") + `"}`, headers("X-Api-Key", c.in("X-Api-Key"))},
		{
			"POST", "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142","shortDescription":"for ` + c.in("a free text") + `","metadata":{"token":"` + c.in("metadata named token") + `"}}`,
			`{"paymentRequestId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12","url":"https://api.example.com/p/x?token=` + c.in("a link's token") + `"}`, headers("X-Signature", c.in("X-Signature")),
		},
		{
			"POST", "/Company/List", "client_secret=" + c.in("a form's secret") + "&note=" + c.in("a form's note"), `{}`,
			[]string{"Content-Type", "application/x-www-form-urlencoded", "Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+c.in("basic credentials")))},
		},
		{"GET", "/Company/List?signature=" + c.in("a signature in a query"), "", `{"companies":[]}`, headers("X-Auth-Token", c.in("X-Auth-Token"))},
	}
}

// eachHeader joins a call's headers.
func (p *planted) eachHeader(write func(name, value string) string) string {
	var b strings.Builder
	for i := 0; i+1 < len(p.headers); i += 2 {
		b.WriteString(write(p.headers[i], p.headers[i+1]))
	}
	return b.String()
}

// raw is the call as it goes over the wire, each line behind a mark, and its answer.
func (p *planted) raw(sent, got string) string {
	text := sent + p.method + " " + p.target + " HTTP/1.1\n" + sent + "Host: api.example.com\n" + p.eachHeader(func(n, v string) string { return sent + n + ": " + v + "\n" }) + sent + "\n"
	return text + got + "HTTP/1.1 200 OK\n" + got + "Content-Type: application/json\n" + got + "Set-Cookie: sid=" + "%s" + "\n" + got + "\n" + p.answer + "\n"
}

func quotedJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// plantedForms write the calls in every form that is read, as files by their names.
func plantedForms() map[string]func(t *testing.T, c canaries) map[string]string {
	return map[string]func(*testing.T, canaries) map[string]string{
		"har":         plantedHAR,
		"curl":        plantedCurl,
		"cmd":         plantedCmd,
		"http":        plantedHTTP,
		"postman":     plantedPostman,
		"newman":      plantedNewman,
		"transcript":  plantedTranscript,
		"httpyac":     plantedHttpyac,
		"json lines":  plantedLines,
		"webhooks":    plantedWebhooks,
		"powershell":  plantedPowerShell,
		"fetch":       plantedFetch,
		"insomnia":    plantedInsomnia,
		"tape":        plantedTape,
		"two formats": plantedTwo,
	}
}

func joinedFiles(a, b map[string]string) map[string]string {
	for name, text := range b {
		a["2-"+name] = text
	}
	return a
}

func plantedHAR(t *testing.T, c canaries) map[string]string {
	t.Helper()
	return map[string]string{"session.har": string(secretive(t, c))}
}

func plantedTwo(t *testing.T, c canaries) map[string]string {
	t.Helper()
	return joinedFiles(plantedLines(t, c), plantedWebhooks(t, c))
}

func plantedCurl(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# note %s\nAPI_KEY='%s'\n", c.in("a script's comment"), c.in("a script's variable"))
	for _, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "curl -X %s '%s%s'%s -b 'sid=%s' -H \"X-Key: $API_KEY\"", p.method, plantedBase, p.target, p.eachHeader(func(n, v string) string { return " \\\n  -H '" + n + ": " + v + "'" }), c.in("curl -b"))
		if p.body != "" {
			fmt.Fprintf(&b, " --data-raw '%s'", p.body)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "curl -u 'shop:%s' '%s/Company/List'\n", c.in("curl -u"), plantedBase)
	return map[string]string{"calls.sh": b.String()}
}

func plantedCmd(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	quote := func(s string) string {
		return `^"` + strings.ReplaceAll(strings.ReplaceAll(s, "%", "^%"), `"`, `^\^"`) + `^"`
	}
	fmt.Fprintf(&b, "rem %s\nset KEY=%s\n", c.in("a batch comment"), c.in("a batch variable"))
	for _, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "curl -X %s %s%s ^\n  -H ^\"X-Key: %%KEY%%^\"", p.method, quote(plantedBase+p.target), p.eachHeader(func(n, v string) string { return " ^\n  -H " + quote(n+": "+v) }))
		if p.body != "" {
			b.WriteString(" ^\n  --data-raw " + quote(p.body))
		}
		b.WriteString("\n")
	}
	return map[string]string{"calls.bat": b.String()}
}

func plantedHTTP(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "@key = %s\n# %s\n", c.in("a file's variable"), c.in("an .http comment"))
	for i, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "\n### %d %s\n%s {{base}}%s\n%sX-Key: {{key}}\nX-Env: {{secret}}\n\n%s\n", i, c.in("a title"), p.method, p.target, p.eachHeader(func(n, v string) string { return n + ": " + v + "\n" }), p.body)
	}
	return map[string]string{"calls.http": b.String(), "http-client.env.json": quotedJSON(t, object{"dev": object{"base": plantedBase, "secret": c.in("an environment's secret")}})}
}

func plantedPostman(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var items []object
	for i, p := range plantedCalls(t, c) {
		var headers []object
		p.eachHeader(func(n, v string) string {
			headers = append(headers, object{"key": n, "value": v, "description": c.in("a header's description")})
			return ""
		})
		request := object{
			"method": p.method, "url": object{"raw": "{{base}}" + p.target}, "header": append(headers, object{"key": "X-Env", "value": "{{secret}}"}), "description": c.in("a request's description"),
			"auth": object{"type": "bearer", "bearer": []object{{"key": "token", "value": c.in("a request's auth")}}}, "body": object{"mode": "raw", "raw": p.body},
		}
		items = append(items, object{
			"name": fmt.Sprint("call ", i, " ", c.in("a request's name")), "request": request,
			"event":    []object{{"listen": "prerequest", "script": object{"exec": []string{"pm.environment.set('k','" + c.in("a script") + "')"}}}},
			"response": []object{{"name": "x", "code": 200, "status": "OK", "body": p.answer, "cookie": []object{{"name": "sid", "value": c.in("an answer's cookie")}}, "header": []object{{"key": "Content-Type", "value": "application/json"}, {"key": "Set-Cookie", "value": "sid=" + c.in("Set-Cookie")}}}},
		})
	}
	collection := object{
		"info": object{"name": "shop", "description": c.in("a collection's description"), "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": items,
		"variable": []object{{"key": "v", "value": c.in("a collection's variable")}}, "auth": object{"type": "apikey", "apikey": []object{{"key": "value", "value": c.in("a collection's auth")}}},
	}
	environment := object{"name": "dev", "_postman_variable_scope": "environment", "values": []object{{"key": "base", "value": plantedBase, "enabled": true}, {"key": "secret", "value": c.in("an environment's value"), "type": "secret", "enabled": true}}}
	return map[string]string{"collection.json": quotedJSON(t, collection), "environment.json": quotedJSON(t, environment)}
}

func plantedNewman(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var executions []object
	for i, p := range plantedCalls(t, c) {
		var headers []object
		p.eachHeader(func(n, v string) string { headers = append(headers, object{"key": n, "value": v}); return "" })
		path, query, _ := strings.Cut(p.target, "?")
		var arguments []object
		if name, value, ok := strings.Cut(query, "="); ok {
			arguments = append(arguments, object{"key": name, "value": value})
		}
		stream := make([]int, len(p.answer))
		for k := range p.answer {
			stream[k] = int(p.answer[k])
		}
		executions = append(executions, object{
			"item":     object{"id": fmt.Sprint(i), "name": c.in("an item's name")},
			"request":  object{"method": p.method, "url": object{"protocol": "https", "host": []string{"api", "example", "com"}, "path": strings.Split(strings.Trim(path, "/"), "/"), "query": arguments}, "header": headers, "body": object{"mode": "raw", "raw": p.body}},
			"response": object{"code": 200, "status": "OK", "responseTime": 5, "header": []object{{"key": "Content-Type", "value": "application/json"}, {"key": "Set-Cookie", "value": "sid=" + c.in("Set-Cookie")}}, "stream": object{"type": "Buffer", "data": stream}},
		})
	}
	return map[string]string{"run.json": quotedJSON(t, object{
		"collection":  object{"info": object{"name": c.in("a collection's name")}},
		"environment": object{"values": []object{{"key": "secret", "value": c.in("an environment's value")}}}, "globals": object{"values": []object{{"key": "g", "value": c.in("a global")}}},
		"run": object{"executions": executions, "timings": object{"started": 1772470801000}},
	})}
}

func plantedTranscript(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", c.in("a note in the terminal"))
	for _, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "$ curl -v -X %s '%s%s'%s --data-raw '%s'\n* Server auth using Basic with user '%s'\n", p.method, plantedBase, p.target, p.eachHeader(func(n, v string) string { return " -H '" + n + ": " + v + "'" }), p.body, c.in("a line of curl's own"))
		fmt.Fprintf(&b, p.raw("> ", "< "), c.in("Set-Cookie"))
	}
	return map[string]string{"terminal.txt": b.String()}
}

func plantedHttpyac(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	for _, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "\n---------------------\n\n%s %s%s\n%s\n%s\nHTTP/1.1 200  - OK\ncontent-type: application/json\nset-cookie: sid=%s\n\n%s\n\n1 requests processed (1 succeeded) %s\n",
			p.method, plantedBase, p.target, p.eachHeader(func(n, v string) string { return strings.ToLower(n) + ": " + v + "\n" }), p.body, c.in("set-cookie"), p.answer, c.in("a line of the tool's own"))
	}
	return map[string]string{"httpyac.txt": b.String()}
}

func plantedLines(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	for i, p := range plantedCalls(t, c) {
		headers := map[string]string{}
		p.eachHeader(func(n, v string) string { headers[n] = v; return "" })
		line := object{
			"time": fmt.Sprintf("2026-03-02T17:00:%02dZ", i), "method": p.method, "url": plantedBase + p.target, "headers": headers, "body": p.body, "status": 200,
			"answer": p.answer, "answerHeaders": object{"Set-Cookie": "sid=" + c.in("Set-Cookie")},
		}
		b.WriteString(quotedJSON(t, line) + "\n")
	}
	return map[string]string{"calls.jsonl": b.String()}
}

func plantedWebhooks(t *testing.T, c canaries) map[string]string {
	t.Helper()
	event := `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12","Status":"Paid","Timestamp":"2026-03-02T17:01:04Z","token":"` + c.in("an event's token") + `"}}`
	raw := "POST /hooks?secret=" + c.in("a receiver's query") + " HTTP/1.1\nHost: shop.example\nContent-Type: application/json\nCookie: s=" + c.in("a webhook's cookie") +
		"\nAuthorization: Bearer " + c.in("a webhook's bearer") + "\nX-Signature: " + c.in("a webhook's signature") + "\n\n" + event + "\n"
	line := quotedJSON(t, object{"time": "2026-03-02T17:01:05Z", "webhook": true, "url": "https://shop.example/hooks?key=" + c.in("a webhook's url"), "headers": object{"X-Api-Key": c.in("a webhook's key")}, "body": event, "status": 200})
	return map[string]string{"hooks.txt": raw, "hooks.jsonl": line + "\n"}
}

func plantedPowerShell(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, "`\"") + `"` }
	fmt.Fprintf(&b, "# %s\n$key = %s\n$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n", c.in("a comment"), quote(c.in("a variable")))
	for _, p := range plantedCalls(t, c) {
		fmt.Fprintf(&b, "$session.Cookies.Add((New-Object System.Net.Cookie(\"sid\", \"%s\", \"/\", \"api.example.com\")))\n", c.in("a session's cookie"))
		fmt.Fprintf(&b, "Invoke-WebRequest -UseBasicParsing -Uri %s `\n-Method %s `\n-WebSession $session `\n-Headers @{\n%s}", quote(plantedBase+p.target), quote(p.method), p.eachHeader(func(n, v string) string { return "  " + quote(n) + "=" + quote(v) + "\n" }))
		if p.body != "" {
			b.WriteString(" `\n-Body " + quote(p.body))
		}
		b.WriteString("\n")
	}
	return map[string]string{"calls.ps1": b.String()}
}

func plantedFetch(t *testing.T, c canaries) map[string]string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", c.in("a comment"))
	for _, p := range plantedCalls(t, c) {
		headers := object{}
		p.eachHeader(func(n, v string) string { headers[n] = v; return "" })
		init := object{"method": p.method, "headers": headers, "referrer": "https://shop.example/?key=" + c.in("a referrer"), "credentials": "include"}
		if p.body != "" {
			init["body"] = p.body
		}
		fmt.Fprintf(&b, "fetch(%s, %s);\n", quotedJSON(t, plantedBase+p.target), quotedJSON(t, init))
	}
	return map[string]string{"calls.mjs": b.String()}
}

func plantedInsomnia(t *testing.T, c canaries) map[string]string {
	t.Helper()
	resources := []object{
		{"_id": "wrk_1", "_type": "workspace", "name": "shop", "description": c.in("a workspace's description")},
		{"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "data": object{"base": plantedBase, "secret": c.in("an environment's secret")}},
		{"_id": "jar_1", "_type": "cookie_jar", "cookies": []object{{"key": "sid", "value": c.in("a jar's cookie")}}},
	}
	for i, p := range plantedCalls(t, c) {
		headers := []object{{"name": "X-Env", "value": "{{ _.secret }}", "description": c.in("a header's description")}}
		p.eachHeader(func(n, v string) string { headers = append(headers, object{"name": n, "value": v}); return "" })
		resources = append(resources, object{
			"_id": fmt.Sprint("req_", i), "_type": "request", "parentId": "wrk_1", "name": c.in("a request's name"), "description": c.in("a request's description"), "method": p.method, "url": "{{ _.base }}" + p.target,
			"headers": headers, "body": object{"mimeType": "application/json", "text": p.body}, "authentication": object{"type": "bearer", "token": c.in("a request's authentication")},
			"parameters": []object{{"name": "api_key", "value": c.in("a parameter")}}, "created": 1772470801000 + i,
		})
	}
	return map[string]string{"insomnia.json": quotedJSON(t, object{"__export_format": 4, "_type": "export", "resources": resources})}
}

// plantedTape is a tape of our own: what is secret is struck from it when it is made, so
// people's data alone are as they were sent.
func plantedTape(t *testing.T, c canaries) map[string]string {
	t.Helper()
	s := mocktest.Start(t, mocktest.Options{})
	for _, p := range plantedCalls(t, c) {
		r, err := http.NewRequestWithContext(t.Context(), p.method, s.URL+p.target, strings.NewReader(p.body))
		require.NoError(t, err)
		for i := 0; i+1 < len(p.headers); i += 2 {
			r.Header.Set(p.headers[i], p.headers[i+1])
		}
		a, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, a.Body.Close())
	}
	for _, place := range []string{"an e-mail", "a free text", "a form's note", "a key in an answer", "a link's token", "a signature in a query"} { // data, what it never got, or what proves and opens nothing
		delete(c, place)
	}
	return map[string]string{"saved.tape": asked(t, http.MethodGet, s.URL+"/_sandbox/integrations/default/tape?end=true", "")}
}

// formNames lists the forms, sorted.
func formNames() []string {
	var names []string
	for name := range plantedForms() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
