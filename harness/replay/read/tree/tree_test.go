package tree_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/tree"
	"paysandbox/harness/replay/recording"
)

var (
	sent = base64.StdEncoding.EncodeToString([]byte("POST /Payment/Create HTTP/1.1\r\nHost: pay.example\r\nContent-Length: 14\r\n\r\n{\"amount\":500}"))
	got  = base64.StdEncoding.EncodeToString([]byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 14\r\n\r\n{\"status\":400}"))
)

// shapes are files of one call, as different tools shape it.
var shapes = map[string]string{
	"members with words": `{"startTime":"2026-03-02T17:00:00Z","request_method":"POST","requestUrl":"https://pay.example/Payment/Create","requestBody":"{\"amount\":500}","response":{"statusCode":400,"body":{"status":400}}}`,
	"names and values":   `{"spans":[{"attributes":[{"key":"http.request.method","value":{"stringValue":"POST"}},{"key":"url.full","value":{"stringValue":"https://pay.example/Payment/Create"}},{"key":"http.request.body","value":{"stringValue":"{\"amount\":500}"}},{"key":"http.response.status_code","value":{"intValue":"400"}},{"key":"http.response.body","value":{"stringValue":"{\"status\":400}"}}]}]}`,
	"YAML":               "http_interactions:\n- request:\n    method: post\n    uri: https://pay.example/Payment/Create\n    body:\n      encoding: UTF-8\n      string: '{\"amount\":500}'\n  response:\n    status:\n      code: 400\n    body:\n      string: '{\"status\":400}'\n",
	"XML with messages":  "<items><item><host>pay.example</host><request base64=\"true\">" + sent + "</request><response base64=\"true\">" + got + "</response></item></items>",
	"HTTP/2 in pairs": `{"request":{"headers":[{"key":":authority","value":"pay.example"},{"key":":path","value":"/Payment/Create"},{"key":":method","value":"POST"}],"body":{"truncated":false,"as_string":"{\"amount\":500}"}},` +
		`"response":{"headers":[{"key":":status","value":"400"}],"body":{"truncated":false,"as_string":"{\"status\":400}"}}}`,
	"texts with a class": `<r><sample ts="1772470800000" rc="400"><method class="java.lang.String">POST</method><java.net.URL>https://pay.example/Payment/Create</java.net.URL>` +
		`<queryString class="java.lang.String">{"amount":500}</queryString><responseData class="java.lang.String">{"status":400}</responseData></sample></r>`,
	"matchers": `{"pairs":[{"request":{"path":[{"matcher":"exact","value":"/Payment/Create"}],"method":[{"matcher":"exact","value":"POST"}],"destination":[{"matcher":"exact","value":"pay.example"}],"body":[{"matcher":"json","value":"{\"amount\":500}"}]},` +
		`"response":{"status":400,"body":"{\"status\":400}","encodedBody":false}}]}`,
	"headers beside the first line": `{"status":"COMPLETE","method":"POST","host":"pay.example","path":"/Payment/Create","request":{"header":{"firstLine":"POST /Payment/Create HTTP/1.1","headers":[{"name":"Accept","value":"*/*"}]},"body":{"text":"{\"amount\":500}","charset":"UTF-8"}},` +
		`"response":{"status":400,"header":{"firstLine":"HTTP/1.1 400 Bad Request","headers":[{"name":"Date","value":"x"}]},"body":{"text":"{\"status\":400}","charset":"utf-8"}}}`,
	"a record of structlog": `{"method":"POST","host":"pay.example","path":"/Payment/Create","json":{"amount":500},"status":400,"response":{"body":{"status":400}},"event":"pay.request"}`,
	"a call in its data":    `{"breadcrumbs":{"values":[{"timestamp":"2026-03-02T17:00:00Z","data":{"method":"POST","url":"https://pay.example/Payment/Create","request_body":"{\"amount\":500}","status_code":400,"response_body":"{\"status\":400}"}}]}}`,
}

