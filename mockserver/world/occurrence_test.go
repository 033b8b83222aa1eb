package world_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// dueDates fires timers until the plan does not collect any more, or n of its
// due dates have come, and gives the moments.
func dueDates(w *world.World, n int) []string {
	dates := []string{}
	for len(dates) < n {
		if _, ok := w.NextDue(); !ok {
			break
		}
		w.Take()
		w.FireNext()
		records, _ := w.Take()
		if len(records) > 0 && records[0].Name == "plan-occurrence" {
			dates = append(dates, time.Unix(0, records[0].At).UTC().Format("2006-01-02T15:04Z"))
		}
	}
	return dates
}

// activePlan is an Active plan with one payer who has accepted.
func activePlan(t *testing.T, w *world.World, change func(*world.NewPlan)) string {
	t.Helper()
	id := createPlan(t, w, change)
	joinPlan(t, w, id, "+12025550131", true)
	require.NoError(t, w.ActivatePlan(id))
	return id
}

func TestDueDates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start, unit string
		value       int32
		want        string
	}{
		"days":               {"2026-03-06", "Day", 1, "2026-03-06T19:00Z 2026-03-07T19:00Z 2026-03-08T18:00Z 2026-03-09T18:00Z"},
		"weeks":              {"2026-10-26", "Week", 1, "2026-10-26T18:00Z 2026-11-02T19:00Z 2026-11-09T19:00Z"},
		"two weeks":          {"2026-12-20", "Week", 2, "2026-12-20T19:00Z 2027-01-03T19:00Z"},
		"month ends":         {"2026-01-31", "Month", 1, "2026-01-31T19:00Z 2026-02-28T19:00Z 2026-03-31T18:00Z 2026-04-30T18:00Z"},
		"into a leap year":   {"2027-12-30", "Month", 2, "2027-12-30T19:00Z 2028-02-29T19:00Z 2028-04-30T18:00Z"},
		"quarters":           {"2026-11-30", "Quarter", 1, "2026-11-30T19:00Z 2027-02-28T19:00Z 2027-05-30T18:00Z"},
		"years from leap":    {"2028-02-29", "Year", 1, "2028-02-29T19:00Z 2029-02-28T19:00Z 2030-02-28T19:00Z 2031-02-28T19:00Z 2032-02-29T19:00Z"},
		"not in a leap year": {"2095-02-28", "Year", 5, "2095-02-28T19:00Z 2100-02-28T19:00Z"},
		"beyond the horizon": {"2030-01-01", "Year", 2147483647, "2030-01-01T19:00Z"},
		"days beyond it":     {"2199-12-31", "Day", 1, "2199-12-31T19:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := planWorld(t, world.Config{})
			id := activePlan(t, w, func(p *world.NewPlan) { p.StartDate, p.IntervalUnit, p.IntervalValue = c.start, c.unit, &c.value })
			want := strings.Fields(c.want)
			require.Equal(t, want, dueDates(w, len(want)))
			beyond := strings.Contains(name, "beyond")
			require.Equal(t, beyond, readPlan(t, w, id).NextDueDate == nil)
		})
	}
}

func TestPlanCompletes(t *testing.T) {
	t.Parallel()
	three := int32(3)
	for name, change := range map[string]func(*world.NewPlan){
		"by count":           func(p *world.NewPlan) { p.Occurrences = &three },
		"by date":            func(p *world.NewPlan) { p.EndDate = "2026-03-31" },
		"by the earlier one": func(p *world.NewPlan) { p.Occurrences, p.EndDate = &three, "2029-12-31" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := planWorld(t, world.Config{})
			id := activePlan(t, w, change)
			require.Equal(t, []string{"2026-01-31T19:00Z", "2026-02-28T19:00Z", "2026-03-31T18:00Z"}, dueDates(w, 9))
			plan := readPlan(t, w, id)
			require.Equal(t, "Active", plan.Status, "its payments wait for their payer")
			require.Nil(t, plan.NextDueDate)
			answerAll(t, w, "approve")
			w.Advance(w.Now().Add(time.Minute).UnixNano())
			require.Equal(t, "Completed", readPlan(t, w, id).Status)
		})
	}
}

func TestOccurrence(t *testing.T) {
	t.Parallel()
	w, gym := planWorld(t, world.Config{})
	id := createPlan(t, w, func(p *world.NewPlan) { p.ShortDescription = "Gym" })
	joinPlan(t, w, id, "+12025550131", true)
	debited := joinPlan(t, w, id, "+12025550132", true)
	joinPlan(t, w, id, "+12025550133", false)
	revoked := joinPlan(t, w, id, "+12025550134", true)
	require.NoError(t, w.DeclineConsent(revoked.ConsentID))
	limit := joinPlan(t, w, id, "+12025550135", true)
	planDebits(t, w, debited.RegistrationID, gym, 5000)
	planDebits(t, w, limit.RegistrationID, gym, 4999)
	require.NoError(t, w.ActivatePlan(id))

	w.Take()
	w.Advance(time.Date(2026, 1, 31, 18, 59, 59, 0, time.UTC).UnixNano())
	planUntouched(t, w)
	w.Advance(time.Date(2026, 1, 31, 19, 0, 0, 0, time.UTC).UnixNano())
	records, _ := w.Take()
	var steps []string
	for _, r := range records {
		if r.Seq != records[0].Seq {
			require.Equal(t, records[0].Seq, r.Cause, "the due date is the cause of all")
		}
		switch r.Kind {
		case kernel.RecordTransition:
			steps = append(steps, r.Machine+" "+r.Event)
		case kernel.RecordMessage:
			require.Contains(t, r.Message.Values, kernel.Value{Name: "purpose", Text: "Gym"})
			require.Contains(t, r.Message.Values, kernel.Value{Name: "link", Text: "http://127.0.0.1/pages/default/pay/" + r.Entity.String()})
			steps = append(steps, r.Name+" "+r.Message.To)
		case kernel.RecordTimer, kernel.RecordEvent:
			steps = append(steps, r.Name)
		case kernel.RecordFindings:
			require.Fail(t, "a timer finds nothing")
		}
	}
	require.Equal(t, []string{
		"plan-occurrence",
		"payment create", "payment-request +12025550131",
		"payment create", "payment approve", "PAYMENT_STATUS_CHANGED",
		"payment create", "payment-request +12025550135",
	}, steps)
}

