package read_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/recording"
)

// TestATraceShowsPointsForLineEnds: curl --trace-ascii has a point in the place of each byte that it cannot show; those of texts and
// numbers are their own.
func TestATraceShowsPointsForLineEnds(t *testing.T) {
	t.Parallel()
	const body = `{.  "emailAddress": "a.b@x.example",.  "rate": 1.5,.  "list": [.    1.  ].}`
	log := `17:00:00.046351 => Send header, 90 bytes (0x5a)
0000: POST /Company/Create HTTP/1.1
001f: Host: api.example.com
0041: Content-Type: application/json
0060: Content-Length: 75
0070: 
17:00:00.046395 => Send data, 75 bytes (0x4b)
0000: ` + body[:64] + `
0040: ` + body[64:] + `
17:00:00.050000 <= Recv header, 17 bytes (0x11)
0000: HTTP/1.1 200 OK
17:00:00.050001 <= Recv header, 2 bytes (0x2)
0000: 
17:00:00.050002 <= Recv data, 2 bytes (0x2)
0000: {}
`
	r := readAll(t, read.Options{}, file("a.txt", log))
	require.Len(t, r.Exchanges, 1)
	require.JSONEq(t, `{"emailAddress":"a.b@x.example","rate":1.5,"list":[1]}`, string(r.Exchanges[0].Body))
}

// TestATranscriptOfPowerShell: a variable that is printed is what it is, the body of the call that names it, and no answer; how many bytes
// came is no status.
func TestATranscriptOfPowerShell(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, file("a.txt", `PS C:\x> $base = 'https://api.example.com'
PS C:\x> $t = Invoke-RestMethod -Method Post -Uri "$base/Authentication/Token" -ContentType 'application/json' -Body $c
PS C:\x> $b = New-Body $rows[0]; $b
{
  "reference": "r-1"
}
PS C:\x> Invoke-RestMethod -Method Post -Uri "$base/Payment/Create" -Headers $h -ContentType 'application/json' -Body $b -Verbose
VERBOSE: Requested HTTP/1.1 POST with 399-byte payload
VERBOSE: Received HTTP/1.1 399-byte response of content type application/problem+json
Invoke-RestMethod: 
{
  "title": "One or more validation errors occurred.",
  "status": 400
}
`))
	require.Len(t, r.Exchanges, 2)
	require.Equal(t, recording.NotRecorded, r.Exchanges[0].Answer.Known)
	require.JSONEq(t, `{"reference":"r-1"}`, string(r.Exchanges[1].Body))
	require.Equal(t, 400, r.Exchanges[1].Answer.Status)
}

// TestAServerThatSumsUpBehind: uvicorn tells of a request when it has answered; what comes later belongs to the next.
func TestAServerThatSumsUpBehind(t *testing.T) {
	t.Parallel()
	signature := "sha256=" + strings.Repeat("ab", 32)
	request := func(at, status string) string {
		return at + `,702 DEBUG    app.middleware: POST /hooks/pay content-length=281 x-hmac-signature=` + signature + "\n" +
			at + `,703 DEBUG    app.hooks: payload for hmac: {"Live": false, "Event": "PAYMENT_STATUS_CHANGED", "Data": {"PaymentId": "p-1", "Status": "Paid"}}` + "\n" +
			at + `,705 INFO     uvicorn.access: 10.4.0.17:58876 - "POST /hooks/pay HTTP/1.1" ` + status + "\n"
	}
	r := readAll(t, read.Options{}, file("a.log", `2026-06-09 09:00:12,579 DEBUG    app: POST https://api.example.com/Payment/Create json={"amount":4500}
2026-06-09 09:00:12,854 DEBUG    app: response 200 {"paymentRequestId":"p-1"}
2026-06-09 09:00:12,856 INFO     uvicorn.access: 10.4.0.9:48494 - "POST /lessons/1/checkout HTTP/1.1" 201
`+request("2026-06-09 09:03:41", "401")+request("2026-06-09 09:03:46", "200")))
	require.Len(t, r.Exchanges, 1)
	require.Len(t, r.Received, 2)
	for i, status := range []int{401, 200} {
		require.Equal(t, status, r.Received[i].Status)
		require.Equal(t, signature, r.Received[i].Header[0].Value)
	}
	require.Equal(t, time.Date(2026, 6, 9, 9, 3, 41, 703e6, time.UTC), r.Received[0].At)
}

// TestTheTimeOfAnExport: Insomnia writes when it exported, for all calls; the Date of an answer tells when it came, and what was not sent is
// no call.
func TestTheTimeOfAnExport(t *testing.T) {
	t.Parallel()
	const at = "2026-03-11T15:20:44.918Z"
	dated := func(entry, date string) string {
		return strings.Replace(entry, `"response":{"status":200,"headers":[`, `"response":{"status":200,"headers":[{"name":"Date","value":"`+date+`"},`, 1)
	}
	unsent := strings.Replace(readtest.HAREntry(at, "POST", create, ``, 0, "", ``), `"time":`, `"time":0,"was":`, 1)
	r := readAll(t, read.Options{}, file("a.har", readtest.HAR(dated(readtest.HAREntry(at, "POST", create, `{"amount":2}`, 200, "", `{}`), "Wed, 11 Mar 2026 14:31:20 GMT"),
		dated(readtest.HAREntry(at, "POST", create, `{"amount":1}`, 200, "", `{}`), "Wed, 11 Mar 2026 14:05:10 GMT"), unsent)))
	require.Len(t, r.Exchanges, 2)
	require.JSONEq(t, `{"amount":1}`, string(r.Exchanges[0].Body))
	require.Equal(t, time.Date(2026, 3, 11, 14, 5, 10, 0, time.UTC), r.Exchanges[0].End)
}
