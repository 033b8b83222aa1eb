package check_test

import (
	"strconv"
	"testing"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// became is an event that a payment has got a state, with the change before it.
func (s *spool) became(payment, from, to string, cause *tape.Entry) *tape.Entry {
	s.becomes("payment", payment, from, to, cause)
	return s.event("PAYMENT_STATUS_CHANGED", `{"PaymentId":"`+payment+`","Status":"`+to+`"}`, cause, payment)
}

// shows is the answer of the state probe about one payment.
func (s *spool) shows(payment string, fulfilled, reversed int) {
	s.note(check.NoteState, map[string]any{"payments": []any{
		map[string]any{"paymentRequestId": payment, "fulfilled": fulfilled, "reversed": reversed},
	}})
}

// payment is a call that creates one.
func (s *spool) payment(id string, changes ...with) *tape.Entry {
	c := s.call("createPayment", 200, append([]with{sends(`{"amount":5000,"registrationId":"dana","locationId":"hall"}`), answers(`{"paymentRequestId":"` + id + `"}`)}, changes...)...)
	c.Entities = []string{id}
	s.becomes("payment", id, "", "Pending", c)
	return c
}

// number makes an attempt the nth one of a delivery.
func number(n int) func(a *tape.Attempt) {
	return func(a *tape.Attempt) { a.Delivery, a.Number = "delivery", n }
}

// lasted sets how long the receiver took.
func lasted(d time.Duration) func(a *tape.Attempt) {
	return func(a *tape.Attempt) { a.Took = int64(d) }
}

// calls adds some calls about nothing in particular.
func (s *spool) calls(n int) {
	for range n {
		s.call("listCompanies", 200)
	}
}

// hookCase plays a payment that becomes Processing, which is told by a profile
// and answered so, after an event that was accepted.
func hookCase(clause, name string, want verdict.Word, profile string, status int, changes ...func(a *tape.Attempt)) partnerCase {
	return partnerCase{"partner.webhook." + clause, name, want, "", func(s *spool) {
		s.attempt(s.became("p0", "Pending", "Processing", s.payment("p0")), "", 200)
		s.attempt(s.became("p1", "Pending", "Processing", s.payment("p1")), profile, status, changes...)
	}}
}

func unsigned(a *tape.Attempt) { a.Header = nil }

// forgedWays are the profiles whose deliveries are not genuine, and their clauses.
func forgedWays() map[string]string {
	return map[string]string{
		"altered-byte": "altered", "altered-signature": "altered", "wrong-secret": "wrong-secret", "empty-secret": "wrong-secret",
		"stale-signature": "stale-signature", "missing-signature": "unsigned",
	}
}

func TestPartnerSignatures(t *testing.T) {
	t.Parallel()
	var cases []partnerCase
	for profile, clause := range forgedWays() {
		for status, want := range map[int]verdict.Word{401: verdict.Pass, 403: verdict.Pass, 400: verdict.Pass, 200: verdict.Fail, 204: verdict.Fail, 500: verdict.Warning, 302: verdict.Warning, 0: verdict.NotExercised} {
			cases = append(cases, hookCase(clause, "answered "+strconv.Itoa(status), want, profile, status))
		}
		cases = append(cases,
			hookCase(clause, "nothing of the kind", verdict.NotExercised, "", 200),
			hookCase(clause, "among others", verdict.Fail, "extra-member,"+profile, 200),
			partnerCase{"partner.webhook." + clause, "refuses everything", verdict.Review, "", func(s *spool) {
				s.attempt(s.became("p1", "Pending", "Processing", s.payment("p1")), "", 401)
				s.attempt(s.became("p1", "Processing", "Paid", nil), profile, 401)
			}})
	}
	cases = append(cases, hookCase("altered", "no secret", verdict.NotExercised, "altered-byte", 200, unsigned))
	playCases(t, cases)
}

func TestPartnerAccepts(t *testing.T) {
	t.Parallel()
	var cases []partnerCase
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
		cases = append(cases, partnerCase{"partner.webhook.before-response", "by the endpoint's profile", want, "", func(s *spool) {
			s.attempt(s.became("p0", "Pending", "Processing", nil), "", 200)
			s.control("addWebhook", `{"url":"http://gym.partner.test/hooks","profile":"before-response"}`).Entities = []string{"endpoint-1"}
			call := s.payment("p1")
			e := s.became("p1", "Pending", "Processing", call)
			s.attempt(e, "", status).Cause = call.Seq
		}})
	}
	playCases(t, cases)
}

