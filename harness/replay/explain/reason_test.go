package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// TestARefusalForWhatWasThere: what was refused for what calls that nobody recorded may have done is the service's fault only where a
// later answer shows that it was not so.
func TestARefusalForWhatWasThere(t *testing.T) {
	t.Parallel()
	const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	row := func(back string) string {
		return `{"transactions":[{"paymentRequestId":"` + id + `","status":"Completed","amount":9000,"refundedAmount":` + back + `}],"hasMore":false}`
	}
	companies := `{"companies":[{"referenceId":"other-1"}]}`
	for name, c := range map[string]struct {
		operation, line, sent, refusal string
		read, path, shows              string
		class                          compare.Class
	}{
		"a refund, of which nothing is shown": {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "getCompanyStatus", "GET /Company/x/Status", "{}", compare.Unexplained},
		"a refund of what is left":            {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "reportTransactions", "GET /Transaction/Report", row("4000"), compare.Service},
		"a refund of more than is left":       {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "reportTransactions", "GET /Transaction/Report", row("4001"), compare.Unexplained},
		"a reference that is free":            {"createCompany", "POST /Company/Create", `{"companyReferenceId":"Gym-1"}`, `{"errors":{"companyReferenceId":["is taken"]}}`, "listCompanies", "GET /Company/List", companies, compare.Service},
		"a reference that is taken":           {"createCompany", "POST /Company/Create", `{"companyReferenceId":"OTHER-1"}`, `{"errors":{"companyReferenceId":["is taken"]}}`, "listCompanies", "GET /Company/List", companies, compare.Unexplained},
	} {
		in := new(played).call(c.operation, c.line, c.sent, whole(400, c.refusal), 200, "{}").call(c.read, c.path, "", whole(200, c.shows), 200, c.shows)
		list := in.explained(compare.Difference{Where: "status", Recorded: "400", Replayed: "200", Operation: c.operation, Class: compare.Unexplained})
		require.Equal(t, c.class, list[0].Class, name)
	}
}

// TestAServiceThatWouldHaveTakenMostIsNotBlamed: of three calls one that was taken wrongly is the service's fault; all three
// are a file that shows something else than what was sent.
func TestAServiceThatWouldHaveTakenMostIsNotBlamed(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[int]compare.Class{1: compare.Service, 2: compare.Service, 3: compare.Unexplained} {
		var r recording.Recording
		run := play.Run{}
		var list []compare.Difference
		for n := range 3 {
			r.Exchanges = append(r.Exchanges, recording.Exchange{Method: "POST", Path: "/Payment/Create", Body: []byte(`{}`), Answer: recording.Answer{Known: recording.Whole, Status: 200}})
			run.Script.Steps = append(run.Script.Steps, play.Step{Call: &play.Call{N: n}})
			run.Answers = append(run.Answers, play.Answered{N: n, Step: n, Operation: "createPayment", Status: 400, Body: []byte(`{"findings":[{"clause":"payment.create.amount","source":"spec"}]}`)})
			if n < wrong {
				list = append(list, compare.Difference{N: n, Operation: "createPayment", Where: "status", Recorded: "200", Replayed: "400", Class: compare.Unexplained})
			}
		}
		explain.Explain(&r, &run, list)
		for i := range list {
			require.Equal(t, want, list[i].Class, "%d of 3", wrong)
		}
	}
}

// TestWhatAFileStruckOutIsNotTheServicesFault: whoever strikes out a part of a body shows no more that another was not sent.
func TestWhatAFileStruckOutIsNotTheServicesFault(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]compare.Class{
		`{"amount":-5}`:                        compare.Service,
		`{"amount":-5,"reference":"***"}`:      compare.Service,
		`{"amount":"***"}`:                     compare.Nobody,
		`{"reference":"[redacted]"}`:           compare.Nobody,
		`{"reference":"r-1","...":"and more"}`: compare.Nobody,
	} {
		r := recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: "/Payment/Create", Body: []byte(body), Answer: recording.Answer{Known: recording.Whole, Status: 200}}}}
		run := play.Run{Script: play.Script{Steps: []play.Step{{Call: &play.Call{}}}}}
		run.Answers = []play.Answered{{Operation: "createPayment", Status: 400, Body: []byte(`{"findings":[{"clause":"payment.create.amount","source":"spec","pointer":"/amount"}]}`)}}
		list := []compare.Difference{{Operation: "createPayment", Where: "status", Recorded: "200", Replayed: "400", Class: compare.Unexplained}}
		explain.Explain(&r, &run, list)
		require.Equal(t, want, list[0].Class, body)
	}
}