// TestShapes reads the same call of each.
func TestShapes(t *testing.T) {
	t.Parallel()
	for name, text := range shapes {
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(text)}, nil)
		require.NoError(t, err, name)
		require.Len(t, p.Exchanges, 1, name)
		x := p.Exchanges[0]
		require.Equal(t, "POST pay.example/Payment/Create", x.Method+" "+x.Host+x.Path, name)
		require.JSONEq(t, `{"amount":500}`, string(x.Body), name)
		require.Equal(t, 400, x.Answer.Status, name)
		require.Equal(t, recording.Whole, x.Answer.Known, name)
		require.JSONEq(t, `{"status":400}`, string(x.Answer.Body), name)
	}
}

// TestHeadersAsText reads headers that stand as the JSON of them.
func TestHeadersAsText(t *testing.T) {
	t.Parallel()
	p, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"request__method":"GET","request__url":"https://pay.example/Company/List","response__status_code":200,"response__headers":"{\"Content-Type\":\"application/json\"}","response__content":"[]"}`)}, nil)
	require.NoError(t, err)
	require.Equal(t, "application/json", source.Header(p.Exchanges[0].Answer.Header, "Content-Type"))
}

// TestHeaderParameters reads headers that stand as parameters, of a call that was lost.
func TestHeaderParameters(t *testing.T) {
	t.Parallel()
	p, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"runData":{"A":[{"startTime":1772470861281,"inputOptions":{"method":"POST","url":"https://pay.example/Payment/Create","headerParameters":{"parameters":[{"name":"Accept","value":"*/*"},{"name":"Authorization","value":"Bearer a.b"}]},"jsonBody":"{\"amount\":500}"},"data":{"main":[[{"json":{"error":{"message":"timeout of 30000ms exceeded"}}}]]}}]}}`)}, nil)
	require.NoError(t, err)
	x := p.Exchanges[0]
	require.Equal(t, "Bearer a.b", source.Header(x.Header, "Authorization"))
	require.JSONEq(t, `{"amount":500}`, string(x.Body))
	require.Equal(t, recording.NeverArrived, x.Answer.Known)
}

// TestEmptyAnswers says that an answer is empty: sizes are no bodies, and what is empty is no object.
func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"method":"POST","host":"pay.example","path":"/Payment/Refund/7","request":{"sizes":{"body":14},"body":{"text":"{}"}},"response":{"status":200,"sizes":{"headers":9,"body":0},"body":{"text":""}}}`,
		`<r><sample rc="200"><method class="java.lang.String">POST</method><url>https://pay.example/Payment/Refund/7</url><queryString class="java.lang.String">{}</queryString><responseData class="java.lang.String"></responseData></sample></r>`,
	} {
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(text)}, nil)
		require.NoError(t, err)
		require.Equal(t, recording.Whole, p.Exchanges[0].Answer.Known, text)
		require.Empty(t, p.Exchanges[0].Answer.Body, text)
		require.JSONEq(t, `{}`, string(p.Exchanges[0].Body), text)
	}
}

// TestSummaries reads a run of which the method is not kept.
func TestSummaries(t *testing.T) {
	t.Parallel()
	p, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"results":[{"url":"https://pay.example/Payment/7/Cancel","responseCode":{"code":400,"name":"Bad Request"}}]}`)}, nil)
	require.NoError(t, err)
	require.Equal(t, "PUT 400", fmt.Sprint(p.Exchanges[0].Method, " ", p.Exchanges[0].Answer.Status))
}

// TestUnknown says what is not told: an answer that never came, one without its body.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for text, known := range map[string]recording.Known{
		`{"method":"GET","url":"/Company/List","status":0}`:                                              recording.NeverArrived,
		`{"method":"GET","url":"/Company/List","response":null}`:                                         recording.NeverArrived,
		`{"method":"GET","url":"/Company/List","error":"ECONNRESET"}`:                                    recording.NeverArrived,
		`{"method":"GET","url":"/Company/List","status":200}`:                                            recording.WithoutBody,
		`{"method":"GET","url":"/Company/List"}`:                                                         recording.NotRecorded,
		`{"method":"GET","url":"/Company/List","response":{"status":200,"encodedBody":false,"body":""}}`: recording.Whole,
	} {
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(text)}, nil)
		require.NoError(t, err, text)
		require.Equal(t, known, p.Exchanges[0].Answer.Known, text)
	}
	_, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"a":1}`)}, nil)
	require.ErrorContains(t, err, "no call stands in it")
}

