package read_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestAnAnswerInAnObject: the object that a program logs for an answer is not its body, which stands in it, or was struck out.
func TestAnAnswerInAnObject(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]recording.Answer{
		`{"status":200,"body":"***"}`:                                           {Known: recording.WithoutBody, Status: 200},
		`{"statusCode":400,"data":"[REDACTED]","took":12}`:                      {Known: recording.WithoutBody, Status: 400},
		`{"status":400,"body":"{\"title\":\"Bad Request\",\"status\":400}"}`:    {Known: recording.Whole, Status: 400, Body: []byte(`{"title":"Bad Request","status":400}`)},
		`{"status":200,"body":{"paymentRequestId":"p-1"}}`:                      {Known: recording.Whole, Status: 200, Body: []byte(`{"paymentRequestId":"p-1"}`)},
		`{"status":201,"body":null}`:                                            {Known: recording.Whole, Status: 201},
		`{"id":"rq_7","status":200,"body":{"companyId":"1"},"time_ms":188}`:     {Known: recording.Whole, Status: 200, Body: []byte(`{"companyId":"1"}`)},
		`{"id":"rq_8","status":200,"response":"","requestId":"x"}`:              {Known: recording.Whole, Status: 200},
		`{"id":"p-1","status":"Paid","body":{}}`:                                {Known: recording.Whole, Status: 200, Body: []byte(`{"id":"p-1","status":"Paid","body":{}}`)},
		`{"title":"Bad Request","status":400}`:                                  {Known: recording.Whole, Status: 400, Body: []byte(`{"title":"Bad Request","status":400}`)},
		`{"id":"p-1","status":"Paid","data":"x"}`:                               {Known: recording.Whole, Status: 200, Body: []byte(`{"id":"p-1","status":"Paid","data":"x"}`)},
		`{"status":200,"body":"a","data":"b"}`:                                  {Known: recording.Whole, Status: 200, Body: []byte(`{"status":200,"body":"a","data":"b"}`)},
		`{"code":400,"data":{},"paymentRequestId":"p-1"}`:                       {Known: recording.Whole, Status: 200, Body: []byte(`{"code":400,"data":{},"paymentRequestId":"p-1"}`)},
		`{"status":200,"headers":{"Retry-After":"5"},"body":{"companyId":"1"}}`: {Known: recording.Whole, Status: 200, Body: []byte(`{"companyId":"1"}`)},
	} {
		r := readAll(t, read.Options{}, source.File{Name: "a.log", Data: []byte("2026-03-02T17:00:01Z POST https://api.pay.example/Payment/Create {\"amount\":50}\n2026-03-02T17:00:01Z response " + answer + "\n")})
		require.Len(t, r.Exchanges, 1, answer)
		got := r.Exchanges[0].Answer
		require.Equal(t, [3]string{string(want.Known), strconv.Itoa(want.Status), string(want.Body)}, [3]string{string(got.Known), strconv.Itoa(got.Status), string(got.Body)}, answer)
	}
}

// TestAnAnswerAloneBehindACall: an object behind a call that has its status tells what was answered, and of what was sent its Authorization
// alone; a line that tells the status once more makes no call of the next one.
func TestAnAnswerAloneBehindACall(t *testing.T) {
	t.Parallel()
	log := `[2026-05-11 08:00:02] pay.INFO: POST /Authentication/Token {"status":200,"ms":171,"expiresInSeconds":3600} []
[2026-05-11 08:00:03] pay.INFO: GET /Company/List {"authorization":"Bearer one","status":200,"ms":9} []
[2026-05-11 08:00:04] pay.INFO: POST /Payment/Create {"headers":{"authorization":"Bearer on"},"request":{"amount":5},"status":401,"response":{"status":401}} []
[2026-05-11 08:00:04] pay.ERROR: failed: answered 401 {"exception":"x"} []
[2026-05-11 08:00:05] pay.INFO: POST /Payment/Create {"authorization":"Bearer on","request":{"amount":5},"status":401,"response":{"status":401}} []
[2026-05-11 08:00:06] pay.INFO: POST /Payment/Create {"amount":5,"status":200} []
`
	r := readAll(t, read.Options{}, source.File{Name: "a.log", Data: []byte(log)})
	require.Len(t, r.Exchanges, 5)
	told := ""
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		told += fmt.Sprintf("%s %q %t %s %d %s %s\n", x.Path, source.Header(x.Header, "Authorization"), x.BodyMissing, x.Body, x.Answer.Status, x.Answer.Known, x.Answer.Body)
	}
	require.Equal(t, `/Authentication/Token "" true  200 without-body 
/Company/List "Bearer one" false  200 without-body 
/Payment/Create "Bearer on" false {"amount":5} 401 whole {"status":401}
/Payment/Create "Bearer on" false {"amount":5} 401 whole {"status":401}
/Payment/Create "" false {"amount":5,"status":200} 0 not-recorded 
`, told)
}
