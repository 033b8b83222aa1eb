package join_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParams: what Rails has parsed of a request is no delivery beside the body as it came, and is one where that is not shown; a
// delivery that comes again is one.
func TestParams(t *testing.T) {
	t.Parallel()
	const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	body := fmt.Sprintf(`{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"%s","Amount":5000,"Status":"Paid","Timestamp":"2026-06-16T14:22:06Z"}}`, id)
	parsed := strings.ReplaceAll(strings.TrimSuffix(body, "}")+`,"hook":`+body+"}", `":`, `"=>`)
	stamp := func(second int) string {
		return fmt.Sprintf("D, [2026-06-16T14:22:%02d.118342 #4] DEBUG -- : [80e6b5d0] ", second)
	}
	raw := func(second int) string {
		return stamp(second) + `[tap] POST /hooks HTTP_X_HMAC_SIGNATURE="sha256=` + strings.Repeat("ab", 32) + "\"\n" + stamp(second) + "[tap] " + body + "\n"
	}
	shown := func(second int) string {
		return stamp(second) + "Processing by HooksController#create as JSON\n" + stamp(second) + "  Parameters: " + parsed + "\n" + stamp(second) + "Completed 401 Unauthorized in 1ms\n"
	}
	for text, want := range map[string]int{raw(7) + shown(7): 1, raw(7) + shown(7) + raw(12) + shown(12): 2, shown(7): 1, shown(7) + shown(12): 2, raw(7) + raw(12): 2} {
		r := readAll(t, file("production.log", text))
		require.Len(t, r.Received, want, text)
		for i := range r.Received {
			require.NotContains(t, string(r.Received[i].Body), `"hook"`)
			require.Equal(t, !strings.Contains(text, "[tap]"), r.Received[i].Reprinted, text)
			if strings.Contains(text, "Completed") {
				require.Equal(t, 401, r.Received[i].Status, text)
			}
		}
	}
}
