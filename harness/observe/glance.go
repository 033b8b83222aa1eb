package observe

import (
	"time"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// verdict is what a clause comes to so far. One that was reached stays; whether
// there is one by now is looked at again as often as it does not cost much.
func (s *Session) verdict(id string) verdict.Word {
	known, seen := s.judged[id]
	if seen && (!trouble.Open(known.status) || known.at == s.last() || s.now().Sub(known.when) < thrift*known.cost) {
		return known.status
	}
	one, exists := s.table[id]
	if !exists {
		return verdict.Disabled
	}
	began := s.now()
	if s.tape == nil {
		s.tape = trail.New(s.meta, s.entries)
	}
	result := one.Judge(s.tape)
	now := s.now()
	s.judged[id] = glance{status: result.Word, why: judge.WhyOpen(&result), at: s.last(), when: now, cost: now.Sub(began)}
	return result.Word
}

// standing is what a clause comes to so far, and why that is no verdict.
func (s *Session) standing(id string) string {
	status := s.verdict(id)
	if g := s.judged[id]; trouble.Open(status) && g.why != "" {
		return string(status) + ": " + g.why
	}
	if status == verdict.Fail { // what is late may come yet
		return string(status) + " so far; the report judges the whole session"
	}
	return string(status)
}

// thrift is how many times longer than the last look the time to the next one is.
const thrift = 20

// glance is what a clause came to when it was looked at.
type glance struct {
	status verdict.Word
	// why is the reason for one that is open, where there is one.
	why string
	// at is the entry that was the newest then.
	at   uint64
	when time.Time
	cost time.Duration
}
