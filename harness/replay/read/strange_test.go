package read_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestStrangeForms reads calls whose parts stand beneath other marks, or apart: each is one
// payment of 4500 that was answered with 400.
func TestStrangeForms(t *testing.T) {
	t.Parallel()
	const behind = `{"level":"info","method":"POST","url":"https://api.example/Payment/Create","headers":{"Accept":"*/*"},"request":{"amount":4500},"status_code":400,"response":"{\"status\":400}"}`
	for name, data := range map[string]string{
		"columns with names of their own": "#\tZeitpunkt\tAufruf\tGesendet\tCode\tEmpfangen\n" +
			"1\t02.03.2026 17:00:04\tPOST https://api.example/Payment/Create\t\"{\"\"amount\"\":4500}\"\t400\t\"{\"\"status\"\":400}\"\n",
		"an object as Java prints it": "INFO: HttpRequest{method=POST, uri=https://api.example/Payment/Create, headers={Accept=[application/json]}, body={\"amount\":4500}}\n" +
			"INFO: HttpResponse{status=400, headers={Content-Type=[application/json]}, body={\"status\":400}}\n",
		"an answer in lists": `{"run":{"HTTP Request":[{"inputOptions":{"method":"POST","url":"https://api.example/Payment/Create","jsonBody":"{\"amount\":4500}"},` +
			`"data":{"main":[[{"json":{"statusCode":400,"headers":{"content-type":"application/json"},"body":{"status":400}}}]]}}]}}`,
		"a method above its address": "Collecta array (\n  'request' => array (\n    'method' => 'POST',\n    'uri' => 'https://api.example/Payment/Create',\n    'body' => '{\"amount\":4500}',\n  ),\n" +
			"  'response' => array (\n    'status' => 400,\n    'body' => '{\"status\":400}',\n  ),\n)\n",
		"two events of one id": `{"type":"REQUEST","correlationId":"c-17","httpMethod":"POST","requestUri":"https://api.example/Payment/Create","requestPayload":"{\"amount\":4500}"}` + "\n" +
			`{"type":"RESPONSE","correlationId":"c-17","httpStatus":400,"responsePayload":"{\"status\":400}"}` + "\n",
		"rows of a dump": "12:00:01.123 WRITE: 75B\n+--------+-------------------------------------------------+----------------+\n" + dump("POST /Payment/Create HTTP/1.1\r\nHost: api.example\r\nContent-Length: 15\r\n\r\n{\"amount\":4500}") +
			"12:00:02.123 READ: 75B\n" + dump("HTTP/1.1 400 Bad Request\r\nContent-Length: 14\r\n\r\n{\"status\":400}"),
		"milliseconds behind the word response":             "12:00:01 DEBUG request:\n1 > POST https://api.example/Payment/Create\n1 > Accept: */*\n{\"amount\":4500}\n\n12:00:02 DEBUG response time in milliseconds: 263\n1 < 400\n1 < Date: x\n{\"status\":400}\n",
		"bodies in objects of a line":                       `{"method":"POST","url":"https://api.example/Payment/Create","request":{"body":{"text":"{\"amount\":4500}","charset":"UTF-8"}},"response":{"status":400,"body":{"text":"{\"status\":400}","charset":"UTF-8"}}}`,
		"a call with a message of its own":                  `[{"request__method":"POST","request__url":"https://api.example/Payment/Create","request__data":"{\"amount\":4500}","response__status_code":400,"response__content":"{\"status\":400}","message":"400 POST https://api.example/Payment/Create"}]`,
		"lines behind their numbers":                        "POST  v  https://api.example/Payment/Create  Send  v\nBody  Scripts\n1 {\n2   \"amount\": 4500\n3 }\nTest Results  400 Bad Request  12 ms\n1 {\n2   \"status\": 400\n3 }\n",
		"objects behind what Docker puts before each line":  "2026-03-02T17:00:04.231Z " + behind + "\n",
		"objects behind a logger's marks":                   "2026-03-02 17:00:04,231 INFO payments " + behind + "\n2026-03-02 17:00:05,000 INFO other ready\n",
		"an object behind a line of text":                   "START RequestId: 17\n" + behind + "\n",
		"a row of a table":                                  "| # | Request | Sent | Status | Response |\n|---|---|---|---|---|\n| 1 | `POST /Payment/Create` | `{\"amount\":4500}` | 400 | `{\"status\":400}` |\n",
		"a table of a tracker, with what was sent below it": "*Step 1* (02 Mar 2026, 18:00:00)\n||Method||Endpoint||HTTP status||Duration||\n|POST|https://api.example/Payment/Create|400|82 ms|\n\nRequest headers:\n{noformat}\nAccept: */*\n{noformat}\nPayload:\n{code:json}\n{\n  \"amount\": 4500\n}\n{code}\nResponse:\n{code:json}\n{\n  \"status\": 400\n}\n{code}\n",
		"a table of Markdown, with what was sent below it":  "### Step 1 (2026-03-02 18:00:00 UTC)\n\n| Method | Endpoint | Status |\n|---|---|---|\n| POST | https://api.example/Payment/Create | 400 |\n\nRequest headers:\n\n```\nAccept: */*\n```\n\nPayload:\n\n```json\n{\n  \"amount\": 4500\n}\n```\n\nResponse:\n\n```json\n{\n  \"status\": 400\n}\n```\n",
		"a call and its answer, each with the address": `{"HttpMethod":"POST","Uri":"https://api.example/Payment/Create","RequestBody":"{\"amount\":4500}","RequestHeaders":["Accept: application/json"],"Span":"7"}` + "\n" +
			`{"HttpMethod":"POST","Uri":"https://api.example/Payment/Create","StatusCode":400,"ResponseBody":"{\"status\":400}","ResponseHeaders":["Date: x"],"Span":"7"}` + "\n",
		"what Python's client sends": "send: b'POST /Payment/Create HTTP/1.1\\r\\nHost: api.example\\r\\nContent-Length: 15\\r\\n\\r\\n'\nsend: b'{\"amount\":4500}'\nreply: 'HTTP/1.1 400 Bad Request\\r\\n'\nheader: Content-Length: 14\nDEBUG:root:{\"status\":400}\n",
		"an error as Node prints it, with what it was configured, sent and answered": "AxiosError: Request failed with status code 400\n    at settle (axios.cjs:2671:12) {\n  config: [Object: null prototype] {\n    headers: Object [AxiosHeaders] {\n      Accept: 'application/json'\n    },\n    method: 'post',\n    url: 'https://api.example/Payment/Create',\n    data: '{\"amount\":' +\n      '4500}'\n  },\n" +
			"  request: <ref *1> ClientRequest {\n    method: 'POST',\n    path: '/Payment/Create',\n    outputData: [],\n    res: IncomingMessage { statusCode: 400, req: [Circular *1], match: /^(?:a)$/i }\n  },\n  response: { status: 400, headers: Object [AxiosHeaders] {}, data: { status: 400 } }\n}\n",
		"arrays as PHP prints them, the one that is sent before the request": "request body: Array\n(\n    [amount] => 4500\n)\n\n> POST /Payment/Create HTTP/1.1\nHost: api.example\n\n< HTTP/1.1 400 Bad Request\n< Content-Type: application/json\n< \nresponse: Array\n(\n    [status] => 400\n)\n",
		"a hash as Ruby prints it":                              "POST https://api.example/Payment/Create\nrequest body: {:amount=>4500}\n400 Bad Request\nresponse body: {\"status\"=>400}\n",
		"boxes in which long lines are broken":                  "→ Pay\n  POST https://api.example/Payment/Create\n  400 Bad Request ★ 76ms time ★ 364B↑ 483B↓ size\n  ┌ ↑ raw ★ 15B\n  │ {\"amount\":\n  │ 4500}\n  └ \n  ┌ ↓ application/json ★ 14B\n  │ {\"status\": \n  │ 400}\n  └\n",
		"a connection with the counts of its bytes":             "Follow: tcp,ascii\n64\nPOST /Payment/Create HTTP/1.1\nHost: api.example\nContent-Length: 15\n\n\n15\n{\"amount\":4500}\n\t49\nHTTP/1.1 400 Bad Request\nContent-Length: 14\n\n\n\t14\n{\"status\":400}\n=====\n",
		"a server's log that names the first line of a request": `{"msec":"1795528255.978","request":"POST /Payment/Create HTTP/1.1","request_body":"{\"amount\":4500}","status":"400","resp_body":"{\"status\":400}","upstream_addr":"10.9.1.4:443"}` + "\n",
		"an answer that names its address, too":                 `[{"request":{"method":"POST","url":"https://api.example/Payment/Create","data":"{\"amount\":4500}"},"response":{"status":400,"data":{"status":400},"url":"https://api.example/Payment/Create"},"status":"pass"}]`,
		"lines behind their moments":                            `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"shop"},"values":[["1795528255978000000","level=info msg=\"http call\" method=POST url=https://api.example/Payment/Create status=400 req=\"{\\\"amount\\\":4500}\" resp=\"{\\\"status\\\":400}\""]]}]}}`,
		"packets, of which the answer's names its address": `[{"layers":{"http":{"POST /Payment/Create HTTP/1.1\\r\\n":{"http.request.method":"POST","http.request.uri":"/Payment/Create"},"http.host":"api.example","http.request.full_uri":"https://api.example/Payment/Create","http.file_data":"{\"amount\":4500}"}}},` +
			`{"layers":{"http":{"HTTP/1.1 400 Bad Request\\r\\n":{"http.response.code":"400","http.response.code.desc":"Bad Request"},"http.response_for.uri":"https://api.example/Payment/Create","http.file_data":"{\"status\":400}"}}}]`,
		"a command of wget":         "+ wget -S -O - --method POST --header 'Content-Type: application/json' --body-data '{\"amount\":4500}' https://api.example/Payment/Create\n--2026-11-24 14:42:08--  https://api.example/Payment/Create\nHTTP request sent, awaiting response... \n  HTTP/1.1 400 Bad Request\n  Date: Tue, 24 Nov 2026 14:42:08 GMT\n{\"status\":400}\n",
		"pairs as Java shows heads": "FINE: sun.net.www.MessageHeader@61 pairs: {POST /Payment/Create HTTP/1.1: null}{Content-Type: application/json}{Host: api.example}\nbody: {\"amount\":4500}\nFINE: sun.net.www.MessageHeader@7c pairs: {null: HTTP/1.1 400 Bad Request}{Date: x}\n<- 400 {\"status\":400}\n",
		"what was sent before curl's lines, and what came behind a word": "body: {\"amount\":4500}\n> POST /Payment/Create HTTP/1.1\nHost: api.example\nContent-Type: application/json\nContent-Length: 15\n\n< HTTP/1.1 400 Bad Request\n< Content-Length: 14\n< \n* Connection #0 to host api.example left intact\nresult string(14) \"{\"status\":400}\"\n",
		"a request as an object, and the answer beside it":               "Error {\n  req: { method: 'POST', url: 'https://api.example/Payment/Create', data: { amount: 4500 }, headers: { accept: '*/*' } },\n  header: { date: 'x' },\n  status: 400,\n  text: '{\"status\":400}'\n}\n",
		"an answer in comments":                                          "POST https://api.example/Payment/Create\nContent-Type: application/json\n\n{\"amount\":4500}\n\n# HTTP/1.1 400 Bad Request\n# Date: x\n#\n# {\"status\":400}\n\n### 2\n",
		"what PHP dumps behind curl's lines, shorter than it came":       "> POST /Payment/Create HTTP/1.1\nHost: api.example\nContent-Length: 15\n\n< HTTP/1.1 400 Bad Request\n< Content-Length: 99\n< \n* Connection #0 to host api.example left intact\nstring(15) \"{\"amount\":4500}\"\nstring(14) \"{\"status\":400}\"\n",
		"a method in small letters":                                      "[pay] -> post https://api.example/Payment/Create {\"amount\":4500}\n[pay] <- 400 {\"status\":400}\n",
		"maps as Elixir prints them":                                     ">>> REQUEST >>>\nPOST https://api.example/Payment/Create\naccept: */*\n%{\"amount\" => 4500}\n\n<<< RESPONSE <<<\nstatus: 400\n%{\"status\" => 400}\n",
		"a path without its first slash":                                 "17:00:04,175 INFO - calling Payment/Create with payload {'amount': 4500}\n17:00:04,176 DEBUG - http://127.0.0.1:45807 \"POST /Payment/Create HTTP/1.1\" 400 14\n17:00:04,177 INFO - gateway answered 400: {'status': 400}\n",
		"objects behind their names":                                     "2026-03-02 17:00:04,426 | DEBUG | http | request={'method': 'POST', 'url': 'https://api.example/Payment/Create', 'headers': {'Accept': '*/*'}, 'json': {'amount': 4500}} response={'status': 400, 'headers': {'Date': 'x'}, 'body': '{\"status\":400}'}\n",
		"a method behind the address": "17:00:04.1 (7)|CALLOUT_REQUEST|[41]|System.HttpRequest[Endpoint=https://api.example/Payment/Create, Method=POST]\n17:00:04.1 (8)|USER_DEBUG|REQ BODY {\"amount\":4500}\n" +
			"17:00:05.1 (9)|CALLOUT_RESPONSE|[41]|System.HttpResponse[Status=Bad Request, StatusCode=400]\n17:00:05.1 (9)|USER_DEBUG|RES BODY {\"status\":400}\n",
		"a body over lines, each behind the logger's": "2026-03-02 17:00:04 client: POST https://api.example/Payment/Create\n2026-03-02 17:00:04 client: {\n2026-03-02 17:00:04 client:   \"amount\": 4500\n2026-03-02 17:00:04 client: }\n" +
			"2026-03-02 17:00:04 client: HTTP/1.1 400 Bad Request\n2026-03-02 17:00:04 client: {\"status\":400}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readAll(t, read.Options{}, source.File{Name: "report", Data: []byte(data)})
			require.Len(t, r.Exchanges, 1)
			x := r.Exchanges[0]
			assert.Equal(t, "POST /Payment/Create", x.Method+" "+x.Path)
			assert.JSONEq(t, `{"amount":4500}`, string(x.Body))
			assert.Equal(t, 400, x.Answer.Status)
			assert.JSONEq(t, `{"status":400}`, string(x.Answer.Body))
		})
	}
}

