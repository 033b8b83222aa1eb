package read_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestUsualLogs: what was sent and answered is found where clients and loggers put it, and a sentence that names a call is none.
func TestUsualLogs(t *testing.T) {
	t.Parallel()
	const sent, got = `{"amount":4500,"reference":"r-1"}`, `{"paymentRequestId":"p-1"}`
	quoted := strings.NewReplacer(`"`, `\"`)
	for name, log := range map[string]string{
		"ids within the sides": `{"time":"2026-11-12T08:00:45Z","pid":7,"msg":"request","req":{"id":"9a","method":"POST","url":"https://api.example/Payment/Create","body":` + sent + `}}
{"time":"2026-11-12T08:00:45Z","pid":7,"msg":"request","req":{"id":"9b","method":"GET","url":"https://api.example/Company/List"}}
{"time":"2026-11-12T08:00:46Z","pid":7,"msg":"response","res":{"id":"9b","statusCode":200,"body":{"companies":[]}}}
{"time":"2026-11-12T08:00:46Z","pid":7,"msg":"response","res":{"id":"9a","statusCode":200,"body":` + got + `}}`,
		"bodies behind the call": `2026-11-24 13:05:42,118 INFO    [httpx] HTTP Request: POST https://api.example/Payment/Create "HTTP/1.1 200 OK"
2026-11-24 13:05:42,119 DEBUG   [shop.pay]   sent ` + sent + `
2026-11-24 13:05:42,119 DEBUG   [shop.pay]   got  ` + got + `
2026-11-24 13:05:43,118 INFO    [httpx] HTTP Request: GET https://api.example/Company/List "HTTP/1.1 200 OK"
2026-11-24 13:05:43,119 DEBUG   [shop.pay]   got  {"companies":[]}`,
		"options and contents": `[2026-03-12T16:00:11.100000+00:00] http_client.INFO: Request: "POST https://api.example/Payment/Create" [] []
[2026-03-12T16:00:11.101000+00:00] shop.DEBUG: body sent {"json":` + sent + `} []
[2026-03-12T16:00:11.826000+00:00] http_client.INFO: Response: "200 https://api.example/Payment/Create" 0.727 seconds {"http_code":200,"url":"https://api.example/Payment/Create","total_time":0.727} []
[2026-03-12T16:00:11.828000+00:00] shop.DEBUG: body received {"content":"` + quoted.Replace(got) + `"} []
[2026-03-12T16:00:12.100000+00:00] http_client.INFO: Request: "GET https://api.example/Company/List" [] []
[2026-03-12T16:00:12.826000+00:00] http_client.INFO: Response: "200 https://api.example/Company/List" 0.727 seconds {"http_code":200,"url":"https://api.example/Company/List","total_time":0.727} []
[2026-03-12T16:00:12.828000+00:00] shop.DEBUG: body received {"content":"{\"companies\":[]}"} []`,
		"records of structlog": `{"method":"POST","path":"/Payment/Create","json":` + sent + `,"status":200,"response":{"paymentRequestId":"p-1"},"logger":"pay","event":"pay.request","timestamp":"2026-03-27T17:02:21.190377Z"}
{"booking":"r-1","logger":"pay","level":"info","event":"booking.paid","timestamp":"2026-03-27T17:02:22.190377Z"}
{"method":"GET","path":"/Company/List","status":200,"response":{"companies":[]},"logger":"pay","event":"pay.request","timestamp":"2026-03-27T17:03:21.190377Z"}`,
		"what is sent told apart by Go's slog": `{"time":"2026-07-09T11:31:12.0-07:00","level":"DEBUG","msg":"http request","method":"POST","url":"https://api.example/Payment/Create","attempt":1,"idempotency_key":"dues-2026-1","body":` + sent + `}
{"time":"2026-07-09T11:31:12.4-07:00","level":"INFO","msg":"http","method":"POST","url":"https://api.example/Payment/Create","attempt":1,"idempotency_key":"dues-2026-1","status":200,"resp":"` + quoted.Replace(got) + `"}
{"time":"2026-07-09T11:31:13.0-07:00","level":"INFO","msg":"http","method":"GET","url":"https://api.example/Company/List","status":200,"resp":"{\"companies\":[]}"}`,
		"both sides called body by logrus": `{"method":"POST","url":"https://api.example/Payment/Create","body":"` + quoted.Replace(sent) + `","level":"info","msg":"request","time":"2026-10-12T14:05:11.301Z"}
{"method":"POST","url":"https://api.example/Payment/Create","status":200,"body":"` + quoted.Replace(got) + `","level":"info","msg":"response","time":"2026-10-12T14:05:11.508Z"}
{"path":"/hooks/pay","status":200,"body":"{\"Live\":true,\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"p-1\",\"Status\":\"Paid\"}}","level":"info","msg":"webhook","time":"2026-10-12T14:12:03.827Z"}
{"method":"GET","url":"https://api.example/Company/List","level":"info","msg":"request","time":"2026-10-12T15:05:11.301Z"}
{"method":"GET","url":"https://api.example/Company/List","status":200,"body":"{\"companies\":[]}","level":"info","msg":"response","time":"2026-10-12T15:05:11.508Z"}`,
		"headers in one line by Faraday": `I, [2026-10-21T11:02:40.512204 #2871]  INFO -- : [pay] request: POST https://api.example/Payment/Create
I, [2026-10-21T11:02:40.512414 #2871]  INFO -- : [pay] request: Content-Type: "application/json" Authorization: "Bearer [FILTERED]"
I, [2026-10-21T11:02:40.512464 #2871]  INFO -- : [pay] request: ` + sent + `
I, [2026-10-21T11:02:40.716204 #2871]  INFO -- : [pay] response: Status 200
I, [2026-10-21T11:02:40.716294 #2871]  INFO -- : [pay] response: ` + got + `
I, [2026-10-21T11:02:41.512204 #2871]  INFO -- : [pay] request: GET https://api.example/Company/List
I, [2026-10-21T11:02:41.716204 #2871]  INFO -- : [pay] response: Status 200
I, [2026-10-21T11:02:41.716294 #2871]  INFO -- : [pay] response: {"companies":[]}`,
		"answers' headers within lines": `2026-10-12 05:58:02.087 +00:00 [INF] [Pay] HTTP POST https://api.example/Payment/Create body=` + sent + `
2026-10-12 05:58:02.218 +00:00 [INF] [Pay] HTTP POST /Payment/Create responded 200 in 131 ms; Date=Mon, 12 Oct 2026 05:58:02 GMT; Content-Type=application/json; charset=utf-8; body=` + got + `
2026-10-12 06:00:01.502 +00:00 [INF] [Pay] HTTP GET https://api.example/Company/List
2026-10-12 06:00:01.580 +00:00 [INF] [Pay] HTTP GET /Company/List responded 200 in 78 ms; Date=Mon, 12 Oct 2026 06:00:01 GMT; Content-Type=application/json; charset=utf-8; body={"companies":[]}`,
		"sent and answered as texts": `{"time":"2026-08-24T15:01:31Z","msg":"call","method":"POST","url":"https://api.example/Payment/Create","request":"` + quoted.Replace(sent) + `","status":200,"response":"` + quoted.Replace(got) + `"}
{"time":"2026-08-24T15:01:32Z","msg":"call","method":"GET","url":"https://api.example/Company/List","request":"","status":200,"response":"{\"companies\":[]}"}`,
		"a sentence and a command behind another": `On POST /Payment/Create we always send our reference as a text and that works as it should. For the
new shop the very same call with the very same reference is answered with 400 since the morning of Monday.

$ date -u; curl -i https://api.example/Payment/Create -H 'Content-Type: application/json' -d '` + sent + `'
HTTP/1.1 200 OK
Content-Type: application/json

` + got + `

$ date -u; curl -i https://api.example/Company/List
HTTP/1.1 200 OK
Content-Type: application/json

{"companies":[]}`,
	} {
		r := readAll(t, read.Options{}, file("a.log", log))
		require.Len(t, r.Exchanges, 2, name)
		one, other := r.Exchanges[0], r.Exchanges[1]
		require.Equal(t, "POST /Payment/Create", one.Method+" "+one.Path, name)
		require.JSONEq(t, sent, string(one.Body), name)
		require.Equal(t, 200, one.Answer.Status, name)
		require.JSONEq(t, got, string(one.Answer.Body), name)
		require.Equal(t, "/Company/List", other.Path, name)
		require.JSONEq(t, `{"companies":[]}`, string(other.Answer.Body), name)
	}
}

