package read_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
)

// What a script's environment, a program or an environment file that was not sent would have put into a body is no fault of
// it: values that break no rule stand there, the file's own stay, and each is told.
func TestOpenValuesAreFilled(t *testing.T) {
	t.Parallel()
	script := `curl -s https://api.example.com/Payment/Create -H "Content-Type: application/json" -d "{\"amount\":$AMOUNT,\"contactNumber\":\"+1$PHONE\",\"registrationId\":\"$RID\",\"emailAddress\":\"$MAIL\",\"reference\":\"order-$N\",\"metadata\":{\"n\":-5}}"
curl -s "https://api.example.com/User/$RID/Status"
BODY=$(jq -nc '{amount:1}')
curl -s https://api.example.com/Payment/Create -H "Content-Type: application/json" -d "$BODY"
`
	r := readAll(t, read.Options{}, file("pay.sh", script))
	require.Len(t, r.Exchanges, 3)
	id := "9ab95e6d-7c8e-4e1c-8d1a-1d3c8f4d6a3e"
	if at := len(`{"amount":5000,"contactNumber":"+12025550142","registrationId":"`); len(r.Exchanges[0].Body) > at+36 {
		id = string(r.Exchanges[0].Body[at : at+36])
	}
	require.JSONEq(t, `{"amount":5000,"contactNumber":"+12025550142","registrationId":"`+id+`","emailAddress":"mail-open@example.com","reference":"order-${N}","metadata":{"n":-5}}`, string(r.Exchanges[0].Body))
	require.Equal(t, "/User/"+id+"/Status", r.Exchanges[1].Path, "the same variable is the same id")
	require.True(t, r.Exchanges[2].BodyMissing, "a program gives it")
	require.Equal(t, "what ${AMOUNT}, ${MAIL}, ${PHONE}, ${RID} held is not in the file: values that break no rule were taken", r.Skipped[0].Why)

	r = readAll(t, read.Options{}, file("pay.http", "POST https://api.example.com/Payment/Create\nContent-Type: application/json\n\n{\"amount\": {{amount}}, \"reference\": \"{{$guid}}\"}\n"))
	require.JSONEq(t, `{"amount":5000,"reference":"{{$guid}}"}`, string(r.Exchanges[0].Body))
}

// A host's clock is set by the tokens that it was granted, where no answer shows a Date: a token says when it ends, and its
// answer how long it is good. One that was kept and is granted again tells the same moment.
func TestTokensSetTheClock(t *testing.T) {
	t.Parallel()
	const granted = `{"time":"2026-03-02T16:53:00.200Z","end":"2026-03-02T16:53:00.300Z","method":"POST","url":"https://api.example.com/auth/token","headers":{},"body":{},"status":200,"answer":{"accessToken":"eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3NzI0NzQ0MDB9.c2ln","expiresInSeconds":3600}}` // ends at 18:00:00
	r := readAll(t, read.Options{}, file("calls.jsonl", granted))
	require.WithinDuration(t, time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC), r.Exchanges[0].Begin, time.Second)
	require.Len(t, r.Sources[0].Offsets, 1)
}

// A tape that breaks off within a line is read up to it, and says so: it may lack webhooks.
func TestCutTapeIsRead(t *testing.T) {
	t.Parallel()
	whole := `{"tape":1,"seed":7,"start":"2026-03-02T17:00:00Z"}
{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"exchange","exchange":{"method":"GET","path":"/Company/List","request":{},"response":{"status":401}}}
`
	r := readAll(t, read.Options{}, file("a.tape", whole+`{"seq":2,"at":"2026-03-`))
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, recording.Whole, r.Exchanges[0].Answer.Known)
	require.False(t, r.Sources[0].ReceivedComplete)
	require.Equal(t, "the file breaks off within this line", r.Skipped[0].Why)
	require.Equal(t, 3, r.Skipped[0].Place.Line)
}

// TestAnOpenParameterOfAQuery is left out, and told: what stood there is no fault.
func TestAnOpenParameterOfAQuery(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, file("a.sh", "curl -G https://api.example.com/Transaction/Report --data-urlencode \"from=$1\" --data-urlencode to=2026-10-01T00:00:00Z\n"))
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, "to=2026-10-01T00%3A00%3A00Z", r.Exchanges[0].Query)
	require.Contains(t, r.Skipped[len(r.Skipped)-1].Why, "what ${1} held is not in the file")
}
