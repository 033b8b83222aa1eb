package handout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/handout"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

const (
	mona = "d597bdfd-b0cb-4d79-84cf-8f855a3e0632"
	theo = "544d9661-bace-4d1b-87c3-a3529773658d"
	link = "https://app.example/register/"
)

func registers(id, contact string) recording.Exchange {
	return recording.Exchange{
		Method: "POST", Path: "/User/Register", Place: recording.Place{Source: "calls.log", Line: 1}, Body: []byte(`{"redirectUrl":"https://club.example/x",` + contact + `}`),
		Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"registrationId":"` + id + `","registrationUrl":"` + link + id + `"}`)},
	}
}

// sent is what is noted of the first of two payers, by a file.
func sent(log string, calls ...recording.Exchange) string {
	if calls == nil {
		calls = []recording.Exchange{
			registers(mona, `"mobileNumber":"+13125550118","email":"mona@mail.example"`),
			registers(theo, `"mobileNumber":"+13125550164","email":"theo@mail.example"`),
		}
	}
	r := &recording.Recording{Exchanges: calls}
	handout.Read([]source.File{{Name: "sms.csv", Data: []byte(log)}}, r)
	return r.Exchanges[0].SentTo
}

// TestRead: one payer was sent the link of the other.
func TestRead(t *testing.T) {
	t.Parallel()
	const byPhone, byMail = ", to the mobileNumber of the payer " + theo, ", to the email of the payer " + theo
	for log, want := range map[string]string{
		"Date,To,Body\n9 Mar,+13125550118,\"Hi Mona, " + link + mona + "\"\n9 Mar,+13125550164,\"Hi Theo,\n" + link + mona + "\"\n": "sms.csv line 3" + byPhone,
		"Date;To;Body\n9 Mar;(312) 555-0164;" + link + mona + "\n":                                                                  "sms.csv line 2" + byPhone,
		"[\n{\"to\":\"13125550164\",\n\"body\":\"" + strings.ReplaceAll(link, "/", `\/`) + mona + "\"}\n]":                          "sms.csv line 2" + byPhone,
		"17:20:43 sms sent to=+13125550164 body=\"" + link + mona + "\"":                                                            "sms.csv line 1" + byPhone,
		"start\n{\"msg\":\"mail sent\",\"to\":\"Theo@mail.example\",\"url\":\"" + link + strings.ToUpper(mona) + "\"}":              "sms.csv line 2" + byMail,
		// Each their own.
		"Date,To,Body\n9 Mar,+13125550118," + link + mona + "\n9 Mar,+13125550164," + link + theo + "\n": "",
		// Both in one record: which is whose is not told.
		"sms sent to +13125550164 and +13125550118: " + link + mona:                                "",
		"sms sent to +13125550164: " + link + mona + ", to +13125550118: " + link + theo:           "",
		"[{\"to\":\"+13125550118\",\"cc\":\"theo@mail.example\",\"u\":\"" + link + mona + "\"}\n]": "",
		// Nobody who is known, no link, the link of somebody unknown, and a line that tells of nothing sent.
		"sms sent to +13125550999: " + link + mona:                                   "",
		"sms sent to +1312***0164: " + link + mona:                                   "",
		"sms sent to +13125550164: welcome":                                          "",
		"sms sent to +13125550164: " + link + "00000000-0000-4000-8000-000000000000": "",
		"member=+13125550164 page=" + link + mona:                                    "",
	} {
		got := sent(log)
		require.Equal(t, want, got, log)
		require.Equal(t, want != "", handout.Is(got), log)
		if want != "" {
			require.Equal(t, theo, handout.To(got))
		}
	}
}

// TestSamePerson: who may be one person, or is told to be by the service, was sent nothing of another's.
func TestSamePerson(t *testing.T) {
	t.Parallel()
	const log = "sms sent to=+13125550164 body=" + link + mona
	second := registers(theo, `"mobileNumber":"+13125550164","email":"theo@mail.example"`)
	require.NotEmpty(t, sent(log, registers(mona, `"mobileNumber":"+13125550118"`), second))
	require.Empty(t, sent(log, registers(mona, `"mobileNumber":"+13125550164"`), second), "one telephone")
	require.Empty(t, sent(log, registers(mona, `"mobileNumber":"+13125550118","email":"theo@mail.example"`), second), "one mailbox")
	require.Empty(t, sent(log, registers(mona, `"email":"mona@mail.example"`), registers(theo, `"mobileNumber":"+13125550164"`)), "nothing of both is told")
	require.Empty(t, sent(log, registers(mona, `"shortDescription":"x"`), second), "nothing is told")
	require.Empty(t, sent(log, registers(mona, `"mobileNumber":"+13125550118"`), second, registers(mona, `"mobileNumber":"+13125550164"`)), "the service gave both one id")
	crossed := registers(mona, `"mobileNumber":"+13125550118"`)
	crossed.Answer.Body = []byte(`{"registrationId":"` + mona + `","registrationUrl":"` + link + theo + `"}`)
	require.Empty(t, sent(log, crossed, second), "the service gave another's link")
	require.Empty(t, sent("sms sent to=+13125550164 body="+link+mona, registers(mona, `"mobileNumber":"+13125550118"`)), "nobody else")
}

// TestWritten: what somebody wrote is no evidence, nor is the line of a call.
func TestWritten(t *testing.T) {
	t.Parallel()
	const log = "we sent Theo, +13125550164, the link " + link + mona
	for _, source1 := range []recording.Source{{Name: "a.txt", Format: recording.Words}, {Name: "a.txt", Format: "pasted"}} {
		first := registers(mona, `"mobileNumber":"+13125550118"`)
		r := &recording.Recording{Sources: []recording.Source{source1}, Exchanges: []recording.Exchange{first, registers(theo, `"mobileNumber":"+13125550164"`)}}
		handout.Read([]source.File{{Name: "a.txt", Data: []byte(log)}}, r)
		require.Equal(t, source1.Format != recording.Words, r.Exchanges[0].SentTo != "")
	}
	own := registers(mona, `"mobileNumber":"+13125550118"`)
	own.Place = recording.Place{Source: "sms.csv", Line: 1}
	require.Empty(t, sent(log, own, registers(theo, `"mobileNumber":"+13125550164"`)))
}

// TestIs: what a file says itself is taken only as it is noted.
func TestIs(t *testing.T) {
	t.Parallel()
	require.False(t, handout.Is(""))
	require.False(t, handout.Is("<b> line 1, to the email of the payer "+theo))
	require.False(t, handout.Is("a.csv line 1, to the email of the payer theo@mail.example"))
	require.False(t, handout.Is("a.csv line 1, to the email of the payer "+theo+strings.Repeat("a", 400)))
}

// FuzzRead reads any file.
func FuzzRead(f *testing.F) {
	f.Add("Date,To,Body\n9 Mar,+13125550164,\"Hi\n" + link + mona + "\"\n")
	f.Add("[{\"to\":\"+13125550164\",\n\"u\":\"" + link + mona + "\"}]")
	f.Add("sms sent to=+13125550164 body=" + link + mona)
	f.Fuzz(func(t *testing.T, log string) {
		if got := sent(log); got != "" {
			require.True(t, handout.Is(got), got)
		}
	})
}
