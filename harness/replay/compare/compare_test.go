package compare_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// one is a run of one call, recorded and played as is said.
func one(recorded recording.Answer, played play.Answered, change func(c *play.Call)) (*recording.Recording, *play.Run) {
	c := &play.Call{Exchange: recording.Exchange{Method: "POST", Path: "/Payment/Create", Answer: recorded}}
	if change != nil {
		change(c)
	}
	run := &play.Run{Script: play.Script{Steps: []play.Step{{Call: c}}}, Answers: []play.Answered{played}}
	return &recording.Recording{Exchanges: []recording.Exchange{c.Exchange}}, run
}

func wheres(list []compare.Difference) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].Where)
	}
	return out
}

// TestAnswersAreCompared: what differs, and what cannot be compared and so does not.
func TestAnswersAreCompared(t *testing.T) {
	t.Parallel()
	whole := func(status int, body string, header ...tape.Header) recording.Answer {
		return recording.Answer{Known: recording.Whole, Status: status, Body: []byte(body), Header: header}
	}
	played := func(status int, body string, header ...tape.Header) play.Answered {
		return play.Answered{Status: status, Body: []byte(body), Header: header}
	}
	refused := `{"findings":[{"pointer":"/amount","clause":"payment.create.amount"}],"detail":"x"}`
	for name, c := range map[string]struct {
		was    recording.Answer
		is     play.Answered
		change func(*play.Call)
		want   []string
	}{
		"the same":                        {whole(200, `{"a":1}`), played(200, `{"a":1}`), nil, nil},
		"another value":                   {whole(200, `{"a":1}`), played(200, `{"a":2}`), nil, []string{"/a"}},
		"a member less and one more":      {whole(200, `{"a":1}`), played(200, `{"b":1}`), nil, []string{"/a", "/b"}},
		"null is not absent":              {whole(200, `{"a":null,"b":1}`), played(200, `{"b":1}`), nil, []string{"/a"}},
		"metadata of which there is none": {whole(200, `{"a":1}`), played(200, `{"a":1,"metadata":null}`), nil, nil},
		"metadata that is not shown":      {whole(200, `{"a":1}`), played(200, `{"a":1,"metadata":{"b":1}}`), nil, []string{"/metadata/b"}},
		"an empty list":                   {whole(200, `{"a":[]}`), played(200, `{"a":[{"b":1}]}`), nil, []string{"/a/0/b"}},
		"a list that is empty here":       {whole(200, `{"a":[{"b":1}]}`), played(200, ` {"a":[]}`), nil, []string{"/a/0/b"}},
		"empty lists":                     {whole(200, `{"a":[]}`), played(200, `{ "a": [] }`), nil, nil},
		"a list of which a part is shown": {whole(200, `{"a":[{"b":1},"…"],"c":true}`), played(200, `{"a":[{"b":1},{"b":2}],"c":true,"d":1}`), nil, nil},
		"a member less than is shown":     {whole(200, `{"a":[{"b":1},"…"],"c":true}`), played(200, `{"a":[{"b":3}]}`), nil, []string{"/a/0/b", "/c"}},
		"no body":                         {whole(200, ``), played(200, `{"a":1}`), nil, []string{""}},
		"another status alone":            {whole(200, `{"a":1}`), played(400, `{"b":1}`), nil, []string{"status"}},
		"times":                           {whole(200, `{"a":"2026-03-02T17:00:00Z"}`), played(200, `{"a":"2027-03-02T17:00:00Z"}`), nil, nil},
		"times written otherwise":         {whole(200, `{"a":"2026-03-02T17:00:00.5Z"}`), played(200, `{"a":"2027-03-02T17:00:00Z"}`), nil, []string{"/a"}},
		"not JSON":                        {whole(200, "yes"), played(200, "no"), nil, []string{""}},
		"texts of a refusal":              {whole(400, `{"detail":"was"}`), played(400, `{"detail":"is"}`), nil, nil},
		"findings of a refusal":           {whole(400, refused), played(400, `{"findings":[]}`), nil, []string{"/findings"}},
		"without its body":                {recording.Answer{Known: recording.WithoutBody, Status: 200}, played(200, `{"a":2}`), nil, nil},
		"never arrived":                   {recording.Answer{Known: recording.NeverArrived}, played(200, `{}`), nil, nil},
		"not recorded":                    {recording.Answer{Known: recording.NotRecorded}, played(500, ``), nil, nil},
		"a smaller body":                  {whole(200, `{"a":1}`), played(200, `{"a":2}`), func(c *play.Call) { c.Smaller = true }, nil},
		"a smaller body's status":         {whole(200, `{"a":1}`), played(400, `{}`), func(c *play.Call) { c.Smaller = true }, []string{"status"}},
		"the service broke":               {whole(500, ``), played(500, ``), func(c *play.Call) { c.Fault, c.Broken = "status=500", true }, []string{"status"}},
		"a header that means much": {
			whole(200, `{}`, tape.Header{Name: "Idempotent-Replayed", Value: "true"}), played(200, `{}`), nil, []string{"header Idempotent-Replayed"},
		},
		"a header of which no head is shown": {whole(200, `{}`, tape.Header{Name: "Server", Value: "x"}), played(200, `{}`, tape.Header{Name: "Idempotent-Replayed", Value: "true"}), nil, nil},
		"a header that a whole head lacks": {
			whole(200, `{}`, tape.Header{Name: "Date", Value: "Mon, 02 Mar 2026 17:00:00 GMT"}), played(200, `{}`, tape.Header{Name: "Idempotent-Replayed", Value: "true"}), nil, []string{"header Idempotent-Replayed"},
		},
		"a header that means nothing": {whole(200, `{}`, tape.Header{Name: "Server", Value: "x"}), played(200, `{}`), nil, nil},
	} {
		r, run := one(c.was, c.is, c.change)
		require.Equal(t, c.want, wheres(compare.Run(r, run, true)), name)
	}
}

