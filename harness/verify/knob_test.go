package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// TestAChoiceExplainsAFailure verifies a service that fills gaps in its own way, and that
// nobody can ask to do otherwise: what rests on a choice is judged where the choice is
// told.
func TestAChoiceExplainsAFailure(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	usual := map[string]string{"error-body": "problem-details", "unauthorised": "problem-details", "token-lifetime": "3600"}
	sandbox := mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(latitude.ErrorBodyPlainText).Choose(latitude.TokenLifetimeTenMinutes)})
	for id, knob := range map[string]string{"auth.unauthorised": "error-body", "auth.token": "token-lifetime"} {
		p := planned(t, sandbox.URL, id)
		p.ClientID, p.ClientSecret, p.ControlURL = sandbox.ClientID, sandbox.ClientSecret, "none"
		r := ran(t, p)
		c := clauseOf(t, r, id)
		require.NotEqual(t, verdict.Fail, c.Verdict, "nobody knows whether it is a fault")
		if id == "auth.unauthorised" { // the other has scenarios that rest on no choice
			require.Contains(t, c.Reason, knob)
			require.Regexp(t, "[0-9]+ clauses? (is|are) left open: .*"+knob, r.Reason)
		}
		p.Run = "second"
		p.Choices = map[string]string{"token-lifetime": "600", "error-body": "plain-text", "unauthorised": "empty-body"}
		p.Defaults = usual
		r = ran(t, p)
		require.NotEqual(t, verdict.Fail, clauseOf(t, r, id).Verdict, "its scenario wants another choice: %v", clauseOf(t, r, id).Evidence)
		require.NotContains(t, r.Reason, "left open")
		p.Run = "third"
		p.Choices, p.Defaults = usual, usual
		require.Equal(t, verdict.Fail, clauseOf(t, ran(t, p), id).Verdict, "it does not keep to what it is said to choose")
	}
	p := planned(t, spoiled(t, replacing("/Authentication/Token", `"Bearer"`, `"bearer"`)), "auth.token")
	c := clauseOf(t, ran(t, p), "auth.token")
	require.Equal(t, verdict.Fail, c.Verdict)
	require.Empty(t, c.Evidence[0].Hint, "where control chooses, nothing explains a failure")
}

// TestMembersMayBeAdded: answers with a member that nothing describes keep to the
// specification, and are judged.
func TestMembersMayBeAdded(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(latitude.ExtraResponseFieldsOne)})
	for n, told := range []map[string]string{nil, {"extra-response-fields": "one"}} {
		p := planned(t, sandbox.URL, "wire.user-status,wire.token,wire.location-list")
		p.ClientID, p.ClientSecret, p.ControlURL, p.Choices = sandbox.ClientID, sandbox.ClientSecret, "none", told
		p.Run = fmt.Sprint("run", n)
		r := ran(t, p)
		for _, id := range []string{"wire.user-status", "wire.token", "wire.location-list"} {
			c := clauseOf(t, r, id)
			require.Equal(t, verdict.Pass, c.Verdict, "%s: %v", id, c.Evidence)
		}
	}
	p := planned(t, sandbox.URL, "wire.token")
	p.ClientID, p.ClientSecret, p.ControlURL, p.Choices = sandbox.ClientID, sandbox.ClientSecret, "none", map[string]string{"extra-response-fields": "none"}
	require.Equal(t, verdict.Fail, clauseOf(t, ran(t, p), "wire.token").Verdict)
}
