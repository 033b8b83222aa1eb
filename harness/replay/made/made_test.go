package made_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/made"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// played are a recording and its play: calls with their operations, the paths and the answers to them.
func played(calls ...[4]string) (*recording.Recording, *play.Run) {
	r, run := &recording.Recording{}, &play.Run{}
	for i, c := range calls {
		r.Exchanges = append(r.Exchanges, recording.Exchange{Method: c[1], Path: c[2], Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(c[3])}})
		run.Answers = append(run.Answers, play.Answered{Step: i, N: i, Operation: c[0], Status: 200})
	}
	return r, run
}

const one, other = "7b049036-27f9-4c91-8387-0d85485603b9", "c37c84e7-3ca1-4dcf-9dab-607ab2b2b628"

// TestWhatAnEventMayBeAbout: what a call has made, and what one has canceled.
func TestWhatAnEventMayBeAbout(t *testing.T) {
	t.Parallel()
	r, run := played(
		[4]string{"createPayment", "POST", "/Payment/Create", `{"paymentRequestId":"` + one + `"}`},
		[4]string{"cancelPayment", "PUT", "/Payment/" + one + "/Cancel", ``},
	)
	causes := made.Causes(r, run)
	require.Equal(t, 0, causes[made.Cause{About: one}])
	require.Equal(t, 1, causes[made.Cause{About: one, Canceled: true}])
	require.NotContains(t, causes, made.Cause{About: other})
}

// TestALinkOfAnother stands in the answer to a call that has made something else.
func TestALinkOfAnother(t *testing.T) {
	t.Parallel()
	r, run := played(
		[4]string{"createPayment", "POST", "/Payment/Create", `{"paymentRequestId":"` + one + `","paymentLink":"https://p.example/` + one + `"}`},
		[4]string{"createPayment", "POST", "/Payment/Create", `{"paymentRequestId":"` + other + `","paymentLink":"https://p.example/` + one + `"}`},
	)
	require.Equal(t, []made.Link{{Call: 1, Other: 0, Operation: "createPayment", Own: other, Named: one, Pointer: "/paymentLink"}}, made.LinksOfOthers(r, run))
}

// TestWhichCallMayHaveMadeACompany: one that was refused, and of which is not shown what it sent.
func TestWhichCallMayHaveMadeACompany(t *testing.T) {
	t.Parallel()
	r, _ := played([4]string{"createCompany", "POST", "/Company/Create", ``}, [4]string{"getCompanyStatus", "GET", "/Company/ck-1/Status", ``})
	require.Equal(t, -1, made.PerhapsBy(r, 1, "company"))
	r.Exchanges[0].Answer.Status, r.Exchanges[0].BodyMissing = 400, true
	require.Equal(t, 0, made.PerhapsBy(r, 1, "company"))
	require.Equal(t, -1, made.PerhapsBy(r, 1, "payment"))
}