// TestIDsAreComparedByWhatTheyStandFor: an id that stands for another is the same, one
// that stands for something else is not; and what is drawn by the seed means nothing.
func TestIDsAreComparedByWhatTheyStandFor(t *testing.T) {
	t.Parallel()
	const was, is, other = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11", "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12"
	answer := func(id string) (*recording.Recording, *play.Run) {
		return one(recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"companyId":"` + was + `"}`)}, play.Answered{Status: 200, Body: []byte(`{"companyId":"` + id + `"}`)}, nil)
	}
	r, run := answer(is)
	run.Links.Bind(correlate.Company, was, is, "")
	require.Empty(t, compare.Run(r, run, true))
	_, wrong := answer(other)
	wrong.Links.Bind(correlate.Company, was, is, "")
	list := compare.Run(r, wrong, true)
	require.Equal(t, []string{"/companyId"}, wheres(list))
	compare.Drawn(list, run, wrong)
	require.Equal(t, compare.TimeOrID, list[0].Class, "it is another under each seed")
	list[0].Class = compare.Unexplained
	compare.Drawn(list, wrong, wrong)
	require.Equal(t, compare.Unexplained, list[0].Class, "it is the same under both")
	list[0].Operation = "createCompany"
	compare.Drawn(list, run, wrong)
	require.Equal(t, compare.Unexplained, list[0].Class, "a call that makes one was answered with what an earlier call had made")

	r, run = one(recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"id":"` + other + `"}`)}, play.Answered{Status: 200, Body: []byte(`{"id":"` + is + `"}`)},
		func(c *play.Call) { c.Exchange.Path = "/Payment/" + strings.ToUpper(was) + "/Status" })
	_, drawn := one(recording.Answer{}, play.Answered{Status: 200, Body: []byte(`{"id":"` + was + `"}`)}, nil)
	run.Links.Bind(correlate.Payment, was, is, "")
	list = compare.Run(r, run, true)
	compare.Drawn(list, drawn, run)
	require.Equal(t, compare.Unexplained, list[0].Class, "the path names another than the answer")
	run.Script.Steps[0].Call.Exchange.Path = "/Payment"
	compare.Drawn(list, drawn, run)
	require.Equal(t, compare.TimeOrID, list[0].Class)
}

// TestEventsAreCompared: one that was received and not emitted, one that tells otherwise,
// and one that was emitted and never came, where all that came are known.
func TestEventsAreCompared(t *testing.T) {
	t.Parallel()
	const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	event := func(status, more string) []byte {
		return []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Status":"` + status + `"` + more + `}}`)
	}
	made := func(received, emitted []byte, complete bool, s recording.Signature) []compare.Difference {
		r := &recording.Recording{Sources: []recording.Source{{ReceivedComplete: complete}}, Received: []recording.Received{{Body: received, Signature: s}}}
		run := &play.Run{Script: play.Script{Steps: []play.Step{{Heard: 1}}}, Entries: []tape.Entry{{Seq: 1, Kind: tape.KindEvent, Event: &tape.Event{Body: emitted}}}}
		run.Links.Bind(correlate.Payment, id, id, "")
		return compare.Run(r, run, true)
	}
	require.Empty(t, made(event("Paid", ""), event("Paid", ""), true, recording.Valid))
	require.Equal(t, []string{"event"}, wheres(made(event("Paid", ""), event("Denied", ""), false, "")))
	require.Equal(t, []string{"event", "event"}, wheres(made(event("Paid", ""), event("Denied", ""), true, "")), "and the other one was missed")
	require.Equal(t, []string{"/Data/Amount"}, wheres(made(event("Paid", `,"Amount":1`), event("Paid", `,"Amount":2`), false, "")))
	require.Equal(t, []string{"/Data/Amount"}, wheres(made(event("Paid", `,"Amount":"1"`), event("Paid", `,"Amount":1`), false, "")), "a text is no number")
	printed := bytes.Replace(event("Paid", `,"Amount":"1"`), []byte(`{"Event"`), []byte(`{"Live":"true","Event"`), 1)
	require.NotContains(t, wheres(made(printed, event("Paid", `,"Amount":1`), false, "")), "/Data/Amount", "who printed it has made texts of all")
	require.Empty(t, made(event("Paid", ""), event("Denied", ""), false, recording.Wrong), "a forged event is not the service's")
}

