package webhook_test

import (
	"testing"
	"time"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// TestPartnerBooks: what the application says of a payment in the end is what has
// become of it, for what it was told.
func TestPartnerBooks(t *testing.T) {
	t.Parallel()
	const id = "partner.payment.books"
	// ends plays a payment that ends in a state, which is told by a profile and
	// answered, and what the application says of it later.
	ends := func(name string, want verdict.Word, state, profile string, status int, wait time.Duration, counts [2]int) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", state, nil), profile, status)
			s.Pass(wait)
			s.Shows("p1", counts[0], counts[1])
		})
	}
	const long = 10 * time.Second
	// paid plays a payment that is Paid, which is told, and of which nothing comes.
	paid := func(name string, want verdict.Word, clock string, between func(s *checktest.Tape)) checktest.Case {
		return checktest.On(id, name, want, clock, func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			between(s)
			s.Shows("p1", 0, 0)
		})
	}
	// unnamed plays a payment that is Paid and which the books do not name.
	unnamed := func(name string, want verdict.Word, status int, wait time.Duration) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", status)
			s.Payment("p2")
			s.Pass(wait)
			s.Shows("p2", 0, 0)
		})
	}
	reads := func(status int) func(s *checktest.Tape) {
		return func(s *checktest.Tape) {
			s.Call("getPaymentStatus", status).Entities = []string{"p1"}
			s.Pass(long)
		}
	}
	refunded := func(name string, want verdict.Word, status, fulfilled, reversed int) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Call("refundPayment", status).Entities = []string{"p1"}
			s.Pass(long)
			s.Shows("p1", fulfilled, reversed)
		})
	}
	overtakes := func(name string, want verdict.Word, fulfilled, reversed int) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			s.Payment("p1")
			paid := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Attempt(paid, "reorder", 200)
			s.Pass(long)
			s.Shows("p1", fulfilled, reversed)
		})
	}
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "nobody asks", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Pass(long)
		}),
		ends("Paid and not fulfilled", verdict.Fail, "Paid", "", 200, long, [2]int{0, 0}),
		paid("long not fulfilled, and a call of another kind fails at last", verdict.Fail, "", func(s *checktest.Tape) {
			s.Pass(long)
			s.Shows("p1", 0, 0)
			s.Call("getCompanyStatus", 503)
		}),
		paid("not fulfilled, and calls fail all the time", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Pass(time.Second)
			s.Shows("p1", 0, 0)
			s.Pass(long)
			s.Call("getCompanyStatus", 503)
		}),
		checktest.On(id, "never fulfilled, by one that polls reports", verdict.Fail, "", func(s *checktest.Tape) {
			s.Note("uses", map[string]bool{"polling": true})
			s.Payment("p1")
			s.Became("p1", "Processing", "Paid", nil)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"p1","status":"Completed"}]}`))
			s.Pass(6 * time.Second)
			s.Shows("p1", 0, 0)
		}),
		checktest.On(id, "not fulfilled yet, by one that answers slowly", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Pass(long)
			s.Note(trail.NoteState, map[string]any{"tookMs": 500, "payments": []any{map[string]any{"paymentRequestId": "p1", "fulfilled": 0, "reversed": 0}}})
		}),
		checktest.On(id, "not fulfilled, by one that answered slowly before", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Note(trail.NoteState, map[string]any{"tookMs": 200, "payments": []any{}})
			s.Pass(long)
			s.Shows("p1", 0, 0)
		}),
		checktest.On(id, "read to be Paid, and the event that tells it is still to come", verdict.Pass, "", func(s *checktest.Tape) {
			s.Payment("p2")
			s.Attempt(s.Became("p2", "Processing", "Paid", nil), "", 200)
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 503)
			s.Call("getPaymentStatus", 200, checktest.At("/Payment/p1/Status", ""), checktest.Answers(`{"status":"Paid"}`)).Entities = []string{"p1"}
			s.Pass(long)
			s.Note(trail.NoteState, map[string]any{"payments": []any{
				map[string]any{"paymentRequestId": "p1", "fulfilled": 0, "reversed": 0}, map[string]any{"paymentRequestId": "p2", "fulfilled": 1, "reversed": 0},
			}})
		}),
		ends("Paid and fulfilled", verdict.Pass, "Paid", "", 200, long, [2]int{1, 0}),
		ends("Paid and fulfilled three times", verdict.Fail, "Paid", "", 200, long, [2]int{3, 0}),
		ends("Paid and taken back", verdict.Fail, "Paid", "", 200, long, [2]int{1, 1}),
		ends("Paid and not fulfilled yet", verdict.NotExercised, "Paid", "", 200, time.Second, [2]int{0, 0}),
		ends("Paid and not told", verdict.NotExercised, "Paid", "", 500, long, [2]int{0, 0}),
		ends("Paid under an unknown name", verdict.NotExercised, "Paid", "unknown-event", 200, long, [2]int{0, 0}),
		ends("Canceled and fulfilled", verdict.Fail, "Canceled", "", 200, long, [2]int{1, 0}),
		ends("Canceled and taken back", verdict.NotExercised, "Canceled", "", 200, long, [2]int{1, 1}),
		ends("Scheduled and fulfilled", verdict.NotExercised, "Scheduled", "", 200, long, [2]int{1, 0}),
		paid("read, and nothing came of it", verdict.Fail, "", reads(200)),
		paid("still to be read", verdict.NotExercised, "", reads(503)),
		paid("the clock was moved", verdict.NotExercised, "", func(s *checktest.Tape) { s.Move(time.Hour) }),
		paid("the clock stands still", verdict.NotExercised, "manual", func(s *checktest.Tape) { s.Pass(time.Hour) }),
		paid("driven", verdict.Fail, "manual", func(s *checktest.Tape) { s.Virtual() }),
		paid("held up", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Pass(8 * time.Second)
			s.Call("getUserStatus", 503)
			s.Pass(500 * time.Millisecond)
		}),
		checktest.On(id, "returned, and taken back twice", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Pass(long)
			s.Shows("p1", 1, 2)
		}),
		checktest.On(id, "returned, never fulfilled, and taken back", verdict.Fail, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
			s.Pass(long)
			s.Shows("p1", 0, 1)
		}),
		unnamed("Paid, told, and not in the books", verdict.Review, 200, long),
		unnamed("Paid, not told, and not in the books", verdict.NotExercised, 500, long),
		unnamed("Paid, told just now, and not in the books", verdict.NotExercised, 200, time.Second),
		checktest.On(id, "Paid, fulfilled, and not in the books any more", verdict.Review, "", func(s *checktest.Tape) {
			s.Payment("p1")
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
			s.Pass(long)
			s.Shows("p1", 1, 0)
			s.Pass(long)
			s.Shows("p2", 0, 0)
		}),
		overtakes("returned out of order", verdict.NotExercised, 1, 1),
		overtakes("returned out of order, and never handed over", verdict.NotExercised, 0, 0),
		overtakes("returned out of order, handed over twice and taken back twice", verdict.Fail, 2, 2),
		overtakes("returned out of order, and taken back twice", verdict.Fail, 1, 2),
		refunded("refunded", verdict.Pass, 200, 1, 1),
		refunded("refunded, and kept", verdict.Pass, 200, 1, 0),
		refunded("refunded, because it could not be handed over", verdict.NotExercised, 200, 0, 0),
		refunded("refunded, and the answer was lost", verdict.Pass, 0, 1, 1),
		refunded("not refunded, and taken back", verdict.Fail, 400, 1, 1),
		refunded("refunded, and fulfilled twice", verdict.Fail, 200, 2, 1),
		refunded("refunded, and taken back twice", verdict.Fail, 200, 1, 2),
		checktest.On(id, "came twice", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Payment("p1")
			e := s.Became("p1", "Processing", "Paid", nil)
			s.Attempt(e, "", 200)
			s.Attempt(e, "", 200)
			s.Pass(long)
			s.Shows("p1", 2, 0)
		}),
	})
}
