package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// planStart is a Monday, 7:30 in California.
var planStart = time.Date(2026, time.January, 5, 15, 30, 0, 0, time.UTC)

// planWorld is a world with one company, "gym", at planStart.
func planWorld(t *testing.T, cfg world.Config) (w *world.World, company string) {
	t.Helper()
	w = world.New(cfg)
	planAt(w, planStart)
	made, err := w.CreateCompany(goodCompany("gym"))
	require.NoError(t, err)
	return w, made.CompanyID
}

// planAt begins the next input at a moment of virtual time.
func planAt(w *world.World, at time.Time) {
	w.Take()
	w.Begin(world.Input{Now: at.UnixNano(), Base: "http://127.0.0.1/pages/default"})
}

func planBody() *world.NewPlan {
	amount, value := int64(5000), int32(1)
	return &world.NewPlan{Name: "Membership", Amount: &amount, StartDate: "2026-01-31", IntervalValue: &value, IntervalUnit: "Month"}
}

func createPlan(t *testing.T, w *world.World, change func(*world.NewPlan)) string {
	t.Helper()
	body := planBody()
	if change != nil {
		change(body)
	}
	made, err := w.CreatePlan(body)
	require.NoError(t, err)
	return made.PaymentPlanID
}

// joinPlan adds a payer by telephone number, who accepts when asked to.
func joinPlan(t *testing.T, w *world.World, plan, phone string, accept bool) world.PlanPayerAdded {
	t.Helper()
	added, err := w.AddPlanPayer(plan, &world.NewPlanPayer{PhoneNumber: phone})
	require.NoError(t, err)
	if accept {
		require.NoError(t, w.AcceptConsent(added.ConsentID))
	}
	return added
}

func readPlan(t *testing.T, w *world.World, id string) world.Plan {
	t.Helper()
	p, err := w.ReadPlan(id)
	require.NoError(t, err)
	return p
}

// planError requires an error with the code and gives it.
func planError(t *testing.T, err error, code kernel.Code) kernel.Error {
	t.Helper()
	var e *kernel.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code, e.Detail)
	return *e
}

// planUntouched requires that the input in hand has had no consequence.
func planUntouched(t *testing.T, w *world.World) {
	t.Helper()
	records, effects := w.Take()
	require.Empty(t, records)
	require.Empty(t, effects)
}

// answerAll takes a step of every payment of the company "gym" that waits.
func answerAll(t *testing.T, w *world.World, event string) {
	t.Helper()
	list, err := w.CompanyPayments("gym", "", "", 0)
	require.NoError(t, err)
	for _, p := range list {
		if p.Status == "Pending" {
			require.NoError(t, w.MovePayment(p.ID, event, world.PaymentMove{}))
		}
	}
}
