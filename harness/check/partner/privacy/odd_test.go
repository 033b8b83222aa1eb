package privacy_test

import (
	"strings"
	"testing"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// TestPartnerPrivacyOdd: people in other spellings, and numbers that look like
// theirs.
func TestPartnerPrivacyOdd(t *testing.T) {
	t.Parallel()
	const urls, refs = "partner.privacy.urls", "partner.privacy.references"
	holds := func(clause, name string, want verdict.Word, text string) checktest.Case {
		return checktest.On(clause, name, want, "", func(s *checktest.Tape) {
			s.Task(1, "registerUser", map[string]any{"name": "Dana Whitfield", "mobileNumber": "+12025550123"})
			s.Call("registerUser", 200, checktest.Sends(`{"redirectUrl":"https://gym.example.com/r/4711","email":"dana.w@example.com"}`))
			if clause == urls {
				s.Call("listCompanies", 200, checktest.At("/Company/List", text))
				return
			}
			s.Call("createPayment", 200, checktest.Sends(`{"amount":5000,"reference":"`+text+`"}`))
		})
	}
	checktest.Odd(t, []checktest.Case{
		holds(refs, "the family name first", verdict.Fail, "whitfield-dana-2026-03"),
		holds(refs, "the name in one word", verdict.Fail, "inv-DanaWhitfield-11"),
		holds(refs, "an e-mail address without its sign", verdict.Fail, "dana-w-example-com-11"),
		holds(urls, "an e-mail address without its sign", verdict.Fail, "for=dana.w_example.com"),
		holds(refs, "a number in other groups", verdict.Fail, "20 2555 0123"),
		holds(refs, "a number dialled from abroad", verdict.Fail, "inv 0012025550123"),
		holds(refs, "a number with more behind it", verdict.Fail, "+1202555012301JD3Q8K9ZV5X2R7T4W6Y1B0NC"),
		holds(refs, "an e-mail address in Base64", verdict.Fail, "ZGFuYS53QGV4YW1wbGUuY29t"),
		holds(refs, "an e-mail address in Base64 behind a prefix", verdict.Fail, "inv-ZGFuYS53QGV4YW1wbGUuY29t"),
		holds(urls, "a number in Base64", verdict.Fail, "m=KzEyMDI1NTUwMTIz"),
		holds(urls, "a number in Base64 with its padding", verdict.Fail, "m=KzEyMDI1NTUwMTIzNA%3D%3D"),
		holds(refs, "a random text of the letters of Base64", verdict.Pass, "V1StGXR8Z5jdHi6BmyTq3fQ9xLk2Wn7Rb0Zc"),
		holds(refs, "the first letters", verdict.Pass, "dw-11"),
		holds(refs, "a family name alone", verdict.Pass, "whitfield-11"),
		holds(refs, "shop, month and year", verdict.Pass, "223-03-2026"),
		holds(refs, "shop, till and year", verdict.Pass, "456-789-2026"),
		holds(refs, "a number that looks like somebody's", verdict.Fail, "456-789-3127"),
		holds(refs, "a number that looks like a social security number", verdict.Fail, "223-45-6789"),
		holds(refs, "an order of three groups of digits", verdict.Pass, "123-1234567-1234567"),
		holds(refs, "a random number", verdict.Pass, "01JD3Q8K9ZV5X2R7T4W6Y1B0NC"),
		holds(urls, "a host that reads like an e-mail address", verdict.Pass, "back=https://dana-w.example.com/r"),
		holds(urls, "a time", verdict.Pass, "from=2026-03-02T17:00:00Z&to=2026-03-03"),
	})
}

// TestPartnerPrivacyLong: texts of the most that a body may hold. What is looked at more
// than once for each letter takes minutes here.
func TestPartnerPrivacyLong(t *testing.T) {
	t.Parallel()
	holds := func(name, text string) checktest.Case {
		return checktest.On("partner.privacy.references", name, verdict.Fail, "", func(s *checktest.Tape) {
			s.Call("registerUser", 200, checktest.Sends(`{"redirectUrl":"https://gym.example.com/r/4711","mobileNumber":"+12025550123"}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":5000,"reference":"`+text+`"}`))
		})
	}
	checktest.Whole(t, []checktest.Case{
		holds("a number behind very many digits", strings.Repeat("12025550111", 60_000)+" 202 555 0123"),
		holds("an e-mail address in Base64 behind very many prefixes", strings.Repeat("AAAA-", 120_000)+"ZGFuYS53QGV4YW1wbGUuY29t"),
	})
}