// TestAnAnswerOfWhichARecordShowsAPart: what its line cuts, or puts in among members of its own, is shown in part, and is no lack.
func TestAnAnswerOfWhichARecordShowsAPart(t *testing.T) {
	t.Parallel()
	const laravel = `[2026-09-01 06:05:00] production.INFO: PayCollect POST /Payment/Create {"request":{"amount":4500,"reference":"r-1"},"status":200,"ms":61,"paymentRequestId":"p-1"}` + "\n"
	for log, want := range map[string]string{
		`{"method":"POST","url":"https://api.example/Payment/Create","json":{"amount":4500},"status":400,"response":"{\"title\":\"no\",\"detail\":\"the am","truncated":true}`: `{"title":"no","…":"…"}`,
		`{"method":"POST","path":"/Payment/Create","json":{"amount":4500},"status":400,"response":"{\"title\":\"no\",\"detail\":\"the am","body_truncated":true}`:              `{"title":"no","…":"…"}`,
		`{"method":"POST","path":"/Payment/Create","json":{"amount":4500},"status":400,"response":"{\"title\":\"no\",\"detail\":\"the am"}`:                                    `{"title":"no","…":"…"}`,
		laravel: `{"paymentRequestId":"p-1","…":"…"}`,
		strings.Replace(laravel, `200,`, `429,"headers":{"Retry-After":"1","Content-Type":"application/problem+json"},"body":"{\"title\":\"slower\",\"status\":42...",`, 1): `{"title":"slower","…":"…"}`,
	} {
		r := readAll(t, read.Options{}, file("a.log", log+"\n"))
		require.Len(t, r.Exchanges, 1, log)
		require.Contains(t, string(r.Exchanges[0].Body), `"amount":4500`, log)
		require.Equal(t, want, string(r.Exchanges[0].Answer.Body), log)
	}
	r := readAll(t, read.Options{}, file("a.log", laravel+strings.Replace(laravel, "r-1", "r-2", 1)+strings.Replace(laravel, `"paymentRequestId":"p-1"`, `"x":1`, 1)))
	require.Len(t, r.Exchanges, 3, "each line is a call")
	require.Equal(t, recording.WithoutBody, r.Exchanges[2].Answer.Known)
}

