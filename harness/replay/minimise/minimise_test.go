package minimise_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/minimise"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/play/playtest"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

var began = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

// company is the least with which one is made.
const company = `{"companyReferenceId":"loc-001","emailAddress":"office@hillside-fitness.example.com","zipCode":"90012","state":"CA","contactNumber":"+12135550100","companyType":"ForProfit","owner":{"emailAddress":"maria.alvarez@example.com","contactNumber":"+12135550101","ssn":"6789","zipCode":"91101","state":"CA"}}`

// payment is the id that the recording shows for the n-th payment.
func payment(n int) string { return fmt.Sprintf("6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f%02d", n) }

// script is a company, ten payments a minute apart, of which the payer approves the
// seventh and one is looked at, each followed by a list.
func script() play.Script {
	s := play.Script{World: play.World{Seed: 1, Environment: "sandbox", Start: began}}
	calls := 0
	call := func(line, body, answer string) {
		method, path, _ := strings.Cut(line, " ")
		x := recording.Exchange{Method: method, Path: path, Body: []byte(body), Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(answer)}}
		x.Header = []tape.Header{{Name: "Authorization", Value: "Bearer the-recorded-token"}, {Name: "Content-Type", Value: "application/json"}, {Name: "X-Trace", Value: "1"}}
		s.Steps = append(s.Steps, play.Step{At: began.Add(time.Duration(calls) * time.Minute), Call: &play.Call{N: calls, Exchange: x, Admitted: calls == 0}})
		calls++
	}
	call("POST /Authentication/Token", `{"clientId":"a","clientSecret":"b"}`, `{"accessToken":"the-recorded-token"}`)
	call("POST /Company/Create", strings.Replace(company, "{", `{"name":"Hillside Fitness",`, 1), `{}`)
	for n := range 10 {
		call("POST /Payment/Create", fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550142","reference":"order-%d","metadata":{"a":"1","b":"2"}}`, 1000+n, n), `{"paymentRequestId":"`+payment(n)+`"}`)
		call("GET /Company/List", "", "{}")
	}
	s.Steps = append(s.Steps, play.Step{At: s.Steps[len(s.Steps)-1].At, Move: &play.Move{Path: "/payments/" + payment(7) + "/approve", Entity: payment(7)}, Why: "the payer approved"})
	call("GET /Payment/"+payment(7)+"/Status", "", "{}")
	call("GET /Payment/"+payment(3)+"/Status", "", "{}")
	return s
}

// approved says whether a payment is seen to have been approved.
func approved(run *play.Run) bool {
	for i := range run.Answers {
		if a := &run.Answers[i]; a.Operation == "getPaymentStatus" && a.Status == 200 && !strings.Contains(string(a.Body), `"status":"Pending"`) {
			return true
		}
	}
	return false
}

// TestTheShortestScriptThatShowsIt keeps what the shown call depends on, in its order,
// and takes away all else: calls, moves of the clock, members of bodies and headers; and
// the same at any parallelism, and with what is known of it.
func TestTheShortestScriptThatShowsIt(t *testing.T) {
	t.Parallel()
	s := playtest.Open(t, mocktest.Start(t, mocktest.Options{}).URL)
	var first *minimise.Result
	for _, c := range []struct {
		parallel int
		evidence []int
	}{{1, nil}, {4, nil}, {1, []int{22}}} {
		r, err := minimise.Run(t.Context(), minimise.Task{Sandbox: s, Script: script(), Shows: approved, Parallel: c.parallel, Evidence: c.evidence})
		require.NoError(t, err)
		require.True(t, approved(r.Run))
		var steps []string
		for i := range r.Script.Steps {
			step := &r.Script.Steps[i]
			require.Equal(t, began, step.At, "the clock stands")
			if step.Move != nil {
				steps = append(steps, step.Move.Path)
				continue
			}
			x := &step.Call.Exchange
			steps = append(steps, x.Method+" "+x.Path)
			for _, h := range x.Header {
				require.NotEqual(t, "X-Trace", h.Name)
			}
			if x.Path == "/Company/Create" {
				require.JSONEq(t, company, string(x.Body))
			}
			if x.Path == "/Payment/Create" {
				require.JSONEq(t, `{"amount":1007,"contactNumber":"+12025550142"}`, string(x.Body))
			}
		}
		require.Equal(t, []string{"POST /Authentication/Token", "POST /Company/Create", "POST /Payment/Create", "/payments/" + payment(7) + "/approve", "GET /Payment/" + payment(7) + "/Status"}, steps)
		require.Equal(t, 25, r.Before)
		require.Equal(t, 5, r.After)
		if first == nil {
			first = &r
			continue
		}
		require.Equal(t, first.Script, r.Script, c)
		if c.evidence == nil {
			require.Equal(t, first.Plays, r.Plays, "what was played ahead of its turn does not count")
		}
	}
}

