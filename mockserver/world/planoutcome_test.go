package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// failingPlan is a plan of so many months whose payer denies every payment; it gives
// the plan's status after each due date.
func failingPlan(t *testing.T, months int32, choices ...latitude.Choice) []string {
	t.Helper()
	w, _ := planWorld(t, world.Config{Settings: latitude.Settings{}.Choose(choices...)})
	id := activePlan(t, w, func(p *world.NewPlan) { p.Occurrences = &months })
	var statuses []string
	for month := range months {
		planAt(w, planStart.AddDate(0, int(month)+1, 1))
		answerAll(t, w, "deny")
		statuses = append(statuses, readPlan(t, w, id).Status)
	}
	return statuses
}

// A plan whose payments are not fulfilled is not Completed.
func TestPlanFails(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"Active", "Active", "Failed", "Failed"}, failingPlan(t, 4), "after three in a row")
	require.Equal(t, []string{"Active", "Failed"}, failingPlan(t, 2), "at its end")
	require.Equal(t, []string{"Failed", "Failed"}, failingPlan(t, 2, latitude.PlanFailureFirst))
	require.Equal(t, []string{"Active", "Active", "Active", "Failed"}, failingPlan(t, 4, latitude.PlanFailureNever))
}

// Each payer's failures are counted by themselves, and one that is fulfilled begins
// the counting anew.
func TestPlanFailuresInARow(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := activePlan(t, w, nil)
	for month, event := range []string{"deny", "deny", "approve", "deny", "deny"} {
		planAt(w, planStart.AddDate(0, month+1, 1))
		answerAll(t, w, event)
		w.Advance(w.Now().Add(time.Minute).UnixNano())
		require.Equal(t, "Active", readPlan(t, w, id).Status)
	}
	planAt(w, planStart.AddDate(0, 6, 1))
	answerAll(t, w, "deny")
	require.Equal(t, "Failed", readPlan(t, w, id).Status)
	require.NoError(t, w.ActivatePlan(id), "a Failed plan may be reactivated")
	planAt(w, planStart.AddDate(0, 7, 1))
	answerAll(t, w, "deny")
	require.Equal(t, "Active", readPlan(t, w, id).Status)
}

// What was not fulfilled before a plan failed is not forgotten when it is activated again:
// Completed says that all was.
func TestAPlanThatFailedIsNotCompleted(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := activePlan(t, w, func(p *world.NewPlan) { p.Occurrences = new(int32(4)) })
	for month, event := range []string{"deny", "deny", "deny", "approve"} {
		planAt(w, planStart.AddDate(0, month+1, 1))
		answerAll(t, w, event)
		w.Advance(w.Now().Add(time.Minute).UnixNano())
		if month == 2 {
			require.Equal(t, "Failed", readPlan(t, w, id).Status)
			require.NoError(t, w.ActivatePlan(id))
		}
	}
	require.Equal(t, "Failed", readPlan(t, w, id).Status)
}