// FuzzTree reads anything without breaking, and gives only what has a method and an address.
// axiosError is a line with such an error, in short.
const axiosError = `x {"level":50,"err":{"isAxiosError":true,"message":"timeout of 9000ms exceeded","config":{"method":"post","baseURL":"https://a.example/","url":"/Payment/Create","data":"{\"amount\":500}","headers":{"Authorization":"Bearer t"}},` +
	`"request":{"method":"POST","path":"/Payment/Create","res":{"statusCode":401}},"response":{"status":401,"headers":{"date":"now"},"data":{"title":"no"},"config":{"url":"/Payment/Create"}}},"pid":7} tail` + "\n{}\n"

// TestAxios: of an error of axios the call and its answer are left, on their line.
func TestAxios(t *testing.T) {
	t.Parallel()
	require.Equal(t, `x {"err":{"message":"timeout of 9000ms exceeded","request":{"body":"{\"amount\":500}","headers":{"Authorization":"Bearer t"},"method":"POST","url":"https://a.example/Payment/Create"},`+
		`"response":{"body":{"title":"no"},"headers":{"date":"now"},"status":401}},"level":50,"pid":7} tail`+"\n{}\n", string(tree.Axios([]byte(axiosError))))
	for _, same := range []string{"", "{}", `{"isAxiosError":`, `{"err":{"isAxiosError":true,"config":7}}`, `{"err":{"isAxiosError":true,"config":{}}}`} {
		require.Equal(t, same, string(tree.Axios([]byte(same))))
	}
}

func FuzzTree(f *testing.F) {
	for _, text := range shapes {
		f.Add([]byte(text))
	}
	f.Add([]byte(axiosError))
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = tree.Texts(data)
		require.Equal(t, bytes.Count(data, []byte("\n")), bytes.Count(tree.Axios(data), []byte("\n")))
		p, err := tree.Read(&source.File{Name: "f", Data: data}, nil)
		if err != nil {
			return
		}
		for _, x := range p.Exchanges {
			require.NotEmpty(t, x.Method)
			require.NotEmpty(t, x.Path)
		}
	})
}

