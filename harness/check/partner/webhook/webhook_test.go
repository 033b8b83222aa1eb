package webhook_test

import (
	"strconv"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// hookCase plays a payment that becomes Processing, which is told by a profile
// and answered so, after an event that was accepted.
func hookCase(clause, name string, want verdict.Word, profile string, status int, changes ...func(a *tape.Attempt)) checktest.Case {
	return checktest.On("partner.webhook."+clause, name, want, "", func(s *checktest.Tape) {
		s.Attempt(s.Became("p0", "Pending", "Processing", s.Payment("p0")), "", 200)
		s.Attempt(s.Became("p1", "Pending", "Processing", s.Payment("p1")), profile, status, changes...)
	})
}

func unsignedHooks(a *tape.Attempt) { a.Header = nil }

// forgedWays are the profiles whose deliveries are not genuine, and their clauses.
func forgedWays() map[string]string {
	return map[string]string{
		"altered-byte": "altered", "altered-signature": "altered", "wrong-secret": "wrong-secret", "empty-secret": "wrong-secret",
		"stale-signature": "stale-signature", "missing-signature": "unsigned",
	}
}

func TestPartnerSignatures(t *testing.T) {
	t.Parallel()
	var cases []checktest.Case
	for profile, clause := range forgedWays() {
		for status, want := range map[int]verdict.Word{401: verdict.Pass, 403: verdict.Pass, 400: verdict.Pass, 200: verdict.Fail, 204: verdict.Fail, 500: verdict.Warning, 302: verdict.Warning, 0: verdict.NotExercised} {
			cases = append(cases, hookCase(clause, "answered "+strconv.Itoa(status), want, profile, status))
		}
		cases = append(cases,
			hookCase(clause, "nothing of the kind", verdict.NotExercised, "", 200),
			hookCase(clause, "among others", verdict.Fail, "extra-member,"+profile, 200),
			checktest.On("partner.webhook."+clause, "refuses everything", verdict.Review, "", func(s *checktest.Tape) {
				s.Attempt(s.Became("p1", "Pending", "Processing", s.Payment("p1")), "", 401)
				s.Attempt(s.Became("p1", "Processing", "Paid", nil), profile, 401)
			}))
	}
	cases = append(cases, hookCase("altered", "no secret", verdict.NotExercised, "altered-byte", 200, unsignedHooks))
	checktest.Play(t, cases)
}

func TestPartnerAccepts(t *testing.T) {
	t.Parallel()
	var cases []checktest.Case
	for clause, profile := range map[string]string{
		"raw-bytes": "odd-json", "unknown-event": "unknown-event", "unknown-member": "extra-member", "before-response": "before-response",
	} {
		for status, want := range map[int]verdict.Word{200: verdict.Pass, 202: verdict.Pass, 401: verdict.Fail, 422: verdict.Fail, 500: verdict.Fail, 503: verdict.NotExercised, 0: verdict.NotExercised} {
			cases = append(cases, hookCase(clause, "answered "+strconv.Itoa(status), want, profile, status))
		}
		cases = append(cases,
			hookCase(clause, "nothing of the kind", verdict.NotExercised, "", 401),
			hookCase(clause, "forged besides", verdict.NotExercised, profile+",altered-byte", 401))
	}
	for want, status := range map[verdict.Word]int{verdict.Pass: 200, verdict.Fail: 404} {
		cases = append(cases, checktest.On("partner.webhook.before-response", "by the endpoint's profile", want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p0", "Pending", "Processing", nil), "", 200)
			s.Control("addWebhook", `{"url":"http://gym.partner.test/hooks","profile":"before-response"}`).Entities = []string{"endpoint-1"}
			call := s.Payment("p1")
			e := s.Became("p1", "Pending", "Processing", call)
			s.Attempt(e, "", status).Cause = call.Seq
		}))
	}
	// byCall plays an event that a call causes, about what it makes or about what was known.
	byCall := func(name string, want verdict.Word, makes bool, profile string, status int) checktest.Case {
		return checktest.On("partner.webhook.before-response", name+" "+strconv.Itoa(status), want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p0", "Pending", "Processing", nil), "", 200)
			call := s.Payment("p1")
			if !makes {
				call = s.Call("cancelPayment", 200)
			}
			s.Attempt(s.Became("p1", "Pending", "Processing", call), profile, status)
		})
	}
	cases = append(cases,
		byCall("before, of the call's making", verdict.Pass, true, "before-response", 200),
		byCall("before, of what was known", verdict.Review, false, "before-response", 200),
		byCall("before, of what was known", verdict.Fail, false, "before-response", 404),
		byCall("with the answer, of the call's making", verdict.Fail, true, "", 404),
		byCall("with the answer, of what was known", verdict.NotExercised, false, "", 404),
		byCall("with the answer, refused for another reason", verdict.NotExercised, true, "", 401),
		byCall("with the answer, accepted", verdict.NotExercised, true, "", 200))
	// away plays a receiver that puts two unusual deliveries off, or lets them hang.
	away := func(clause, profile, name string, want verdict.Word, plain, status int) checktest.Case {
		return checktest.On("partner.webhook."+clause, name+" "+strconv.Itoa(status), want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p0", "Pending", "Processing", nil), "", 200)
			s.Attempt(s.Became("p9", "Pending", "Processing", nil), "", plain)
			for _, id := range []string{"p1", "p2"} {
				s.Attempt(s.Became(id, "Pending", "Processing", nil), profile, status)
			}
		})
	}
	for clause, profile := range map[string]string{
		"raw-bytes": "odd-json", "unknown-event": "unknown-event", "unknown-member": "extra-member", "before-response": "before-response",
	} {
		for _, status := range []int{503, 0} {
			cases = append(cases,
				away(clause, profile, "away for each, and 200 to others", verdict.Fail, 200, status),
				away(clause, profile, "away for others, too", verdict.NotExercised, status, status))
		}
	}
	checktest.Play(t, cases)
}

