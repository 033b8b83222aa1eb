package record_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

func told(p *source.Part) string {
	var b strings.Builder
	for _, x := range p.Exchanges {
		body := string(x.Body)
		if x.BodyMissing {
			body = "(missing)"
		}
		fmt.Fprintf(&b, "%s %s %s://%s%s?%s", x.Begin.Format("15:04:05.000"), x.Method, x.Scheme, x.Host, x.Path, x.Query)
		for _, h := range x.Header {
			fmt.Fprintf(&b, " [%s: %s]", h.Name, h.Value)
		}
		fmt.Fprintf(&b, " %s -> %s %d %s\n", body, x.Answer.Known, x.Answer.Status, x.Answer.Body)
	}
	for _, r := range p.Received {
		fmt.Fprintf(&b, "webhook %s %s %d %s\n", r.At.Format("15:04:05.000"), r.URL, r.Status, r.Body)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "%d:%d%s %s\n", s.Place.Line, s.Place.Entry, s.Place.Pointer, s.Why)
	}
	return b.String()
}

// entry is a HAR entry with a request and a response of these members.
func entry(request, response string) string {
	return `{"startedDateTime":"2026-03-02T18:00:00.5000000+01:00","time":20,"request":{"method":"POST","url":"https://api.example.com/a","httpVersion":"h2","headers":[{"name":":method","value":"POST"}],"queryString":[],` +
		request + `},"response":{"httpVersion":"HTTP/1.1","cookies":[],` + response + `},"cache":{},"timings":{}}`
}

// TestHAROddities: what the tools write, one by one. Each is of the tool's documented or
// observed form.
func TestHAROddities(t *testing.T) {
	t.Parallel()
	const call, typed = "17:00:00.500 POST https://api.example.com/a? ", "[Content-Type: application/json] "
	for name, c := range map[string]struct{ request, response, want string }{
		"Chrome, base64 answer":             {`"postData":{"mimeType":"application/json","text":"{}"}`, `"status":200,"headers":[],"content":{"size":2,"mimeType":"application/json","text":"e30=","encoding":"base64"}`, call + typed + "{} -> whole 200 {}"},
		"Chrome, answer not kept":           {`"bodySize":0`, `"status":200,"headers":[],"content":{"size":217,"mimeType":"application/json"}`, call + " -> without-body 200 \n0:1 the recording does not hold the answer's body"},
		"Chrome, aborted":                   {`"bodySize":0`, `"status":0,"statusText":"","headers":[],"content":{"size":0,"mimeType":"x-unknown"},"_error":"net::ERR_CONNECTION_RESET"`, call + " -> never-arrived 0 "},
		"Firefox, without bodies":           {`"bodySize":14`, `"status":200,"headers":[{"name":"content-length","value":"9"}],"content":{"mimeType":"application/json","size":9}`, call + "(missing) -> without-body 200 \n0:1 the recording does not hold the request's body\n0:1 the recording does not hold the answer's body"},
		"Firefox, cut off":                  {`"postData":{"mimeType":"","params":[],"text":"{\"a\":"},"bodySize":1`, `"status":200,"headers":[],"content":{"mimeType":"application/json","size":9,"text":"{","comment":"Response body was truncated"}`, call + `{"a": -> without-body 200 ` + "\n0:1 the recording does not hold the answer's body"},
		"Safari, status 0":                  {`"bodySize":-1`, `"status":0,"headers":[],"content":{"size":0,"mimeType":"x-unknown"}`, call + " -> never-arrived 0 "},
		"Insomnia, empty text":              {`"postData":{"mimeType":"application/json","text":""}`, `"status":204,"headers":[],"content":{"size":0,"mimeType":"","text":""}`, call + " -> whole 204 "},
		"Charles, form by its fields":       {`"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"c&d"},{"name":"e","value":"1"}]}`, `"status":200,"headers":[],"content":{"size":1,"text":"x"}`, call + "[Content-Type: application/x-www-form-urlencoded] a+b=c%26d&e=1 -> whole 200 x"},
		"chrome-har, JSON by its members":   {`"postData":{"mimeType":"application/json","params":[{"name":"a","value":1},{"name":"b","value":{"c":[]}}]},"bodySize":20`, `"status":200,"headers":[],"content":{"size":1,"text":"x"}`, call + typed + `{"a":1,"b":{"c":[]}} -> whole 200 x`},
		"Fiddler, multipart":                {`"postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"f","fileName":"a.pdf"}]}`, `"status":200,"headers":[],"content":{"size":1,"text":"x"}`, call + "(missing) -> whole 200 x\n0:1 the recording does not hold the request's body"},
		"mitmproxy, bytes of a request":     {`"postData":{"mimeType":"application/json","text":"e30=","_encoding":"base64"}`, `"status":200,"headers":[],"content":{"size":1,"text":"x"}`, call + typed + "{} -> whole 200 x"},
		"Fiddler, media type of a guess":    {`"postData":{"mimeType":"text/plain","text":"{}"}`, `"status":200,"headers":[],"content":{"size":1,"text":"x"}`, call + typed + "{} -> whole 200 x"},
		"Insomnia, refused for its type":    {`"postData":{"mimeType":"application/json","text":"{}"}`, `"status":415,"headers":[],"content":{"size":1,"text":"x"}`, call + "{} -> whole 415 x"},
		"mitmproxy, no answer":              {`"bodySize":0`, `"status":0,"headers":[],"content":{},"_error":"peer closed connection"`, call + " -> never-arrived 0 "},
		"Playwright, bodies beside the HAR": {`"postData":{"mimeType":"application/json","params":[],"_file":"a.json"}`, `"status":200,"headers":[],"content":{"size":-1,"mimeType":"application/json","_file":"b.json"}`, call + "(missing) -> without-body 200 \n0:1 the recording does not hold the request's body\n0:1 the recording does not hold the answer's body"},
		"Playwright, failed":                {`"_failureText":"net::ERR_FAILED"`, `"status":-1,"headers":[],"content":{"size":-1}`, call + " -> never-arrived 0 "},
		"broken base64":                     {`"bodySize":0`, `"status":200,"headers":[],"content":{"size":3,"text":"%%%","encoding":"base64"}`, call + " -> without-body 200 \n0:1 the recording does not hold the answer's body"},
		"numbers as texts, null lists":      {`"bodySize":"0","cookies":null`, `"status":"200","headers":null,"content":{"size":"1","text":7}`, call + " -> whole 200 7"},
	} {
		p, err := record.HAR(&source.File{Name: name, Data: []byte(`{"log":{"entries":[` + entry(c.request, c.response) + `]}}`)}, nil)
		require.NoError(t, err, name)
		require.Equal(t, c.want+"\n", strings.ReplaceAll(told(p), "1/log/entries/0", "1"), name)
	}
}

func TestReaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read       readtest.Reader
		text, want string
	}{
		"JSON lines": {record.JSONLines, `{"time":"2026-03-02T17:00:00Z","end":1772470801.5,"method":"post","url":"https://x/Payment/Create?a=1","headers":{"B":["1","2"],"A":"x"},"body":{"amount":5},"status":200,"answer":"text"}
{"url":"https://x/b","body":"raw","answer":null}
not json
{"url":"https://x/c","status":201,"answer":null}
{"url":"https://x/d","status":504,"bodyMissing":true,"answer":null}
{"time":1772470800000,"url":"http://shop/hooks","headers":{"x-hmac-signature":"sha256=0"},"body":"{}","status":204}
{"Live":false,"Event":"E","Data":{"Status":"Paid"}}
{"method":"GET"}
`, `17:00:00.000 POST https://x/Payment/Create?a=1 [A: x] [B: 1] [B: 2] {"amount":5} -> whole 200 text
00:00:00.000 POST https://x/b? raw -> never-arrived 0 
00:00:00.000 GET https://x/c?  -> without-body 201 
00:00:00.000 POST https://x/d? (missing) -> never-arrived 504 
webhook 17:00:00.000 http://shop/hooks 204 {}
webhook 00:00:00.000  0 {"Live":false,"Event":"E","Data":{"Status":"Paid"}}
3:0 the line is no object with the documented members: invalid character 'o' in literal null (expecting 'u')
8:0 the line has no "url"
`},
		"JSON list": {record.JSONLines, `[{"url":"https://x/b","status":200,"answer":{"a":1}},7]`, `00:00:00.000 GET https://x/b?  -> whole 200 {"a":1}
0:2 the line is no object with the documented members: it is a JSON number, where an object belongs
`},
		"Postman": {
			record.Postman, `{"info":{},"variable":[{"key":"base","value":"https://x/{{v}}"},{"key":"v","value":"v1"}],"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{t}}"}]},"item":[
{"name":"folder","item":[{"name":"a","request":{"method":"POST","header":[{"key":"A","value":"{{v}}"},{"key":"B","value":"off","disabled":true}],"url":{"raw":"{{base}}/Payment/:id/Cancel?q=1","variable":[{"key":"id","value":"7"}]},"body":{"mode":"raw","raw":"{\"v\":\"{{v}}\"}","options":{"raw":{"language":"json"}}}}}]},
{"name":"b","request":"{{base}}/b","response":[{"originalRequest":{"method":"PUT","url":"{{base}}/c","auth":{"type":"noauth"}},"code":400,"header":[{"key":"X","value":"1"}],"body":"no"}]},
{"name":"c","request":{"method":"POST","url":{"protocol":"https","host":["x","org"],"port":"8","path":["d"],"query":[{"key":"k","value":"v"}]},"auth":{"type":"basic","basic":{"a":1}},"body":{"mode":"formdata","formdata":[]}}}]}`,
			`00:00:00.000 POST https://x/v1/Payment/7/Cancel?q=1 [A: v1] [Authorization: Bearer {{t}}] [Content-Type: application/json] {"v":"v1"} -> not-recorded 0 
00:00:00.000 PUT https://x/v1/c?  -> whole 400 no
00:00:00.000 POST https://x.org:8/d?k=v [Authorization: Basic Og==] (missing) -> not-recorded 0 
0:3/item/2 the collection does not hold the request's body
`,
		},
		"newman": {
			record.Newman, `{"run":{"timings":{"started":1772470800000},"executions":[{"item":{"id":"i"},"request":{"method":"GET","url":{"protocol":"http","host":["x"],"path":["a"]}},"response":{"code":200,"responseTime":7,"header":[],"stream":{"type":"Buffer","data":[123,125]}}},
{"item":{"id":"j"},"request":{"method":"GET","url":{"host":["x"]}},"requestError":{"code":"ECONNREFUSED"}},{}]}}`,
			`17:00:00.000 GET http://x/a?  -> whole 200 {}
17:00:00.007 GET ://x/?  -> never-arrived 0 
0:3/run/executions/2 the execution cannot be read
`,
		},
	} {
		p, err := c.read(&source.File{Name: name, Data: []byte(c.text)}, nil)
		require.NoError(t, err, name)
		require.Equal(t, c.want, told(p), name)
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	v, err := record.PostmanVariables(&source.File{Data: []byte(`{"values":[{"key":"a","value":"1","enabled":true},{"key":"b","value":"2","enabled":false}]}`)})
	require.NoError(t, err)
	require.Equal(t, source.Variables{"a": "1"}, v)
	v, err = record.Environments(&source.File{Data: []byte(`{"$shared":{"a":"1"},"dev":{"b":"2","c":"3"},"test":{"b":"2","c":4}}`)})
	require.NoError(t, err)
	require.Equal(t, source.Variables{"a": "1", "b": "2"}, v)
}