// TestWhatIsStruckOutIsNotCompared: what is found at a member that the file strikes out is found at a stand-in for it.
func TestWhatIsStruckOutIsNotCompared(t *testing.T) {
	t.Parallel()
	const state, ssn = `{"pointer":"/state","clause":"company.create.state"}`, `{"pointer":"/owner/ssn","clause":"company.create.owner-ssn"}`
	for _, c := range []struct {
		struck  []string
		was, is string
		differs bool
	}{
		{[]string{"/owner/ssn"}, state + "," + ssn, state, false},
		{[]string{"/Owner/SSN"}, state, state + "," + ssn, false},
		{[]string{"/state"}, state + "," + ssn, state, true},
		{nil, state + "," + ssn, state, true},
	} {
		findings := func(list string) []byte { return []byte(`{"status":400,"findings":[` + list + `]}`) }
		struck := func(call *play.Call) { call.Struck = c.struck }
		r, run := one(recording.Answer{Known: recording.Whole, Status: 400, Body: findings(c.was)}, play.Answered{Status: 400, Body: findings(c.is)}, struck)
		require.Equal(t, c.differs, len(compare.Run(r, run, false)) > 0, "%v", c.struck)
	}
}

// TestAMentionedWebhookMayHaveHeldMore: what a log does not tell of it is no difference, what it tells otherwise is.
func TestAMentionedWebhookMayHaveHeldMore(t *testing.T) {
	t.Parallel()
	const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	whole := []byte(`{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Amount":5000,"Status":"Paid","Timestamp":"2026-03-02T17:00:13Z"}}`)
	for amount, mentioned := range map[string][2][]string{"5000": {{"/Data/Timestamp", "/Live"}, nil}, "50": {{"/Data/Amount", "/Data/Timestamp", "/Live"}, {"/Data/Amount"}}} {
		for i, m := range []bool{false, true} {
			run := &play.Run{
				Script:  play.Script{Steps: []play.Step{{Heard: 1}}},
				Entries: []tape.Entry{{Event: &tape.Event{Body: whole}}},
			}
			run.Links.Stand(correlate.Link{Type: correlate.Payment, Recorded: id, Replayed: id})
			r := &recording.Recording{Received: []recording.Received{{Mentioned: m, Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Amount":` + amount + `,"Status":"Paid"}}`)}}}
			require.ElementsMatch(t, mentioned[i], wheres(compare.Run(r, run, false)), amount)
		}
	}
}

// TestATextOfFiguresIsNoNumber: where the file shows that it prints values as they are; one in which all are texts was printed so.
func TestATextOfFiguresIsNoNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, other string
		differs    bool
	}{
		{`{"chargedAmount":"2750"}`, `{"chargedAmount":2750}`, true},
		{`{"chargedAmount":"2750"}`, `{"chargedAmount":"2750"}`, false},
		{`{"chargedAmount":2750}`, `{"chargedAmount":2750}`, false},
		{`{"reference":"2750"}`, `{"chargedAmount":2750}`, false},
		{`{"chargedAmount":"2750"}`, `{"chargedAmount":"2750","at":"2026-03-02T17:00:00Z"}`, false}, // a time is no number
	} {
		is := `{"chargedAmount":2750}`
		if strings.Contains(c.was, "reference") {
			is = c.was
		}
		r, run := one(recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(c.was)}, play.Answered{Status: 200, Body: []byte(is)}, nil)
		r.Exchanges = append(r.Exchanges, recording.Exchange{Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(c.other)}})
		list := compare.Run(r, run, false)
		require.Equal(t, c.differs, len(list) > 0, c.was)
		if c.differs {
			require.Equal(t, [3]string{"/chargedAmount", `"2750"`, "2750"}, [3]string{list[0].Where, list[0].Recorded, list[0].Replayed})
		}
	}
}

// TestTooShortAVerification: a seed draws how long a verification takes. One that ended before the company was rejected is tried again
// under others, and a rejection that nothing explains stays open.
func TestTooShortAVerification(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		one              compare.Difference
		verifying, stays bool
	}{
		"it lasted longer":        {compare.Difference{Operation: "getCompanyStatus", Where: "/status", Recorded: "Unverified", Replayed: "Verified"}, true, false},
		"it was rejected later":   {compare.Difference{Operation: "getCompanyStatus", Where: "/status", Recorded: "Rejected", Replayed: "Verified"}, true, true},
		"it is of another member": {compare.Difference{Operation: "getCompanyStatus", Where: "/name", Recorded: "Rejected", Replayed: "Verified"}, false, true},
		"it was never verified":   {compare.Difference{Operation: "getCompanyStatus", Where: "/status", Recorded: "Verified", Replayed: "Unverified"}, false, true},
	} {
		c.one.Class = compare.Unexplained
		list := []compare.Difference{c.one}
		require.Equal(t, c.verifying, compare.Verifying(list), name)
		compare.Verified(list)
		require.Equal(t, c.stays, list[0].Class == compare.Unexplained, name)
	}
}
