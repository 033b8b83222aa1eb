package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
)

// TestPasted finds the calls in what people paste.
func TestPasted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"prose": {"we call\n\nPOST https://a.example/Payment/Create, with\n{\n \"amount\": 1.5\n}\nand get 400 Bad Request:\n{\"title\":\"no\"}\nwith {\"amount\": 5000, ... } it went well", `
POST https://a.example/Payment/Create? [Content-Type: application/json] {
 "amount": 1.5
} -> whole 400 {"title":"no"}
line 9: an object that belongs to a call whose bodies are known
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"only named": {"POST /Payment/Create is slow since Monday\nGET /Company/List gives 200", `
GET :///Company/List? -> without-body 200 
line 1: an operation is named, but no call to it is shown
`},
		"an access log": {`10.0.0.1 - - [05/Mar/2026:08:00:01 +0000] "GET /Company/List HTTP/1.1" 200 12 "-" "x"` + "\n" + `10.0.0.1 - - [05/Mar/2026:08:00:02 +0000] "GET /Company/List HTTP/1.1" 429 0 "-" "x"`, `
GET :///Company/List? -> without-body 200 
GET :///Company/List? -> without-body 429 
`},
		"a log that sums up": {"send: b'GET /Company/List HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n'\nreply: 'HTTP/1.1 200 OK\\r\\n'\nDEBUG:https://a.example:443 \"GET /Company/List HTTP/1.1\" 200 15\n{'companies': None}", `
GET ://a.example/Company/List? [Host: a.example] -> whole 200 {"companies": null}
`},
		"a prompt": {"C:\\>set TOKEN=abc\nC:\\>curl -X POST \"https://a.example/User/Register\" ^\nMore? -H \"Authorization: Bearer %TOKEN%\" -d \"{\\\"a\\\":1}\"\nHTTP/1.1 401 Unauthorized\n", `
POST https://a.example/User/Register? [Authorization: Bearer abc] [Content-Type: application/x-www-form-urlencoded] {"a":1} -> without-body 401 
`},
		"a console": {"> await fetch(\"https://a.example/Payment/Create\", {\n  \"headers\": {\"content-type\": \"application/json\"},\n  \"body\": \"{\\\"amount\\\":5}\",\n  \"method\": \"POST\"\n});\nHTTP/1.1 400 Bad Request\n", `
POST https://a.example/Payment/Create? [content-type: application/json] {"amount":5} -> without-body 400 
`},
		"PowerShell": {"PS C:\\> $b = @{ amount = 5; ok = $true } | ConvertTo-Json\nPS C:\\> Invoke-RestMethod -Method Post -Uri \"https://a.example/Payment/Create\" -ContentType \"application/json\" -Body $b\nInvoke-RestMethod : error: (400) x", `
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":5,"ok":true} -> without-body 400 
`},
		"HTTPie": {"$ http POST a.example/Payment/Create X-A:b amount:=5 reference='r 1' q==1\nHTTP/1.1 200 OK\nDate: Thu, 05 Mar 2026 14:00:12 GMT\n\n{\"x\":1}", `
POST ://a.example/Payment/Create?q=1 [X-A: b] [Content-Type: application/json] {"amount":5,"reference":"r 1"} -> whole 200 {"x":1}
`},
		"headers as an object": {`--> POST https://a.example/Payment/Create headers={"Host": "a.example", "X-A": ["b"]} body={"amount": 5}` + "\n" + `<-- 200 OK {"x":1}`, `
POST https://a.example/Payment/Create? [Host: a.example] [X-A: b] [Content-Type: application/json] {"amount": 5} -> whole 200 {"x":1}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"a call named with its answer": {`[Request] POST https://a.example/Payment/Create {"Host":"a"} {"amount":5}` + "\n" + `[Response] POST https://a.example/Payment/Create 400:Bad Request {"title":"no"}`, `
POST https://a.example/Payment/Create? [Host: a] [Content-Type: application/json] {"amount":5} -> whole 400 {"title":"no"}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"Postman's console": {"POST https://a.example/Payment/Create: {\n \"Request Headers\": {\"content-type\": \"application/json\"},\n \"Request Body\": \"{\\\"amount\\\":5}\",\n \"Response Headers\": {\"host\": \"b\"},\n \"Response Body\": \"{\\\"status\\\":400}\"\n}", `
POST https://a.example/Payment/Create? [content-type: application/json] {"amount":5} -> whole 400 {"status":400}
`},
		"Net::HTTP": {"> <- \"POST /Payment/Create HTTP/1.1\\r\\nHost: a.example\\r\\nContent-Type: application/json\\r\\n\\r\\n\"\n> <- \"{\\\"amount\\\":5}\"\n> -> \"HTTP/1.1 400 Bad Request\\r\\n\"\n> -> \"\\r\\n\"\n> -> \"{\\\"a\\\":1}\"", `
POST ://a.example/Payment/Create? [Host: a.example] [Content-Type: application/json] {"amount":5} -> whole 400 {"a":1}
`},
		"a form as Spring prints it": {"DEBUG x : HTTP POST https://a.example/Payment/Create\nDEBUG x : Writing [{amount=[45, 00], contactNumber=[+1202]}] as \"application/x-www-form-urlencoded;charset=UTF-8\"\nDEBUG x : Response 415 UNSUPPORTED_MEDIA_TYPE", `
POST https://a.example/Payment/Create? [Content-Type: application/x-www-form-urlencoded] amount=45%2C+00&contactNumber=%2B1202 -> without-body 415 
`},
		"an answer behind a verb": {"GET /Company/List HTTP/1.1\nsignature mismatch, answering 401\nGET /Company/List HTTP/1.1\nresponding 401.\nGET /Company/List HTTP/1.1\nreplied 401\nGET /Company/List HTTP/1.1\nsending 401 (no token)\nGET /Company/List HTTP/1.1\nsending 200 rows, return 500", `
GET :///Company/List? -> without-body 401 
GET :///Company/List? -> without-body 401 
GET :///Company/List? -> without-body 401 
GET :///Company/List? -> without-body 401 
GET :///Company/List? -> without-body 500 
`},
		"what was sent below the status": {"POST https://a.example/Payment/Create -> 400\nPayload:\n{\"amount\":0}\nResponse:\n{\"status\":400}\nGET https://a.example/Company/List\n200 OK\nPayload:\n{\"companies\":[]}", `
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":0} -> whole 400 {"status":400}
GET https://a.example/Company/List? -> whole 200 {"companies":[]}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"what Python's client sends beside the address": {"POST https://a.example/User/Register json={'a': 1}\n<Response [200]> {\"b\":2}\nPOST https://a.example/Payment/Create json={'amount': 64.0}\n<Response [400]> {\"status\":400}", `
POST https://a.example/User/Register? [Content-Type: application/json] {"a": 1} -> whole 200 {"b":2}
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount": 64.0} -> whole 400 {"status":400}
line 1: the headers of calls (2): their bodies are taken as sent with Content-Type: application/json
`},
		"a body that HTTPie takes from the shell": {"$ http -v POST https://a.example/Payment/Create Authorization:'Bearer x' <<< '{\"a\": 1}'\nHTTP/1.1 400 Bad\n\n{\"b\":2}\n$ http POST https://a.example/User/Register --raw \"{\\\"a\\\":2}\"\nHTTP/1.1 200 OK\n", `
POST https://a.example/Payment/Create? [Authorization: Bearer x] [Content-Type: application/json] {"a": 1} -> whole 400 {"b":2}
POST https://a.example/User/Register? [Content-Type: application/json] {"a":2} -> without-body 200 
`},
		"no headers": {`--> POST https://a.example/Payment/Create "headers":{} "request":{"amount":5}` + "\n" + `<-- 200 OK headers={ } {"x":1}`, `
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":5} -> whole 200 {"x":1}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"an arrow before a status, and a body that is cut": {"paycollect > POST /Payment/Refund/p-1 {\"amount\":5} (retry 1)\npaycollect < 400 {\"status\":400,\"errors\":{\"path:id\":[\"exp... (truncated, 680 bytes)\npaycollect > GET /Company/List\npaycollect < 404", `
POST :///Payment/Refund/p-1? [Content-Type: application/json] {"amount":5} -> whole 400 {"status":400,"errors":{"path:id":["…"],"…":"…"},"…":"…"}
GET :///Company/List? -> without-body 404 
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"a media type behind a status": {"19:00:21.251Z > PUT /PaymentPlan/p-1/Activate\n19:00:21.266Z < 400 application/problem+json (716 bytes)", `
PUT :///PaymentPlan/p-1/Activate? -> without-body 400 
`},
		"a status behind a moment": {"Jun 18, 2026 @ 11:40:22.218 POST /Payment/Create by us\nJun 18, 2026 @ 11:40:22.540 200 {\"paymentRequestId\":\"p\"}\nJun 18, 2026 @ 11:40:23.540 GET /Payment/p/Status 200 {\"id\":\"p\"}", `
POST :///Payment/Create? [Content-Type: application/json] (missing) -> whole 200 {"paymentRequestId":"p"}
GET :///Payment/p/Status? -> whole 200 {"id":"p"}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"what only answers hold": {"POST /Payment/Create by us\n{\"paymentRequestId\":\"p\"}\nPOST /Payment/Refund\n{\"paymentRequestId\":\"p\"}", `
POST :///Payment/Create? [Content-Type: application/json] (missing) -> whole 200 {"paymentRequestId":"p"}
POST :///Payment/Refund? [Content-Type: application/json] {"paymentRequestId":"p"} -> not-recorded 0 
line 2: the status of an answer, of which only the body is shown: taken as 200
line 1: the headers of calls (2): their bodies are taken as sent with Content-Type: application/json
`},
		"a request of Laravel's client": {`[2026-05-06 11:10:12] production.INFO: PayCollect request {"method":"POST","uri":"https:\/\/a.example\/Payment\/Create","json":{"amount":125}}` + " \n" + `[2026-05-06 11:10:12] production.INFO: PayCollect response {"status":200,"body":{"paymentRequestId":"p"}}`, `
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":125} -> whole 200 {"paymentRequestId":"p"}
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"an object of what comes later": {"10:00:01 request: POST /Payment/Refund/p-1 {\"amount\":5}\n10:00:02 response: 200 (no body)\n10:00:05 Redis with {\"size\":10}\n10:00:06 request: PUT /Payment/p-1/Cancel\n10:00:07 response: 200\n10:00:08 flags {\"on\":false}\n10:00:09 request: PUT /Payment/p-2/Cancel\n10:00:10 response: 200\n{\"x\":1}\n10:00:11 request: PUT /Payment/p-3/Cancel\n10:00:12 response: 200\n10:00:12 body {\"x\":2}\n", `
POST :///Payment/Refund/p-1? [Content-Type: application/json] {"amount":5} -> without-body 200 
PUT :///Payment/p-1/Cancel? -> without-body 200 
PUT :///Payment/p-2/Cancel? -> whole 200 {"x":1}
PUT :///Payment/p-3/Cancel? -> whole 200 {"x":2}
line 3: an object of a line that says something else
line 6: an object of a line that says something else
line 1: the headers of calls (1): their bodies are taken as sent with Content-Type: application/json
`},
		"a request that ends with a header": {"2026-10-08 10:00:01.500 [w] INFO  Client - REQUEST: https://a.example/User/u-1/DebitAuth?companyId=c METHOD: HttpMethod(value=GET) -> Authorization: Bearer eyJhbGciOi…k3Vq\n2026-10-08 10:00:02.743 [w] INFO  Client - RESPONSE: 200 OK METHOD: HttpMethod(value=GET) FROM: https://a.example/User/u-1/DebitAuth?companyId=c BODY {\"enabled\":false}", `
GET https://a.example/User/u-1/DebitAuth?companyId=c -> whole 200 {"enabled":false}
`},
		"an answer that tells its call again": {"axios → POST https://a.example/Payment/Create {\"amount\":1}\naxios ← 200 POST /Payment/Create 640ms {\"paymentRequestId\":\"p\"}\naxios → POST https://a.example/Payment/Create {\"amount\":2}\naxios ✕ POST /Payment/Create AxiosError: timeout of 5000ms exceeded code=ECONNABORTED\naxios → GET https://a.example/Payment/p/Status\naxios ← 401 GET /Payment/p/Status 5ms", `
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":1} -> whole 200 {"paymentRequestId":"p"}
POST https://a.example/Payment/Create? [Content-Type: application/json] {"amount":2} -> never-arrived 0 
GET https://a.example/Payment/p/Status? -> without-body 401 
line 1: the headers of calls (2): their bodies are taken as sent with Content-Type: application/json
`},
		"lost": {"--> PUT https://a.example/Payment/1/Cancel\njava.net.SocketTimeoutException: timed out", `
PUT https://a.example/Payment/1/Cancel? -> never-arrived 0 
`},
	} {
		readtest.Reader(text.Pasted).Reads(t, name, c.text, c.want)
	}
	_, err := text.Pasted(&source.File{Name: "x", Data: []byte("POST /Payment/Create is slow")}, nil)
	require.ErrorContains(t, err, "no call stands in it")
}

