package webhook_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestAForgeryOfWhatIsAtRest: whoever believes a forgery that was refused has the payment
// fulfilled, and whoever looks after each reads out of a silence again and again.
func TestAForgeryOfWhatIsAtRest(t *testing.T) {
	t.Parallel()
	const id = "partner.webhook.no-follow-up"
	claim := func(h *tape.Attempt) { h.Body = []byte(`{"Data":{"Status":"Paid"}}`) }
	believed := func(fulfilled, reversed int) func(*checktest.Tape) {
		return func(s *checktest.Tape) {
			e := s.Became("p1", "Processing", "Failed", s.Payment("p1"))
			claim(s.Attempt(e, "altered-status", 401).Attempt)
			s.Pass(time.Second)
			s.Attempt(e, "", 200)
			s.Pass(time.Second)
			s.Call("reportTransactions", 200, checktest.Answers(`{"transactions":[{"paymentRequestId":"p1","status":"Failed"},{"status":"Paid"}]}`))
			s.Shows("p1", fulfilled, reversed)
			s.Pass(10 * time.Second)
			s.Calls(1)
		}
	}
	reads := func(s *checktest.Tape, i int) {
		s.Call("getPaymentStatus", 200, checktest.At("/Payment/p"+strconv.Itoa(i)+"/Status", "")).Entities = []string{"p" + strconv.Itoa(i)}
	}
	// again lets a payment rest, forges the event that it was told of first, and looks.
	again := func(looks func(i int) bool, before func(s *checktest.Tape, i int)) func(*checktest.Tape) {
		return func(s *checktest.Tape) {
			for i := range 8 {
				id := "p" + strconv.Itoa(i)
				e := s.Became(id, "Pending", "Processing", s.Payment(id))
				s.Attempt(e, "", 200)
				reads(s, i)
				s.Pass(6 * time.Second)
				if before != nil {
					before(s, i)
				}
				if i < 5 {
					continue
				}
				claim(s.Attempt(e, "altered-status", 401).Attempt)
				if s.Pass(30 * time.Millisecond); looks(i) {
					reads(s, i)
				}
				s.Pass(5 * time.Second)
			}
			s.Calls(1)
		}
	}
	each, one, none := func(int) bool { return true }, func(i int) bool { return i == 6 }, func(int) bool { return false }
	checktest.Play(t, []checktest.Case{
		checktest.On(id, "fulfilled on its word", verdict.Fail, "", believed(1, 0)),
		checktest.On(id, "fulfilled on its word, and taken back", verdict.Fail, "", believed(1, 1)),
		checktest.On(id, "left alone", verdict.Pass, "", believed(0, 0)),
		checktest.On(id, "a look after each", verdict.Fail, "", again(each, nil)),
		checktest.On(id, "a look after each, when the clock is moved and it comes well", verdict.Pass, "", func(s *checktest.Tape) {
			for i := range 8 {
				id := "p" + strconv.Itoa(i)
				e := s.Became(id, "Pending", "Processing", s.Payment(id))
				s.Attempt(e, "", 200)
				s.Pass(6 * time.Second)
				claim(s.Attempt(e, "altered-status", 401).Attempt)
				s.Move(6 * time.Second)
				reads(s, i) // before it is answered, and stands on the tape
				s.Attempt(e, "", 200)
				s.Pass(5 * time.Second)
			}
			s.Calls(1)
		}),
		checktest.On(id, "a look after one, maybe by chance", verdict.Pass, "", again(one, nil)),
		checktest.On(id, "no look", verdict.Pass, "", again(none, nil)),
		checktest.On(id, "a look after each, and at other times as often", verdict.NotExercised, "", again(each, func(s *checktest.Tape, i int) {
			for range 6 {
				reads(s, i)
				s.Pass(2100 * time.Millisecond)
			}
		})),
	})
}

// TestChanceDoesNotLookLikeAnAnswer plays applications that read the states of their
// payments at any moment, now and then or often: of 3,000 none is blamed for what came after
// a forgery.
func TestChanceDoesNotLookLikeAnAnswer(t *testing.T) {
	t.Parallel()
	const sessions, payments, seconds = 1000, 6, 60
	for _, every := range []int{4, 10, 40} { // seconds, of each payment
		r := rand.New(rand.NewPCG(7, uint64(every)))
		k, blamed := checktest.Partner(t, "partner.webhook.no-follow-up"), 0
		for range sessions {
			s := checktest.New("")
			var events []*tape.Entry
			for i := range payments {
				events = append(events, s.Became("p"+strconv.Itoa(i), "Pending", "Processing", s.Payment("p"+strconv.Itoa(i))))
				s.Attempt(events[i], "", 200)
			}
			for tick := range seconds * 10 {
				s.Pass(100 * time.Millisecond)
				for i := range payments {
					if r.IntN(10*every) == 0 {
						s.Call("getPaymentStatus", 200, checktest.At("/Payment/p"+strconv.Itoa(i)+"/Status", "")).Entities = []string{"p" + strconv.Itoa(i)}
					}
				}
				if tick%200 == 150 {
					s.Attempt(events[tick/200%payments], "altered-status", 401)
				}
			}
			if k.Judge(s.Trail()).Word == verdict.Fail {
				blamed++
			}
		}
		require.Zero(t, blamed, "read every %d seconds", every)
	}
}
