package diagnose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/recording"
)

// TestALinkWentAstray: the partner sent one payer the link of another, and what came of it is told as the calls show it.
func TestALinkWentAstray(t *testing.T) {
	t.Parallel()
	const mona, theo = "d597bdfd-b0cb-4d79-84cf-8f855a3e0632", "544d9661-bace-4d1b-87c3-a3529773658d"
	made := func(id string) string {
		return `{"registrationId":"` + id + `","registrationUrl":"https://a.example/` + id + `"}`
	}
	told := func(note string) *diagnose.Diagnosis {
		in := newInput()
		in.call("registerUser", "POST /User/Register", whole(200, made(mona)), 200, made(mona)).last(func(x *recording.Exchange) { x.SentTo = note })
		in.call("registerUser", "POST /User/Register", whole(200, made(theo)), 200, made(theo))
		const linked = `{"status":"Registered","accountMask":"*8830"}`
		in.call("getUserStatus", "GET /User/"+mona+"/Status", whole(200, linked), 200, linked)
		d := diagnose.Of(&in.Input)
		return &d
	}
	d := told("sms.csv line 4, to the mobileNumber of the payer " + theo)
	require.Equal(t, diagnose.Partner, d.Side)
	text := strings.Join(d.Lines, "\n")
	require.Contains(t, text, "sent to another: sms.csv line 4, to the mobileNumber of the payer "+theo+", whom call 2 has registered with a link of their own")
	require.Contains(t, text, "the registration of that link shows as Registered with the account *8830 (call 3)")
	require.Equal(t, diagnose.Nobody, told("").Side)
}
