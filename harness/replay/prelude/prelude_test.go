package prelude_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/play/playtest"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

const payment = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"

func call(at time.Time, method, path string, status int, answer string) recording.Exchange {
	return recording.Exchange{
		Begin: at, Method: method, Path: path, Header: []tape.Header{{Name: "Authorization", Value: "Bearer before"}},
		Answer: recording.Answer{Known: recording.Whole, Status: status, Body: []byte(answer)},
	}
}

// before are the steps that a script has before the recording begins.
func before(s *play.Script) (calls []string) {
	for i := range s.Steps {
		if c := s.Steps[i].Call; c != nil && c.N == play.Prelude {
			calls = append(calls, c.Exchange.Path)
		}
	}
	return calls
}

// TestWhatTheRecordingTakesForGrantedIsMade: a token, a company and the payment that it
// asks about; and each is told. What it makes itself is not made before.
func TestWhatTheRecordingTakesForGrantedIsMade(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	r := &recording.Recording{Exchanges: []recording.Exchange{call(at, "GET", "/Payment/"+payment+"/Status", 200, `{"status":"Paid"}`)}}
	b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r)
	// A token to make them with, and the one that the recording brings.
	require.Equal(t, []string{"/Authentication/Token", "/Authentication/Token", "/Company/Create", "/Payment/Create"}, before(&b.Script))
	require.NotEmpty(t, prelude.Notes(&b.Script))
	require.Contains(t, strings.Join(prelude.Notes(&b.Script), "\n"), payment)
	require.False(t, b.Script.World.Start.After(at))

	token := call(at, "POST", "/Authentication/Token", 200, `{"accessToken":"before"}`)
	token.Header, token.Body = nil, []byte(`{"clientId":"a","clientSecret":"b"}`)
	r.Exchanges = []recording.Exchange{token, call(at.Add(time.Second), "GET", "/Company/List", 200, `{"companies":[]}`)}
	b = prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r)
	require.Empty(t, before(&b.Script))
	require.Len(t, b.Script.Steps, 2)
	require.True(t, b.Script.Steps[0].Call.Admitted)
}

// TestCallsWithoutTimesAreASecondApart, and it is told that no time is known.
func TestCallsWithoutTimesAreASecondApart(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	c := prelude.Times(&recording.Recording{Exchanges: []recording.Exchange{{}, {}, {Begin: at.Add(time.Hour)}, {}}})
	require.True(t, c.Known)
	require.Equal(t, []time.Time{at.Add(time.Hour), at.Add(time.Hour + time.Second), at.Add(time.Hour), at.Add(time.Hour + time.Second)}, c.Calls)
	c = prelude.Times(&recording.Recording{Exchanges: []recording.Exchange{{}, {}}})
	require.False(t, c.Known)
	require.Equal(t, time.Second, c.Calls[1].Sub(c.Calls[0]))
	b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &recording.Recording{Exchanges: []recording.Exchange{call(time.Time{}, "GET", "/Company/List", 200, `{}`)}})
	require.Contains(t, strings.Join(b.Notes, "\n"), "The files tell no times")
}

// TestALostAnswerIsLostAgain: a gateway's answer is asked for, but not where a later call
// shows what was made; what the service itself broke stands for its own failure.
func TestALostAnswerIsLostAgain(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	fault := func(status int, known recording.Known, later ...recording.Exchange) *play.Call {
		lost := call(at, "POST", "/Payment/Create", status, "")
		lost.Body, lost.Answer.Known = []byte(`{"amount":5000,"contactNumber":"+12025550142"}`), known
		b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &recording.Recording{Exchanges: append([]recording.Exchange{lost}, later...)})
		for i := range b.Script.Steps {
			if c := b.Script.Steps[i].Call; c != nil && c.N == 0 {
				return c
			}
		}
		return nil
	}
	require.Equal(t, "status=503", fault(0, recording.NeverArrived).Fault)
	require.Equal(t, "status=500", fault(500, recording.Whole).Fault)
	require.True(t, fault(500, recording.Whole).Broken)
	require.False(t, fault(429, recording.Whole).Broken)
	done := fault(0, recording.NeverArrived, call(at.Add(time.Minute), "GET", "/Payment/"+payment+"/Status", 200, `{"status":"Pending"}`))
	require.Empty(t, done.Fault)
	require.Equal(t, payment, done.Stands[0].Text)
}

// TestWhatIsOnlyAssumedIsOtherwise: what a payment's details tell of it and of its company is what
// the stand-ins are made with; the rest, and only that, is otherwise in another script.
func TestWhatIsOnlyAssumedIsOtherwise(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	r := &recording.Recording{Exchanges: []recording.Exchange{call(at, "GET", "/Transaction/PaymentRequest/"+payment, 200, `{
		"externalPaymentRequestId":"`+payment+`","amount":{"value":8400,"currency":"USD"},"dueDate":"2026-03-20T00:00:00Z",
		"recipientName":"Seaside Pilates","recipientAddress":{"streetNumberAndName":"1 Pier","city":"Miami","zipCode":"33101","state":"FL"},
		"emailAddress":"desk@seaside.example.com","debitAuth":{"limit":20000},"metadata":{"week":12}}`)}}
	b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r)
	company, request := sent(&b.Script, "/Company/Create"), sent(&b.Script, "/Payment/Create")
	for _, told := range []string{`"Seaside Pilates"`, `"1 Pier"`, `"33101"`, `"desk@seaside.example.com"`} {
		require.Contains(t, company, told)
	}
	for _, told := range []string{`"amount":8400`, `"dueDate":"2026-03-20"`, `"week":12`, `"debitAuthLimit":20000`, `"contactNumber":"+1202555`} {
		require.Contains(t, request, told)
	}
	other, assumed := prelude.Otherwise(&b.Script, r)
	require.True(t, assumed)
	require.Contains(t, sent(&other, "/Company/Create"), `"33101"`)
	require.NotEqual(t, company, sent(&other, "/Company/Create"), "its number is told nowhere")
	require.Contains(t, sent(&other, "/Payment/Create"), `"amount":8400`)
	require.NotEqual(t, request, sent(&other, "/Payment/Create"), "nor is the payer's")
	require.Equal(t, request, sent(&b.Script, "/Payment/Create"), "the script itself stays as it is")
}