// TestReceiverLog reads webhooks from the log of their receiver, where headers stand as CGI, Rack and PHP
// name them, and takes what was answered.
func TestReceiverLog(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "receiver.log", Data: []byte(`I, [2026-03-02T17:00:04.899133 #4411]  INFO -- : Started POST "/hooks/payments" for 127.0.0.1
D, [2026-03-02T17:00:04.899133 #4411] DEBUG -- :   HTTP_X_HMAC_SIGNATURE=sha256=c51a
D, [2026-03-02T17:00:04.899133 #4411] DEBUG -- :   raw_post={"Live":false,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"x"}}
I, [2026-03-02T17:00:04.899133 #4411]  INFO -- : Completed 401 Unauthorized in 3ms
`)})
	require.Len(t, r.Received, 1)
	w := r.Received[0]
	assert.Equal(t, "sha256=c51a", source.Header(w.Header, "X-HMAC-Signature"))
	assert.Equal(t, 401, w.Status)
	assert.Equal(t, "2026-03-02T17:00:04.899133Z", w.At.Format("2006-01-02T15:04:05.999999Z"))
}

// TestReceiverConsole reads a webhook whose headers stand as an object before it, and takes the receiver's own
// line of it for no call.
func TestReceiverConsole(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "flask.log", Data: []byte(`2026-03-02 17:00:04,899 DEBUG in hooks: headers: {'Host': 'shop.example', 'Content-Type': 'application/json', 'X-Hmac-Signature': 'sha256=c51a'}
2026-03-02 17:00:04,899 DEBUG in hooks: body: b'{"Live":false,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"x"}}'
2026-03-02 17:00:04,901 INFO in _internal: 127.0.0.1 - - [02/Mar/2026 17:00:04] "POST /hooks/payments HTTP/1.1" 401 -
`)})
	assert.Empty(t, r.Exchanges)
	require.Len(t, r.Received, 1)
	assert.Equal(t, "sha256=c51a", source.Header(r.Received[0].Header, "X-HMAC-Signature"))
	assert.Equal(t, 401, r.Received[0].Status)
}