// TestNoAnswers: a collection holds none, whatever it says of bodies that are not there; a variable may stand for a host.
func TestNoAnswers(t *testing.T) {
	t.Parallel()
	p, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"v":2,"requests":[{"v":"5","name":"pay","method":"POST","endpoint":"<<base>>/Payment/Create","headers":[{"key":"Content-Type","value":"application/json","active":true}],"body":{"contentType":"application/json","body":"{\"amount\":500}"}},` +
		`{"v":"5","name":"list","method":"GET","endpoint":"<<base>>/Company/List","headers":[],"body":{"contentType":null,"body":null}}]}`)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	require.JSONEq(t, `{"amount":500}`, string(p.Exchanges[0].Body))
	for i := range p.Exchanges {
		require.Equal(t, recording.NotRecorded, p.Exchanges[i].Answer.Known, i)
	}
}

// TestTextsOfAChat stand behind the moment that each message has.
func TestTextsOfAChat(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2026-03-05T04:36:10Z\n23:35:49 POST /a\nno moment\n",
		string(tree.Texts([]byte(`{"messages":[{"text":"23:35:49 POST /a","ts":"1772685370.000200"},{"text":"no moment","n":1,"list":[true,null,"x"]}]}`))))
	deep := strings.Repeat(`{"ts":"1772685370.000200","a":`, 300) + `"it is deep"` + strings.Repeat("}", 300)
	require.Contains(t, string(tree.Texts([]byte(deep))), "it is deep")
}

// TestMessagesInObjectsOfTheirOwn: a request and its answer stand as they were sent, each in an object; and what went into a
// step and came out of it is what was sent and answered, also of a webhook that was caught.
func TestMessagesInObjectsOfTheirOwn(t *testing.T) {
	t.Parallel()
	dumped := `{"msg":"out","dump":"POST /User/Register HTTP/1.1\r\nHost: a.example\r\n\r\n{\"redirectUrl\":\"https://b.example\"}"}` + "\n" +
		`{"msg":"in","took":17,"dump":"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n{\"status\":400}"}` + "\n"
	steps := `{"runs":[{"steps":[{"app":"Hook","data_out":{"method":"POST","headers":{"x-hmac-signature":"sha256=00"},"raw_body":"{\"Live\":false,\"Event\":\"E\",\"Data\":{}}"}},` +
		`{"app":"Call","data_in":{"url":"https://a.example/User/Register","method":"POST","data":"{\"redirectUrl\":\"https://b.example\"}","headers":"Authorization|Bearer x"},"data_out":{"status":400,"body":"{\"status\":400}"}}]}]}`
	for _, one := range []struct {
		data     string
		webhooks int
	}{{dumped, 0}, {steps, 1}} {
		p, err := tree.Read(&source.File{Name: "a.json", Data: []byte(one.data)}, nil)
		require.NoError(t, err)
		require.Len(t, p.Exchanges, 1, one.data)
		x := p.Exchanges[0]
		require.JSONEq(t, `{"redirectUrl":"https://b.example"}`, string(x.Body))
		require.Equal(t, 400, x.Answer.Status)
		require.JSONEq(t, `{"status":400}`, string(x.Answer.Body))
		require.Len(t, p.Received, one.webhooks)
		if one.webhooks > 0 {
			require.Equal(t, "Bearer x", source.Header(x.Header, "Authorization"))
			require.Equal(t, "sha256=00", source.Header(p.Received[0].Header, "X-HMAC-Signature"))
		}
	}
}

// TestRuns: what a run did behind the webhook that it caught tells whether it did the same when that came again, and its steps are of
// its time where they tell none; of a run that lasted, and of what only reads, nothing is known.
func TestRuns(t *testing.T) {
	t.Parallel()
	hook := func(status string) string {
		return `{"app":"Hook","data_out":{"headers":{"x-hmac-signature":"sha256=00"},"raw_body":"{\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"p-1\",\"Status\":\"` + status + `\"}}"}}`
	}
	call := func(method, path, body string, status int) string {
		return fmt.Sprintf(`{"app":"Call","data_in":{"method":%q,"url":"https://pay.example%s","data":%q},"data_out":{"status":%d,"body":"{}"}}`, method, path, body, status)
	}
	run := func(end string, steps ...string) string {
		return `{"start_time":"2026-03-02T17:00:00Z","end_time":"` + end + `","steps":[` + strings.Join(steps, ",") + `]}`
	}
	const soon, late = "2026-03-02T17:00:02Z", "2026-03-02T19:00:00Z"
	charge := call("POST", "/Payment/Create", `{"amount":500}`, 200)
	for name, c := range map[string]struct {
		runs       []string
		did        []string
		passedOver bool
		at         string
	}{
		"the same again":   {[]string{run(soon, hook("Paid"), charge), run(soon, hook("Paid"), charge)}, []string{"POST /Payment/Create was made, and served"}, false, "2026-03-02T17:00:00Z"},
		"in a long run":    {[]string{run(late, hook("Paid"), charge), run(late, hook("Paid"), charge)}, []string{"POST /Payment/Create was made, and served"}, false, "0001-01-01T00:00:00Z"},
		"nothing":          {[]string{run(soon, hook("Paid"), charge), run(soon, hook("Paid"))}, nil, true, "2026-03-02T17:00:00Z"},
		"something else":   {[]string{run(soon, hook("Paid"), charge), run(soon, hook("Paid"), call("POST", "/Payment/Create", `{"amount":700}`, 200))}, nil, false, "2026-03-02T17:00:00Z"},
		"refused":          {[]string{run(soon, hook("Paid"), charge), run(soon, hook("Paid"), call("POST", "/Payment/Create", `{"amount":500}`, 400))}, nil, false, "2026-03-02T17:00:00Z"},
		"of another event": {[]string{run(soon, hook("Processing"), charge), run(soon, hook("Paid"), charge)}, nil, false, "2026-03-02T17:00:00Z"},
		"what reads alone": {[]string{run(soon, hook("Paid"), charge, call("GET", "/Company/List", "", 200)), run(soon, hook("Paid"), call("GET", "/Company/List", "", 200))}, nil, false, "2026-03-02T17:00:00Z"},
	} {
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(`{"runs":[` + strings.Join(c.runs, ",") + `]}`)}, nil)
		require.NoError(t, err, name)
		require.Len(t, p.Received, 2, name)
		require.Equal(t, c.did, p.Received[1].Lines(recording.DidAgain), name)
		require.Equal(t, c.passedOver, p.Received[1].Did(recording.PassedOver), name)
		require.Equal(t, c.at, p.Exchanges[0].Begin.Format(time.RFC3339), name)
		require.Equal(t, "2026-03-02T17:00:00Z", p.Received[1].At.Format(time.RFC3339), name)
	}
}

// TestWebhooksOfAnExport: a record of a list in which an event stands as a text is a webhook, and a call began when it was logged, not
// when the export had it.
func TestWebhooksOfAnExport(t *testing.T) {
	t.Parallel()
	const list = `[{"jsonPayload":{"message":"call","method":"GET","url":"https://pay.example/Company/List","status":200,"response":{"companies":[]}},"receiveTimestamp":"2026-03-02T17:00:09Z","timestamp":"2026-03-02T17:00:00Z"},` +
		`{"jsonPayload":{"message":"webhook","path":"/in","answered":204,"raw":"{\"Event\":\"X\",\"Data\":{\"CompanyId\":\"c\"}}"},"timestamp":"2026-03-02T17:01:00Z"}]`
	for _, text := range []string{list, `{"took":3,"hits":{"total":2,"hits":` + list + `}}`} {
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(text)}, nil)
		require.NoError(t, err, text)
		require.Len(t, p.Exchanges, 1, text)
		require.Equal(t, "17:00:00", p.Exchanges[0].Begin.Format(time.TimeOnly), text)
		require.Len(t, p.Received, 1, text)
		require.Equal(t, 204, p.Received[0].Status, text)
		require.JSONEq(t, `{"Event":"X","Data":{"CompanyId":"c"}}`, string(p.Received[0].Body), text)
	}
}

// TestARecordOfAWholeCall: it was written when the answer had come; the call began when it was sent, or as long before as it took.
func TestARecordOfAWholeCall(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{
		"sent":    `"SentAt":"2026-03-02T17:00:07.070Z","Elapsed":1240`,
		"elapsed": `"Elapsed":1240`,
	} {
		text := `{"@t":"2026-03-02T17:00:08.3100000Z","@mt":"HTTP {Method} {Uri} responded {StatusCode}","Method":"GET","Uri":"https://pay.example/Company/List","StatusCode":200,"Response":{"companies":[]},` + members + "}\n" +
			`{"@t":"2026-03-02T17:00:07.5100000Z","@mt":"Webhook that is not ours: {PaymentId}, answered 404","PaymentId":"c","Body":"{\"Event\":\"X\",\"Data\":{\"CompanyId\":\"c\"}}"}` + "\n"
		p, err := tree.Read(&source.File{Name: "f", Data: []byte(text)}, nil)
		require.NoError(t, err, name)
		require.Len(t, p.Exchanges, 1, name)
		require.Equal(t, "17:00:07.07 17:00:08.31", p.Exchanges[0].Begin.Format("15:04:05.99")+" "+p.Exchanges[0].End.Format("15:04:05.99"), name)
		require.Len(t, p.Received, 1, name)
		require.Equal(t, "17:00:07.51 404", fmt.Sprint(p.Received[0].At.Format("15:04:05.99 "), p.Received[0].Status), name)
	}
}
