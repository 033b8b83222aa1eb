package read_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestShownInPart reads what files show of bodies, tokens, answers and times in a way of their own.
func TestShownInPart(t *testing.T) {
	t.Parallel()
	call := func(member string) recording.Exchange {
		t.Helper()
		r := readAll(t, read.Options{}, source.File{Name: "a.jsonl", Data: []byte(`{"method":"POST","url":"https://api.example/Payment/Create",` + member + "}\n")})
		require.Len(t, r.Exchanges, 1)
		return r.Exchanges[0]
	}
	assert.True(t, call(`"status":200,"answer":{}`).BodyMissing, "it was taken, so it had a body")
	assert.False(t, call(`"status":400,"answer":{}`).BodyMissing)
	assert.False(t, call(`"status":200,"answer":{},"headers":{"Content-Length":"0"}`).BodyMissing)
	assert.Equal(t, recording.WithoutBody, call(`"status":200,"answer":"{\"url\":\"http…(truncated)"`).Answer.Known)
	assert.JSONEq(t, `{"a":"bc"}`, string(source.Unbroken([]byte("{\"a\":\"b\r\nc\"}"))))
	assert.Equal(t, "{\n", string(source.Unbroken([]byte("{\n"))))

	r := readAll(t, read.Options{}, source.File{Name: "a.jsonl", Data: []byte(`{"method":"POST","url":"https://a.example/Authentication/Token","body":"{}","status":200,"answer":{"accessToken":"…2KNl2M"}}` + "\n" +
		`{"method":"GET","url":"https://a.example/Company/List","headers":{"Authorization":"Bearer ***2KNl2M"},"status":200,"answer":{}}` + "\n")})
	require.Len(t, r.Exchanges, 2)
	assert.Equal(t, "Bearer token-that-ends-in-2KNl2M", source.Header(r.Exchanges[1].Header, "Authorization"))

	r = readAll(t, read.Options{}, source.File{Name: "a.csv", Data: []byte("Timestamp (America/Chicago);Direction;Method;Endpoint;HTTP Status;Request Payload;Response Payload\n" +
		`03/02/2026 11:00:00 AM;OUT;POST;https://a.example/Payment/Create;200;"{""amount"":1}";"{""paymentRequestId"":""p""}"` + "\n" +
		`03/02/2026 11:00:05 AM;IN;POST;https://b.example/hook;204;"{""Event"":""PAYMENT_STATUS_CHANGED"",""Data"":{""PaymentId"":""p"",""Timestamp"":""2026-03-02T17:00:05Z""}}";` + "\n")})
	require.Len(t, r.Exchanges, 1)
	require.Len(t, r.Received, 1)
	assert.JSONEq(t, `{"amount":1}`, string(r.Exchanges[0].Body))
	assert.JSONEq(t, `{"paymentRequestId":"p"}`, string(r.Exchanges[0].Answer.Body))
	assert.Equal(t, "2026-03-02T17:00:00Z", r.Exchanges[0].Begin.Format(time.RFC3339), "the webhooks beside it show the clock")
}

// TestATimeBehindAnAddress: a heading that ends with its time says when the call was made.
func TestATimeBehindAnAddress(t *testing.T) {
	t.Parallel()
	said := ""
	for i, at := range []string{"2026-03-02 22:30:00 UTC", "2026-03-02T23:35:37Z"} {
		said += fmt.Sprintf("### %d. `GET https://gateway.api.example/Payment/p-1/Status` (%s)\n\nResponse: **200 OK**\n\n```json\n{\"status\":\"Paid\"}\n```\n\n", i+1, at)
	}
	r := readAll(t, read.Options{}, source.File{Name: "issue.md", Data: []byte(said)})
	require.Len(t, r.Exchanges, 2)
	require.Equal(t, "2026-03-02 22:30:00", r.Exchanges[0].Begin.Format(time.DateTime))
	require.Equal(t, "1h5m37s", r.Exchanges[1].Begin.Sub(r.Exchanges[0].Begin).String())
}

