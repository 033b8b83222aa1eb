package explain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// played is a recording and its replay, call by call.
type played struct {
	recording.Recording
	play.Run
}

// call adds a call, as it was answered and as the replay answers it.
func (p *played) call(operation, line, sent string, was recording.Answer, status int, body string) *played {
	method, path, _ := strings.Cut(line, " ")
	n := len(p.Exchanges)
	x := recording.Exchange{Method: method, Path: path, Body: []byte(sent), Answer: was}
	p.Exchanges, p.Script.Steps = append(p.Exchanges, x), append(p.Script.Steps, play.Step{Call: &play.Call{N: n, Exchange: x}})
	p.Answers = append(p.Answers, play.Answered{Step: n, N: n, Operation: operation, Status: status, Body: []byte(body)})
	return p
}

func (p *played) explained(list ...compare.Difference) []compare.Difference {
	explain.Explain(&p.Recording, &p.Run, list)
	return list
}

func whole(status int, body string) recording.Answer {
	return recording.Answer{Known: recording.Whole, Status: status, Body: []byte(body)}
}

// TestWhatADifferenceMeans: what the service took or refused, answered or told, and ought
// not to have; and what is nobody's fault.
func TestWhatADifferenceMeans(t *testing.T) {
	t.Parallel()
	status := func(was, is string) compare.Difference {
		return compare.Difference{Where: "status", Recorded: was, Replayed: is}
	}
	member := func(where, was, is string) compare.Difference {
		return compare.Difference{Operation: "createPayment", Where: where, Recorded: was, Replayed: is}
	}
	const amount = `{"findings":[{"advisory":true,"clause":"payment.create.reference"},{"pointer":"/amount","clause":"payment.create.amount","source":"spec"}]}`
	const state = `{"findings":[{"pointer":"/amount","clause":"payment.refund.amount-left","source":"spec"}]}`
	named := `{"findings":[{"clause":"payment.create.phone"}]}`
	for name, c := range map[string]struct {
		was    recording.Answer
		status int
		body   string
		d      compare.Difference
		class  compare.Class
		clause string
	}{
		"taken, and ought to be refused":      {whole(200, "{}"), 400, amount, status("200", "400"), compare.Service, "payment.create.amount"},
		"taken, where a state is not known":   {whole(200, "{}"), 400, state, status("200", "400"), compare.Unexplained, ""},
		"refused for what it names":           {whole(400, named), 200, "{}", status("400", "200"), compare.Service, "payment.create.phone"},
		"refused for nothing":                 {whole(400, "{}"), 200, "{}", status("400", "200"), compare.Service, "payment.create"},
		"refused for an id":                   {whole(400, `{"errors":{"registrationId":["is not known"]}}`), 200, "{}", status("400", "200"), compare.Unexplained, ""},
		"failed":                              {whole(500, ""), 200, "{}", status("500", "200"), compare.Service, "payment.create"},
		"not there":                           {whole(404, ""), 200, "{}", status("404", "200"), compare.Unexplained, ""},
		"a state that comes later":            {whole(200, "{}"), 200, "{}", member("/status", "Pending", "Paid"), compare.Nobody, ""},
		"a state that is none":                {whole(200, "{}"), 200, "{}", member("/status", "Settled", "Paid"), compare.Unexplained, ""},
		"another value":                       {whole(200, "{}"), 200, "{}", member("/fee", "1", "2"), compare.Service, "payment.create"},
		"a member less":                       {whole(200, "{}"), 200, "{}", member("/fee", "", "2"), compare.Unexplained, ""},
		"a header":                            {whole(200, "{}"), 200, "{}", member("header Allow", "GET", "PUT"), compare.Unexplained, ""},
		"an event that never came":            {whole(200, "{}"), 200, "{}", compare.Difference{N: -1, Where: "event"}, compare.Service, "event.delivery.retry"},
		"an event that tells otherwise":       {whole(200, "{}"), 200, "{}", compare.Difference{N: -1, Heard: 1, Where: "/Data/Status"}, compare.Service, "event.payment.shape"},
		"a company's event":                   {whole(200, "{}"), 200, "{}", compare.Difference{N: -1, Heard: 1, Call: "COMPANY_VERIFICATION_STATUS_CHANGED", Where: "/Data"}, compare.Service, "event.company.shape"},
		"an event of production":              {whole(200, "{}"), 200, "{}", compare.Difference{N: -1, Heard: 1, Where: "/Live"}, compare.Nobody, ""},
		"an event that nobody here has known": {whole(200, "{}"), 200, "{}", compare.Difference{N: -1, Heard: 1, Where: "event"}, compare.Unexplained, ""},
	} {
		in := new(played).call("createPayment", "POST /Payment/Create", "{}", c.was, c.status, c.body)
		c.d.Class = compare.Unexplained
		list := []compare.Difference{c.d, {Class: compare.Choice, Where: "status"}}
		explain.Explain(&in.Recording, &in.Run, list)
		require.Equal(t, c.class, list[0].Class, name)
		require.Equal(t, c.clause, list[0].Clause, name)
		require.Equal(t, compare.Choice, list[1].Class, "what is explained stays so")
	}
}

