package retry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// TestLossesThatHaveNotComeAreTold: who refunds and charges cards, and has lost the
// answer to a payment alone, is told so.
func TestLossesThatHaveNotComeAreTold(t *testing.T) {
	t.Parallel()
	unseen := func(others ...string) string {
		s := checktest.New("")
		e := s.Pays(0, "r1", checktest.Key(1), checktest.Faulty("f1: commit-then-drop"))
		s.Becomes("payment", "p1", "", "Pending", e)
		s.Pays(200, "r1", checktest.Key(1))
		for n, operation := range others {
			s.Call(operation, 200, checktest.Sends(`{"amount":100}`), checktest.Keyed(checktest.Key(n+2))).Entities = []string{"p1"}
		}
		told := checktest.Partner(t, outcome).Judge(s.Trail()).Judgements
		require.Len(t, told, 1)
		require.Equal(t, verdict.Pass, told[0].Word)
		return told[0].Unseen
	}
	require.Empty(t, unseen())
	require.Equal(t, "a refund whose answer is lost, the charge of a saved card whose answer is lost", unseen("refundPayment", "chargeSavedCard"))
}