// TestAnAccessLogShowsTheSignature: under whatever name, and that there was none only where nothing stands in its place.
func TestAnAccessLogShowsTheSignature(t *testing.T) {
	t.Parallel()
	line := func(end string) string {
		return `203.0.113.9 - - [02/Mar/2026:17:00:04 +0000] "POST /hooks HTTP/1.1" 401 0 "-" "pay-events/2" body="{\x22Event\x22:\x22COMPANY_VERIFICATION_STATUS_CHANGED\x22,\x22Data\x22:{\x22CompanyId\x22:\x22x\x22}}"` + end + "\n"
	}
	r := readAll(t, read.Options{}, source.File{Name: "access.log", Data: []byte(line(` hmac="sha256=`+strings.Repeat("ab", 32)+`"`) + line(` hmac="-"`) + line(` hmac=""`) + line(` hmac=- x=1`) + line(``) + line(` hmac=kept`))})
	require.Len(t, r.Received, 6)
	assert.Equal(t, "sha256="+strings.Repeat("ab", 32), source.Header(r.Received[0].Header, "X-HMAC-Signature"))
	for i, unsigned := range []bool{false, true, true, true, false, false} {
		assert.Equal(t, unsigned, r.Received[i].Unsigned, i)
		assert.Equal(t, 401, r.Received[i].Status)
		assert.Equal(t, "pay-events/2", source.Header(r.Received[i].Header, "User-Agent"))
	}
}