// TestACommaTooManyIsKept: it is what the service refused; mended, the refusal would be the service's fault.
func TestACommaTooManyIsKept(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"amount":4500,}`, `{"amount": 4500, "saved": ["a",]}`, `{"amount":4500,"reference":"r-1",}`} {
		said := `send: b'POST /Payment/Create HTTP/1.1\r\nHost: api.example\r\nContent-Type: application/json\r\n\r\n'` + "\nsend: b'" + body + "'\nreply: 'HTTP/1.1 400 Bad Request\\r\\n'\n" +
			"header: Content-Type: application/json\n2026-03-02 09:00:41,344 DEBUG body: {\"status\":400}\n"
		r := readAll(t, read.Options{}, source.File{Name: "client.log", Data: []byte(said)})
		require.Len(t, r.Exchanges, 1)
		require.Equal(t, body, string(r.Exchanges[0].Body))
	}
}

// TestABodyOfAnothersCall: what was sent to another address, and answered, is not the body of the call below.
func TestABodyOfAnothersCall(t *testing.T) {
	t.Parallel()
	call := func(url, sent, got string) string {
		return "17:00:00 : request begin ====\n17:00:00 : URI         : " + url + "\n17:00:00 : Method      : POST\n17:00:00 : Request body: " + sent +
			"\n17:00:01 : response begin ====\n17:00:01 : Status code  : 200 OK\n17:00:01 : Response body: " + got + "\n"
	}
	said := call("https://metrics.example/api/4501/envelope", `{"event":"checkout"}`, `{"ok":true}`) + call("https://api.example/Payment/Create", `{"amount":4500}`, `{"paymentId":"p-1"}`)
	r := readAll(t, read.Options{}, source.File{Name: "spring.log", Data: []byte(said)})
	require.Len(t, r.Exchanges, 1)
	require.JSONEq(t, `{"amount":4500}`, string(r.Exchanges[0].Body))
	require.JSONEq(t, `{"paymentId":"p-1"}`, string(r.Exchanges[0].Answer.Body))
}

// TestLinesAreThoseOfTheFile: a line that holds a message with its line ends written as signs is one, whatever it is read as.
func TestLinesAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	event := `{\"Live\":false,\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"%s\",\"Status\":\"Paid\"}}`
	got := `2026/03/09 10:20:01 webhook.go:36: got "POST /hooks HTTP/1.1\r\nHost: h.example\r\nX-Hmac-Signature: sha256=00\r\nContent-Type: application/json\r\n\r\n` + event + `"`
	called := `2026/03/09 10:20:02 transport.go:22: out "GET /Payment/%s/Status HTTP/1.1\r\nHost: pay.example\r\nUser-Agent: a/1\r\n\r\n"` + "\n" +
		`2026/03/09 10:20:02 transport.go:31: in "HTTP/2.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"status\":\"Paid\"}"`
	log := strings.Join([]string{"start", fmt.Sprintf(got, "1"), "done", fmt.Sprintf(called, "1"), fmt.Sprintf(got, "1"), fmt.Sprintf(called, "2"), fmt.Sprintf(got, "2")}, "\n")
	r := readAll(t, read.Options{}, file("a.log", log))
	var lines []int
	for i := range r.Received {
		lines = append(lines, r.Received[i].Place.Line)
	}
	for i := range r.Exchanges {
		lines = append(lines, r.Exchanges[i].Place.Line)
	}
	require.Equal(t, []int{2, 6, 9, 4, 7}, lines)
}

// TestLoggersLeaveMediaTypesOut: of what a logger shows, an Authorization alone is not all that was sent.
func TestLoggersLeaveMediaTypesOut(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x"},"body":{"redirectUrl":"https://a.example"},"status":200,"answer":{}}`:                             "application/json",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{},"body":{"redirectUrl":"https://a.example"},"status":400,"answer":{}}`:                                                       "application/json",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x"},"body":{"redirectUrl":"https://a.example"},"status":415,"answer":{}}`:                             "",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x","Host":"a","User-Agent":"b"},"body":{"redirectUrl":"https://a.example"},"status":400,"answer":{}}`: "",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x","Host":"a","User-Agent":"b"},"body":{"redirectUrl":"https://a.example"},"status":200,"answer":{}}`: "application/json",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x","Content-Type":"text/plain"},"body":{"redirectUrl":"https://a.example"},"status":200,"answer":{}}`: "text/plain",
		`{"method":"POST","url":"https://api.example.com/User/Register","headers":{"Authorization":"Bearer x"},"body":{"redirectUrl":"https://a.example"}}`:                                                      "",
	} {
		r := readAll(t, read.Options{}, file("a.jsonl", line))
		require.Equal(t, want, source.Header(r.Exchanges[0].Header, "Content-Type"), line)
	}
}