// TestABodyInAnotherIsSentSo: where nothing that was served shows that a logger puts bodies so, it may be what was refused.
func TestABodyInAnotherIsSentSo(t *testing.T) {
	t.Parallel()
	line := func(name, status string) string {
		return `{"method":"POST","url":"https://api.example/Payment/Create","body":{"` + name + `":{"amount":4500}},"status":` + status + `,"answer":{}}` + "\n"
	}
	for log, want := range map[string]string{
		line("data", "400"):                       `{"data":{"amount":4500}}`,
		line("json", "400"):                       `{"amount":4500}`,
		line("data", "400") + line("data", "200"): `{"amount":4500}`,
	} {
		r := readAll(t, read.Options{}, file("a.jsonl", log))
		require.JSONEq(t, want, string(r.Exchanges[0].Body), log)
	}
}

// TestWhatWasSentIsCut: of a body that a logger cuts, and says so, is kept what is whole; it was not sent so.
func TestWhatWasSentIsCut(t *testing.T) {
	t.Parallel()
	for _, end := range []string{`… (668 more)`, `... (668 more)`, `...`, `… [truncated]`} {
		r := readAll(t, read.Options{}, file("a.jsonl", `{"method":"POST","url":"https://api.example/Company/Create","body":"{\"companyReferenceId\":\"kf-31\",\"name\":\"Dock Str`+end+`","status":400,"answer":{"status":400}}`))
		require.Len(t, r.Exchanges, 1, end)
		require.Contains(t, string(r.Exchanges[0].Body), `"companyReferenceId":"kf-31"`, end)
		require.NotContains(t, string(r.Exchanges[0].Body), "Dock", end)
	}
}

// TestASignatureAboveItsBody: the header that a receiver's log tells on the line before.
func TestASignatureAboveItsBody(t *testing.T) {
	t.Parallel()
	event := `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":"Paid"}}`
	called := "2026-10-13T19:00:05.021Z [api] -> POST https://api.example/Authentication/Token {\"clientId\":\"c\",\"clientSecret\":\"***\"}\n2026-10-13T19:00:05.631Z [api] <- 200 {\"accessToken\":\"***\"}\n"
	signature := "sha256=" + strings.Repeat("0f", 32)
	for head, want := range map[string]string{
		"POST /hooks content-type=application/json x-hmac-signature=" + signature: signature,
		"POST /hooks content-type=application/json etag=" + signature:             "",
	} {
		r := readAll(t, read.Options{}, file("a.log", called+"2026-10-13T19:00:07.760Z [hook] "+head+"\n2026-10-13T19:00:07.801Z [hook] raw body: "+event+"\n"))
		require.Len(t, r.Received, 1, head)
		require.Equal(t, want, source.Header(r.Received[0].Header, "X-HMAC-Signature"), head)
	}
}

