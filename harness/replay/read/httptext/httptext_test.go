package httptext_test

import (
	"testing"

	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/readtest"
)

func TestReaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read       readtest.Reader
		text, want string
	}{
		".http": {httptext.HTTPFile, `@base = https://{{host}}
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
		".http with answers": {httptext.HTTPFile, `GET https://api.example.com/a

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
		"curl -v": {httptext.Verbose, "$ curl -v https://api.example.com/Payment/Create -H 'Authorization: Bearer abc' \\\n  -d '{\"amount\":1}'\n*   Trying 10.0.0.1:443...\n* SSL connection using TLSv1.3\n> POST /Payment/Create HTTP/2\r\n> Host: api.example.com\r\n> Content-Length: 12\r\n> \r\n} [12 bytes data]\n< HTTP/2 200 \r\n< content-type: application/json\r\n< \r\n{ [2 bytes data]\n" +
			"100    2  100    2    0     0  72294      0 --:--:-- --:--:-- --:--:-- 82000\n{}* Connection #0 to host api.example.com left intact\n" +
			"* Re-using existing connection! (#0) with host api.example.com\n> POST /Payment/Create HTTP/1.1\n> Host: api.example.com\n> Content-Length: 5\n>\n* Empty reply from server\ncurl: (52) Empty reply from server\n", `
POST https://api.example.com/Payment/Create? [Host: api.example.com] [Content-Length: 12] {"amount":1} -> whole 200 {}
POST https://api.example.com/Payment/Create? [Host: api.example.com] [Content-Length: 5] (missing) -> never-arrived 0 
line 17: curl -v does not show the request's body; --trace-ascii - does, or the command in the same file
`},
		"curl --trace-ascii": {httptext.Verbose, "17:00:00.000001 == Info:   Trying 127.0.0.1:8484...\n=> Send header, 60 bytes (0x3c)\n0000: POST /Company/Create HTTP/1.1\n001f: Host: 127.0.0.1:8484\n0035: Content-Length: 15\n0049: \n=> Send data, 15 bytes (0xf)\n0000: {\"a\":1,. \"b\":2}\n<= Recv header, 17 bytes (0x11)\n0000: HTTP/1.1 401 Unauthorized\n<= Recv header, 19 bytes\n0000: Content-Length: 2\n<= Recv header, 2 bytes (0x2)\n0000: \n<= Recv data, 2 bytes (0x2)\n0000: {}\n{}", `
POST http://127.0.0.1:8484/Company/Create? [Host: 127.0.0.1:8484] [Content-Length: 15] {"a":1,
 "b":2} -> whole 401 {}
`},
		"httpyac": {httptext.Messages, "---------------------\n\n=== login ===\n\nPOST http://127.0.0.1:8484/Authentication/Token\ncontent-type: application/json\n\n{\"clientId\":\"a\"}\nHTTP/1.1 200  - OK\ncontent-length: 11\ncontent-type: application/json\n\n{\n  \"a\": []\n}\n\n---------------------\n\nGET http://127.0.0.1:8484/Company/List\naccept: */*\nHTTP/1.1 200  - OK\ncontent-length: 8\n\n{\n  \"a\": []\n}\n\n2 requests processed (2 succeeded)\n", `
POST http://127.0.0.1:8484/Authentication/Token? [content-type: application/json] {"clientId":"a"} -> whole 200 {
  "a": []
}
GET http://127.0.0.1:8484/Company/List? [accept: */*] -> whole 200 {
  "a": []
}
`},
		"webhooks as received": {httptext.Messages, "2026-03-02T17:00:01Z\nPOST /hooks HTTP/1.1\r\nHost: shop.example.org\r\nX-HMAC-Signature: sha256=00\r\nContent-Length: 13\r\n\r\n{\"Event\":\"A\"}\r\n\nPOST /hooks HTTP/1.1\nHost: shop.example.org\n\n{\"Event\":\"B\"}\n", `
POST ://shop.example.org/hooks? [Host: shop.example.org] [X-HMAC-Signature: sha256=00] [Content-Length: 13] {"Event":"A"} -> not-recorded 0 
POST ://shop.example.org/hooks? [Host: shop.example.org] {"Event":"B"} -> not-recorded 0 
`},
		"headers alone": {httptext.Messages, "X-HMAC-Signature: sha256=00\nContent-Type: application/json\n\n{\"Event\":\"A\"}", `
POST :///? [X-HMAC-Signature: sha256=00] [Content-Type: application/json] {"Event":"A"} -> not-recorded 0 
`},
	} {
		c.read.Reads(t, name, c.text, c.want)
	}
}

func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		"@a=1\n###\nGET {{a}}\nA: b\n\n{{a}}", "POST /a HTTP/1.1\nA: b\n\nc\nHTTP/1.1 200\n\nd",
		"> GET / HTTP/1.1\n> Host: x\n< HTTP/1.1 200 OK\n< \n{}", "=> Send header, 1 bytes\n0000: GET / HTTP/1.1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []readtest.Reader{httptext.HTTPFile, httptext.Verbose, httptext.Messages} {
			read.Survives(t, s)
		}
	})
}
