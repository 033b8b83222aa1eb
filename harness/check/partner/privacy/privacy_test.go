package privacy_test

import (
	"testing"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

func TestPartnerPrivacy(t *testing.T) {
	t.Parallel()
	const urls, refs, texts = "partner.privacy.urls", "partner.privacy.references", "partner.privacy.free-text"
	// knowing plays a tape that knows a payer and a company with its people.
	knowing := func(clause, name string, want verdict.Word, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On(clause, name, want, "", func(s *checktest.Tape) {
			s.Task(1, "registerUser", map[string]any{"name": "Dana Whitfield", "mobileNumber": "+12025550123"})
			s.Call("registerUser", 200, checktest.Sends(`{"redirectUrl":"https://gym.example.com/r/4711","mobileNumber":"+12025550123","email":"dana@example.com"}`))
			s.Call("createCompany", 200, checktest.Sends(`{"companyReferenceId":"gym","name":"Maria Alvarez Pilates","owner":{"name":"Maria Alvarez"},"employees":[{"name":"Sam O'Neill","contactNumber":"+12135550102"}]}`))
			then(s)
		})
	}
	get := func(path, query string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Call("listCompanies", 200, checktest.At(path, query)) }
	}
	post := func(body string, changes ...checktest.With) func(s *checktest.Tape) {
		return func(s *checktest.Tape) { s.Call("createPayment", 200, append(changes, checktest.Sends(body))...) }
	}
	good := `{"amount":5000,"registrationId":"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33","reference":"invoice-2025-550-0123-7","shortDescription":"Membership for Dana, 2026-11-21","metadata":{"invoice":120255501234,"hall":["A",{"x":null}]}}`
	cases := []checktest.Case{
		knowing(urls, "ids", verdict.Pass, get("/User/5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33/Status", "from=2026-11-21T10:00:00Z")),
		knowing(urls, "e-mail in the query", verdict.Fail, get("/Company/List", "payer=dana%40example.com")),
		knowing(urls, "e-mail of somebody unknown", verdict.Fail, get("/Company/List", "payer=joe@gym.example.org")),
		knowing(urls, "number in the path", verdict.Fail, get("/User/%2B12025550123/Status", "")),
		knowing(urls, "number in another spelling", verdict.Fail, get("/User/202-555-0123/Status", "")),
		knowing(urls, "number without its plus sign", verdict.Fail, get("/Company/List", "to=+12025550123")),
		knowing(urls, "name", verdict.Fail, get("/Company/List", "who=dana+whitfield")),
		knowing(urls, "returnUrl", verdict.Fail, post(`{"returnUrl":"https://gym.example.com/paid?mail=dana%2540example.com"}`)),
		knowing(urls, "address of an attachment", verdict.Fail, post(`{"attachment":"https://gym.example.com/Dana-Whitfield.pdf"}`)),
		knowing(urls, "webhook", verdict.Fail, func(s *checktest.Tape) {
			s.Control("addWebhook", `{"url":"https://gym.example.com/hooks/dana@example.com"}`)
		}),
		checktest.On(urls, "nobody known", verdict.NotExercised, "", get("/Company/List", "")),
		checktest.On(urls, "nobody known, and yet", verdict.Fail, "", get("/Company/List", "mail=joe@example.com")),

		knowing(refs, "opaque", verdict.Pass, post(good, checktest.Keyed("0b6c8a4e-6f0a-4a53-8d3e-6f1f0e9d8c33"))),
		knowing(refs, "e-mail", verdict.Fail, post(`{"reference":"dana@example.com-11"}`)),
		knowing(refs, "name", verdict.Fail, post(`{"reference":"DANA_WHITFIELD-11"}`)),
		knowing(refs, "number", verdict.Fail, post(`{"reference":"12025550123-1"}`)),
		knowing(refs, "number of an employee in a key", verdict.Fail, post(`{}`, checktest.Keyed("(213) 555-0102"))),
		knowing(refs, "social security number", verdict.Fail, func(s *checktest.Tape) {
			s.Call("registerCardPayment", 200, checktest.Sends(`{"patientReferenceNumber":"223-45-6789"}`))
		}),
		knowing(refs, "first name", verdict.Pass, post(`{"reference":"dana-11"}`)),
		knowing(refs, "company's reference", verdict.Fail, func(s *checktest.Tape) {
			s.Call("createCompany", 200, checktest.Sends(`{"companyReferenceId":"sam o'neill"}`))
		}),
		checktest.On(refs, "nobody known", verdict.NotExercised, "", post(`{"reference":"invoice-1"}`)),

		knowing(texts, "plain", verdict.Pass, post(good)),
		knowing(texts, "name in the description", verdict.Fail, post(`{"shortDescription":"Membership of Dana Whitfield"}`)),
		knowing(texts, "card's number in the description", verdict.Fail, post(`{"shortDescription":"Paid with 4242 4242 4242 4242"}`)),
		knowing(texts, "card's number as a tape shows it", verdict.Fail, post(`{"shortDescription":"2026 5555550000004444"}`)),
		knowing(texts, "order's number", verdict.Pass, post(`{"shortDescription":"Order 4242424242424241 of 2026"}`)),
		knowing(texts, "a firm called after its owner", verdict.Pass, post(`{"shortDescription":"Maria Alvarez Pilates, October"}`)),
		knowing(texts, "number deep in metadata", verdict.Fail, post(`{"metadata":{"a":[{"b":{"c":"+1 (202) 555-0123"}}]}}`)),
		knowing(texts, "number as a number", verdict.Fail, post(`{"metadata":{"phone":12025550123}}`)),
		knowing(texts, "date of birth in metadata", verdict.Fail, post(`{"metadata":{"patient":{"dateOfBirth":"1980-02-03"}}}`)),
		knowing(texts, "birthday in metadata", verdict.Fail, post(`{"metadata":{"birthday":"02/03/1980"}}`)),
		knowing(texts, "date of birth in the description", verdict.Fail, post(`{"shortDescription":"Visit of A. M., DOB 1980-02-03"}`)),
		knowing(texts, "a birthday party, and other dates", verdict.Pass, post(`{"shortDescription":"Birthday 2026-12-03","metadata":{"born_in":"1980","since":"1980-02-03","newborn":"2019-01-02"}}`)),
		knowing(texts, "e-mail as a name", verdict.Fail, post(`{"metadata":{"dana@example.com":true}}`)),
		knowing(texts, "refund", verdict.Fail, func(s *checktest.Tape) {
			s.Call("refundPayment", 200, checktest.Sends(`{"description":"back to dana@example.com"}`))
		}),
		checktest.On(texts, "nothing asked for", verdict.NotExercised, "", get("/Company/List", "")),
		checktest.On(texts, "nobody known", verdict.NotExercised, "", post(`{"shortDescription":"Membership"}`)),
	}
	checktest.Play(t, cases)
}

func TestPartnerOutput(t *testing.T) {
	t.Parallel()
	const id = "partner.privacy.output"
	reads := func(name string, want verdict.Word, found ...string) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Calls(1)
			for _, secret := range found {
				s.Note(trail.NoteOutput, map[string]any{"stream": "stderr", "found": secret})
			}
		})
	}
	checktest.Play(t, []checktest.Case{
		reads("nothing found", verdict.Pass, ""),
		reads("a token", verdict.Fail, "", "access token"),
		reads("nobody has read", verdict.NotExercised),
	})
}
