package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func recurringBody() *world.NewRecurring {
	amount, value := int32(5000), int32(2)
	return &world.NewRecurring{
		Amount: &amount, StartDate: "2026-01-31", IntervalValue: &value, IntervalUnit: "week",
		PhoneNumber: "+12025550131", CompanyReferenceID: "gym",
	}
}

func TestCreateRecurring(t *testing.T) {
	t.Parallel()
	w, gym := planWorld(t, world.Config{})
	w.Take()
	made, err := w.CreateRecurring(recurringBody())
	require.NoError(t, err)
	plan := readPlan(t, w, made.PaymentPlanID)
	require.Equal(t, []any{"Draft", gym, int64(5000), int64(1), int64(0), "Week", int32(2)},
		[]any{plan.Status, plan.CompanyID, plan.Amount, plan.Payers, plan.AcceptedPayers, plan.IntervalUnit, plan.IntervalValue})
	list, err := w.ListConsents(made.PaymentPlanID, "")
	require.NoError(t, err)
	require.Len(t, list.Consents, 1)
	records, _ := w.Take()
	require.Equal(t, "consent-request", records[len(records)-1].Name)

	require.NoError(t, w.AcceptConsent(list.Consents[0].ConsentID))
	require.Equal(t, "Active", readPlan(t, w, made.PaymentPlanID).Status)
	joinPlan(t, w, made.PaymentPlanID, "+12025550132", true) // a further payer does not start it again
	require.Equal(t, []string{"2026-01-31T19:00Z", "2026-02-14T19:00Z"}, dueDates(w, 2))
}

func TestCreateRecurringForARegisteredPayer(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	user, err := w.RegisterUser(&world.NewRegistration{RedirectURL: "https://p.example.com", Email: "pat@example.com"})
	require.NoError(t, err)
	body := recurringBody()
	body.PhoneNumber, body.RegistrationUserID, body.CompanyReferenceID = "", user.RegistrationID, ""
	made, err := w.CreateRecurring(body)
	require.NoError(t, err)
	list, err := w.ListConsents("", user.RegistrationID)
	require.NoError(t, err)
	require.Equal(t, made.PaymentPlanID, list.Consents[0].PaymentPlanID)
}

func TestADeclinedRecurringPlanStaysDraft(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	made, err := w.CreateRecurring(recurringBody())
	require.NoError(t, err)
	list, err := w.ListConsents(made.PaymentPlanID, "")
	require.NoError(t, err)
	require.NoError(t, w.DeclineConsent(list.Consents[0].ConsentID))
	require.Equal(t, "Draft", readPlan(t, w, made.PaymentPlanID).Status)
}

func TestCreateRecurringRules(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	w.Take()
	for pointer, change := range map[string]func(*world.NewRecurring){
		"/amount":             func(r *world.NewRecurring) { r.Amount = nil },
		"/startDate":          func(r *world.NewRecurring) { r.StartDate = "" },
		"/intervalUnit":       func(r *world.NewRecurring) { r.IntervalUnit = "Decade" },
		"/intervalValue":      func(r *world.NewRecurring) { r.IntervalValue = nil },
		"/companyReferenceId": func(r *world.NewRecurring) { r.CompanyReferenceID = "nobody" },
		"/registrationUserId": func(r *world.NewRecurring) { r.PhoneNumber = "" },
		"/phoneNumber":        func(r *world.NewRecurring) { r.PhoneNumber = "1" },
	} {
		body := recurringBody()
		change(body)
		_, err := w.CreateRecurring(body)
		e := planError(t, err, kernel.Invalid)
		require.Len(t, e.Findings, 1)
		require.Equal(t, pointer, e.Findings[0].Pointer)
		planUntouched(t, w)
	}
}