func TestPartnerDuplicates(t *testing.T) {
	t.Parallel()
	var cases []partnerCase
	for clause, profile := range map[string][2]string{"duplicate": {"", "duplicate"}, "parallel-duplicate": {"parallel-duplicate", "parallel-duplicate"}} {
		id := "partner.webhook." + clause
		// twice plays an event that comes twice, after which something happens.
		twice := func(name string, want verdict.Word, first, second int, then func(s *spool)) partnerCase {
			return partnerCase{id, name, want, "", func(s *spool) {
				s.payment("p1")
				e := s.became("p1", "Processing", "Paid", nil)
				s.attempt(e, profile[0], first, number(1))
				s.attempt(e, profile[1], second, number(2))
				then(s)
			}}
		}
		refunds := func(s *spool) {
			s.call("refundPayment", 200, sends(`{"amount":500}`))
			s.call("refundPayment", 200, sends(`{"amount":500}`))
		}
		cases = append(cases,
			twice("accepted, and nobody knows", verdict.Review, 200, 200, func(*spool) {}),
			twice("once", verdict.Pass, 200, 200, func(s *spool) { s.shows("p1", 1, 0) }),
			twice("fulfilled twice", verdict.Fail, 200, 200, func(s *spool) { s.shows("p1", 1, 0); s.shows("p1", 2, 0) }),
			twice("reversed twice", verdict.Fail, 200, 200, func(s *spool) { s.shows("p1", 1, 2) }),
			twice("another payment", verdict.NotExercised, 200, 200, func(s *spool) { s.shows("p2", 2, 0) }),
			twice("nothing done yet", verdict.NotExercised, 200, 200, func(s *spool) { s.shows("p1", 0, 0) }),
			twice("the copy crashes", verdict.Warning, 200, 500, func(*spool) {}),
			twice("refused", verdict.NotExercised, 401, 401, func(*spool) {}),
			twice("not answered", verdict.NotExercised, 200, 0, func(*spool) {}),
			twice("refunded twice", verdict.Review, 200, 200, refunds),
			twice("refunded twice as told", verdict.Pass, 200, 200, func(s *spool) {
				s.note(check.NoteTask, map[string]any{"id": 1, "do": "refundPayment", "with": map[string]any{"paymentRequestId": "p1"}})
				refunds(s)
				s.shows("p1", 1, 0)
			}),
			twice("refunded twice much later", verdict.Pass, 200, 200, func(s *spool) { s.pass(time.Minute); refunds(s); s.shows("p1", 1, 0) }),
			partnerCase{id, "without effect", verdict.NotExercised, "", func(s *spool) {
				e := s.became("p1", "Pending", "Processing", s.payment("p1"))
				s.attempt(e, profile[0], 200, number(1))
				s.attempt(e, profile[1], 200, number(2))
				s.shows("p1", 0, 0)
			}},
			hookCase(clause, "came once", verdict.NotExercised, "", 200))
	}
	playCases(t, cases)
}

// TestPartnerDoubled: whatever has doubled an event, its effect comes once.
func TestPartnerDoubled(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.duplicate"
	// again plays Paid with one attempt and another one, and what came of it.
	again := func(name string, want verdict.Word, first, second string, status, effects int) partnerCase {
		return partnerCase{id, name, want, "", func(s *spool) {
			s.payment("p1")
			e := s.became("p1", "Processing", "Paid", nil)
			s.attempt(e, first, status)
			s.attempt(e, second, 200)
			s.shows("p1", effects, 0)
		}}
	}
	playCases(t, []partnerCase{
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