func FuzzRecords(f *testing.F) {
	f.Add(`{"log":{"entries":[` + entry(`"postData":{"text":"x"}`, `"status":200,"headers":{"a":["b"]},"content":{"text":"e30=","encoding":"base64"}`) + `]}}`)
	f.Add(`{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}`)
	f.Add(`{"info":{},"item":[{"item":[{"request":{"method":"POST","url":{"raw":"{{a}}"},"body":{"mode":"urlencoded","urlencoded":[{"key":"a"}]}}}]}]}`)
	f.Add(`{"run":{"timings":{"started":1e12},"executions":[{"request":{"url":"x"},"response":{"code":1,"stream":{"data":[1]}}}]}}`)
	f.Add(`{"_type":"export","__export_format":4,"resources":[{"_type":"environment","data":{"a":"{{b}}","b":["c"]}},{"_type":"request","method":"POST","url":"{{ _.a }}/x","body":{"text":"{}"},"headers":[{"name":"a"}]}]}`)
	f.Add("{\"time\":1e300,\"url\":\"x\",\"headers\":[{\"name\":\"a\"}],\"answer\":null}\n{\"webhook\":true,\"body\":7}")
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []readtest.Reader{record.Tape, record.HAR, record.Postman, record.Newman, record.JSONLines, record.Insomnia} {
			p, err := read(&source.File{Name: "f", Data: []byte(s)}, source.Variables{"a": "{{a}}{{a}}"})
			if err != nil {
				continue
			}
			for _, x := range p.Exchanges {
				require.NotEqual(t, recording.Known(""), x.Answer.Known)
			}
		}
		for _, read := range []func(*source.File) (source.Variables, error){record.PostmanVariables, record.Environments} {
			_, _ = read(&source.File{Name: "f", Data: []byte(s)})
		}
	})
}

