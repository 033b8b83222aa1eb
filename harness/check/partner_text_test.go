package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPartnerWhyNot: what was seen and does not count is told, and why.
func TestPartnerWhyNot(t *testing.T) {
	t.Parallel()
	twoPayments := func(s *spool) {
		early := s.became("p1", "Pending", "Processing", s.payment("p1"))
		s.attempt(s.became("p2", "Pending", "Processing", s.payment("p2")), "reorder", 200)
		s.attempt(early, "reorder", 200)
	}
	inOrder := func(s *spool) { s.attempt(s.became("p1", "Pending", "Processing", s.payment("p1")), "reorder", 200) }
	onlyProcessing := func(s *spool) {
		e := s.became("p1", "Pending", "Processing", s.payment("p1"))
		s.attempt(e, "duplicate", 200)
		s.attempt(e, "duplicate", 200)
	}
	forgery := func(s *spool) {
		s.attempt(s.became("p1", "Pending", "Processing", s.payment("p1")), "altered-byte", 200)
	}
	unwelcome := func(s *spool) {
		for _, p := range []string{"p1", "p2", "p3"} {
			s.attempt(s.became(p, "Pending", "Processing", s.payment(p)), "", 302)
		}
		s.attempt(s.became("p4", "Pending", "Processing", s.payment("p4")), "", 0)
		s.attempt(s.became("p5", "Pending", "Processing", s.payment("p5")), "missing-signature", 0)
	}
	for _, c := range []struct {
		clause, text string
		play         func(s *spool)
	}{
		{"partner.webhook.order", "2 different payments changed places", twoPayments},
		{"partner.webhook.order", "held back, and came before every later one", inOrder},
		{"partner.webhook.duplicate", "says only Processing came twice", onlyProcessing},
		{"partner.webhook.altered", "taken none of 4 genuine deliveries, status 302 to 3 of them", unwelcome},
		{"partner.webhook.duplicate", "taken none of 4 genuine deliveries", unwelcome},
		{"partner.webhook.no-follow-up", "mend the signature clauses first", forgery},
	} {
		s := newSpool("")
		c.play(s)
		require.Contains(t, told(partnerCheck(t, c.clause).Judge(s.tape())), c.text)
	}
}
