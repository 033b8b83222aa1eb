package read_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestHeadsOfAProxy: what the log of a proxy tells of the headers of webhooks is put to the bodies that the receiver behind it tells, where
// one there and one here came at a time.
func TestHeadsOfAProxy(t *testing.T) {
	t.Parallel()
	const digest = "sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	event := func(second int, status int) string {
		return fmt.Sprintf(`{"ts":"2026-09-10T05:41:%02d.404Z","msg":"webhook","body":"{\"Live\":true,\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"ce7d4745-0115-4691-acc1-8ac8aa03ce%02d\",\"Amount\":5,\"Status\":\"Paid\",\"Timestamp\":\"2026-09-10T05:41:%02dZ\"}}","status":%d}`, second, second, second, status) + "\n"
	}
	traefik := func(second, status int, agent, signature string) string {
		if signature != "" {
			signature = `"request_X-Hmac-Signature":"` + signature + `",`
		}
		return fmt.Sprintf(`{"DownstreamStatus":%d,"RequestHost":"hooks.example","RequestMethod":"POST","RequestPath":"/v2/collect","StartUTC":"2026-09-10T05:41:%02d.400Z","request_User-Agent":"%s",%s"time":"2026-09-10T05:41:%02dZ"}`, status, second, agent, signature, second) + "\n"
	}
	nginx := func(second, status int, signature string) string {
		return fmt.Sprintf(`{"time_iso8601":"2026-09-10T05:41:%02d+00:00","request_method":"POST","request_uri":"/v2/collect","status":"%d","http_user_agent":"S/1","http_x_hmac_signature":"%s"}`, second, status, signature) + "\n"
	}
	told := func(receiver, proxy string) string {
		r := readAll(t, read.Options{}, source.File{Name: "hook.log", Data: []byte(receiver)}, source.File{Name: "proxy.log", Data: []byte(proxy)})
		require.Empty(t, r.Exchanges)
		var b strings.Builder
		for i := range r.Received {
			w := &r.Received[i]
			fmt.Fprintf(&b, "%d:%t:%t ", w.At.Second(), source.Header(w.Header, "X-HMAC-Signature") == digest, w.Unsigned)
			require.NotEmpty(t, w.Body)
		}
		for i := range r.Sources {
			fmt.Fprintf(&b, "%d ", len(r.Sources[i].Arrivals))
		}
		return strings.TrimSpace(b.String())
	}
	for name, c := range map[string]struct{ receiver, proxy, want string }{
		"Traefik":                       {event(1, 200) + event(9, 401), traefik(1, 200, "S/1", digest) + traefik(5, 503, "S/1", digest) + traefik(9, 401, "S/1", ""), "1:true:false 9:false:true 0 3"},
		"nginx, which has - for none":   {event(1, 200) + event(9, 401), nginx(1, 200, digest) + nginx(9, 401, "-"), "1:true:false 9:false:true 0 2"},
		"of another sender":             {event(1, 200) + event(9, 401), traefik(1, 200, "S/1", digest) + traefik(9, 401, "curl/8", ""), "1:true:false 9:false:false 0 1"},
		"two at a time":                 {event(1, 200) + event(9, 401), traefik(1, 200, "S/1", digest) + traefik(9, 401, "S/1", "") + traefik(10, 503, "S/1", digest), "1:true:false 9:false:false 0 3"},
		"two bodies at a time":          {event(1, 200) + event(9, 401) + strings.Replace(event(10, 200), ":10.404Z", ":09.900Z", 1), traefik(1, 200, "S/1", digest) + traefik(9, 401, "S/1", ""), "1:true:false 9:false:false 10:false:false 0 2"},
		"answered otherwise":            {event(1, 200) + event(9, 200), traefik(1, 200, "S/1", digest) + traefik(9, 401, "S/1", ""), "1:true:false 9:false:false 0 2"},
		"at another time":               {event(1, 200) + event(9, 401), traefik(1, 200, "S/1", digest) + traefik(20, 401, "S/1", ""), "1:true:false 9:false:false 0 2"},
		"in another order than by time": {event(9, 401) + event(1, 200), traefik(9, 401, "S/1", "") + traefik(1, 200, "S/1", digest), "1:true:false 9:false:true 0 2"},
	} {
		require.Equal(t, c.want, told(c.receiver, c.proxy), name)
	}
	r := readAll(t, read.Options{}, source.File{Name: "proxy.log", Data: []byte(traefik(1, 200, "S/1", digest))}, source.File{Name: "hook.log", Data: []byte(event(30, 200))})
	require.Contains(t, r.Skipped, recording.Skipped{Place: recording.Place{Source: "proxy.log", Entry: 1}, Why: "a call to the partner's own receiver, of which the file shows no event"})
}