// TestInsomnia reads an export in the order of its screen, with what its environment says.
func TestInsomnia(t *testing.T) {
	t.Parallel()
	p, err := record.Insomnia(&source.File{Name: "i", Data: []byte(`{"_type":"export","__export_format":4,"resources":[
		{"_type":"environment","data":{"base":"https://api.example.com","token":"abc","n":7}},
		{"_type":"request","metaSortKey":2,"method":"GET","url":"{{ _.base }}/Company/List","authentication":{"type":"bearer","token":"{{ _.token }}"}},
		{"_type":"request","metaSortKey":1,"method":"post","url":"{{base}}/Payment/Create","headers":[{"name":"A","value":"{{ _.n }}"}],"body":{"mimeType":"application/json","text":"{}"}},
		{"_type":"request","url":""}]}`)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	require.Len(t, p.Skipped, 1)
	require.Equal(t, []tape.Header{{Name: "A", Value: "7"}, {Name: "Content-Type", Value: "application/json"}}, p.Exchanges[0].Header)
	require.Equal(t, "POST /Payment/Create {}", p.Exchanges[0].Method+" "+p.Exchanges[0].Path+" "+string(p.Exchanges[0].Body))
	require.Equal(t, "api.example.com", p.Exchanges[1].Host)
	require.Equal(t, []tape.Header{{Name: "Authorization", Value: "Bearer abc"}}, p.Exchanges[1].Header)
}

// TestJSONLinesAreTakenBack: what is written reads as what it was.
func TestJSONLinesAreTakenBack(t *testing.T) {
	t.Parallel()
	at := source.Time("2026-03-02T17:00:00.25Z")
	headers := []tape.Header{{Name: "B", Value: "1"}, {Name: "A", Value: "2"}}
	calls := []recording.Exchange{
		{Begin: at, End: at.Add(7), Method: "POST", Scheme: "https", Host: "x", Path: "/a", Query: "b=c", Header: headers, Body: []byte(`{"a":1}`), Answer: recording.Answer{Known: recording.Whole, Status: 200, Header: headers, Body: []byte("{}")}},
		{Method: "GET", Path: "/b", Answer: recording.Answer{Known: recording.NotRecorded}},
		{Method: "PUT", Path: "/c", BodyMissing: true, Answer: recording.Answer{Known: recording.NeverArrived, Status: 504}},
		{Method: "GET", Path: "/d", Answer: recording.Answer{Known: recording.WithoutBody, Status: 404}},
		{Method: "POST", Path: "/e", Body: []byte{0xff, 0}, Answer: recording.Answer{Known: recording.Whole, Status: 204}},
		{Method: "POST", Path: "/f", Body: []byte("text"), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte{0xfe}}},
	}
	received := []recording.Received{{At: at, URL: "http://shop/h", Header: headers, Body: []byte("null"), Status: 204, Signature: recording.Valid}}
	var b bytes.Buffer
	require.NoError(t, record.WriteJSONLines(&b, &recording.Recording{Exchanges: calls, Received: received}))
	p, err := record.JSONLines(&source.File{Data: b.Bytes()}, nil)
	require.NoError(t, err, b.String())
	require.Empty(t, p.Skipped)
	for i := range p.Exchanges {
		p.Exchanges[i].Place = recording.Place{}
	}
	p.Received[0].Place = recording.Place{}
	require.Equal(t, calls, p.Exchanges)
	require.Equal(t, received, p.Received)
}

// TestMembersOfAnswersInTheLine: programs log ids of what a call has made, and what is granted, as members of the line itself. A token
// that was kept is none that was granted then, and an id of before is no answer.
func TestMembersOfAnswersInTheLine(t *testing.T) {
	t.Parallel()
	const token = `{"level":30,"time":1780379892318,"status":200,"tokenType":"Bearer","expiresInSeconds":3600,"accessToken":"eyJhb…[redacted]","msg":"`
	call := func(path, status string) string {
		return `{"method":"POST","url":"https://a.example` + path + `","status":` + status + `,"body":{"amount":5},"payment_request_id":"p-1"}`
	}
	for line, want := range map[string]string{
		token + `token fetched"}`:    `POST /Authentication/Token 200 {"accessToken":"eyJhb…[redacted]","expiresInSeconds":3600,"tokenType":"Bearer"}`,
		token + `token from cache"}`: "",
		`{"time":"2026-06-02T05:58:12Z","message":"token valid","tokenType":"Bearer","expiresInSeconds":12}`:    "",
		`{"time":"2026-06-02T05:58:12Z","message":"a new token","token_type":"Bearer","expires_in_seconds":60}`: `POST /Authentication/Token 200 {"expiresInSeconds":60,"tokenType":"Bearer"}`,
		call("/Payment/Create", "200"): `POST /Payment/Create 200 {"paymentRequestId":"p-1","…":"…"}`,
		`{"method":"POST","url":"https://a.example/Payment/Create","status":400,"response":{"title":"no"}}`:                                                         `POST /Payment/Create 400 {"title":"no"}`,
		`{"method":"POST","path":"/Payment/Create","json":{"amount":5},"status":200,"response":{"paymentRequestId":"p-1","url":"https://a.example/pages/pay/p-1"}}`: `POST /Payment/Create 200 {"paymentRequestId":"p-1","url":"https://a.example/pages/pay/p-1"}`,
		call("/Payment/Create", "400"):     `POST /Payment/Create 400 `,
		call("/Payment/Refund/p-1", "200"): `POST /Payment/Refund/p-1 200 `,
	} {
		p, err := record.JSONLines(&source.File{Name: "a", Data: []byte(line + "\n")}, nil)
		if want == "" {
			require.Error(t, err, line)
			continue
		}
		require.NoError(t, err, line)
		x := p.Exchanges[0]
		require.Equal(t, want, fmt.Sprintf("%s %s %d %s", x.Method, x.Path, x.Answer.Status, x.Answer.Body), line)
	}
	p, err := record.JSONLines(&source.File{Name: "a", Data: []byte(`{"method":"POST","url":"https://a.example/Authentication/Token","status":200}` + "\n" + token + "token fetched\"}\n")}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 1, "the second line tells of the first")
}

// TestWhatASentenceTells: structured lines whose message names the call, and whose own members hold the rest.
func TestWhatASentenceTells(t *testing.T) {
	t.Parallel()
	p, err := record.JSONLines(&source.File{Name: "a.log", Data: []byte(`{"Timestamp":"2026-03-02T17:00:00Z","LogLevel":"Information","Message":"Fetched access token (status 200)","State":{"Url":"https://api.example.com/Authentication/Token","Response":"{\"accessToken\":\"***\",\"expiresInSeconds\":3600}"}}
{"Timestamp":"2026-03-02T17:00:01Z","Message":"POST /Payment/Create -> 200","State":{"Amount":4200,"PaymentRequestId":"p-1","Authorization":"Bearer ***"}}
{"time":"2026-03-02T17:00:02Z","level":"error","msg":"401 from POST https://api.example.com/Payment/Create","extra":{"body":"{\"title\":\"Unauthorized\",\"status\":401}"}}
{"time":"2026-03-02T17:00:03Z","level":"info","msg":"sent 200 letters about /Payment/Create"}
`)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 3)
	granted, made, refused := p.Exchanges[0], p.Exchanges[1], p.Exchanges[2]
	require.Equal(t, "POST /Authentication/Token 200", granted.Method+" "+granted.Path+" "+strconv.Itoa(granted.Answer.Status))
	require.JSONEq(t, `{"accessToken":"***","expiresInSeconds":3600}`, string(granted.Answer.Body))
	require.JSONEq(t, `{"paymentRequestId":"p-1","…":"…"}`, string(made.Answer.Body))
	require.Equal(t, "Bearer ***", source.Header(made.Header, "Authorization"))
	require.Empty(t, made.Body)
	require.Equal(t, 401, refused.Answer.Status)
	require.Contains(t, string(refused.Answer.Body), "Unauthorized")
}
