package retry_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// one is a payment that fails, with these pauses before each repetition.
func one(pauses ...time.Duration) func(s *checktest.Tape) {
	return func(s *checktest.Tape) { s.Fails(1, pauses...) }
}

// two are two such payments.
func two(first, second []time.Duration) func(s *checktest.Tape) {
	return func(s *checktest.Tape) {
		s.Fails(1, first...)
		s.Fails(2, second...)
	}
}

// at503 is a payment that is put off three times.
func at503(s *checktest.Tape) {
	for range 3 {
		s.Pays(503, "r1", checktest.Key(1), checktest.Carries("Retry-After", "1"))
		s.Pass(time.Second)
	}
	s.Pays(200, "r1", checktest.Key(1))
}

// reads are readings that fail, at a pace.
func reads(s *checktest.Tape, every time.Duration, n int) {
	for range n {
		s.Call("listCompanies", 500)
		s.Pass(every)
	}
	s.Call("getUserStatus", 200)
}

// busy are calls of an application on a machine that takes its time before each, and payments
// that fail, with these pauses in milliseconds.
func busy(lag time.Duration, rows ...[]int) func(s *checktest.Tape) {
	return func(s *checktest.Tape) {
		for range 30 {
			s.Call("getUserStatus", 200)
			s.Pass(lag)
		}
		for i, row := range rows {
			pauses := make([]time.Duration, len(row))
			for k, ms := range row {
				pauses[k] = time.Duration(ms) * time.Millisecond
			}
			s.Fails(i+1, pauses...)
			s.Pass(time.Minute)
		}
	}
}

func TestPartnerPause(t *testing.T) {
	t.Parallel()
	const pause = "partner.retry.pause"
	checktest.Play(t, []checktest.Case{
		checktest.On(pause, "no pause at all", verdict.Fail, "", func(s *checktest.Tape) {
			reads(s, time.Millisecond, 5)
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "no pause in virtual time", verdict.Fail, "manual", func(s *checktest.Tape) {
			s.Virtual()
			reads(s, 0, 5)
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "none but what Retry-After asks for", verdict.Fail, "", func(s *checktest.Tape) {
			at503(s)
			s.Fails(2, time.Millisecond, time.Millisecond, time.Millisecond)
			s.Fails(3, time.Millisecond, time.Millisecond, time.Millisecond)
		}),
		checktest.On(pause, "no pause, but looks in between", verdict.Fail, "", func(s *checktest.Tape) {
			one(20*time.Millisecond, 14*time.Millisecond, 16*time.Millisecond)(s)
			for range 2 {
				s.Pass(time.Minute)
				reads(s, 3*time.Millisecond, 3)
			}
			s.Pass(time.Minute)
			s.Call("listCompanies", 200)
		}),
		checktest.On(pause, "each is left alone", verdict.Pass, "", func(s *checktest.Tape) {
			s.Pays(500, "r1", checktest.Key(1))
			s.Pass(time.Minute)
			s.Pays(200, "r2", checktest.Key(2))
		}),
		checktest.On(pause, "none, on a busy machine", verdict.Fail, "", one(2*time.Millisecond, 15*time.Millisecond, 3*time.Millisecond, time.Millisecond)),
		checktest.On(pause, "none, on a machine so busy that all takes long", verdict.Fail, "", busy(36*time.Millisecond,
			[]int{48, 40, 53}, []int{12, 52, 48}, []int{29, 12, 45}, []int{24, 2, 56}, []int{49, 7, 36}, []int{38, 2, 16})),
		checktest.On(pause, "pauses that grow, on such a machine", verdict.Pass, "", busy(36*time.Millisecond,
			[]int{48, 190, 253}, []int{12, 152, 348}, []int{99, 112, 245}, []int{84, 102, 356}, []int{49, 107, 236}, []int{38, 92, 116})),
		checktest.On(pause, "short ones, on one that is quick", verdict.Pass, "", busy(2*time.Millisecond,
			[]int{20, 22, 21}, []int{23, 20, 20}, []int{29, 20, 20}, []int{24, 22, 26}, []int{20, 20, 21}, []int{23, 22, 21})),
		checktest.On(pause, "short ones", verdict.Pass, "", one(20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)),
		checktest.On(pause, "once, at once", verdict.NotExercised, "", one(time.Millisecond)),
		checktest.On(pause, "too seldom to tell", verdict.NotExercised, "", one(2*time.Millisecond, 3*time.Millisecond)),
		checktest.On(pause, "three at once beside others with pauses", verdict.Pass, "", func(s *checktest.Tape) {
			s.Fails(1, time.Millisecond, time.Millisecond, time.Millisecond)
			s.Fails(2, 100*time.Millisecond, 190*time.Millisecond)
		}),
		checktest.On(pause, "an application with a watch of its own", verdict.NotExercised, "manual", func(s *checktest.Tape) { reads(s, 0, 5) }),
	})
}

// TestWhoPausesWithoutChanceIsNamed: beside a client that reads with chance in its pauses,
// the payments that are repeated without are what the verdict names, and shows.
func TestWhoPausesWithoutChanceIsNamed(t *testing.T) {
	t.Parallel()
	s := checktest.New("")
	reads := func(path string, pauses ...time.Duration) {
		s.Call("getPaymentStatus", 500, checktest.At(path, ""))
		for i, p := range pauses {
			s.Pass(p)
			s.Call("getPaymentStatus", 200+300*min(1, len(pauses)-1-i), checktest.At(path, ""))
		}
		s.Pass(time.Minute)
	}
	reads("/Payment/p1/Status", 310*time.Millisecond, 1240*time.Millisecond, 1630*time.Millisecond)
	reads("/Payment/p2/Status", 620*time.Millisecond, 750*time.Millisecond, 2900*time.Millisecond)
	for n := range 4 {
		s.Fails(n+1, 2*time.Second, 3*time.Second, 4*time.Second)
		s.Pass(time.Minute)
	}
	told := checktest.Partner(t, backoff).Judge(s.Trail()).Judgements[0]
	require.Equal(t, verdict.Fail, told.Word)
	require.Equal(t, "nearly the same pauses in each of 4 rows of repetitions, of createPayment", told.Received)
	for _, seq := range told.Entries {
		require.Equal(t, "createPayment", s.Entries[seq-1].Exchange.Operation)
	}
}
