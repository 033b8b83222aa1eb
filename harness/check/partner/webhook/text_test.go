package webhook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
)

// TestPartnerWhyNot: what was seen and does not count is told, and why.
func TestPartnerWhyNot(t *testing.T) {
	t.Parallel()
	twoPayments := func(s *checktest.Tape) {
		early := s.Became("p1", "Pending", "Processing", s.Payment("p1"))
		s.Attempt(s.Became("p2", "Pending", "Processing", s.Payment("p2")), "reorder", 200)
		s.Attempt(early, "reorder", 200)
	}
	inOrder := func(s *checktest.Tape) {
		s.Attempt(s.Became("p1", "Pending", "Processing", s.Payment("p1")), "reorder", 200)
	}
	onlyProcessing := func(s *checktest.Tape) {
		e := s.Became("p1", "Pending", "Processing", s.Payment("p1"))
		s.Attempt(e, "duplicate", 200)
		s.Attempt(e, "duplicate", 200)
	}
	forgery := func(s *checktest.Tape) {
		s.Attempt(s.Became("p1", "Pending", "Processing", s.Payment("p1")), "altered-byte", 200)
	}
	unwelcome := func(s *checktest.Tape) {
		for _, p := range []string{"p1", "p2", "p3"} {
			s.Attempt(s.Became(p, "Pending", "Processing", s.Payment(p)), "", 302)
		}
		s.Attempt(s.Became("p4", "Pending", "Processing", s.Payment("p4")), "", 0)
		s.Attempt(s.Became("p5", "Pending", "Processing", s.Payment("p5")), "missing-signature", 0)
	}
	for _, c := range []struct {
		clause, text string
		play         func(s *checktest.Tape)
	}{
		{"partner.webhook.order", "2 different payments changed places", twoPayments},
		{"partner.webhook.order", "held back, and came before every later one", inOrder},
		{"partner.webhook.duplicate", "says only Processing came twice", onlyProcessing},
		{"partner.webhook.altered", "taken none of 4 genuine deliveries, status 302 to 3 of them", unwelcome},
		{"partner.webhook.duplicate", "taken none of 4 genuine deliveries", unwelcome},
		{"partner.webhook.no-follow-up", "mend the signature clauses first", forgery},
	} {
		s := checktest.New("")
		c.play(s)
		require.Contains(t, checktest.Told(checktest.Partner(t, c.clause).Judge(s.Trail())), c.text)
	}
}