// TestAListThatLacksWhatWasMade is the service's fault; one that lacks what nobody has
// seen made may be another's.
func TestAListThatLacksWhatWasMade(t *testing.T) {
	t.Parallel()
	const id, ours = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11"
	for answered, class := range map[string]compare.Class{`{"id":"` + strings.ToUpper(id) + `"}`: compare.Service, `{"id":"another"}`: compare.Unexplained} {
		in := new(played).call("createCompany", "POST /Company/Create", "{}", whole(200, answered), 200, "{}").
			call("listCompanies", "GET /Company/List", "", whole(200, `{"companies":[]}`), 200, `{"companies":[{"companyId":"`+ours+`"}]}`)
		in.Links.Bind(correlate.Company, id, ours, "/id")
		in.Answers[0].Seq, in.Answers[1].Seq = 1, 2
		list := compare.Run(&in.Recording, &in.Run, false)
		require.Equal(t, "/companies/0/companyId", list[len(list)-1].Where)
		list = list[len(list)-1:]
		explain.Explain(&in.Recording, &in.Run, list)
		require.Equal(t, class, list[0].Class, answered)
	}
}

// TestWhatAStandInLacksIsNobodysFault: of a payment from before the recording the replay shows null
// where it was made without; of one that the recording has made itself, that is the service's.
func TestWhatAStandInLacksIsNobodysFault(t *testing.T) {
	t.Parallel()
	differs := func(operation, line, body, where, was, is string, earlier bool) compare.Difference {
		in := new(played).call(operation, line, "{}", whole(200, body), 200, "{}")
		if earlier {
			in.Script.Steps = append(in.Script.Steps, play.Step{Call: &play.Call{N: play.Prelude, Stands: []correlate.Value{{Type: correlate.Payment, Text: "P-1"}}}})
		}
		list := []compare.Difference{
			{Operation: operation, Where: where, Recorded: was, Replayed: is, Class: compare.Unexplained},
			{Operation: operation, Where: "/transactions/1/paymentRequestId", Recorded: "q", Replayed: "z", Class: compare.Unexplained},
		}
		explain.Explain(&in.Recording, &in.Run, list)
		return list[0]
	}
	details := func(where, was, is string, earlier bool) compare.Difference {
		return differs("getTransaction", "GET /Transaction/PaymentRequest/p-1", "{}", where, was, is, earlier)
	}
	d := details("/dueDate", "2026-03-20", "null", true)
	require.Equal(t, compare.Nobody, d.Class)
	require.True(t, d.Assumed)
	require.Equal(t, compare.Service, details("/dueDate", "2026-03-20", "null", false).Class)
	require.Equal(t, compare.Service, details("/amount/currency", "EUR", "USD", true).Class)
	rows := `{"transactions":[{"paymentRequestId":"P-1"},{"paymentRequestId":"q"}]}`
	report := func(where, is string) compare.Class {
		return differs("reportTransactions", "GET /Transaction/Report", rows, where, "7", is, true).Class
	}
	require.Equal(t, compare.Nobody, report("/transactions/0/refundedAmount", "0"))
	require.Equal(t, compare.Service, report("/transactions/0/amount", "5"))
	require.Equal(t, compare.Unexplained, report("/transactions/1/amount", "5"), "the row is another's")
	require.Equal(t, compare.Nobody, report("/nextCursor", "null"), "there may be more of them")
	require.Equal(t, compare.Unexplained, report("", "{}"))
}