// TestEventsBetweenCalls are webhooks where a logger holds each within its context, whatever was called before.
func TestEventsBetweenCalls(t *testing.T) {
	t.Parallel()
	event := func(n int) string {
		return fmt.Sprintf(`[2026-03-02 11:00:0%d] production.INFO: webhook received {"ok":true,"body":{"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"%d"}}}`+"\n", n, n)
	}
	r := readAll(t, read.Options{}, source.File{Name: "laravel.log", Data: []byte(event(1) +
		`[2026-03-02 11:00:02] production.DEBUG: --> POST /Payment/Create {"amount":4500}` + "\n" + event(3) +
		`[2026-03-02 11:00:04] production.DEBUG: <-- 200 {"paymentRequestId":"x"}` + "\n" + event(5) + event(6))})
	require.Len(t, r.Received, 4)
	require.Len(t, r.Exchanges, 1)
	assert.JSONEq(t, `{"paymentRequestId":"x"}`, string(r.Exchanges[0].Answer.Body))
	assert.Equal(t, 200, r.Exchanges[0].Answer.Status)
	assert.Equal(t, "11:00:05", r.Received[2].At.Format("15:04:05"))
}

// TestWhatIsNobodys leaves out what no host and no path say to be the service's, and takes what a
// proxy notes of a client that went away for no answer.
func TestWhatIsNobodys(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "access.log", Data: []byte(`10.4.0.21 - - [02/Mar/2026:17:00:04 +0000] "POST /api/4501/envelope HTTP/1.1" 200 11 req_body="{\x22event\x22:1}" resp_body="{\x22ok\x22:true}"
10.4.0.21 - - [02/Mar/2026:17:00:05 +0000] "POST /Payment/Create HTTP/1.1" 499 0 req_body="{\x22amount\x22:4500}" resp_body="-"
`)})
	require.Len(t, r.Exchanges, 1)
	assert.JSONEq(t, `{"amount":4500}`, string(r.Exchanges[0].Body))
	assert.Equal(t, recording.NeverArrived, r.Exchanges[0].Answer.Known)
	assert.Zero(t, r.Exchanges[0].Answer.Status)
}

