package world_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestPlanMachine(t *testing.T) {
	t.Parallel()
	m := &world.PlanMachine
	paths := map[string][]string{
		"Draft": nil, "Active": {"activate"}, "Paused": {"activate", "pause"}, "Failed": {"activate", "fail"},
		"Canceled": {"cancel"}, "Completed": {"activate", "complete"},
	}
	everyStep(t, m, m.Events(), func(from string) (*world.World, func(string) error, func() string) {
		w, _ := planWorld(t, world.Config{})
		id := createPlan(t, w, nil)
		joinPlan(t, w, id, "+12025550131", true)
		for _, step := range paths[from] {
			require.NoError(t, w.MovePlan(id, step))
		}
		return w, func(event string) error { return w.MovePlan(id, event) }, func() string { return readPlan(t, w, id).Status }
	})
}

func TestPlanUseCases(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := createPlan(t, w, nil)
	joinPlan(t, w, id, "+12025550131", true)
	for _, step := range []struct {
		do   func(string) error
		want string
	}{{w.ActivatePlan, "Active"}, {w.PausePlan, "Paused"}, {w.ActivatePlan, "Active"}, {w.CancelPlan, "Canceled"}} {
		require.NoError(t, step.do(id))
		require.Equal(t, step.want, readPlan(t, w, id).Status)
		planError(t, step.do("11111111-1111-4111-8111-111111111111"), kernel.NotFound)
	}
	planError(t, w.PausePlan(id), kernel.IllegalTransition)
}

func TestActivationNeedsAnAcceptedConsent(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	id := createPlan(t, w, nil)
	joined := joinPlan(t, w, id, "+12025550131", false)
	w.Take()
	e := planError(t, w.ActivatePlan(id), kernel.Invalid)
	require.Equal(t, "plan.activate.consent", e.Findings[0].Clause)
	planUntouched(t, w)
	require.NoError(t, w.AcceptConsent(joined.ConsentID))
	require.NoError(t, w.ActivatePlan(id))
	require.NoError(t, w.PausePlan(id))
	require.NoError(t, w.DeclineConsent(joined.ConsentID))
	planError(t, w.ActivatePlan(id), kernel.Invalid)
}

func TestCreatePlanRules(t *testing.T) {
	t.Parallel()
	zero, minus := int64(0), int32(-1)
	for name, c := range map[string]struct {
		change  func(*world.NewPlan)
		pointer string
		advice  bool
	}{
		"no amount":         {func(p *world.NewPlan) { p.Amount = nil }, "/amount", false},
		"amount 0":          {func(p *world.NewPlan) { p.Amount = &zero }, "/amount", false},
		"no start":          {func(p *world.NewPlan) { p.StartDate = "" }, "/startDate", false},
		"no such day":       {func(p *world.NewPlan) { p.StartDate = "2026-02-30" }, "/startDate", false},
		"far":               {func(p *world.NewPlan) { p.StartDate = "2200-01-01" }, "/startDate", false},
		"past":              {func(p *world.NewPlan) { p.StartDate = "2026-01-04" }, "/startDate", true},
		"bad end":           {func(p *world.NewPlan) { p.EndDate = "soon" }, "/endDate", false},
		"end first":         {func(p *world.NewPlan) { p.EndDate = "2026-01-30" }, "/endDate", false},
		"count":             {func(p *world.NewPlan) { p.Occurrences = &minus }, "/occurrences", false},
		"no value":          {func(p *world.NewPlan) { p.IntervalValue = nil }, "/intervalValue", false},
		"value":             {func(p *world.NewPlan) { p.IntervalValue = &minus }, "/intervalValue", false},
		"no unit":           {func(p *world.NewPlan) { p.IntervalUnit = "" }, "/intervalUnit", false},
		"unit":              {func(p *world.NewPlan) { p.IntervalUnit = "Fortnight" }, "/intervalUnit", false},
		"fee payer":         {func(p *world.NewPlan) { p.FeePayer = "nobody" }, "/feePayer", true},
		"company form":      {func(p *world.NewPlan) { p.CompanyID = "gym" }, "/companyId", false},
		"unknown company":   {func(p *world.NewPlan) { p.CompanyID = "11111111-1111-4111-8111-111111111111" }, "/companyId", false},
		"company of zeros":  {func(p *world.NewPlan) { p.CompanyID = "00000000-0000-0000-0000-000000000000" }, "/companyId", false},
		"unknown reference": {func(p *world.NewPlan) { p.CompanyReferenceID = "nobody" }, "/companyReferenceId", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, strict := range []bool{false, true} {
				w, _ := planWorld(t, world.Config{Strict: strict})
				w.Take()
				body := planBody()
				c.change(body)
				_, err := w.CreatePlan(body)
				if c.advice && !strict {
					require.NoError(t, err)
					require.Len(t, w.Advisories(), 1)
					require.Equal(t, c.pointer, w.Advisories()[0].Pointer)
					continue
				}
				e := planError(t, err, kernel.Invalid)
				require.Len(t, e.Findings, 1)
				require.Equal(t, c.pointer, e.Findings[0].Pointer)
				require.Equal(t, name == "company of zeros", strings.Contains(e.Findings[0].Expected, "zeros"))
				planUntouched(t, w)
			}
		})
	}
}

