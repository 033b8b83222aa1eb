package check_test

import (
	"testing"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
)

func TestPartnerPrivacy(t *testing.T) {
	t.Parallel()
	const urls, refs, texts = "partner.privacy.urls", "partner.privacy.references", "partner.privacy.free-text"
	// knowing plays a tape that knows a payer and a company with its people.
	knowing := func(clause, name string, want verdict.Word, then func(s *spool)) partnerCase {
		return partnerCase{clause, name, want, "", func(s *spool) {
			s.note(check.NoteTask, map[string]any{"id": 1, "do": "registerUser", "with": map[string]any{"name": "Dana Whitfield", "mobileNumber": "+12025550123"}})
			s.call("registerUser", 200, sends(`{"redirectUrl":"https://gym.example.com/r/4711","mobileNumber":"+12025550123","email":"dana@example.com"}`))
			s.call("createCompany", 200, sends(`{"companyReferenceId":"gym","name":"Maria Alvarez Pilates","owner":{"name":"Maria Alvarez"},"employees":[{"name":"Sam O'Neill","contactNumber":"+12135550102"}]}`))
			then(s)
		}}
	}
	get := func(path, query string) func(s *spool) {
		return func(s *spool) { s.call("listCompanies", 200, at(path, query)) }
	}
	post := func(body string, changes ...with) func(s *spool) {
		return func(s *spool) { s.call("createPayment", 200, append(changes, sends(body))...) }
	}
	good := `{"amount":5000,"registrationId":"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33","reference":"invoice-2025-550-0123-7","shortDescription":"Membership for Dana, 2026-11-21","metadata":{"invoice":120255501234,"hall":["A",{"x":null}]}}`
	cases := []partnerCase{
		knowing(urls, "ids", verdict.Pass, get("/User/5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33/Status", "from=2026-11-21T10:00:00Z")),
		knowing(urls, "e-mail in the query", verdict.Fail, get("/Company/List", "payer=dana%40example.com")),
		knowing(urls, "e-mail of somebody unknown", verdict.Fail, get("/Company/List", "payer=joe@gym.example.org")),
		knowing(urls, "number in the path", verdict.Fail, get("/User/%2B12025550123/Status", "")),
		knowing(urls, "number in another spelling", verdict.Fail, get("/User/202-555-0123/Status", "")),
		knowing(urls, "number without its plus sign", verdict.Fail, get("/Company/List", "to=+12025550123")),
		knowing(urls, "name", verdict.Fail, get("/Company/List", "who=dana+whitfield")),
		knowing(urls, "returnUrl", verdict.Fail, post(`{"returnUrl":"https://gym.example.com/paid?mail=dana%2540example.com"}`)),
		knowing(urls, "address of an attachment", verdict.Fail, post(`{"attachment":"https://gym.example.com/Dana-Whitfield.pdf"}`)),
		knowing(urls, "webhook", verdict.Fail, func(s *spool) { s.control("addWebhook", `{"url":"https://gym.example.com/hooks/dana@example.com"}`) }),
		{urls, "nobody known", verdict.NotExercised, "", get("/Company/List", "")},
		{urls, "nobody known, and yet", verdict.Fail, "", get("/Company/List", "mail=joe@example.com")},

		knowing(refs, "opaque", verdict.Pass, post(good, keyed("0b6c8a4e-6f0a-4a53-8d3e-6f1f0e9d8c33"))),
		knowing(refs, "e-mail", verdict.Fail, post(`{"reference":"dana@example.com-11"}`)),
		knowing(refs, "name", verdict.Fail, post(`{"reference":"DANA_WHITFIELD-11"}`)),
		knowing(refs, "number", verdict.Fail, post(`{"reference":"12025550123-1"}`)),
		knowing(refs, "number of an employee in a key", verdict.Fail, post(`{}`, keyed("(213) 555-0102"))),
		knowing(refs, "social security number", verdict.Fail, func(s *spool) { s.call("registerCardPayment", 200, sends(`{"patientReferenceNumber":"223-45-6789"}`)) }),
		knowing(refs, "first name", verdict.Pass, post(`{"reference":"dana-11"}`)),
		knowing(refs, "company's reference", verdict.Fail, func(s *spool) { s.call("createCompany", 200, sends(`{"companyReferenceId":"sam o'neill"}`)) }),
		{refs, "nobody known", verdict.NotExercised, "", post(`{"reference":"invoice-1"}`)},

		knowing(texts, "plain", verdict.Pass, post(good)),
		knowing(texts, "name in the description", verdict.Fail, post(`{"shortDescription":"Membership of Dana Whitfield"}`)),
		knowing(texts, "a firm called after its owner", verdict.Pass, post(`{"shortDescription":"Maria Alvarez Pilates, October"}`)),
		knowing(texts, "number deep in metadata", verdict.Fail, post(`{"metadata":{"a":[{"b":{"c":"+1 (202) 555-0123"}}]}}`)),
		knowing(texts, "number as a number", verdict.Fail, post(`{"metadata":{"phone":12025550123}}`)),
		knowing(texts, "e-mail as a name", verdict.Fail, post(`{"metadata":{"dana@example.com":true}}`)),
		knowing(texts, "refund", verdict.Fail, func(s *spool) { s.call("refundPayment", 200, sends(`{"description":"back to dana@example.com"}`)) }),
		{texts, "nothing asked for", verdict.NotExercised, "", get("/Company/List", "")},
		{texts, "nobody known", verdict.NotExercised, "", post(`{"shortDescription":"Membership"}`)},
	}
	playCases(t, cases)
}