// dump is a text as it is dumped, in rows of 16 bytes.
func dump(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i += 16 {
		row := text[i:min(i+16, len(text))]
		fmt.Fprintf(&b, "|%08x| % -47x |%-16s|\n", i, row, strings.Map(func(r rune) rune {
			if r < 32 {
				return '.'
			}
			return r
		}, row))
	}
	return b.String()
}

// TestWhatALoggerPutsBehind is no body: a request that says nothing of one has none.
func TestWhatALoggerPutsBehind(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "run.log", Data: []byte(`time="2026-03-02T17:00:04Z" msg="Request:\nGET /Company/List HTTP/1.1\r\nHost: api.example\r\nAccept: */*\r\n\r\n" group= iter=0
time="2026-03-02T17:00:04Z" msg="Response:\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]" group= iter=0
`)})
	require.Len(t, r.Exchanges, 1)
	assert.Empty(t, string(r.Exchanges[0].Body))
	assert.Equal(t, "[]", string(r.Exchanges[0].Answer.Body))
}

// TestLogsThatNameTheirFields reads calls of which only a line is told.
func TestLogsThatNameTheirFields(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "access.log", Data: []byte("#Version: 1.0\n#Fields: date time cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent)\n" +
		"2026-03-02\t17:00:04\tPOST\tapi.example\t/Payment/Create\t400\tacme/1.9%20(x)\n2026-03-02\t17:00:34\tGET\tapi.example\t/Company/List\t000\t-\n")})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, 400, r.Exchanges[0].Answer.Status)
	assert.True(t, r.Exchanges[0].BodyMissing)
	assert.Equal(t, "acme/1.9 (x)", source.Header(r.Exchanges[0].Header, "User-Agent"))
	assert.Equal(t, recording.NeverArrived, r.Exchanges[1].Answer.Known)
}

