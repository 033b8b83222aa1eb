package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/recording"
)

type reader func(*source.File, source.Variables) (*source.Part, error)

// told writes what was read in short lines.
func told(p *source.Part) string {
	var b strings.Builder
	for _, x := range p.Exchanges {
		body := string(x.Body)
		if x.BodyMissing {
			body = "(missing)"
		}
		fmt.Fprintf(&b, "%s %s://%s%s?%s", x.Method, x.Scheme, x.Host, x.Path, x.Query)
		for _, h := range x.Header {
			fmt.Fprintf(&b, " [%s: %s]", h.Name, h.Value)
		}
		fmt.Fprintf(&b, "%s -> %s %d %s\n", strings.TrimSuffix(" "+body, " "), x.Answer.Known, x.Answer.Status, x.Answer.Body)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "line %d: %s\n", s.Place.Line, s.Why)
	}
	return b.String()
}

func TestReaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read       reader
		text, want string
	}{
		"Chrome, bash": {text.Shell, `curl 'https://api.example.com/Payment/Create' \
  -H 'accept: application/json' \
  -H 'authorization: Bearer abc' \
  -b 'sid=1' \
  --data-raw $'{"amount":5000,"shortDescription":"Anna\'s \u0021"}' ;
curl 'https://api.example.com/Company/List' -H 'accept: */*' --compressed`, `
POST https://api.example.com/Payment/Create? [accept: application/json] [authorization: Bearer abc] [Cookie: sid=1] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"shortDescription":"Anna's !"} -> not-recorded 0 
GET https://api.example.com/Company/List? [accept: */*] -> not-recorded 0 
`},
		"a script": {text.Shell, "#!/bin/bash\r\nset -e\r\nBASE=https://user:p%40ss@api.example.com; AMOUNT=5000\r\n" +
			"TOKEN=$(curl -s \"$BASE/Authentication/Token\" -H 'Content-Type: application/json' -d @cred.json | jq -r .accessToken)\r\n" +
			"for i in 1 2; do\r\ncurl -XPOST \"${BASE}/Payment/Create\" -H \"Authorization: Bearer $TOKEN\" --json \"{\\\"amount\\\":$AMOUNT}\" -o out.json\r\ndone\r\n" +
			"curl -u a:b -G api.example.com/Transaction/Report -d from=1 --data-urlencode 'to=a b' -I\r\n" +
			"curl \"$BASE/x\" --data-binary @- <<EOF\n{\"a\":\"$AMOUNT\"}\nEOF\n", `
POST https://api.example.com/Authentication/Token? [Content-Type: application/json] [Authorization: Basic dXNlcjpwQHNz] (missing) -> not-recorded 0 
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/json] [Accept: application/json] {"amount":5000} -> not-recorded 0 
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/json] [Accept: application/json] {"amount":5000} -> not-recorded 0 
HEAD http://api.example.com/Transaction/Report?from=1&to=a%20b [Authorization: Basic YTpi] -> not-recorded 0 
POST https://api.example.com/x? [Authorization: Basic dXNlcjpwQHNz] [Content-Type: application/x-www-form-urlencoded] {"a":"5000"}
 -> not-recorded 0 
line 4: the request's body stands in a file, which was not given
`},
		"a broken line": {text.Shell, "curl http://x/a\ncurl http://x/b 'not closed\ncurl http://x/c", `
GET http://x/a? -> not-recorded 0 
line 2: the shell cannot read this line: reached EOF without closing quote ` + "`'`" + `
GET http://x/c? -> not-recorded 0 
`},
		"Chrome, cmd": {text.Cmd, "curl ^\"https://api.example.com/Payment/Create?a=1^&b=2^\" ^\r\n  -H ^\"accept: application/json^\" ^\r\n  --data-raw ^\"^{^\\^\"amount^\\^\":5000,^\\^\"shortDescription^\\^\":^\\^\"100^% ^^ ok^\\^\"^}^\" &\r\ncurl ^\"https://api.example.com/Company/List^\"\r\n", `
POST https://api.example.com/Payment/Create?a=1&b=2 [accept: application/json] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"shortDescription":"100% ^ ok"} -> not-recorded 0 
GET https://api.example.com/Company/List? -> not-recorded 0 
`},
		"older Chrome, cmd": {text.Cmd, "set BASE=https://api.example.com\r\ncurl \"%BASE%/Payment/Create\" ^\r\n -H \"Authorization: Bearer %TOKEN%\" --data-raw \"{\\\"amount\\\":5000,\\\"x\\\":\\\"a\"\"b\\\"}\" --compressed", `
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"x":"a"b"} -> not-recorded 0 
`},
		".http": {text.HTTPFile, `@base = https://{{host}}
@amount=5000

### make a payment
# @name pay
POST {{base}}/Payment/Create HTTP/1.1
Content-Type: application/json
Authorization: Bearer {{login.response.body.accessToken}}
# a comment

{
  "amount": {{amount}}
}

> {%
  client.global.set("x", 1)
%}

###
GET /Transaction/Report
    ?from=1
    &to=2
Host: api.example.com
Authorization: Basic a b

### 
https://api.example.com/x

###
POST https://api.example.com/y

< ./body.json
`, `
POST https://{{host}}/Payment/Create? [Content-Type: application/json] [Authorization: Bearer {{login.response.body.accessToken}}] {
  "amount": 5000
} -> not-recorded 0 
GET ://api.example.com/Transaction/Report?from=1&to=2 [Host: api.example.com] [Authorization: Basic YTpi] -> not-recorded 0 
GET https://api.example.com/x? -> not-recorded 0 
POST https://api.example.com/y? (missing) -> not-recorded 0 
line 32: the request's body stands in a file, which was not given
`},
		".http with answers": {text.HTTPFile, `GET https://api.example.com/a

HTTP/1.1 200 OK
Content-Type: application/json

{"a":
  1}

Response file saved.
> 2026-10-12T164256.200.json

Response code: 200 (OK); Time: 82ms (82 ms); Content length: 7 bytes (7 B)

### b
POST https://api.example.com/b

{"b":1}

>> ./b.json

# -> 400 Bad Request
# {"title":"no"}

### Response
{"of":"nobody"}

### c
PUT https://api.example.com/c
HTTP/2 200
Content-Length: 0

GET https://api.example.com/d

### 404 Not Found
{"status":404}

### e
GET https://api.example.com/e

Response code: 401 (Unauthorized); Time: 8ms (8 ms); Content length: 0 bytes (0 B)

### f
POST https://api.example.com/f

{"f":1}
// the response is worth a look

### g
GET https://api.example.com/g

/*
HTTP/1.1 200 OK
{}
*/

### answer
{"status":429}
`, `
GET https://api.example.com/a? -> whole 200 {"a":
  1}
POST https://api.example.com/b? {"b":1} -> whole 400 {"title":"no"}
PUT https://api.example.com/c? -> whole 200 
GET https://api.example.com/d? -> whole 404 {"status":404}
GET https://api.example.com/e? -> without-body 401 
POST https://api.example.com/f? {"f":1} -> not-recorded 0 
GET https://api.example.com/g? -> whole 200 {}
`},
		"curl -v": {text.Verbose, "$ curl -v https://api.example.com/Payment/Create -H 'Authorization: Bearer abc' \\\n  -d '{\"amount\":1}'\n*   Trying 10.0.0.1:443...\n* SSL connection using TLSv1.3\n> POST /Payment/Create HTTP/2\r\n> Host: api.example.com\r\n> Content-Length: 12\r\n> \r\n} [12 bytes data]\n< HTTP/2 200 \r\n< content-type: application/json\r\n< \r\n{ [2 bytes data]\n" +
			"100    2  100    2    0     0  72294      0 --:--:-- --:--:-- --:--:-- 82000\n{}* Connection #0 to host api.example.com left intact\n" +
			"* Re-using existing connection! (#0) with host api.example.com\n> POST /Payment/Create HTTP/1.1\n> Host: api.example.com\n> Content-Length: 5\n>\n* Empty reply from server\ncurl: (52) Empty reply from server\n", `
POST https://api.example.com/Payment/Create? [Host: api.example.com] [Content-Length: 12] {"amount":1} -> whole 200 {}
POST https://api.example.com/Payment/Create? [Host: api.example.com] [Content-Length: 5] (missing) -> never-arrived 0 
line 17: curl -v does not show the request's body; --trace-ascii - does, or the command in the same file
`},
		"curl --trace-ascii": {text.Verbose, "17:00:00.000001 == Info:   Trying 127.0.0.1:8484...\n=> Send header, 60 bytes (0x3c)\n0000: POST /Company/Create HTTP/1.1\n001f: Host: 127.0.0.1:8484\n0035: Content-Length: 15\n0049: \n=> Send data, 15 bytes (0xf)\n0000: {\"a\":1,. \"b\":2}\n<= Recv header, 17 bytes (0x11)\n0000: HTTP/1.1 401 Unauthorized\n<= Recv header, 19 bytes\n0000: Content-Length: 2\n<= Recv header, 2 bytes (0x2)\n0000: \n<= Recv data, 2 bytes (0x2)\n0000: {}\n{}", `
POST http://127.0.0.1:8484/Company/Create? [Host: 127.0.0.1:8484] [Content-Length: 15] {"a":1,
 "b":2} -> whole 401 {}
`},
		"httpyac": {text.Messages, "---------------------\n\n=== login ===\n\nPOST http://127.0.0.1:8484/Authentication/Token\ncontent-type: application/json\n\n{\"clientId\":\"a\"}\nHTTP/1.1 200  - OK\ncontent-length: 11\ncontent-type: application/json\n\n{\n  \"a\": []\n}\n\n---------------------\n\nGET http://127.0.0.1:8484/Company/List\naccept: */*\nHTTP/1.1 200  - OK\ncontent-length: 8\n\n{\n  \"a\": []\n}\n\n2 requests processed (2 succeeded)\n", `
POST http://127.0.0.1:8484/Authentication/Token? [content-type: application/json] {"clientId":"a"} -> whole 200 {
  "a": []
}
GET http://127.0.0.1:8484/Company/List? [accept: */*] -> whole 200 {
  "a": []
}
`},
		"webhooks as received": {text.Messages, "2026-03-02T17:00:01Z\nPOST /hooks HTTP/1.1\r\nHost: shop.example.org\r\nX-HMAC-Signature: sha256=00\r\nContent-Length: 13\r\n\r\n{\"Event\":\"A\"}\r\n\nPOST /hooks HTTP/1.1\nHost: shop.example.org\n\n{\"Event\":\"B\"}\n", `
POST ://shop.example.org/hooks? [Host: shop.example.org] [X-HMAC-Signature: sha256=00] [Content-Length: 13] {"Event":"A"} -> not-recorded 0 
POST ://shop.example.org/hooks? [Host: shop.example.org] {"Event":"B"} -> not-recorded 0 
`},
		"Chrome, fetch": {text.Fetch, "await fetch(\"https://api.example.com/Payment/Create\", {\n  \"headers\": {\n    \"content-type\": \"application/json\",\n    \"authorization\": \"Bearer a\"\n  },\n  \"body\": \"{\\\"amount\\\":5000}\",\n  \"method\": \"POST\"\n});\nfetch('https://api.example.com/Company/List')\nfetch(\"https://api.example.com/x\", options)", `
POST https://api.example.com/Payment/Create? [authorization: Bearer a] [content-type: application/json] {"amount":5000} -> not-recorded 0 
GET https://api.example.com/Company/List? -> not-recorded 0 
line 10: what fetch is given besides the address is no JSON: it was not read
`},
		"Chrome, PowerShell": {text.PowerShell, "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\r\n$session.UserAgent = \"Mozilla/5.0\"\r\nInvoke-WebRequest -UseBasicParsing -Uri \"https://api.example.com/Payment/Create\" `\r\n-Method \"POST\" `\r\n-WebSession $session `\r\n-Headers @{\r\n\"authority\"=\"api.example.com\"\r\n  \"accept\"=\"*/*\"\r\n} `\r\n-ContentType \"application/json\" `\r\n-Body \"{`\"amount`\":5000,`\"x`\":`\"`$1 ``; =`\"}\";\r\nInvoke-RestMethod -Uri 'https://api.example.com/it''s'", `
POST https://api.example.com/Payment/Create? [authority: api.example.com] [accept: */*] [Content-Type: application/json] {"amount":5000,"x":"$1 ` + "`" + `; ="} -> not-recorded 0 
GET https://api.example.com/it's? -> not-recorded 0 
`},
		"headers alone": {text.Messages, "X-HMAC-Signature: sha256=00\nContent-Type: application/json\n\n{\"Event\":\"A\"}", `
POST ://?/? [X-HMAC-Signature: sha256=00] [Content-Type: application/json] {"Event":"A"} -> not-recorded 0 
`},
	} {
		p, err := c.read(&source.File{Name: name, Data: []byte(c.text)}, nil)
		require.NoError(t, err, name)
		want := strings.ReplaceAll(strings.TrimPrefix(c.want, "\n"), "://?/?", ":///?")
		require.ElementsMatch(t, strings.Split(want, "\n"), strings.Split(told(p), "\n"), "%s:\n%s", name, told(p))
	}
}