// TestAnEventInALineOfALog: a webhook that a logger holds as a text or as an object, beside other members, is one, at the line's time; of
// several in one line none is.
func TestAnEventInALineOfALog(t *testing.T) {
	t.Parallel()
	event := func(status string) string {
		return fmt.Sprintf(`{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":"%s"}}`, status)
	}
	for name, line := range map[string]string{
		"a text":     fmt.Sprintf(`{"level":30,"time":1772470809120,"msg":"hook","payload":%q}`, event("Paid")),
		"an object":  fmt.Sprintf(`{"level":"info","msg":"webhook","ts":"2026-03-02T17:00:09.12Z","event":%s}`, event("Paid")),
		"of Lambda":  fmt.Sprintf(`{"ts":1772470809.12,"rawPath":"/hooks","headers":{"x-hmac-signature":"sha256=00"},"isBase64Encoded":false,"body":%q}`, event("Paid")),
		"packed":     fmt.Sprintf(`{"ts":1772470809.12,"rawPath":"/hooks","headers":{"x-hmac-signature":"sha256=00"},"isBase64Encoded":true,"body":%q}`, base64.StdEncoding.EncodeToString([]byte(event("Paid")))),
		"of several": fmt.Sprintf(`{"time":1772470809120,"was":%q,"is":%q}`, event("Processing"), event("Paid")),
	} {
		r := readAll(t, read.Options{}, source.File{Name: "a.ndjson", Data: []byte(event("Processing") + "\n" + line + "\n{\"msg\":\"done\"}\n")})
		if name == "of several" {
			require.Len(t, r.Received, 1, name)
			continue
		}
		require.Len(t, r.Received, 2, name)
		require.Equal(t, "2026-03-02T17:00:09.12Z", r.Received[1].At.Format(time.RFC3339Nano), name)
		require.JSONEq(t, event("Paid"), string(r.Received[1].Body), name)
		if strings.Contains(line, "headers") {
			require.Equal(t, "sha256=00", source.Header(r.Received[1].Header, "X-Hmac-Signature"), name)
		}
	}
}

// TestAnExportOfLambda: what a gateway handed on stands in the messages of one list: it is on the line of its message, and what is told
// behind it is its own.
func TestAnExportOfLambda(t *testing.T) {
	t.Parallel()
	const event = `{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":"Paid"}}`
	request := fmt.Sprintf(`{"rawPath":"/hooks","headers":{"x-hmac-signature":"sha256=00"},"body":%q,"isBase64Encoded":true}`, base64.StdEncoding.EncodeToString([]byte(event)))
	export := "{\n \"events\": [\n"
	for i, line := range []string{"START", "event " + request, "signature mismatch got=00"} {
		export += fmt.Sprintf("  {\n   \"timestamp\": %d,\n   \"message\": %q\n  },\n", 1772470809120+i, "2026-03-02T17:00:09.120Z\t7f\tINFO\t"+line+"\n")
	}
	r := readAll(t, read.Options{}, source.File{Name: "log-events.json", Data: []byte(strings.TrimSuffix(export, ",\n") + "\n ]\n}\n")})
	require.Len(t, r.Received, 1)
	require.Equal(t, 9, r.Received[0].Place.Line)
	require.JSONEq(t, event, string(r.Received[0].Body))
	require.Equal(t, "sha256=00", source.Header(r.Received[0].Header, "X-Hmac-Signature"))
	require.Equal(t, "signature mismatch", r.Received[0].Line(recording.Refused))
}
