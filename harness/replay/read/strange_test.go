package read_test

import (
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
