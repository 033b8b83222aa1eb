package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestACallThatTwoLoggersTell is one: a program tells its path and what was sent, and its client the address, or the
// request as it was sent. The same once more, told by the program alone, is another.
func TestACallThatTwoLoggersTell(t *testing.T) {
	t.Parallel()
	const sent = `{"amount":4500}`
	for name, one := range map[string]struct {
		log   string
		calls int
	}{
		"Java's client": {"2026-03-02T17:00:04.693Z INFO Gateway : --> POST /Payment/Create " + sent + "\n2026-03-02T17:00:04.721Z INFO jdk.httpclient.HttpClient : REQUEST: https://api.example/Payment/Create POST\n" +
			"2026-03-02T17:00:04.737Z INFO jdk.httpclient.HttpClient : HEADERS: REQUEST HEADERS:\nPOST /Payment/Create HTTP/1.1\nHost: api.example\nIdempotency-Key: k-1\n\n2026-03-02T17:00:06.737Z WARN Job : failed\njava.net.http.HttpTimeoutException: request timed out\n", 1},
		"a browser":      {"app.js:3 [pay] --> POST /Payment/Create " + sent + "\napp.js:4 POST http://localhost:5173/pay-api/Payment/Create 400 (Bad Request)\napp.js:6 [pay] <-- 400 {\"status\":400}\n", 1},
		"the same twice": {"17:00:04 --> POST /Payment/Create " + sent + "\n17:00:05 --> POST /Payment/Create " + sent + "\n17:00:06 <-- 400 {\"status\":400}\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readAll(t, read.Options{}, source.File{Name: "app.log", Data: []byte(one.log)})
			require.Len(t, r.Exchanges, one.calls)
			for i := range r.Exchanges {
				assert.JSONEq(t, sent, string(r.Exchanges[i].Body))
			}
			if name == "Java's client" {
				assert.Equal(t, recording.NeverArrived, r.Exchanges[0].Answer.Known)
				assert.Equal(t, "k-1", source.Header(r.Exchanges[0].Header, "Idempotency-Key"))
			}
		})
	}
}
