package read_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
)

// TestACommandInQuotes: a command that a program has printed in quotes, with its own quotes written as signs, has its body, and what
// is told behind it is its answer.
func TestACommandInQuotes(t *testing.T) {
	t.Parallel()
	const body = `{"amount":50.5,"reference":"S-1","shortDescription":"x"}`
	command := fmt.Sprintf("%q", "curl -X POST 'https://api.pay.example/Payment/Create' -H 'Content-Type: application/json' -d '"+body+"'")
	wrapped := fmt.Sprintf("%q", "curl -X POST \"https://api.pay.example/Payment/Create\" \\\n  -H 'Content-Type: application/json' \\\n  -d '"+body+"'")
	for name, c := range map[string]struct {
		text   string
		answer string
	}{
		"within a line":         {"ticket\n\ntime=2026-03-02T17:00:04Z level=INFO cmd=" + command + " status=400\n", ""},
		"on a line of its own":  {"Repro:\n\n" + command + "\nHTTP/1.1 400 Bad Request\n\n{\"status\":400}\n", `{"status":400}`},
		"at a prompt":           {"We ran\n\n  $ " + command + "\n  400 {\"status\":400}\n", `{"status":400}`},
		"over lines":            {"We ran\n\nthis: " + wrapped + "\nanswer 400 {\"status\":400}\n", `{"status":400}`},
		"in the line of a log":  {"\n\n" + `{"time":"2026-03-02T17:00:02Z","msg":"http","curl":` + command + `,"status":400,"response":"{\"status\":400}"}` + "\n", `{"status":400}`},
		"in an object, no more": {"\n\n" + `{"msg":"http","curl":` + command + `,"status":400}`, ""},
	} {
		r := readAll(t, read.Options{}, source.File{Name: "a.txt", Data: []byte(c.text)})
		require.Len(t, r.Exchanges, 1, name)
		x := &r.Exchanges[0]
		require.Equal(t, "/Payment/Create", x.Path, name)
		require.Equal(t, body, string(x.Body), name)
		require.Equal(t, 400, x.Answer.Status, name)
		require.Equal(t, c.answer, string(x.Answer.Body), name)
		require.Equal(t, 3, x.Place.Line, name)
	}
}

// TestARequestThatFailed: a line that names the call which waits for its answer, and says that none came, is no other call; the same
// call, made again, is one. An address that is named as a request's, with its method beside it, is a call also where no operation
// has its path.
func TestARequestThatFailed(t *testing.T) {
	t.Parallel()
	const url = "https://api.pay.example/Payment/Create"
	ktor := func(second, rest string) string {
		return "17:00:" + second + ".131 [worker-2] INFO  io.ktor.client.HttpClient - REQUEST: " + url + "\nMETHOD: HttpMethod(value=POST)\nCOMMON HEADERS\n-> Accept: application/json\nBODY START\n{\"amount\":8800}\nBODY END\n" +
			"17:00:" + second + ".431 [worker-2] INFO  io.ktor.client.HttpClient - " + rest + "\n"
	}
	spring := func(second, address, rest string) string {
		said := ""
		for _, line := range []string{"=====request begin=====", "URI         : " + address, "Method      : POST", `Headers     : [Accept:"application/json"]`, `Request body: {"amount":8800}`, "=====request end=====", rest} {
			said += "2026-03-02T17:00:" + second + ".059Z DEBUG 41 --- [nio-8080-exec-3] c.n.billing.Interceptor           : " + line + "\n"
		}
		return said
	}
	const answered = "Status code  : 200 OK"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"ktor": {
			ktor("42", "REQUEST "+url+" failed with exception: HttpRequestTimeoutException: Request timeout has expired") + ktor("47", "RESPONSE: 200 OK\nMETHOD: HttpMethod(value=POST)\nFROM: "+url),
			[]string{"/Payment/Create never-arrived", "/Payment/Create without-body"},
		},
		"spring": {
			spring("50", url, "I/O error on POST request for \""+url+"\": Read timed out") + spring("55", url, answered),
			[]string{"/Payment/Create never-arrived", "/Payment/Create without-body"},
		},
		"spring, a path of no operation": {
			spring("50", url, answered) + spring("55", "https://api.pay.example/Payments/Create", "Status code  : 404 NOT_FOUND"),
			[]string{"/Payment/Create without-body", "/Payments/Create without-body"},
		},
	} {
		r := readAll(t, read.Options{}, source.File{Name: "a.log", Data: []byte(c.text)})
		var got []string
		for i := range r.Exchanges {
			require.Equal(t, `{"amount":8800}`, string(r.Exchanges[i].Body), name)
			got = append(got, r.Exchanges[i].Path+" "+string(r.Exchanges[i].Answer.Known))
		}
		require.Equal(t, c.want, got, name)
	}
}

