package webhook_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestPartnerHooksOdd: receivers that say no for another reason, copies in another
// order, and effects that nobody has seen.
func TestPartnerHooksOdd(t *testing.T) {
	t.Parallel()
	const twice, order = "partner.webhook.duplicate", "partner.webhook.order"
	var cases []checktest.Case
	for profile, clause := range forgedWays() {
		for _, status := range []int{429, 502, 503, 504} { // of a gateway, or a receiver that is busy
			cases = append(cases, hookCase(clause, "away", verdict.NotExercised, profile, status))
		}
		cases = append(cases, hookCase(clause, "taken without a word", verdict.Fail, profile, 202))
	}
	for clause, profile := range map[string]string{"raw-bytes": "odd-json", "unknown-event": "unknown-event", "unknown-member": "extra-member"} {
		cases = append(cases,
			hookCase(clause, "taken without a word", verdict.Pass, profile, 204),
			hookCase(clause, "sent elsewhere", verdict.Fail, profile, 301))
	}
	cases = append(cases, hookCase("unknown-event", "nobody found for the name", verdict.Fail, "unknown-event", 404))
	// born plays an odd event that the call has caused which made its payment.
	born := func(name string, want verdict.Word, status int, after time.Duration) checktest.Case {
		return checktest.On("partner.webhook.unknown-member", name, want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p0", "Pending", "Processing", s.Payment("p0")), "", 200)
			call := s.Payment("p1")
			e := s.Became("p1", "Pending", "Processing", call)
			s.Pass(after)
			s.Attempt(e, "extra-member", status)
		})
	}
	// moved plays a receiver that refuses after the clock was moved.
	moved := func(name string, want verdict.Word, then func(s *checktest.Tape)) checktest.Case {
		return checktest.On("partner.webhook.raw-bytes", name, want, "", func(s *checktest.Tape) {
			s.Attempt(s.Became("p0", "Pending", "Processing", s.Payment("p0")), "", 200)
			s.Move(9 * 24 * time.Hour)
			s.Attempt(s.Became("p1", "Pending", "Processing", s.Payment("p1")), "odd-json", 401)
			then(s)
		})
	}
	checktest.Whole(t, []checktest.Case{
		born("not known yet", verdict.NotExercised, 404, time.Millisecond),
		born("not known later", verdict.Fail, 404, 2*time.Second),
		born("its form refused at once", verdict.Fail, 400, time.Millisecond),
		born("taken at once", verdict.Pass, 200, time.Millisecond),
		moved("refuses what is not of its own time", verdict.Review, func(s *checktest.Tape) {
			s.Attempt(s.Became("p2", "Pending", "Processing", s.Payment("p2")), "", 401)
		}),
		moved("takes what else is of another time", verdict.Fail, func(s *checktest.Tape) {
			s.Attempt(s.Became("p2", "Pending", "Processing", s.Payment("p2")), "", 200)
		}),
	})
	// crossed plays Processing and Paid, and then both again in the other order.
	crossed := func(name string, want verdict.Word, fulfilled int) checktest.Case {
		return checktest.On(twice, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			early := s.Became("p1", "Pending", "Processing", nil)
			paid := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(early, "", 204)
			s.Attempt(paid, "", 202)
			s.Attempt(paid, "duplicate", 202)
			s.Attempt(early, "duplicate", 204)
			s.Pass(time.Second)
			s.Shows("p1", fulfilled, 0)
		})
	}
	late := func(then func(s *checktest.Tape)) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			overtakenByReturn(s)
			then(s)
		}
	}
	// refunded plays Processing that comes behind Paid, money given back, and what the books
	// say then.
	refunded := func(name string, want verdict.Word, fulfilled, reversed int) checktest.Case {
		return checktest.On(order, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			early := s.Became("p1", "Pending", "Processing", nil)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Attempt(early, "reorder", 200)
			s.Call("refundPayment", 200).Entities = []string{"p1"}
			s.Pass(time.Minute)
			s.Shows("p1", fulfilled, reversed)
		})
	}
	checktest.Odd(t, append(cases,
		refunded("refunded, and taken back", verdict.Review, 1, 1),
		refunded("refunded, and kept", verdict.Review, 1, 0),
		refunded("refunded, and never handed over", verdict.Review, 0, 0),
		refunded("refunded, and handed over twice", verdict.Fail, 2, 0),
		refunded("refunded, and taken back twice", verdict.Fail, 1, 2),
		crossed("in another order", verdict.Pass, 1),
		crossed("in another order, twice", verdict.Fail, 2),
		crossed("nothing done yet", verdict.NotExercised, 0),
		checktest.On(twice, "a company's, beside an application that shows its books", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Company()
			s.Decided("Verified", nil, 200)
			s.Attempt(s.Entries[len(s.Entries)-2], "duplicate", 200)
			s.Shows("p9", 1, 0)
		}),
		checktest.On(order, "read because of it", verdict.Pass, "", late(func(s *checktest.Tape) { s.Pass(time.Second); s.Call("getPaymentStatus", 200) })),
		checktest.On(order, "read much later", verdict.Review, "", late(func(s *checktest.Tape) { s.Pass(time.Minute); s.Call("getPaymentStatus", 200) })),
		checktest.On(order, "tried to read, in vain", verdict.Review, "", late(func(s *checktest.Tape) { s.Call("getPaymentStatus", 503) })),
	))
}

