package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/verdict"
)

// TestWhatHasNotComeIsTold: a clause about several kinds of forgeries that was met by some
// of them names the others.
func TestWhatHasNotComeIsTold(t *testing.T) {
	t.Parallel()
	unseen := func(clause string, profiles ...string) string {
		s := checktest.New("")
		s.Attempt(s.Became("p0", "Pending", "Processing", s.Payment("p0")), "", 200)
		for _, profile := range profiles {
			s.Pass(time.Minute)
			s.Attempt(s.Became("p1", "Processing", "Paid", nil), profile, 401)
			s.Pass(time.Minute)
			s.Calls(1)
		}
		told := checktest.Partner(t, clause).Judge(s.Trail()).Judgements
		require.Len(t, told, 1)
		require.Equal(t, verdict.Pass, told[0].Word)
		return told[0].Unseen
	}
	require.Equal(t, "a delivery of whose signature the last digit is another one", unseen("partner.webhook.altered", "altered-byte", "altered-status"))
	require.Equal(t, "a delivery of which a byte was changed after it was signed", unseen("partner.webhook.altered", "altered-signature", "altered-status"))
	require.Equal(t, "a delivery that is signed with an empty secret", unseen("partner.webhook.wrong-secret", "wrong-secret"))
	require.Empty(t, unseen("partner.webhook.wrong-secret", "wrong-secret", "empty-secret"))
	all := []string{"missing-signature", "altered-byte", "altered-signature", "wrong-secret", "empty-secret", "stale-signature", "altered-status"}
	require.Empty(t, unseen("partner.webhook.no-follow-up", all...))
	require.Equal(t, "a delivery without X-HMAC-Signature, a delivery with the signature of an earlier body", unseen("partner.webhook.no-follow-up", append(all[1:5:5], all[6])...))
}