// TestAnAmountAsText: what an event tells as a text is what the payment before the recording was of.
func TestAnAmountAsText(t *testing.T) {
	t.Parallel()
	r := &recording.Recording{Received: []recording.Received{{Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + payment + `","Amount":"4350","Status":"Processing"}}`)}}}
	b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r)
	require.Contains(t, sent(&b.Script, "/Payment/Create"), `"amount":4350`)
}

// sent is the body of the first call to a path.
func sent(s *play.Script, path string) string {
	for i := range s.Steps {
		if c := s.Steps[i].Call; c != nil && c.Exchange.Path == path {
			return string(c.Exchange.Body)
		}
	}
	return ""
}

// TestACallWithoutATimeStandsBehindWhatItReads: the newest webhook that tells the status which it is answered came before it; one that
// tells another, and one after a call that has a time, say nothing.
func TestACallWithoutATimeStandsBehindWhatItReads(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	event := func(status string, after time.Duration) recording.Received {
		when := at.Add(after)
		return recording.Received{At: when, Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + payment + `","Status":"` + status + `","Timestamp":"` + when.Format(time.RFC3339) + `"}}`)}
	}
	r := &recording.Recording{
		Exchanges: []recording.Exchange{call(time.Time{}, "GET", "/Payment/"+payment+"/Status", 200, `{"id":"`+payment+`","status":"Paid"}`)},
		Received:  []recording.Received{event("Processing", 0), event("Paid", time.Minute), event("Failed", time.Hour)},
	}
	require.Equal(t, at.Add(time.Minute+time.Second), prelude.Times(r).Calls[0])
	r.Exchanges = append(r.Exchanges, call(at.Add(2*time.Second), "GET", "/Company/List", 200, `{"companies":[]}`))
	require.Equal(t, at.Add(2*time.Second), prelude.Times(r).Calls[0], "where the file stands first, with a time behind it")
}

// TestATokenIsGrantedWhenItIsCarriedFirst: one that no answer shows, and that is carried hours after the recording began, was not granted
// then; one that was refused had been granted an hour before.
func TestATokenIsGrantedWhenItIsCarriedFirst(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	with := func(token string, after time.Duration, status int) recording.Exchange {
		x := call(at.Add(after), "GET", "/Company/List", status, `{"companies":[]}`)
		x.Header[0].Value = "Bearer " + token
		return x
	}
	granted := func(list ...recording.Exchange) map[string]time.Duration {
		when := map[string]time.Duration{}
		begun := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &recording.Recording{Exchanges: list})
		for _, s := range begun.Script.Steps {
			if s.Call != nil && s.Call.N == play.Prelude && len(s.Call.Stands) > 0 && s.Call.Stands[0].Type == correlate.Token {
				when[s.Call.Stands[0].Text] = s.At.Sub(at)
			}
		}
		return when
	}
	when := granted(with("one", 0, 200), with("one", 30*time.Minute, 200), with("two", 3*time.Hour, 404), with("three", 5*time.Hour, 200), with("three", 5*time.Hour+50*time.Minute, 401))
	require.Equal(t, map[string]time.Duration{"one": 0, "two": 3 * time.Hour, "three": 4*time.Hour + 50*time.Minute}, when)
}

// TestWhatACallAsksForTakesNoTime: a status that a call asks the sandbox for is given again; what would keep the replay waiting is not.
func TestWhatACallAsksForTakesNoTime(t *testing.T) {
	t.Parallel()
	for asked, fault := range map[string]string{"status=400": "status=400", "status=429; retry-after=7": "status=429; retry-after=7", "latency=40s": "", "status=400; latency=40s": "", "hang": "", "": ""} {
		x := call(time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC), "GET", "/Company/List", 200, `{"companies":[]}`)
		x.Header = append(x.Header, tape.Header{Name: "Sandbox-Fault", Value: asked})
		for _, s := range prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &recording.Recording{Exchanges: []recording.Exchange{x}}).Script.Steps {
			if s.Call != nil && s.Call.N == 0 {
				require.Equal(t, fault, s.Call.Fault, asked)
			}
		}
	}
}

// TestWhatAScriptAsksForEachTimeIsRenewed: a token that is the output of a command is another one for each call that was served an hour
// after the one before; a variable that a script has set once is not.
func TestWhatAScriptAsksForEachTimeIsRenewed(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	for token, tokens := range map[string]int{"${output}": 3, "{{token}}": 3, "${TOKEN}": 1} {
		var calls []recording.Exchange
		for n := range 3 {
			x := call(at.Add(time.Duration(n)*61*time.Minute), "GET", "/Company/List", 200, `{"companies":[]}`)
			x.Header[0].Value = "Bearer " + token
			calls = append(calls, x)
		}
		b := prelude.Begin(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), &recording.Recording{Exchanges: calls})
		require.Len(t, before(&b.Script), tokens, token)
	}
}
