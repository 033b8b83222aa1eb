package read_test

import (
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