// planDebits registers a payer and lets the company debit up to the limit.
func planDebits(t *testing.T, w *world.World, payer, company string, limit int64) {
	t.Helper()
	_, err := w.CompleteRegistration(payer, world.LinkedBank{Last4: "1111"}, "")
	require.NoError(t, err)
	yes := true
	w.Take()
	require.NoError(t, w.RequestDebitAuth(payer, &world.DebitAuthRequest{CompanyID: company, Enabled: &yes, Limit: &limit}))
	records, _ := w.Take()
	require.NoError(t, w.AnswerDebitAuth(records[0].Entity.String(), true))
}

func TestAPauseLosesItsDueDates(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := activePlan(t, w, nil)
	require.Equal(t, []string{"2026-01-31T19:00Z"}, dueDates(w, 1))
	planAt(w, time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC))
	require.NoError(t, w.PausePlan(id))
	require.Nil(t, readPlan(t, w, id).NextDueDate)
	planAt(w, time.Date(2026, 3, 31, 18, 0, 0, 0, time.UTC)) // eleven o'clock itself
	require.NoError(t, w.ActivatePlan(id))
	records, _ := w.Take()
	require.Contains(t, records[0].Reason, "2 due dates passed while the plan was Paused")
	require.Equal(t, "2026-04-30", *readPlan(t, w, id).NextDueDate)
	require.NoError(t, w.PausePlan(id)) // and on again before the next due date
	require.NoError(t, w.ActivatePlan(id))
	require.Equal(t, []string{"2026-04-30T18:00Z", "2026-05-31T18:00Z"}, dueDates(w, 2), "once each")
}

func TestAPauseOverTheEndCompletes(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := activePlan(t, w, func(p *world.NewPlan) { p.EndDate = "2026-02-28" })
	require.NoError(t, w.PausePlan(id))
	planAt(w, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, w.ActivatePlan(id))
	require.Equal(t, "Completed", readPlan(t, w, id).Status)
	_, set := w.NextDue()
	require.False(t, set)
}

func TestAFirstStartCollectsToday(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ at, want string }{
		"before the batch":  {"2026-01-31T17:00:00Z", "2026-01-31T19:00Z"},
		"after the batch":   {"2026-01-31T23:00:00Z", "2026-01-31T23:00Z"},
		"before midnight":   {"2026-02-01T07:59:59Z", "2026-02-01T07:59Z"},
		"tomorrow":          {"2026-02-01T08:00:00Z", "2026-02-28T19:00Z"},
		"long after":        {"2031-05-01T08:00:00Z", "2031-05-31T18:00Z"},
		"hours before days": {"2026-01-05T15:30:00Z", "2026-01-31T19:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := planWorld(t, world.Config{})
			id := createPlan(t, w, nil)
			joinPlan(t, w, id, "+12025550131", true)
			at, err := time.Parse(time.RFC3339, c.at)
			require.NoError(t, err)
			planAt(w, at)
			require.NoError(t, w.ActivatePlan(id))
			require.Equal(t, []string{c.want}, dueDates(w, 1))
		})
	}
}

func TestAPlanThatIsOverCollectsNothing(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"cancel", "fail", "draft", "pause"} {
		w, _ := planWorld(t, world.Config{})
		id := activePlan(t, w, nil)
		require.NoError(t, w.MovePlan(id, event))
		w.Take()
		w.Advance(planStart.AddDate(1, 0, 0).UnixNano())
		planUntouched(t, w)
	}
}

func TestEachDueDateHasOneTimer(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := activePlan(t, w, nil)
	timers := w.PendingTimers()
	for range 5 {
		require.NoError(t, w.PausePlan(id))
		require.NoError(t, w.ActivatePlan(id))
	}
	require.Equal(t, timers, w.PendingTimers())

	late, _ := planWorld(t, world.Config{})
	id = createPlan(t, late, nil)
	joinPlan(t, late, id, "+12025550131", true)
	planAt(late, time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC))
	require.NoError(t, late.ActivatePlan(id)) // today's is due at once,
	require.NoError(t, late.PausePlan(id))    // but falls into the pause
	require.NoError(t, late.ActivatePlan(id))
	require.Equal(t, []string{"2026-02-28T19:00Z"}, dueDates(late, 1))
}

func TestAPlanOfManyPayers(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := createPlan(t, w, nil)
	for i := range 1_500 {
		joinPlan(t, w, id, "+1"+strconv.Itoa(2_025_550_000+i), i%2 == 0)
	}
	require.NoError(t, w.ActivatePlan(id))
	w.Take()
	w.Advance(time.Date(2026, 1, 31, 19, 0, 0, 0, time.UTC).UnixNano())
	records, _ := w.Take()
	asked := []string{}
	for _, r := range records {
		if r.Kind == kernel.RecordMessage {
			asked = append(asked, r.Message.To)
		}
	}
	require.Len(t, asked, 750)
	require.True(t, slices.IsSorted(asked), "in the order in which they joined")
}