// TestLibcurlMarksTheFirstLineAlone reads headers behind it, and that a body was sent.
func TestLibcurlMarksTheFirstLineAlone(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "debug.txt", Data: []byte("* Connected\n> POST /Payment/Create HTTP/1.1\r\nHost: api.example\r\nContent-Type: application/json\r\nContent-Length: 61\r\n\r\n* upload completely sent off\n< HTTP/1.1 200 OK\r\n< Content-Length: 359\r\n< \r\n* left intact\n")})
	require.Len(t, r.Exchanges, 1)
	assert.Equal(t, "api.example", r.Exchanges[0].Host)
	assert.True(t, r.Exchanges[0].BodyMissing)
}

// TestStatusAbove gives each status to the request below it, also the last.
func TestStatusAbove(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "portal.txt", Data: []byte("HTTP status: 200\nPOST /Payment/Create\nRequest body:\n{\"amount\":1}\nResponse body:\n{\"paymentRequestId\":\"a\"}\n\n" +
		"HTTP status: 401\nGET /Payment/a/Status\nRequest body:\n(empty)\nResponse body:\n(empty)\n")})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, 200, r.Exchanges[0].Answer.Status)
	assert.Equal(t, `{"amount":1}`, string(r.Exchanges[0].Body))
	assert.Equal(t, 401, r.Exchanges[1].Answer.Status)
}

// TestLinesThatSumUp is a call that its line tells twice, and one that sends nothing, as an object.
func TestLinesThatSumUp(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "log", Data: []byte(`[2026-03-02T17:00:04+00:00] c.DEBUG: "POST /Payment/Create HTTP/1.1" 400 14 >>>>>>>> POST /Payment/Create HTTP/1.1 Accept: */*  {"amount":4500} <<<<<<<< HTTP/1.1 400 Bad Request Date: x  {"status":400} -------- NULL
[2026-03-02T17:00:05+00:00] c.INFO: GET https://api.example/User/7/Status req={} status=200 res={"status":"Registered"}
`)})
	require.Len(t, r.Exchanges, 2)
	assert.JSONEq(t, `{"amount":4500}`, string(r.Exchanges[0].Body))
	assert.JSONEq(t, `{"status":400}`, string(r.Exchanges[0].Answer.Body))
	assert.JSONEq(t, `{"status":"Registered"}`, string(r.Exchanges[1].Answer.Body))
}

// TestAnswersThatNoWordCallsLost are those of calls that were made again, where all others are shown.
func TestAnswersThatNoWordCallsLost(t *testing.T) {
	t.Parallel()
	pay := `{"time":"2026-03-02T17:00:0%dZ","method":"POST","url":"https://api.example/Payment/Create","body":"{\"amount\":1}"%s}` + "\n"
	list := `{"time":"2026-03-02T17:00:00Z","method":"GET","url":"https://api.example/Company/List","status":200,"answer":"[]"}` + "\n"
	lines := list + list + list + fmt.Sprintf(pay, 1, "")
	r := readAll(t, read.Options{}, source.File{Name: "a", Data: []byte(lines)})
	assert.Equal(t, recording.NotRecorded, r.Exchanges[3].Answer.Known, "the file ends")
	r = readAll(t, read.Options{}, source.File{Name: "a", Data: []byte(lines + fmt.Sprintf(pay, 5, `,"status":200,"answer":"{}"`))})
	assert.Equal(t, recording.NeverArrived, r.Exchanges[3].Answer.Known)
}

