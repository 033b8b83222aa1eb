package join_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
)

// TestAProxysLogInAnotherZone: its lines are the calls of the program's log, which tells local time; those that do not fit one for one
// under one zone alone are calls of their own.
func TestAProxysLogInAnotherZone(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 10, 20, 8, 58, 5, 0, time.UTC)
	proxy := func(by time.Duration, status int, offsets ...time.Duration) string {
		var b strings.Builder
		for _, at := range offsets {
			fmt.Fprintf(&b, "%.3f 519 10.0.0.1 TCP_MISS/%d 452 POST https://api.a.example/Payment/Create - HIER_DIRECT/203.0.113.80 application/json\n", float64(start.Add(at+by).UnixMilli()+1019)/1e3, status)
		}
		return b.String()
	}
	app := func(offsets ...time.Duration) string {
		var b strings.Builder
		for i, at := range offsets {
			stamp := start.Add(at).Format("[2006-01-02 15:04:05]")
			fmt.Fprintf(&b, "%s token received {\"tokenType\":\"Bearer\"}\n%s pay > POST /Payment/Create {\"amount\":%d}\n%s pay < 200 {\"paymentRequestId\":\"p-%d\"}\n", stamp, stamp, 500+i, stamp, i)
		}
		return b.String()
	}
	uneven := []time.Duration{0, 20 * time.Minute, 34*time.Minute + 7*time.Second, 52 * time.Minute}
	even := []time.Duration{0, 15 * time.Minute, 30 * time.Minute, 45 * time.Minute}
	for name, c := range map[string]struct {
		app, proxy string
		calls      int
		first      string
	}{
		"of Denver":                {app(uneven...), proxy(6*time.Hour, 200, uneven...), 4, "14:58:05.500"},
		"of Kathmandu":             {app(uneven...), proxy(-5*time.Hour-45*time.Minute, 200, uneven...), 4, "03:13:05.500"},
		"the same":                 {app(uneven...), proxy(0, 200, uneven...), 4, "08:58:05.500"},
		"more than the program's":  {app(uneven[1:]...), proxy(6*time.Hour, 200, uneven...), 4, "14:58:05.500"},
		"one is another's":         {app(uneven...), proxy(6*time.Hour, 200, 0, 20*time.Minute, 40*time.Minute, 52*time.Minute), 8, "08:58:05.000"},
		"other answers":            {app(uneven...), proxy(6*time.Hour, 400, uneven...), 8, "08:58:05.000"},
		"by no whole zone":         {app(uneven...), proxy(6*time.Hour+7*time.Minute, 200, uneven...), 8, "08:58:05.000"},
		"every quarter of an hour": {app(even[:3]...), proxy(6*time.Hour, 200, even...), 7, "08:58:05.000"},
	} {
		r := readAll(t, source.File{Name: "app.log", Data: []byte(c.app)}, source.File{Name: "proxy.log", Data: []byte(c.proxy)})
		require.Len(t, r.Exchanges, c.calls, name)
		require.Equal(t, c.first, r.Exchanges[0].Begin.Format("15:04:05.000"), name)
		if c.calls == 4 {
			require.JSONEq(t, `{"amount":502}`, string(r.Exchanges[2+4-strings.Count(c.app, "POST")].Body), name)
		}
	}
}

// TestAServersLogOfAnswers tells a call when it was answered, perhaps long after it was made.
func TestAServersLogOfAnswers(t *testing.T) {
	t.Parallel()
	for _, zone := range []time.Duration{0, 7 * time.Hour} {
		var app, server strings.Builder
		for i, at := range []string{"10:00:00", "10:21:07", "10:55:30"} {
			began, err := time.Parse(time.DateTime, "2026-10-20 "+at)
			require.NoError(t, err)
			took := time.Duration(3+4*i) * time.Second
			fmt.Fprintf(&app, "[%s] POST https://api.a.example/Payment/Create {\"amount\":%d}\n[%s] response 200 {\"paymentRequestId\":\"p-%d\"}\n", began.Format(time.DateTime), 500+i, began.Add(took).Format(time.DateTime), i)
			fmt.Fprintf(&server, "10.0.1.52 - - [%s +0000] \"POST /Payment/Create HTTP/1.1\" 200 599 \"-\" \"shop/1\"\n", began.Add(took+zone).Format("02/Jan/2006:15:04:05"))
		}
		r := readAll(t, source.File{Name: "app.log", Data: []byte(app.String())}, source.File{Name: "server.log", Data: []byte(server.String())})
		require.Len(t, r.Exchanges, 3, zone)
		require.Len(t, r.Exchanges[2].Also, 1, zone)
	}
}