// TestSearchIsBounded: objects that do not end are not tried from each of their lines.
func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	_, err := text.Pasted(&source.File{Name: "x", Data: []byte("POST /Payment/Create\n" + strings.Repeat("{\"a\":\n", 200_000))}, nil)
	require.NoError(t, err)
}

// TestALineOfBracketsIsLeft: it would be searched again from each of its brackets.
func TestALineOfBracketsIsLeft(t *testing.T) {
	t.Parallel()
	calls := "POST /Payment/Create\n{\"amount\":1}\nHTTP/1.1 400 Bad Request\n"
	p, err := text.Pasted(&source.File{Name: "a", Data: []byte(calls + strings.Repeat("{", 100_000) + "\n" + calls)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2, "what follows is read")
	require.Contains(t, fmt.Sprint(p.Skipped), "was not searched")
}

// TestALongLineIsReadToItsEnd: what stands in it is not searched for again from each place,
// which took 17 s for a line of 256 KiB, and left the rest of a longer one unread.
func TestALongLineIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"http://b.example/x ", `{"a":1} `, "Bearer abc.def ", "{ x } ", "response 20 "} {
		line := strings.Repeat(part, 60_000/len(part)) + "POST /Payment/Create {\"amount\":1} -> 400 Bad Request"
		p, err := text.Pasted(&source.File{Name: "a", Data: []byte(line)}, nil)
		require.NoError(t, err, part)
		require.Len(t, p.Exchanges, 1, part)
		require.NotContains(t, fmt.Sprint(p.Skipped), "was not searched", part)
	}
}

