package mention_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/mention"
	"paysandbox/harness/replay/read/source"
)

const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"

var errNone = errors.New("no call stands in it")

// TestMentions: a webhook of which a log tells its event, what it is about and its status is one, whichever way the log writes members;
// what is done about it later, what comes within seconds of it, and what lacks one of the three is none.
func TestMentions(t *testing.T) {
	t.Parallel()
	for line, body := range map[string]string{
		`2026-03-02T17:00:13Z level=info msg="collect webhook" event=PAYMENT_STATUS_CHANGED payment=` + id + ` amount=3900 status=Paid sig=ok`:                                       `{"Data":{"Amount":3900,"PaymentId":"` + id + `","Status":"Paid"},"Event":"PAYMENT_STATUS_CHANGED"}`,
		`{"@timestamp":"2026-03-02T17:00:13Z","message":"POST /hooks/collect 200","event":"PAYMENT_STATUS_CHANGED","paymentId":"` + id + `","status":"processing","amount":"12.50"}`: `{"Data":{"PaymentId":"` + id + `","Status":"Processing"},"Event":"PAYMENT_STATUS_CHANGED"}`,
		`2026-03-02T17:00:13Z,info,"webhook in {""event"":""COMPANY_VERIFICATION_STATUS_CHANGED"",""company_id"":""` + id + `"",""status"":""Rejected""}"`:                           `{"Data":{"CompanyId":"` + id + `","Status":"Rejected"},"Event":"COMPANY_VERIFICATION_STATUS_CHANGED"}`,
		`2026-03-02T17:00:13Z job 7 (webhook) event=PAYMENT_STATUS_CHANGED payment=` + id + ` status=Paid`:                                                                           "",
		`2026-03-02T17:00:13Z webhook never came: event=PAYMENT_STATUS_CHANGED payment=` + id + ` status=Paid`:                                                                       "",
		`2026-03-02T17:00:13Z webhook event=PAYMENT_STATUS_CHANGED payment=order-7 status=Paid`:                                                                                      "",
		`2026-03-02T17:00:13Z webhook event=PAYMENT_STATUS_CHANGED payment=` + id + ` status=done`:                                                                                   "",
		`2026-03-02T17:00:13Z webhook event=COMPANY_VERIFICATION_STATUS_CHANGED payment=` + id + ` status=Paid`:                                                                      "",
		`2026-03-02T17:00:13Z webhook event=PAYMENT_STATUS_CHANGED payment=` + id + strings.Repeat(" more", 4000) + ` status=Paid`:                                                   "",
	} {
		f := source.File{Name: "a.log", Data: []byte("begin\n" + line + "\n" + line + "\n")}
		parts, err := mention.Beside([]source.File{f}, nil, errNone)
		if body == "" {
			require.ErrorIs(t, err, errNone, line)
			require.Empty(t, parts, line)
			continue
		}
		require.NoError(t, err, line)
		require.Len(t, parts[0].Received, 1, line)
		w := parts[0].Received[0]
		require.Equal(t, body, string(w.Body), line)
		require.True(t, w.Mentioned)
		require.Equal(t, 2, w.Place.Line)
		require.Equal(t, time.Date(2026, 3, 2, 17, 0, 13, 0, time.UTC), w.At, line)
	}
}

// TestNothingIsMentionedBesideBodies: where one file has the webhooks, another tells of the same.
func TestNothingIsMentionedBesideBodies(t *testing.T) {
	t.Parallel()
	f := source.File{Name: "a.log", Data: []byte("webhook event=PAYMENT_STATUS_CHANGED payment=" + id + " status=Paid\n")}
	said, err := mention.Beside([]source.File{f}, nil, nil)
	require.NoError(t, err)
	require.Len(t, said[0].Received, 1)
	again, err := mention.Beside([]source.File{f}, said, nil)
	require.NoError(t, err)
	require.Len(t, again, 1)
	require.Len(t, again[0].Received, 1)
}

// FuzzMentions reads any text.
func FuzzMentions(f *testing.F) {
	f.Add("2026-03-02T17:00:13Z webhook event=PAYMENT_STATUS_CHANGED payment=" + id + " status=Paid amount=7")
	f.Add(`POST /hook HTTP/1.1" 500 COMPANY_VERIFICATION_STATUS_CHANGED company="` + id + `" status:"verified"`)
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := mention.Beside([]source.File{{Name: "a", Data: []byte(text)}}, nil, nil)
		require.NoError(t, err)
		for _, p := range parts {
			for _, w := range p.Received {
				require.True(t, source.IsEvent(w.Body))
			}
		}
	})
}
