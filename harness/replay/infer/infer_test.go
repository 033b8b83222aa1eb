package infer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/play/playtest"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

const (
	payment = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	payer   = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12"
)

// shown is a recording in which calls show what is said, a minute apart, and its script.
func shown(list ...[2]string) (*recording.Recording, *play.Script) {
	r, s := &recording.Recording{}, &play.Script{}
	for i, one := range list {
		x := recording.Exchange{Method: "GET", Path: one[0], Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(one[1])}}
		r.Exchanges = append(r.Exchanges, x)
		s.Steps = append(s.Steps, play.Step{At: time.Unix(int64(60*i), 0), Call: &play.Call{N: i, Exchange: x}})
	}
	return r, s
}

func status(of string) [2]string {
	return [2]string{"/Payment/" + payment + "/Status", `{"status":"` + of + `"}`}
}

// TestContradictionsAreFound: Paid cannot become Pending; it can be taken back.
func TestContradictionsAreFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		states []string
		want   string
	}{
		"as it goes":      {[]string{"Pending", "Processing", "Paid"}, ""},
		"a step left out": {[]string{"Pending", "Paid"}, ""},
		"backwards":       {[]string{"Paid", "Pending"}, "the payment " + payment + " is Pending after it was Paid, which no move leads to"},
		"from a last one": {[]string{"Denied", "Paid"}, "the payment " + payment + " is Paid after it was Denied, which no move leads to"},
	} {
		var calls [][2]string
		for _, state := range c.states {
			calls = append(calls, status(state))
		}
		r, s := shown(calls...)
		list := infer.Contradictions(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s)
		if c.want == "" {
			require.Empty(t, list, name)
			continue
		}
		require.Len(t, list, 1, name)
		require.Equal(t, c.want, list[0].Text(), name)
		require.Equal(t, 1, list[0].N, name)
	}
}

// TestWhatWasCanceledStaysSo, whichever method canceled it: the answer is empty, and shows no state.
func TestWhatWasCanceledStaysSo(t *testing.T) {
	t.Parallel()
	routes := playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL)
	for _, method := range []string{"PUT", "POST"} {
		r, s := shown([2]string{"/Payment/" + payment + "/Cancel", ""}, status("Paid"))
		r.Exchanges[0].Method, s.Steps[0].Call.Exchange.Method = method, method
		list := infer.Contradictions(routes, r, s)
		require.Len(t, list, 1, method)
		require.Equal(t, "Canceled", list[0].Before)
	}
}

// TestTheReportHasItsOwnWords: Cancelled is said of what was denied too, and Pending of what
// waits for its day.
func TestTheReportHasItsOwnWords(t *testing.T) {
	t.Parallel()
	for state, word := range map[string]string{"Denied": "Cancelled", "Scheduled": "Pending", "InReview": "Pending", "Canceled": "Cancelled", "Paid": "Completed"} {
		report := [2]string{"/Transaction/Report", `{"transactions":[{"paymentRequestId":"` + payment + `","status":"` + word + `"}]}`}
		r, s := shown(status(state), report, status(state))
		require.Empty(t, infer.Contradictions(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s), state)
		require.Equal(t, state, infer.Sights(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s)[1].Status)
	}
}

// TestAForgedWebhookShowsNothing of what became of a payment, where others are signed with
// the secret; where none is, the secret may be the wrong one.
func TestAForgedWebhookShowsNothing(t *testing.T) {
	t.Parallel()
	r, s := shown(status("Paid"))
	r.Received = []recording.Received{
		{Body: []byte(`{"Data":{"PaymentId":"` + payment + `","Status":"Canceled"}}`), Signature: recording.Wrong},
		{Body: []byte(`{"Data":{"PaymentId":"` + payment + `","Status":"Paid"}}`), Signature: recording.Wrong},
	}
	s.Steps = append(s.Steps, play.Step{At: time.Unix(60, 0), Heard: 1}, play.Step{At: time.Unix(61, 0), Heard: 2})
	require.Len(t, infer.Contradictions(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s), 1)
	r.Received[1].Signature = recording.Valid
	require.Empty(t, infer.Contradictions(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s))
}

// moves are the paths of the moves of some steps.
func moves(steps []play.Step) []string {
	var list []string
	for i := range steps {
		if m := steps[i].Move; m != nil {
			list = append(list, m.Path)
		}
	}
	return list
}

