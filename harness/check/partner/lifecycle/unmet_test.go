package lifecycle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// TestThatNobodyCameBackIsTold: what was read after a payer was played is right, but it says
// nothing of what the application does when a browser comes back.
func TestThatNobodyCameBackIsTold(t *testing.T) {
	t.Parallel()
	unseen := func(back bool) string {
		s := checktest.New("")
		s.Payment("p1", checktest.Sends(`{"amount":5000,"returnUrl":"https://gym.partner.test/back"}`))
		e := s.Control("movePayment", "{}")
		e.Entities, e.Exchange.Path = []string{"p1"}, "/_sandbox/integrations/default/payments/p1/approve"
		if back {
			s.Redirected("payment", "p1")
		}
		s.Call("getPaymentStatus", 200).Entities = []string{"p1"}
		s.Calls(12)
		told := checktest.Partner(t, "partner.payment.redirect").Judge(s.Trail()).Judgements
		require.Len(t, told, 1)
		require.Equal(t, verdict.Pass, told[0].Word)
		return told[0].Unseen
	}
	require.Contains(t, unseen(false), "a payer who comes back from a payment")
	require.Empty(t, unseen(true))
}

// TestThatNothingIsTakenIsTheHint: a receiver that refuses every event, with a redirect say,
// is not helped by advice about the return.
func TestThatNothingIsTakenIsTheHint(t *testing.T) {
	t.Parallel()
	hint := func(before int) string {
		s := checktest.New("")
		s.Payment("p1")
		s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", before)
		s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 307)
		told := checktest.Partner(t, "partner.payment.late-return").Judge(s.Trail()).Judgements
		require.Len(t, told, 1)
		require.Equal(t, verdict.Fail, told[0].Word)
		return told[0].Hint
	}
	require.Contains(t, hint(200), "accept Failed after Paid")
	require.Contains(t, hint(307), "a redirect is not followed")
}
