package read_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
)

// A shell's variable is no token, a remark in brackets no body, and headers in quotes on one line are several.
func TestWhatStandsInTheirPlace(t *testing.T) {
	t.Parallel()
	for text, struck := range map[string]bool{
		"GET https://api.example.com/Company/List\nAuthorization: Bearer $TOKEN\n\nHTTP/1.1 200 OK\n\n{\"companies\":[]}\n":                                            true,
		"GET https://api.example.com/Company/List\nAuthorization: \"Bearer [FILTERED]\" Content-Type: \"application/json\"\n\nHTTP/1.1 200 OK\n\n{\"companies\":[]}\n": true,
		"GET https://api.example.com/Company/List\nAuthorization: \"Bearer abc.def\" User-Agent: \"Faraday v2\"\n\nHTTP/1.1 200 OK\n\n{\"companies\":[]}\n":            false,
		"GET https://api.example.com/Company/List\nAuthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.abc\n\nHTTP/1.1 200 OK\n\n{\"companies\":[]}\n":          false,
	} {
		r := readAll(t, read.Options{}, file("a.txt", text))
		require.Len(t, r.Exchanges, 1, text)
		require.Equal(t, struck, r.Exchanges[0].Struck, text)
		if !struck {
			require.NotContains(t, r.Exchanges[0].Header[0].Value, "Faraday")
		}
	}
	for answer, known := range map[string]recording.Known{
		"[suppressed]": recording.WithoutBody, "[body not logged by policy 7]": recording.WithoutBody, "<response body is binary>": recording.WithoutBody, "[]": recording.Whole, "[true]": recording.Whole,
	} {
		r := readAll(t, read.Options{}, file("a.jsonl", `{"time":"2026-03-02T17:00:00Z","method":"GET","url":"https://api.example.com/Company/List","status":200,"answer":"`+answer+`"}`))
		require.Equal(t, known, r.Exchanges[0].Answer.Known, answer)
	}
}

// The names that a log gives to an event's members are its own; those of one that came with its headers are the sender's.
func TestALogsNamesOfAnEvent(t *testing.T) {
	t.Parallel()
	const data = `{"PaymentId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","Status":"Paid"}`
	for text, body := range map[string]string{
		`{"time":"2026-03-02T17:00:00Z","webhook":true,"body":{"event":"PAYMENT_STATUS_CHANGED","data":` + data + `}}`:                       `{"Data":` + data + `,"Event":"PAYMENT_STATUS_CHANGED"}`,
		`{"time":"2026-03-02T17:00:00Z","webhook":true,"headers":{"X-A":"b"},"body":{"event":"PAYMENT_STATUS_CHANGED","data":` + data + `}}`: `{"event":"PAYMENT_STATUS_CHANGED","data":` + data + `}`,
		`{"time":"2026-03-02T17:00:00Z","webhook":true,"body":{"Event":"PAYMENT_STATUS_CHANGED","Data":` + data + `,"more":1}}`:              `{"Event":"PAYMENT_STATUS_CHANGED","Data":` + data + `,"more":1}`,
	} {
		r := readAll(t, read.Options{}, file("a.jsonl", text))
		require.Len(t, r.Received, 1, text)
		require.Equal(t, body, string(r.Received[0].Body), text)
	}
}

// What only answers have is none that was sent, whatever a log calls it.
func TestABodyThatOnlyAnswersHave(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, file("a.jsonl", `{"time":"2026-03-02T17:00:00Z","method":"POST","url":"https://api.example.com/Payment/Create","status":200,"body":"{\"paymentRequestId\":\"p\"}"}
{"time":"2026-03-02T17:00:01Z","method":"POST","url":"https://api.example.com/Payment/Create","status":200,"body":"{\"amount\":5000}"}
{"time":"2026-03-02T17:00:02Z","method":"POST","url":"https://api.example.com/Payment/Refund","status":200,"body":"{\"paymentRequestId\":\"p\"}"}
`))
	require.Equal(t, `{"paymentRequestId":"p"}`, string(r.Exchanges[2].Body), "a refund may name its payment so")
	require.Equal(t, `{"paymentRequestId":"p"}`, string(r.Exchanges[0].Answer.Body))
	require.Empty(t, r.Exchanges[0].Body)
	require.True(t, r.Exchanges[0].BodyMissing)
	require.Equal(t, `{"amount":5000}`, string(r.Exchanges[1].Body))
}