// TestTheShortestIsNotShortenedAgain: what a later body has named goes from the earlier one with it, a call that was refused makes nothing that
// others need, and what is left is left by the next run, too.
func TestTheShortestIsNotShortenedAgain(t *testing.T) {
	t.Parallel()
	s := playtest.Open(t, mocktest.Start(t, mocktest.Options{}).URL)
	whole := play.Script{World: play.World{Seed: 1, Environment: "sandbox", Start: began}}
	call := func(line, body string, status int, answer string) {
		method, path, _ := strings.Cut(line, " ")
		x := recording.Exchange{Method: method, Path: path, Body: []byte(body), Answer: recording.Answer{Known: recording.Whole, Status: status, Body: []byte(answer)}}
		x.Header = []tape.Header{{Name: "Authorization", Value: "Bearer the-recorded-token"}, {Name: "Content-Type", Value: "application/json"}}
		n := len(whole.Steps)
		whole.Steps = append(whole.Steps, play.Step{At: began, Call: &play.Call{N: n, Exchange: x, Admitted: n == 0}})
	}
	const place = "0d7c2b9e-4d3a-4e57-9a61-0c8d5b7e2f01"
	located := strings.Replace(company, "{", `{"locations":[{"name":"Hall","streetNumberAndName":"1 Main St","apartmentNumber":"","zipCode":"90012","city":"Los Angeles","state":"CA"}],`, 1)
	call("POST /Authentication/Token", `{"clientId":"a","clientSecret":"b"}`, 200, `{"accessToken":"the-recorded-token"}`)
	call("POST /Company/Create", strings.Replace(located, `"90012"`, `"9"`, 1), 400, `{}`)
	call("POST /Company/Create", located, 200, `{"locationIds":["`+place+`"]}`)
	call("POST /Payment/Create", `{"amount":1007,"contactNumber":"+12025550142","locationId":"`+place+`"}`, 200, `{"paymentRequestId":"`+payment(7)+`"}`)
	call("GET /Payment/"+payment(7)+"/Status", "", 200, "{}")
	task := minimise.Task{Sandbox: s, Script: whole, Shows: func(run *play.Run) bool {
		last := len(run.Answers) - 1
		return last >= 0 && run.Answers[last].Operation == "getPaymentStatus" && run.Answers[last].Status == 200
	}}
	first, err := minimise.Run(t.Context(), task)
	require.NoError(t, err)
	require.Len(t, first.Script.Steps, 4, "without the refused one")
	require.JSONEq(t, company, string(first.Script.Steps[1].Call.Exchange.Body))
	task.Script = first.Script
	again, err := minimise.Run(t.Context(), task)
	require.NoError(t, err)
	require.Equal(t, first.Script, again.Script)
}

// TestWhatIsNotShownIsNotMadeSmaller: neither what the script does not show, nor what it
// shows by chance alone.
func TestWhatIsNotShownIsNotMadeSmaller(t *testing.T) {
	t.Parallel()
	s := playtest.Open(t, mocktest.Start(t, mocktest.Options{}).URL)
	whole := script()
	_, err := minimise.Run(t.Context(), minimise.Task{Sandbox: s, Script: whole, Shows: func(*play.Run) bool { return false }})
	require.ErrorIs(t, err, minimise.ErrNotShown)
	var plays atomic.Int64
	whole.Steps = whole.Steps[:4]
	_, err = minimise.Run(t.Context(), minimise.Task{Sandbox: s, Script: whole, Shows: func(*play.Run) bool { return plays.Add(1) == 1 }})
	require.ErrorIs(t, err, minimise.ErrNotShown)
}

// TestWhatIsInterruptedSaysSo: not that it shows nothing, nor what it has come to so far as if that were the shortest; however many
// plays were under way, wherever it is, and whether or not the calls heed it.
func TestWhatIsInterruptedSaysSo(t *testing.T) {
	t.Parallel()
	on := mocktest.Start(t, mocktest.Options{})
	for _, client := range []*http.Client{http.DefaultClient, {Transport: heedless{}}} {
		s, err := play.Open(t.Context(), on.URL, "", client)
		require.NoError(t, err)
		for _, after := range []int64{0, 1, 2, 9, 20} {
			for _, parallel := range []int{1, 4} {
				ctx, stop := context.WithCancel(t.Context())
				var plays atomic.Int64
				if after == 0 {
					stop()
				}
				_, err := minimise.Run(ctx, minimise.Task{Sandbox: s, Script: script(), Parallel: parallel, Shows: func(run *play.Run) bool {
					if plays.Add(1) == after {
						stop()
					}
					return approved(run)
				}})
				stop()
				require.ErrorIs(t, err, context.Canceled)
				require.NotErrorIs(t, err, minimise.ErrNotShown)
			}
		}
	}
}

// heedless makes calls that nothing interrupts, as those within a process.
type heedless struct{}

func (heedless) RoundTrip(r *http.Request) (*http.Response, error) {
	return http.DefaultTransport.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
}

// TestABodyThatCannotBeReadStaysWhole: of a name that stands twice nobody knows which
// counts, and a text is no object.
func TestABodyThatCannotBeReadStaysWhole(t *testing.T) {
	t.Parallel()
	s := playtest.Open(t, mocktest.Start(t, mocktest.Options{}).URL)
	for _, body := range []string{`{"a":1,"a":2}`, `[{"a":1}]`, `{"a":`, "text"} {
		one := play.Script{World: play.World{Seed: 1, Environment: "sandbox", Start: began}, Steps: []play.Step{{At: began, Call: &play.Call{Exchange: recording.Exchange{Method: "POST", Path: "/Payment/Create", Body: []byte(body)}}}}}
		r, err := minimise.Run(t.Context(), minimise.Task{Sandbox: s, Script: one, Shows: func(run *play.Run) bool { return len(run.Answers) == 1 }})
		require.NoError(t, err)
		require.Equal(t, body, string(r.Script.Steps[0].Call.Exchange.Body))
	}
}
