package read_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestAccessLogs: each tells of a token, of a payment whose answer never came, and of one that was answered.
func TestAccessLogs(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{
		"AWS ALB": `https 2026-03-03T09:12:02.753159Z app/egress/50dc6c495c0c9188 10.0.1.52:33412 203.0.113.9:443 0.001 0.039 0.000 200 200 431 599 "POST https://api.collect.example:443/Authentication/Token HTTP/1.1" "shop/1" ECDHE TLSv1.2 arn:aws:x "Root=1-58337262-36d228ad5d99923122bbe354" "api.collect.example" "arn:aws:acm:x" 0 2026-03-03T09:12:02.000000Z "forward" "-" "-" "203.0.113.9:443" "200" "-" "-"
https 2026-03-03T09:12:19.367853Z app/egress/50dc6c495c0c9188 10.0.1.52:33412 203.0.113.9:443 0.001 -1 -1 504 - 441 168 "POST https://api.collect.example:443/Payment/Create HTTP/1.1" "shop/1" ECDHE TLSv1.2 arn:aws:x "Root=1-58337262-36d228ad5d99923122bbe355" "api.collect.example" "arn:aws:acm:x" 0 2026-03-03T09:12:04.000000Z "forward" "-" "-" "203.0.113.9:443" "-" "-" "-"
https 2026-03-03T09:12:21.877820Z app/egress/50dc6c495c0c9188 10.0.1.52:33412 203.0.113.9:443 0.001 0.028 0.000 200 200 441 468 "POST https://api.collect.example:443/Payment/Create HTTP/1.1" "shop/1" ECDHE TLSv1.2 arn:aws:x "Root=1-58337262-36d228ad5d99923122bbe356" "api.collect.example" "arn:aws:acm:x" 0 2026-03-03T09:12:06.000000Z "forward" "-" "-" "203.0.113.9:443" "200" "-" "-"
`,
		"AWS ELB": `2026-03-03T09:12:02.753159Z egress 10.0.1.52:33412 203.0.113.9:443 0.000073 0.039 0.000057 200 200 431 599 "POST https://api.collect.example:443/Authentication/Token HTTP/1.1" "shop/1" ECDHE TLSv1.2
2026-03-03T09:12:04.353159Z egress 10.0.1.52:33412 203.0.113.9:443 0.000073 -1 -1 - - 441 0 "POST https://api.collect.example:443/Payment/Create HTTP/1.1" "shop/1" ECDHE TLSv1.2
2026-03-03T09:12:21.953159Z egress 10.0.1.52:33412 203.0.113.9:443 0.000073 0.112 0.000057 200 200 441 468 "POST https://api.collect.example:443/Payment/Create HTTP/1.1" "shop/1" ECDHE TLSv1.2
`,
		"HAProxy": `Mar  3 09:12:02 lb1 haproxy[14389]: 10.0.1.52:33317 [03/Mar/2026:09:12:02.753] egress~ collect/srv1 0/0/1/39/39 200 599 - - ---- 1/1/1/1/0 0/0 {api.collect.example} "POST /Authentication/Token HTTP/1.1"
Mar  3 09:12:03 lb1 haproxy[14389]: 10.0.1.52:33317 [03/Mar/2026:09:12:04.353] egress~ collect/srv1 0/0/1/-1/15001 504 168 - - sH-- 1/1/1/1/0 0/0 {api.collect.example} "POST /Payment/Create HTTP/1.1"
Mar  3 09:12:21 lb1 haproxy[14389]: 10.0.1.52:33317 [03/Mar/2026:09:12:21.953] egress~ collect/srv1 0/0/1/112/112 200 468 - - ---- 1/1/1/1/0 0/0 {api.collect.example} "POST /Payment/Create HTTP/1.1"
`,
		"Squid": `1772529122.792     39 10.0.1.52 TCP_MISS/200 599 POST https://api.collect.example/Authentication/Token - HIER_DIRECT/203.0.113.9 application/json
1772529139.354  15001 10.0.1.52 TCP_MISS_TIMEDOUT/000 0 POST https://api.collect.example/Payment/Create - HIER_DIRECT/203.0.113.9 -
1772529142.065    112 10.0.1.52 TCP_MISS/200 468 POST https://api.collect.example/Payment/Create - HIER_DIRECT/203.0.113.9 application/json
`,
		"Gin": `[GIN] 2026/03/03 - 09:12:02 | 200 |    39.000ms |       10.0.1.52 | POST     "/Authentication/Token"
[GIN] 2026/03/03 - 09:12:19 | 504 | 15001.000ms |       10.0.1.52 | POST     "/Payment/Create"
[GIN] 2026/03/03 - 09:12:22 | 200 |   112.000ms |       10.0.1.52 | POST     "/Payment/Create"
`,
		"Morgan, dev":  "\x1b[0mPOST /Authentication/Token \x1b[32m200\x1b[0m 39.000 ms - 599\x1b[0m\n\x1b[0mPOST /Payment/Create \x1b[0m-\x1b[0m - ms - -\x1b[0m\n\x1b[0mPOST /Payment/Create \x1b[32m200\x1b[0m 112.000 ms - 468\x1b[0m\n",
		"Morgan, tiny": "POST /Authentication/Token 200 599 - 39.000 ms\nPOST /Payment/Create 504 168 - 15001.000 ms\nPOST /Payment/Create 200 468 - 112.000 ms\n",
		"Google's load balancer": `{"insertId":"1x2y3z0","jsonPayload":{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","statusDetails":"response_sent_by_backend"},"httpRequest":{"requestMethod":"POST","requestUrl":"https://api.collect.example/Authentication/Token","status":200,"latency":"0.039s"},"timestamp":"2026-03-03T09:12:02.753159Z"}
{"insertId":"1x2y3z16","jsonPayload":{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","statusDetails":"backend_timeout"},"httpRequest":{"requestMethod":"POST","requestUrl":"https://api.collect.example/Payment/Create","status":504,"latency":"15.001s"},"timestamp":"2026-03-03T09:12:04.353159Z"}
{"insertId":"1x2y3z192","jsonPayload":{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","statusDetails":"response_sent_by_backend"},"httpRequest":{"requestMethod":"POST","requestUrl":"https://api.collect.example/Payment/Create","status":200,"latency":"0.112s"},"timestamp":"2026-03-03T09:12:21.953159Z"}
`,
		"urllib3 that tries again": `2026-03-03 09:12:02,853 DEBUG urllib3.connectionpool: https://api.collect.example:443 "POST /Authentication/Token HTTP/1.1" 200 399
2026-03-03 09:12:14,020 WARNING urllib3.connectionpool: Retrying (Retry(total=2, connect=None, read=2, redirect=None, status=None)) after connection broken by 'ReadTimeoutError("HTTPSConnectionPool(host='api.collect.example', port=443): Read timed out. (read timeout=10)")': /Payment/Create
2026-03-03 09:12:14,140 DEBUG urllib3.connectionpool: https://api.collect.example:443 "POST /Payment/Create HTTP/1.1" 200 268
`,
		"nginx, both logs": `10.0.1.52 - - [03/Mar/2026:09:12:02 +0000] "POST /Authentication/Token HTTP/1.1" 200 599 "-" "shop/1" 0.039 0.038
2026/03/03 09:12:19 [error] 31#31: *7 upstream timed out (110: Connection timed out) while reading response header from upstream, client: 10.0.1.52, server: egress, request: "POST /Payment/Create HTTP/1.1", upstream: "https://203.0.113.9:443/Payment/Create", host: "api.collect.example"
10.0.1.52 - - [03/Mar/2026:09:12:21 +0000] "POST /Payment/Create HTTP/1.1" 200 468 "-" "shop/1" 0.112 0.111
`,
		"Guzzle's error": `[2026-03-03 09:12:02] collect.INFO: "POST https://api.collect.example/Authentication/Token HTTP/1.1" 200
[2026-03-03 09:12:14] production.ERROR: cURL error 28: Operation timed out after 10001 milliseconds with 0 bytes received (see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://api.collect.example/Payment/Create {"exception":"[object] (GuzzleHttp\\Exception\\ConnectException(code: 0): cURL error 28: Operation timed out for https://api.collect.example/Payment/Create at /var/www/CurlFactory.php:210)"}
[2026-03-03 09:12:16] collect.INFO: "POST https://api.collect.example/Payment/Create HTTP/1.1" 200
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := read.Contents([]source.File{{Name: "access.log", Data: []byte(log)}}, read.Options{})
			require.NoError(t, err)
			require.Len(t, r.Exchanges, 3)
			for i, path := range []string{"/Authentication/Token", "/Payment/Create", "/Payment/Create"} {
				x := &r.Exchanges[i]
				require.Equal(t, "POST "+path, x.Method+" "+x.Path)
				if i == 1 {
					require.Equal(t, recording.NeverArrived, x.Answer.Known)
				} else {
					require.Equal(t, 200, x.Answer.Status)
				}
				require.Empty(t, x.Body)
			}
		})
	}
}

// TestLoggersThatLeaveHeadersOut show no media type of a call that was served: it was JSON.
func TestLoggersThatLeaveHeadersOut(t *testing.T) {
	t.Parallel()
	line := `{"name":"egress","req":{"method":"POST","url":"/Payment/Create","headers":{"host":"api.collect.example","user-agent":"shop/1"}},"res":{"statusCode":200},"msg":"handled","time":"2026-03-03T09:12:22.065Z","v":0}` + "\n"
	r, err := read.Contents([]source.File{{Name: "bunyan.log", Data: []byte(line)}}, read.Options{})
	require.NoError(t, err)
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, "application/json", source.Header(r.Exchanges[0].Header, "Content-Type"))
}

// TestAnErrorBeforeItsCall says of it that no answer came.
func TestAnErrorBeforeItsCall(t *testing.T) {
	t.Parallel()
	said := "java.net.http.HttpTimeoutException: request timed out\n\tat com.shop.Collect.createPayment(Collect.java:52)\nPOST https://api.collect.example/Payment/Create\n" + `{"amount":5000,"contactNumber":"+12025550142"}` + "\n"
	r, err := read.Contents([]source.File{{Name: "mail.txt", Data: []byte(said)}}, read.Options{})
	require.NoError(t, err)
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, recording.NeverArrived, r.Exchanges[0].Answer.Known)
}

// TestStatusesBehindMarks are read where the answer's body shows none.
func TestStatusesBehindMarks(t *testing.T) {
	t.Parallel()
	for _, log := range []string{
		"> GET https://api.collect.example/Company/List\n< 503 after 112 ms\n{\"type\":\"about:blank\",\"title\":\"x\"}\n",
		"2026-03-02 17:00:01 | GET /Company/List | | 503 | {\"type\":\"about:blank\",\"title\":\"x\"}\n",
	} {
		r, err := read.Contents([]source.File{{Name: "app.log", Data: []byte(log)}}, read.Options{})
		require.NoError(t, err)
		require.Len(t, r.Exchanges, 1)
		require.Equal(t, 503, r.Exchanges[0].Answer.Status)
	}
}