func FuzzPasted(f *testing.F) {
	for _, seed := range []string{
		"curl 'http://x/a' -d $'a\\'b' -H a:b --next -G http://y <<EOF\n$A\nEOF", "curl ^\"http://x^\" ^\n -d \"%A%\"", "@a=1\n###\nGET {{a}}\nA: b\n\n{{a}}",
		"> GET / HTTP/1.1\n> Host: x\n< HTTP/1.1 200 OK\n< \n{}", "=> Send header, 1 bytes\n0000: GET / HTTP/1.1\n", "POST /a HTTP/1.1\nA: b\n\nc\nHTTP/1.1 200\n\nd",
		`fetch("http://x/a", {"method":"POST","headers":{"a":"b"},"body":"c"});`, "Invoke-WebRequest -Uri \"http://x`$\" `\n -Headers @{\n\"a\"=\"b\"\n} -Body 'c''d'; # e",
		"2026-03-04 14:02:11 --> POST https://a/Payment/Create\n{'a': None}\n<-- 200 OK\n{\"a\":1}", "> $ http POST a.b/Payment/Create a:=1 b=c\n401", "POST /Payment/Create {\"a\":\n4. März 2026 um 10:00:00 timed out",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		readtest.Reader(text.Pasted).Survives(t, s)
	})
}