// TestMovesComeBeforeWhatShowsThem: the shortest way from where the world stands; none
// where it stands there already, and none where no move leads.
func TestMovesComeBeforeWhatShowsThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call          [2]string
		machine, from string
		kind          correlate.Type
		id            string
		want          []string
	}{
		"approved":            {status("Processing"), "payment", "Pending", correlate.Payment, payment, []string{"/payments/" + payment + "/approve"}},
		"two moves":           {status("Failed"), "payment", "Pending", correlate.Payment, payment, []string{"/payments/" + payment + "/approve", "/payments/" + payment + "/fail"}},
		"there already":       {status("Processing"), "payment", "Processing", correlate.Payment, payment, nil},
		"no way":              {status("Pending"), "payment", "Paid", correlate.Payment, payment, nil},
		"a payer":             {[2]string{"/User/" + payer + "/Status", `{"status":"Registered"}`}, "registration", "Pending", correlate.Registration, payer, []string{"/registrations/" + payer + "/complete"}},
		"a debit":             {[2]string{"/User/" + payer + "/DebitAuth", `{"enabled":true,"limit":1}`}, "debit-authorisation", "Pending", correlate.Registration, "world-1", []string{"/debit-authorisations/world-1/accept"}},
		"a debit that is off": {[2]string{"/User/" + payer + "/DebitAuth", `{"enabled":false,"limit":0}`}, "debit-authorisation", "Pending", correlate.Registration, "world-1", nil},
	} {
		r, s := shown(c.call)
		world := &play.Standings{States: map[string]play.State{c.id: {Machine: c.machine, Name: c.from}}, Born: []string{c.id}}
		now := &play.Now{Links: &correlate.Links{}, World: func() *play.Standings { return world }}
		now.Links.Bind(c.kind, c.id, c.id, "")
		require.Equal(t, c.want, moves(infer.New(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s).Before(now, 0)), name)
	}
}

// TestAConsentThatIsListedNoMore was declined; not one that a later list shows again, nor where the list is cut.
func TestAConsentThatIsListedNoMore(t *testing.T) {
	t.Parallel()
	const consent, ours = "7a1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "7a1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11"
	row := `{"consents":[{"consentId":"` + consent + `","status":"Pending"}]}`
	for name, c := range map[string]struct {
		was, later string
		want       []string
	}{
		"no more":        {`{"consents":[]}`, `{"consents":[]}`, []string{"/consents/" + consent + "/decline"}},
		"still":          {row, row, nil},
		"listed later":   {`{"consents":[]}`, row, nil},
		"a list cut off": {`{"consents":[`, `{"consents":[`, nil},
	} {
		r, s := shown([2]string{"/Consent/List", c.was}, [2]string{"/Consent/List", c.later})
		run := &play.Run{Script: *s}
		run.Links.Bind(correlate.Consent, consent, ours, "")
		for n := range r.Exchanges {
			body := `{"consents":[{"consentId":"` + ours + `","status":"Pending"}]}`
			run.Answers = append(run.Answers, play.Answered{N: n, Step: n, Operation: "listConsents", Status: 200, Body: []byte(body)})
		}
		var steps []play.Step
		for _, m := range infer.Repair(r, run) {
			steps = append(steps, m.Step)
		}
		require.Equal(t, c.want, moves(steps), name)
	}
}

// TestAConsentThatWasTakenBack had been given: where the next answer that shows it says Revoked.
func TestAConsentThatWasTakenBack(t *testing.T) {
	t.Parallel()
	const consent = "7a1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	for after, want := range map[string][]string{"Revoked": {"/consents/" + consent + "/accept"}, "Declined": nil, "": nil} {
		r, s := shown([2]string{"/Consent/" + consent + "/Decline", ""}, [2]string{"/Consent/" + consent, `{"status":"` + after + `"}`})
		r.Exchanges[0].Method, s.Steps[0].Call.Exchange.Method = "PUT", "PUT"
		world := &play.Standings{States: map[string]play.State{consent: {Machine: "consent", Name: "Pending"}}, Born: []string{consent}}
		now := &play.Now{Links: &correlate.Links{}, World: func() *play.Standings { return world }}
		now.Links.Bind(correlate.Consent, consent, consent, "")
		steps := infer.New(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s).Before(now, 0)
		require.Equal(t, want, moves(steps), after)
		if want != nil {
			require.Equal(t, "the payer accepted the consent "+consent+", before call 1 took that back", steps[0].Why)
		}
	}
}