func TestCreatePlanFindsEverything(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	_, err := w.CreatePlan(&world.NewPlan{})
	e := planError(t, err, kernel.Invalid)
	pointers := []string{}
	for _, f := range e.Findings {
		pointers = append(pointers, f.Pointer)
	}
	require.ElementsMatch(t, []string{"/amount", "/startDate", "/intervalValue", "/intervalUnit"}, pointers)
}

func TestCreatePlanCompany(t *testing.T) {
	t.Parallel()
	w, gym := planWorld(t, world.Config{})
	pool, err := w.CreateCompany(goodCompany("pool"))
	require.NoError(t, err)
	require.Equal(t, gym, readPlan(t, w, createPlan(t, w, nil)).CompanyID)
	byID := createPlan(t, w, func(p *world.NewPlan) { p.CompanyID = pool.CompanyID })
	byReference := createPlan(t, w, func(p *world.NewPlan) { p.CompanyReferenceID = "pool" })
	require.Equal(t, pool.CompanyID, readPlan(t, w, byID).CompanyID)
	require.Equal(t, pool.CompanyID, readPlan(t, w, byReference).CompanyID)
	body := planBody()
	body.CompanyID, body.CompanyReferenceID = gym, "pool"
	_, err = w.CreatePlan(body)
	require.Equal(t, "/companyReferenceId", planError(t, err, kernel.Invalid).Findings[0].Pointer)

	list, err := w.ListPlans("")
	require.NoError(t, err)
	require.Len(t, list.Plans, 3)
	list, err = w.ListPlans("pool")
	require.NoError(t, err)
	require.Equal(t, []string{byID, byReference}, []string{list.Plans[0].PaymentPlanID, list.Plans[1].PaymentPlanID})
	_, err = w.ListPlans("nobody")
	planError(t, err, kernel.NotFound)
	empty := world.New(world.Config{})
	_, err = empty.CreatePlan(planBody())
	planError(t, err, kernel.Invalid)
	list, err = empty.ListPlans("")
	require.NoError(t, err)
	require.NotNil(t, list.Plans)
}

func TestUnknownBodyIDsCanBeNotFound(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{Settings: latitude.Settings{}.Choose(latitude.UnknownBodyIDsNotFound)})
	body := planBody()
	body.CompanyReferenceID = "nobody"
	_, err := w.CreatePlan(body)
	planError(t, err, kernel.NotFound)
}

func TestReadPlan(t *testing.T) {
	t.Parallel()
	w, gym := planWorld(t, world.Config{})
	count := int32(12)
	id := createPlan(t, w, func(p *world.NewPlan) {
		p.EndDate, p.Occurrences, p.ShortDescription, p.FeePayer, p.IntervalUnit = "2026-12-31", &count, "Gym", "ask", "month"
	})
	joinPlan(t, w, id, "+12025550131", true)
	joinPlan(t, w, id, "+12025550132", false)
	name, description, end, twelve := "Membership", "Gym", "2026-12-31", int64(12)
	want := world.Plan{
		PaymentPlanID: id, Name: &name, Status: "Draft", CompanyID: gym, Payers: 2, AcceptedPayers: 1, PlanPrice: world.PlanPrice{
			Amount: 5000, StartDate: "2026-01-31", EndDate: &end, Occurrences: &twelve, IntervalValue: 1, IntervalUnit: "Month",
			ShortDescription: &description, FeePayer: "ask",
		},
	}
	require.Equal(t, want, readPlan(t, w, id))
	require.NoError(t, w.ActivatePlan(id))
	due := "2026-01-31"
	want.Status, want.NextDueDate = "Active", &due
	require.Equal(t, want, readPlan(t, w, id))
	_, err := w.ReadPlan("no-uuid")
	planError(t, err, kernel.NotFound)
	bare := readPlan(t, w, createPlan(t, w, func(p *world.NewPlan) { p.Name = "" }))
	require.Nil(t, bare.Name)
	require.Nil(t, bare.EndDate)
	require.Nil(t, bare.Occurrences)
}