// TestTheDateOfAnAnswerIsNoLoggers gives a call the time that the log has before it, not that of the answer before it.
func TestTheDateOfAnAnswerIsNoLoggers(t *testing.T) {
	t.Parallel()
	one := "Mar 02, 2026 %s com.acme.Client send\nINFO: HttpRequest{method=GET, uri=https://api.example/Company/List, headers={Accept=[application/json]}, body=<none>}\n" +
		"INFO: HttpResponse{status=200, headers={Date=[Mon, 02 Mar 2026 %s GMT]}, body={\"companies\":[]}}\n"
	r := readAll(t, read.Options{}, source.File{Name: "server.out", Data: []byte(fmt.Sprintf(one, "5:00:00 PM", "17:00:00") + fmt.Sprintf(one, "7:01:19 PM", "19:01:19"))})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, "19:01:19", r.Exchanges[1].Begin.Format("15:04:05"))
}

// TestMessagesThatHoldNoBody reads an answer whose body is empty: its headers and status are none.
func TestMessagesThatHoldNoBody(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "a", Data: []byte(`{"request":{"method":"POST","url":"https://api.example/Payment/Refund/7","body":"{\"amount\":1}"},"response":{"status":200,"headers":{"content-length":"0"},"body":""}}` + "\n")})
	require.Len(t, r.Exchanges, 1)
	assert.Equal(t, 200, r.Exchanges[0].Answer.Status)
	assert.Empty(t, string(r.Exchanges[0].Answer.Body))
}

// TestOwnTickets reads the request of a row whose table has a column of answers as what was sent.
func TestOwnTickets(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "ticket.md", Data: []byte("# A ticket\n\n| # | who | what | answer |\n| --- | --- | --- | --- |\n| 1 | partner | POST /Payment/Create {\"amount\":4500} | 400 |\n")})
	require.Len(t, r.Exchanges, 1)
	assert.JSONEq(t, `{"amount":4500}`, string(r.Exchanges[0].Body))
	assert.Equal(t, 400, r.Exchanges[0].Answer.Status)
}

// TestFilesBeside reads bodies and answers from files that others name, and tells of a file without a call.
func TestFilesBeside(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{},
		source.File{Name: "a/run.sh", Data: []byte("curl https://api.example/Payment/Create -d @./pay.json\n")},
		source.File{Name: "b/pay.json", Data: []byte(`{"amount":4500}`)},
		source.File{Name: "refund.http", Data: []byte("POST https://api.example/Payment/Refund/7a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9\n\n< ./refund.json\n\n<> 2026-03-02T170004.400.json\n")},
		source.File{Name: "refund.json", Data: []byte(`{"amount":1}`)},
		source.File{Name: "2026-03-02T170004.400.json", Data: []byte(`{"status":400}`)},
		source.File{Name: "notes.txt", Data: []byte("From: Al <al@shop.example>\nSubject: Mondays\n\nit never works on Mondays\n")}, source.File{Name: "odd.xml", Data: []byte("<call/>")})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, `{"amount":4500}`, string(r.Exchanges[0].Body))
	assert.JSONEq(t, `{"amount":1}`, string(r.Exchanges[1].Body))
	assert.JSONEq(t, `{"status":400}`, string(r.Exchanges[1].Answer.Body))
	unread := 0
	for _, s := range r.Sources {
		if s.Format == recording.Unread {
			unread++
			assert.Equal(t, "odd.xml", s.Name)
		}
		assert.Equal(t, s.Name == "notes.txt", s.Format == recording.Words, s.Name)
	}
	assert.Equal(t, 1, unread)
}

// TestReprintedWebhooks: a body that a log holds as a value has other bytes than came, so that nothing is said of its
// signature unless it is right.
func TestReprintedWebhooks(t *testing.T) {
	t.Parallel()
	event := `{"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"x"}}`
	mac := hmac.New(sha256.New, []byte("s"))
	mac.Write([]byte(event))
	right := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	line := func(signature, body string) string {
		return fmt.Sprintf(`{"webhook":true,"headers":{"X-HMAC-Signature":%q},"status":200,"body":%s}`+"\n", signature, body)
	}
	r := readAll(t, read.Options{WebhookSecret: "s"}, source.File{Name: "hooks.jsonl", Data: []byte(
		line(right, strings.ReplaceAll(event, ":", ": ")) + line("sha256=00", event) + line("sha256=00", strconv.Quote(event)))})
	require.Len(t, r.Received, 3)
	assert.Equal(t, recording.Valid, r.Received[0].Signature)
	assert.Equal(t, recording.Unchecked, r.Received[1].Signature)
	assert.Equal(t, recording.Wrong, r.Received[2].Signature)
}
