package mention_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/mention"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
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
		`{"time":"2026-03-02T17:00:13Z","msg":"webhook","payment_id":"` + id + `","status":"Paid","amount":6500,"event_time":"2026-03-02T17:00:12Z"}`:                                `{"Data":{"Amount":6500,"PaymentId":"` + id + `","Status":"Paid","Timestamp":"2026-03-02T17:00:12Z"},"Event":"PAYMENT_STATUS_CHANGED"}`,
		`{"time":"2026-03-02T17:00:13Z","msg":"webhook","method":"GET","payment_id":"` + id + `","status":"Paid"}`:                                                                   "",
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
	f.Add("time,Event,PaymentId,Status\n2026-03-02T17:00:13Z,PAYMENT_STATUS_CHANGED," + id + ",Paid\n")
	f.Add(`POST /hook HTTP/1.1" 500 COMPANY_VERIFICATION_STATUS_CHANGED company="` + id + `" status:"verified"`)
	f.Fuzz(func(t *testing.T, text string) {
		if mention.IsArrivals([]byte(text)) {
			if p, err := mention.Arrivals(&source.File{Name: "a", Data: []byte(text)}, nil); err == nil {
				require.NotEmpty(t, p.Source().Arrivals)
			}
		}
		parts, err := mention.Beside([]source.File{{Name: "a", Data: []byte(text)}}, nil, nil)
		require.NoError(t, err)
		for _, p := range parts {
			for _, w := range p.Received {
				require.True(t, source.IsEvent(w.Body))
			}
		}
	})
}

// TestATableOfWebhooks: each row is one, its members in columns of their own; a table that lacks what it is about, and one of calls, is none.
func TestATableOfWebhooks(t *testing.T) {
	t.Parallel()
	const rows = `"Mar 3, 2026 @ 11:36:40.385","PAYMENT_STATUS_CHANGED","false","` + id + `","112,500","Paid","2026-03-03T16:36:40Z","200","WO-20447"
"Mar 3, 2026 @ 11:36:35.391","PAYMENT_STATUS_CHANGED","false","` + id + `","112,500","Processing","2026-03-03T16:36:35Z","500","WO-20447"
"Mar 3, 2026 @ 11:30:00.000","-","","","","","","200","WO-20447"
`
	read := func(head string) []recording.Received {
		parts, err := mention.Beside([]source.File{{Name: "a.csv", Data: []byte(head + "\n" + rows)}}, nil, errNone)
		if err != nil {
			return nil
		}
		return parts[0].Received
	}
	list := read(`"@timestamp","hook.Event","hook.Live","hook.Data.PaymentId","hook.Data.Amount","hook.Data.Status","hook.Data.Timestamp","http.response.status_code","order.number"`)
	require.Len(t, list, 2)
	require.Equal(t, `{"Data":{"Amount":112500,"PaymentId":"`+id+`","Status":"Processing","Timestamp":"2026-03-03T16:36:35Z"},"Event":"PAYMENT_STATUS_CHANGED","Live":false}`, string(list[0].Body), "the oldest first")
	require.Equal(t, []int{500, 200}, []int{list[0].Status, list[1].Status})
	require.Equal(t, 3, list[0].Place.Line)
	require.True(t, list[0].Mentioned)
	require.Equal(t, time.Date(2026, 3, 3, 11, 36, 40, 385e6, time.UTC), list[1].At, "by its own clock")
	require.Empty(t, read(`"@timestamp","hook.Event","hook.Live","hook.Data.Number","hook.Data.Amount","hook.Data.Status","hook.Data.Timestamp","http.response.status_code","order.number"`))
	require.Empty(t, read(`"@timestamp","hook.Name","hook.Live","hook.Data.PaymentId","hook.Data.Amount","hook.Data.Status","hook.Data.Timestamp","http.response.status_code","order.number"`))
}

// TestArrivals: nginx and HAProxy tell when something came to a receiver; what was read there, and what has no time, is none.
func TestArrivals(t *testing.T) {
	t.Parallel()
	const log = `198.51.100.61 - - [16/Jun/2026:13:18:04 +0000] "POST /hooks HTTP/1.1" 200 2 "-" "x/1"
203.0.113.9 - - [16/Jun/2026:15:00:11 +0000] "GET /hooks/healthz HTTP/1.1" 200 15 "-" "probe"
Oct 27 08:04:11 lb1 haproxy[2214]: 198.51.100.77:40214 [27/Oct/2026:08:04:11.200] fe_https~ be_hooks/app2 0/0/1/39/40 200 117 - - ---- 10/15/0/0/0 0/0 "POST /hooks HTTP/1.1"
`
	require.True(t, mention.IsArrivals([]byte(log)))
	require.False(t, mention.IsArrivals([]byte("POST /hooks\n")))
	require.False(t, mention.IsArrivals([]byte(strings.SplitAfter(log, "\n")[1])), "nothing came")
	p, err := mention.Arrivals(&source.File{Name: "a.log", Data: []byte(log)}, nil)
	require.NoError(t, err)
	require.Equal(t, []recording.Arrival{{At: time.Date(2026, 6, 16, 13, 18, 4, 0, time.UTC), Line: 1, Status: 200}, {At: time.Date(2026, 10, 27, 8, 4, 11, 0, time.UTC), Line: 3, Status: 200}}, p.Source().Arrivals)
	_, err = mention.Arrivals(&source.File{Name: "a.log", Data: []byte(`"POST /hooks HTTP/1.1" 200`)}, nil)
	require.Error(t, err)
}

// TestAnAccessLogTellsTheAnswers of webhooks that came at its times, one after the other; not where it tells of another request, or
// another status than is known.
func TestAnAccessLogTellsTheAnswers(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Date(2026, 3, 2, 17, 0, s, 0, time.UTC) }
	for name, c := range map[string]struct {
		heard []recording.Received
		want  int
	}{
		"the same":       {[]recording.Received{{At: at(1)}, {At: at(9)}}, 404},
		"another time":   {[]recording.Received{{At: at(1)}, {At: at(20)}}, 0},
		"another status": {[]recording.Received{{At: at(1)}, {At: at(9), Status: 500}}, 0},
		"one less":       {[]recording.Received{{At: at(1)}}, 0},
	} {
		r := recording.Recording{
			Sources:  []recording.Source{{Arrivals: []recording.Arrival{{At: at(8), Status: 200}, {At: at(0), Status: 404}}}},
			Received: c.heard,
		}
		mention.Answered(&r)
		require.Equal(t, c.want, r.Received[0].Status, name)
	}
}