func TestPartnerDuplicates(t *testing.T) {
	t.Parallel()
	var cases []checktest.Case
	for clause, profile := range map[string][2]string{"duplicate": {"", "duplicate"}, "parallel-duplicate": {"parallel-duplicate", "parallel-duplicate"}} {
		id := "partner.webhook." + clause
		// twice plays an event that comes twice, after which something happens.
		twice := func(name string, want verdict.Word, first, second int, then func(s *checktest.Tape)) checktest.Case {
			return checktest.On(id, name, want, "", func(s *checktest.Tape) {
				s.Payment("p1")
				e := s.Became("p1", "Processing", "Paid", nil)
				s.Attempt(e, profile[0], first, checktest.Number(1))
				s.Attempt(e, profile[1], second, checktest.Number(2))
				then(s)
			})
		}
		refunds := func(s *checktest.Tape) {
			s.Call("refundPayment", 200, checktest.Sends(`{"amount":500}`))
			s.Call("refundPayment", 200, checktest.Sends(`{"amount":500}`))
		}
		cases = append(cases,
			twice("accepted, and nobody knows", verdict.Review, 200, 200, func(*checktest.Tape) {}),
			twice("once", verdict.Pass, 200, 200, func(s *checktest.Tape) { s.Shows("p1", 1, 0) }),
			twice("fulfilled twice", verdict.Fail, 200, 200, func(s *checktest.Tape) { s.Shows("p1", 1, 0); s.Shows("p1", 2, 0) }),
			twice("reversed twice", verdict.Fail, 200, 200, func(s *checktest.Tape) { s.Shows("p1", 1, 2) }),
			twice("another payment", verdict.NotExercised, 200, 200, func(s *checktest.Tape) { s.Shows("p2", 2, 0) }),
			twice("nothing done yet", verdict.NotExercised, 200, 200, func(s *checktest.Tape) { s.Shows("p1", 0, 0) }),
			twice("the copy crashes", verdict.Warning, 200, 500, func(*checktest.Tape) {}),
			twice("the copy is refused", map[string]verdict.Word{"duplicate": verdict.Fail, "parallel-duplicate": verdict.Warning}[clause], 200, 409, func(*checktest.Tape) {}),
			twice("refused", verdict.NotExercised, 401, 401, func(*checktest.Tape) {}),
			twice("not answered", verdict.NotExercised, 200, 0, func(*checktest.Tape) {}),
			twice("refunded twice", verdict.Review, 200, 200, refunds),
			twice("refunded twice as told", verdict.Pass, 200, 200, func(s *checktest.Tape) {
				s.Task(1, "refundPayment", map[string]any{"paymentRequestId": "p1"})
				refunds(s)
				s.Shows("p1", 1, 0)
			}),
			twice("refunded twice much later", verdict.Pass, 200, 200, func(s *checktest.Tape) { s.Pass(time.Minute); refunds(s); s.Shows("p1", 1, 0) }),
			checktest.On(id, "without effect", verdict.NotExercised, "", func(s *checktest.Tape) {
				e := s.Became("p1", "Pending", "Processing", s.Payment("p1"))
				s.Attempt(e, profile[0], 200, checktest.Number(1))
				s.Attempt(e, profile[1], 200, checktest.Number(2))
				s.Shows("p1", 0, 0)
			}),
			hookCase(clause, "came once", verdict.NotExercised, "", 200))
	}
	checktest.Play(t, cases)
}

// TestPartnerDoubled: whatever has doubled an event, its effect comes once.
func TestPartnerDoubled(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.duplicate"
	// again plays Paid with one attempt and another one, and what came of it.
	again := func(name string, want verdict.Word, first, second string, status, effects int) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			e := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(e, first, status)
			s.Attempt(e, second, 200)
			s.Shows("p1", effects, 0)
		})
	}
	checktest.Play(t, []checktest.Case{
		again("resent", verdict.Pass, "", "", 200, 1),
		again("resent, twice", verdict.Fail, "", "", 200, 2),
		again("twins, which have a clause of their own", verdict.NotExercised, "parallel-duplicate", "parallel-duplicate", 200, 3),
		again("the answer was lost", verdict.NotExercised, "cut-connection", "", 0, 1),
		again("the answer was lost, twice", verdict.Fail, "cut-connection", "", 0, 2),
		again("refused before", verdict.NotExercised, "", "", 500, 1),
		again("forged before", verdict.NotExercised, "altered-byte", "", 401, 1),
		again("of an unknown name before", verdict.NotExercised, "unknown-event", "", 200, 1),
	})
}
