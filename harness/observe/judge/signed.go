package judge

import (
	"fmt"
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
)

// signed applies what people have put their names to: an attestation says what traffic
// alone does not show, a waiver accepts what is broken. Neither changes anything else.
type signed struct {
	attestations []signoff.Attestation
	waivers      []signoff.Waiver
	now          time.Time
	// gone are waivers of what is not broken; notes tell of what counts for nothing.
	gone, notes []string
}

// apply changes the results of the clauses that somebody has signed for.
func (s *signed) apply(list []report.ClauseResult) {
	for i := range list {
		c := &list[i]
		for k := range s.attestations {
			if a := &s.attestations[k]; a.Clause == c.ID {
				s.attest(c, a)
			}
		}
		for k := range s.waivers {
			if w := &s.waivers[k]; w.Clause == c.ID {
				s.waive(c, w)
			}
		}
	}
}

// attest takes the word of a person on a clause at which a person has to look, and on any
// that somebody has seen to be broken.
func (s *signed) attest(c *report.ClauseResult, a *signoff.Attestation) {
	switch {
	case signoff.Over(a.Lapses, s.now):
		s.note("The attestation of %s lapsed after %s and counts for nothing; %s gave it.", c.ID, a.Lapses, a.Who)
		return
	case a.Result == signoff.Failed && c.Verdict != verdict.NotApplicable && c.Verdict != verdict.HarnessError:
		c.Verdict = verdict.Fail // traffic shows what did not happen to break, a person what will
	case c.Verdict != verdict.Review:
		s.note("The attestation of %s counts for nothing: by the traffic it is %s, and a person is asked only where traffic does not show it.", c.ID, c.Verdict.Label())
		return
	default:
		c.Verdict = verdict.Pass
	}
	s.far("attestation", c.ID, a.Lapses)
	c.Attested = &report.Attestation{Who: a.Who, At: a.At, SHA256: a.Digest, Passed: a.Result == signoff.Passed, Lapses: a.Lapses}
}

// waive lets a failure be that somebody answers for.
func (s *signed) waive(c *report.ClauseResult, w *signoff.Waiver) {
	switch {
	case signoff.Over(w.Until, s.now):
		s.note("The waiver of %s expired after %s and excuses nothing; %s answers for it.", c.ID, w.Until, w.Owner)
		return
	case c.Verdict == verdict.Pass || c.Verdict == verdict.Warning:
		s.note("The waiver of %s is not needed any more: it is not broken, and is to be taken out.", c.ID)
		s.gone = append(s.gone, c.ID)
	case c.Verdict != verdict.Fail:
		s.note("The waiver of %s excuses nothing: nobody knows whether it is broken, as by the traffic it is %s.", c.ID, c.Verdict.Label())
		return
	}
	s.far("waiver", c.ID, w.Until)
	c.Deviation = &report.Deviation{Owner: w.Owner, Reason: w.Reason, Expires: w.Until, Occurs: c.Verdict == verdict.Fail}
}

// far warns of what nobody will look at again for more than a year.
func (s *signed) far(kind, id, last string) {
	if year := s.now.UTC().AddDate(1, 0, 0).Format(time.DateOnly); last > year {
		s.note("The %s of %s holds until %s, more than a year from now: it is never looked at again. Give a day up to %s, and sign anew then.", kind, id, last, year)
	}
}

func (s *signed) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}