// TestNestingIsBounded: a grammar that calls itself would end the process.
func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"$(", "(", "`", "\"$(", "${a:-", "if ", "while ", "f(){ ", "a&&", "$((1+", "! ", "((-", "a|", "elif "} {
		_, err := text.Shell(&source.File{Name: "x", Data: []byte(strings.Repeat(s, 1<<16/len(s)))}, nil)
		require.Error(t, err, s)
	}
}

func TestValuesDoNotGrowWithoutEnd(t *testing.T) {
	t.Parallel()
	script := "A=" + strings.Repeat("x", 4000) + "\n"
	for range 20 {
		script += "A=$A$A\n"
	}
	p, err := text.Shell(&source.File{Data: []byte(script + "curl http://x/$A {1..99999999} {a,b}{a,b}")}, nil)
	require.NoError(t, err)
	require.Less(t, len(p.Exchanges[0].Path), 10_000)
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"curl 'http://x/a' -d $'a\\'b' -H a:b --next -G http://y <<EOF\n$A\nEOF", "curl ^\"http://x^\" ^\n -d \"%A%\"", "@a=1\n###\nGET {{a}}\nA: b\n\n{{a}}",
		"> GET / HTTP/1.1\n> Host: x\n< HTTP/1.1 200 OK\n< \n{}", "=> Send header, 1 bytes\n0000: GET / HTTP/1.1\n", "POST /a HTTP/1.1\nA: b\n\nc\nHTTP/1.1 200\n\nd",
		`fetch("http://x/a", {"method":"POST","headers":{"a":"b"},"body":"c"});`, "Invoke-WebRequest -Uri \"http://x`$\" `\n -Headers @{\n\"a\"=\"b\"\n} -Body 'c''d'; # e",
		"2026-03-04 14:02:11 --> POST https://a/Payment/Create\n{'a': None}\n<-- 200 OK\n{\"a\":1}", "> $ http POST a.b/Payment/Create a:=1 b=c\n401", "POST /Payment/Create {\"a\":\n4. März 2026 um 10:00:00 timed out",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []reader{text.Shell, text.Cmd, text.HTTPFile, text.Verbose, text.Messages, text.Fetch, text.PowerShell, text.Pasted} {
			p, err := read(&source.File{Name: "f", Data: []byte(s)}, source.Variables{"a": "{{b}}", "b": "{{a}}"})
			if err != nil {
				continue
			}
			for _, x := range p.Exchanges {
				require.NotEmpty(t, x.Method)
				require.Positive(t, x.Place.Line)
				require.NotEqual(t, recording.Known(""), x.Answer.Known)
			}
		}
	})
}

// TestScriptsOfFunctions reads a script with an array, a function with its arguments and input, and a loop.
func TestScriptsOfFunctions(t *testing.T) {
	t.Parallel()
	p, err := text.Shell(&source.File{Name: "refund.sh", Data: []byte(`JSON=(-H "Content-Type: application/json" -A nightly/1)
send() { curl -sS "${JSON[@]}" "$@"; }
for amount in 1500 2500; do
  send -X POST https://api.example/Payment/Refund/x --data @- <<BODY
{"amount": $amount}
BODY
done
`)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	for i, body := range []string{`{"amount": 1500}`, `{"amount": 2500}`} {
		assert.Equal(t, body, string(p.Exchanges[i].Body))
		assert.Equal(t, "application/json", source.Header(p.Exchanges[i].Header, "Content-Type"))
		assert.Equal(t, "nightly/1", source.Header(p.Exchanges[i].Header, "User-Agent"))
	}
}