// TestRefusedForTheSame: what the recorded answer finds wrong, too, was so; by whatever its member is called.
func TestRefusedForTheSame(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]int{"path:paymentRequestId": 0, "$.PaymentRequestId": 0, "amount": 2} {
		r, s := shown([2]string{"/Payment/Refund/" + payment, `{"errors":{"` + member + `":["no"]}}`})
		r.Exchanges[0].Body, r.Exchanges[0].Answer.Status = []byte(`{"amount":5}`), 400
		run := &play.Run{Script: *s, Answers: []play.Answered{{N: 0, Operation: "refundPayment", Status: 400, Body: []byte(`{"findings":[{"clause":"payment.refund.after-paid","pointer":"path:paymentRequestId"}]}`)}}}
		run.Links.Bind(correlate.Payment, payment, payer, "")
		run.Entries = []tape.Entry{{Seq: 0, Transition: &tape.Transition{Machine: "payment", Entity: payer, To: "Pending"}}}
		run.Answers[0].Seq = 1
		require.Len(t, infer.Repair(r, run), want, member)
	}
}

// TestMovesArePutIn before the call that needs them, at its time.
func TestMovesArePutIn(t *testing.T) {
	t.Parallel()
	_, s := shown(status("Pending"), status("Paid"))
	out := infer.Insert(s, []infer.Missing{{Before: 1, Step: play.Step{Move: &play.Move{Path: "/x"}}}})
	require.Len(t, out.Steps, 3)
	require.Equal(t, "/x", out.Steps[1].Move.Path)
	require.Equal(t, out.Steps[2].At, out.Steps[1].At)
	require.Len(t, s.Steps, 2, "the script stays as it is")
}

// TestAWebhookMayComeLate: what it tells was so before; an answer that goes back is a
// contradiction. The words of the report stand for states.
func TestAWebhookMayComeLate(t *testing.T) {
	t.Parallel()
	r, s := shown(status("Paid"))
	r.Received = []recording.Received{{Body: []byte(`{"Data":{"PaymentId":"` + payment + `","Status":"Processing"}}`)}}
	s.Steps = append(s.Steps, play.Step{Heard: 1})
	require.Empty(t, infer.Contradictions(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s))
	report := [2]string{"/Transaction/Report", `{"transactions":[{"paymentRequestId":"` + payment + `","status":"Processed"}]}`}
	r, s = shown(report, [2]string{"/User/" + payer + "/Status", `{"status":"Registered"}`})
	sights := infer.Sights(playtest.Routes(t, mocktest.Start(t, mocktest.Options{}).URL), r, s)
	require.Len(t, sights, 2)
	require.Equal(t, "Processing", sights[0].Status)
	require.Equal(t, correlate.Registration, sights[1].Type)
}

// TestACardIsSavedOnce: several calls may show that the payer has saved the same card; two cards are two.
func TestACardIsSavedOnce(t *testing.T) {
	t.Parallel()
	listed := func(ids ...string) [2]string {
		var all []string
		for _, id := range ids {
			all = append(all, `{"id":"`+id+`","last4":"4242"}`)
		}
		return [2]string{"/Payment/CardPaymentMethods/" + payer, `{"registrationId":"` + payer + `","paymentMethods":[` + strings.Join(all, ",") + `]}`}
	}
	saved := func(before bool, calls ...[2]string) int {
		r, s := shown(calls...)
		run := &play.Run{Script: *s}
		if before {
			run.Script.Steps = append(run.Script.Steps, play.Step{Move: &play.Move{Event: "save-card", Stands: []correlate.Value{{Type: correlate.Card, Text: "pm_1"}}}})
		}
		for n := range r.Exchanges {
			run.Answers = append(run.Answers, play.Answered{N: n, Operation: "listPaymentMethods", Status: 200, Body: []byte(`{"paymentMethods":[]}`)})
		}
		return len(infer.Repair(r, run))
	}
	require.Equal(t, 1, saved(false, listed("pm_1"), listed("pm_1")))
	require.Equal(t, 2, saved(false, listed("pm_1"), listed("pm_1", "pm_2")))
	require.Equal(t, 0, saved(true, listed("pm_1"), listed("pm_1")))
}