// TestASignatureBelowItsBody: the header that a receiver's log tells where it tells of its check, behind what names it as that which came.
func TestASignatureBelowItsBody(t *testing.T) {
	t.Parallel()
	event := `2026-06-10 08:58:00,358 DEBUG in webhook: body=b'{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":"Paid"}}'` + "\n"
	digest, other := strings.Repeat("0f", 32), strings.Repeat("1e", 32)
	for below, want := range map[string]string{
		"ERROR in webhook: bad signature: computed=" + digest + " header=sha256=" + digest:                           "sha256=" + digest,
		"ERROR in webhook: hmac mismatch: want sha256=" + other + " got sha256=" + digest:                            "sha256=" + digest,
		"ERROR in webhook: signature: computed sha256=" + other + ", sig_header 'sha256=" + digest:                   "sha256=" + digest,
		"ERROR in webhook: bad signature: computed=sha256=" + digest:                                                 "",
		"DEBUG POST /hook x-hmac-signature=sha256=" + digest:                                                         "",
		`{"@mt":"Invalid signature","HeaderSignature":"sha256=` + digest + `","ComputedSignature":"` + digest + `"}`: "sha256=" + digest,
		`{"msg":"digest mismatch","computed_sig":"sha256=` + other + `","received_sig": "sha256=` + digest + `"}`:    "sha256=" + digest,
		`{"msg":"bad hmac","expected":"` + digest + `","was":"sha256=` + digest + `"}`:                               "sha256=" + digest,
		`{"msg":"bad hmac","expected":"` + other + `","was":"sha256=` + digest + `"}`:                                "",
	} {
		r := readAll(t, read.Options{}, file("a.log", event+"2026-06-10 08:58:00,359 "+below+"\n"))
		require.Len(t, r.Received, 1, below)
		require.Equal(t, want, source.Header(r.Received[0].Header, "X-HMAC-Signature"), below)
	}
	r := readAll(t, read.Options{}, file("a.log", strings.Replace(event, "body=", "request_id=0HNB-0001 body=", 1)+
		`request_id=0HNB-0002 bad hmac, header=sha256=`+other+"\ncached\n"+`request_id=0HNB-0001 bad hmac, header=sha256=`+digest+"\n"))
	require.Equal(t, "sha256="+digest, source.Header(r.Received[0].Header, "X-HMAC-Signature"), "the line of the same request")
}

// TestAFileThatATerminalShows: what a command sends from a file stands above it, where nothing has changed it.
func TestAFileThatATerminalShows(t *testing.T) {
	t.Parallel()
	const sends = "me@box:~$ curl -si https://api.example/Payment/Create -H 'Content-Type: application/json' -d @pay.json\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"paymentRequestId\":\"p-1\"}\n"
	for above, want := range map[string]string{
		"me@box:~$ cat pay.json\n{\n  \"amount\": 4500\n}\n":                                `{"amount":4500}`,
		"$ cat > pay.json <<'EOF'\n{\"amount\": 4500}\nEOF\n":                               `{"amount":4500}`,
		"PS C:\\x> Get-Content .\\pay.json\r\n{\"amount\": 4500}\r\n":                       `{"amount":4500}`,
		"$ cat other.json\n{\"amount\": 4500}\n":                                            "",
		"$ cat pay.json\n{\"amount\": 4500}\n$ vim pay.json\n":                              "",
		"$ cat pay.json\n{\"amount\": 4500}\n$ cat pay.json\n{\"amount\": 45}\n":            "",
		"$ cat pay.json\n{\"amount\": 4500}\n$ jq .amount=45 other.json > pay.json\n":       "",
		"$ cat pay.json\ncat: pay.json: No such file\n$ cat pay.json\n{\"amount\": 4500}\n": "",
	} {
		r := readAll(t, read.Options{}, file("a.txt", above+sends))
		require.Len(t, r.Exchanges, 1, above)
		require.Equal(t, want == "", r.Exchanges[0].BodyMissing, above)
		if want != "" {
			require.JSONEq(t, want, string(r.Exchanges[0].Body), above)
		}
	}
}

// TestEventsAndErrorsBehindCalls: an event behind a call to another host is none's body, and an error that prints its call again is no call.
func TestEventsAndErrorsBehindCalls(t *testing.T) {
	t.Parallel()
	event := `{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-%d","Status":"Paid"}}`
	log := `2026-10-28T17:46:24.003Z [axios] --> POST https://api.example/Payment/Create order=E-1
2026-10-28T17:46:24.370Z [axios] <-- 400 POST /Payment/Create order=E-1 370ms
2026-10-28T17:46:24.370Z [shop] payment request failed AxiosError: Request failed with status code 400
    at settle (/srv/axios.cjs:2049:12) {
  config: { baseURL: 'https://api.example', method: 'post', url: '/Payment/Create', timeout: 15000 },
  response: { status: 400 }
}
2026-10-28T17:46:30.118Z [axios] --> POST https://mail.example/email
2026-10-28T17:46:30.402Z [axios] <-- 200 POST /email 284ms
2026-10-28T17:47:10.721Z [hook] ` + fmt.Sprintf(event, 1) + `
2026-10-28T17:47:15.197Z [hook] ` + fmt.Sprintf(event, 2) + `
2026-10-28T17:48:24.003Z [axios] --> GET https://api.example/Company/List
2026-10-28T17:48:24.370Z [axios] <-- 200 GET /Company/List 370ms
`
	r := readAll(t, read.Options{}, file("a.log", log))
	require.Len(t, r.Exchanges, 2)
	require.Len(t, r.Received, 2)
}