// TestPartnerSweeps: an application that looks after all its payments now and then
// also looks after the one that a forgery has told of.
func TestPartnerSweeps(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.no-follow-up"
	// forged plays five payments, a forgery about the third, and what is read then.
	forged := func(read ...string) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			for _, p := range []string{"p1", "p2", "p3", "p4", "p5"} {
				s.Payment(p)
			}
			s.Pass(20 * time.Second)
			s.Attempt(s.Became("p3", "Pending", "Processing", nil), "missing-signature", 401)
			s.Pass(300 * time.Millisecond)
			for _, p := range read {
				s.Call("getPaymentStatus", 200, checktest.At("/Payment/"+p+"/Status", "")).Entities = []string{p}
				s.Pass(4 * time.Millisecond)
			}
			s.Pass(6 * time.Second)
			s.Calls(10)
		}
	}
	checktest.Odd(t, []checktest.Case{
		checktest.On(id, "fulfilled before the forgery", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Becomes("payment", "p1", "Pending", "Processing", nil)
			s.Shows("p1", 1, 0)
			s.Pass(5 * time.Second)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "missing-signature", 401)
			s.Shows("p1", 1, 0)
			s.Pass(6 * time.Second)
			s.Calls(10)
		}),
		checktest.On(id, "fulfilled on the word of one that was refused, while it is under way", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Pending", "Processing", nil), "altered-status", 401, func(a *tape.Attempt) {
				a.Body = []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p1","Status":"Paid"}}`)
			})
			s.Pass(time.Second)
			s.Shows("p1", 1, 0)
			s.Pass(6 * time.Second)
			s.Calls(10)
		}),
		checktest.On(id, "reads them all", verdict.NotExercised, "", forged("p1", "p2", "p3", "p4", "p5")),
		checktest.On(id, "reads all, this one first", verdict.NotExercised, "", forged("p3", "p1", "p2", "p4", "p5")),
		checktest.On(id, "reads this one", verdict.Fail, "", forged("p3")),
		checktest.On(id, "reads this one twice", verdict.Fail, "", forged("p3", "p3")),
		checktest.On(id, "reads others only", verdict.Pass, "", forged("p1", "p2")),
	})
}

// TestWhoActsBeforeTheAnswer hears of a payment by a genuine delivery, and calls before it has
// answered that: the forgery half a second before is not the reason.
func TestWhoActsBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	// cancels plays two forgeries, a call some time after each, and the event once more.
	cancels := func(after time.Duration) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Meta.Clock = "real"
			for n := range 2 {
				id := "p" + strconv.Itoa(n)
				s.Payment(id)
				s.Pass(20 * time.Second)
				e := s.Became(id, "Processing", "Paid", nil)
				s.Attempt(e, "wrong-secret", 401)
				cancel := func() { s.Call("cancelPayment", 400, checktest.At("/Payment/"+id+"/Cancel", "")) }
				if s.Pass(after); after < 300*time.Millisecond {
					cancel()
					s.Pass(370*time.Millisecond - after)
				}
				again := s.Control("resendDelivery", `{}`)
				if s.Pass(5 * time.Millisecond); after >= 300*time.Millisecond {
					cancel()
				}
				s.Attempt(e, "", 200, func(a *tape.Attempt) { a.Took = int64(10 * time.Millisecond) }).Cause = again.Seq
				s.Pass(6 * time.Second)
				s.Calls(1)
			}
		}
	}
	const id = "partner.webhook.no-follow-up"
	checktest.Odd(t, []checktest.Case{
		checktest.On(id, "a call before the answer to a genuine one", verdict.Pass, "", cancels(370*time.Millisecond)),
		checktest.On(id, "calls long before a genuine one", verdict.Fail, "", cancels(20*time.Millisecond)),
	})
}

// TestAnAlteredIDIsFollowed: of an id that was altered on its way only the delivery tells
// that has to be refused.
func TestAnAlteredIDIsFollowed(t *testing.T) {
	t.Parallel()
	const id, is, came = "partner.webhook.no-follow-up", "0b8b1a9e-1111-4222-8333-444455556666", "0b8b1a9e-1111-4222-8333-444455556667"
	read := func(name string, want verdict.Word, what string) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment(is)
			s.Pass(20 * time.Second)
			s.Attempt(s.Became(is, "Processing", "Paid", nil), "altered-byte", 401, func(a *tape.Attempt) {
				a.Body = bytes.Replace(a.Body, []byte(is), []byte(came), 1)
			})
			s.Pass(1500 * time.Millisecond)
			s.Call("getPaymentStatus", 404, checktest.At("/Payment/"+what+"/Status", ""))
			s.Pass(5 * time.Second)
			s.Calls(10)
		})
	}
	checktest.Play(t, []checktest.Case{
		read("by what came", verdict.Fail, came),
		read("by another's", verdict.Pass, "0b8b1a9e-1111-4222-8333-444455556669"),
		checktest.On(id, "nothing came", verdict.NotExercised, "", func(s *checktest.Tape) { s.Payment(is) }),
	})
}