// TestACodeIsAStatus where a logger names it as that of HTTP, also beside a body that has a status of its own.
func TestACodeIsAStatus(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "a.jsonl", Data: []byte(`{"time":"2026-03-02T17:00:09Z","http":{"code":200,"verb":"GET","uri":"https://api.pay.example/Company/c-1/Status","resp":{"status":"Verified"}}}` + "\n" +
		`{"time":"2026-03-02T17:00:12Z","http":{"code":401,"verb":"GET","uri":"https://api.pay.example/Company/List","resp":{"status":400,"title":"Unauthorized"}}}` + "\n")})
	require.Len(t, r.Exchanges, 2)
	require.Equal(t, 200, r.Exchanges[0].Answer.Status)
	require.Equal(t, 401, r.Exchanges[1].Answer.Status)
}

// TestACommandWithAnApostrophe: bash's $'it\'s' ends where it ends, and what stands behind the command is its answer.
func TestACommandWithAnApostrophe(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`$'{"reference":"Kids\' lesson\u0021"}'`, `'{"reference":"Kids'\'' lesson!"}'`} {
		r := readAll(t, read.Options{}, file("a.txt", "curl 'https://api.example.com/Payment/Create' \\\n  -H 'content-type: application/json' \\\n  --data-raw "+body+"\n\nResponse, 22 Jan, status 200:\n\n{\"paymentRequestId\":\"p-1\"}\n"))
		require.Len(t, r.Exchanges, 1, body)
		require.JSONEq(t, `{"reference":"Kids' lesson!"}`, string(r.Exchanges[0].Body))
		require.Equal(t, 200, r.Exchanges[0].Answer.Status)
		require.JSONEq(t, `{"paymentRequestId":"p-1"}`, string(r.Exchanges[0].Answer.Body), body)
	}
}

// TestWgetInOneWord: wget's short options say nothing of the call, also in one word.
func TestWgetInOneWord(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"-qO-", "-q -O -", "-nv -S"} {
		r := readAll(t, read.Options{}, file("a.sh", "wget "+options+" --method=POST --header='Content-Type: application/json' --body-data='{\"reference\":\"Kids'\\''\"}' https://api.example.com/Payment/Create\n"))
		require.Len(t, r.Exchanges, 1, options)
		require.JSONEq(t, `{"reference":"Kids'"}`, string(r.Exchanges[0].Body), options)
	}
}

// TestHowLongAReceiverTook: by the end of a line, or of a proxy's record; it stays when the recording is written and read again.
func TestHowLongAReceiverTook(t *testing.T) {
	t.Parallel()
	const line = `{"time":"2026-05-06T16:16:17.310Z","end":"2026-05-06T16:16:35.130Z","method":"POST","url":"https://shop.example.org/hooks","headers":{"x-hmac-signature":"sha256=00"},"body":"{\"Event\":\"PAYMENT_STATUS_CHANGED\"}","status":200}`
	r := readAll(t, read.Options{}, file("a.jsonl", line))
	require.Len(t, r.Received, 1)
	require.Equal(t, 17820*time.Millisecond, r.Received[0].Took)
	var out bytes.Buffer
	require.NoError(t, record.WriteJSONLines(&out, &r))
	require.Equal(t, r.Received[0].Took, readAll(t, read.Options{}, file("b.jsonl", out.String())).Received[0].Took)
	r = readAll(t, read.Options{}, file("a.har", readtest.HAR(readtest.HAREntry("2026-03-02T17:00:00.000Z", "POST", create, `{}`, 200, "", `{}`),
		`{"startedDateTime":"2026-03-02T17:00:05Z","time":16000,"request":{"method":"POST","url":"http://shop.example.org/hooks","headers":[{"name":"X-HMAC-Signature","value":"sha256=00"}],"postData":{"text":"{}"}},"response":{"status":204,"headers":[],"content":{"size":0}}}`)))
	require.Equal(t, 16*time.Second, r.Received[0].Took)
}
