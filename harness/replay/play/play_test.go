package play_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

var began = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

const was = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"

// script asks for a token, creates a payment that was recorded under another id, is
// approved after a day, and asks what became of it.
func script(t *testing.T, fault string, broken bool) *play.Script {
	t.Helper()
	raw, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	call := func(n int, method, path, body, answer string, header ...tape.Header) *play.Call {
		header = append(header, tape.Header{Name: "Content-Type", Value: "application/json"})
		return &play.Call{N: n, Exchange: recording.Exchange{Method: method, Path: path, Header: header, Body: []byte(body), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(answer)}}}
	}
	token := call(0, "POST", "/Authentication/Token", `{"clientId":"a","clientSecret":"b"}`, `{"accessToken":"the-recorded-token"}`)
	token.Admitted = true
	bearer := tape.Header{Name: "Authorization", Value: "Bearer the-recorded-token"}
	company := call(1, "POST", "/Company/Create", string(raw), `{}`, bearer)
	payment := call(2, "POST", "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142"}`, `{"paymentRequestId":"`+was+`"}`, bearer)
	payment.Fault, payment.Broken = fault, broken
	return &play.Script{World: play.World{Seed: 1, Environment: "sandbox", Start: began}, Steps: []play.Step{
		{At: began, Call: token},
		{At: began, Call: company},
		{At: began.Add(time.Second), Call: payment},
		{At: began.Add(24 * time.Hour), Move: &play.Move{Path: "/payments/" + was + "/approve", Entity: was}, Why: "the payer approved"},
		{At: began.Add(24 * time.Hour), Call: call(3, "GET", "/Payment/"+was+"/Status", "", `{}`, bearer)},
	}}
}

func opened(t *testing.T) (*play.Sandbox, *mocktest.Sandbox) {
	t.Helper()
	m := mocktest.Start(t, mocktest.Options{})
	s, err := play.Open(t.Context(), m.URL, "", http.DefaultClient)
	require.NoError(t, err)
	return s, m
}

func statuses(r *recording.Recording) []int {
	var list []int
	for i := range r.Exchanges {
		list = append(list, r.Exchanges[i].Answer.Status)
	}
	return list
}

// TestAPlayIsRecorded: under the world's ids and at its times; where the service itself
// had failed it is asked again, where an answer was lost it is lost again.
func TestAPlayIsRecorded(t *testing.T) {
	t.Parallel()
	s, _ := opened(t)
	r, problems, err := s.Record(t.Context(), script(t, "", false))
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Equal(t, []int{200, 200, 200, 401}, statuses(r), "the token was good for an hour")
	require.NotContains(t, r.Exchanges[3].Path, was)
	require.Equal(t, began.Add(24*time.Hour), r.Exchanges[3].Begin)
	r, _, err = s.Record(t.Context(), script(t, "status=500", true))
	require.NoError(t, err)
	require.Equal(t, 200, r.Exchanges[2].Answer.Status)
	r, problems, err = s.Record(t.Context(), script(t, "status=503", false))
	require.NoError(t, err)
	require.Equal(t, 503, r.Exchanges[2].Answer.Status)
	require.Len(t, problems, 1, "nothing was made that could be approved")
	s.Most = 100
	_, _, err = s.Record(t.Context(), script(t, "", false))
	require.ErrorIs(t, err, play.ErrTooMuch)
}

// TestByHand: people are asked in order, with the service's ids; what the script waits
// for is told; a call whose outcome was unknown is not made.
func TestByHand(t *testing.T) {
	t.Parallel()
	s, m := opened(t)
	var tasks []play.Task
	hand := &play.ByHand{
		ClientID: m.ClientID, ClientSecret: m.ClientSecret, Now: func() time.Time { return began },
		Due: []play.Due{{At: began.Add(time.Hour), Machine: "payment", Entity: was, To: "Expired"}},
		Do:  func(_ context.Context, t play.Task) error { tasks = append(tasks, t); return nil },
	}
	r, err := s.RecordByHand(t.Context(), script(t, "", false), hand)
	require.NoError(t, err)
	require.Equal(t, []int{200, 200, 200, 200}, statuses(r))
	require.Len(t, tasks, 2)
	require.Equal(t, "23h59m59s pass, by the end of which payment "+was+" becomes Expired", tasks[0].What)
	require.Equal(t, "the payer approved", tasks[1].What)
	require.Equal(t, was, tasks[1].IDs[0].Recorded)
	require.Contains(t, tasks[1].Page, tasks[1].IDs[0].Replayed)
	require.Equal(t, []string{tasks[0].What, tasks[1].What}, hand.Tasks(script(t, "", false)))
	require.NotContains(t, string(r.Exchanges[0].Body), `"b"`, "the target's own credentials")

	r, err = s.RecordByHand(t.Context(), script(t, "status=503", false), hand)
	require.NoError(t, err)
	require.Equal(t, was, correlate.InBody("createPayment", r.Exchanges[2].Answer.Body)[0].Text, "as it was recorded")
	given := errors.New("given up")
	hand.Do = func(context.Context, play.Task) error { return given }
	_, err = s.RecordByHand(t.Context(), script(t, "", false), hand)
	require.ErrorIs(t, err, given)
}
