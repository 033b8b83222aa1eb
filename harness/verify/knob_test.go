package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// TestAChoiceExplainsAFailure verifies a service that fills gaps in its own way, and that
// nobody can ask to do otherwise: each failure names the knob.
func TestAChoiceExplainsAFailure(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(latitude.ErrorBodyPlainText).Choose(latitude.TokenLifetimeTenMinutes)})
	for id, knob := range map[string]string{"auth.token": "token-lifetime", "error.findings": "error-body"} {
		p := planned(t, sandbox.URL, id)
		p.ClientID, p.ClientSecret, p.ControlURL = sandbox.ClientID, sandbox.ClientSecret, "none"
		r := ran(t, p)
		c := clauseOf(t, r, id)
		require.Equal(t, verdict.Fail, c.Verdict)
		require.Contains(t, c.Evidence[0].Hint, knob)
		require.Regexp(t, "of these [0-9]+, [1-9][0-9]* may be choices .*"+knob, r.Reason, "the reason says what explains the failures")
		if id == "auth.token" {
			require.Regexp(t, "[0-9]+ clauses were not judged, as the target has no control API", r.Reason)
		}
	}
	p := planned(t, spoiled(t, replacing("/Authentication/Token", `"Bearer"`, `"bearer"`)), "auth.token")
	c := clauseOf(t, ran(t, p), "auth.token")
	require.Equal(t, verdict.Fail, c.Verdict)
	require.Empty(t, c.Evidence[0].Hint, "where control chooses, nothing explains a failure")
}
