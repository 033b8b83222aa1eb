package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestConsentMachine(t *testing.T) {
	t.Parallel()
	paths := map[string][]string{"Pending": nil, "Accepted": {"accept"}, "Declined": {"decline"}, "Revoked": {"accept", "decline"}}
	everyStep(t, &world.ConsentMachine, []string{"accept", "decline"}, func(from string) (*world.World, func(string) error, func() string) {
		w, _ := planWorld(t, world.Config{})
		id := joinPlan(t, w, createPlan(t, w, nil), "+12025550131", false).ConsentID
		move := func(event string) error {
			return map[string]func(string) error{"accept": w.AcceptConsent, "decline": w.DeclineConsent}[event](id)
		}
		for _, event := range paths[from] {
			require.NoError(t, move(event))
		}
		return w, move, func() string {
			read, err := w.ReadConsent(id)
			require.NoError(t, err)
			return read.Status
		}
	})
}

func TestAddPlanPayer(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	plan := createPlan(t, w, nil)
	made, err := w.RegisterUser(&world.NewRegistration{RedirectURL: "https://p.example.com", MobileNumber: "+12025550131"})
	require.NoError(t, err)
	w.Take()
	added, err := w.AddPlanPayer(plan, &world.NewPlanPayer{RegistrationID: made.RegistrationID})
	require.NoError(t, err)
	require.Equal(t, made.RegistrationID, added.RegistrationID)
	require.Equal(t, "http://127.0.0.1/pages/default/consent/"+added.ConsentID, added.URL)
	records, _ := w.Take()
	sent := records[len(records)-1].Message
	require.Equal(t, []string{"sms", "+12025550131", "consent-request"}, []string{sent.Channel, sent.To, sent.Template})
	require.Contains(t, sent.Values, kernel.Value{Name: "link", Text: added.URL})
	require.Contains(t, sent.Values, kernel.Value{Name: "amount", Text: "$50.00"})
	require.Contains(t, sent.Values, kernel.Value{Name: "company", Text: "Fit Gym"})
	require.Contains(t, sent.Values, kernel.Value{Name: "interval", Text: "every month"})

	again, err := w.AddPlanPayer(plan, &world.NewPlanPayer{PhoneNumber: "(202) 555-0131"})
	require.NoError(t, err)
	require.Equal(t, added, again, "the same payer by telephone number")
	require.Equal(t, "plan.payer.once", w.Advisories()[0].Clause)
	records, _ = w.Take()
	for _, r := range records {
		require.Empty(t, r.Machine+r.Name, "nobody is sent twice")
	}

	require.NoError(t, w.DeclineConsent(added.ConsentID))
	fresh := joinPlan(t, w, plan, "+12025550131", false)
	require.NotEqual(t, added.ConsentID, fresh.ConsentID)
}

func TestAddPlanPayerRules(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	plan := createPlan(t, w, nil)
	w.Take()
	for name, c := range map[string]struct {
		body    world.NewPlanPayer
		pointer string
	}{
		"nobody":  {world.NewPlanPayer{}, "/registrationId"},
		"form":    {world.NewPlanPayer{RegistrationID: "pat"}, "/registrationId"},
		"unknown": {world.NewPlanPayer{RegistrationID: "11111111-1111-4111-8111-111111111111"}, "/registrationId"},
		"zeros":   {world.NewPlanPayer{RegistrationID: "00000000-0000-0000-0000-000000000000"}, "/registrationId"},
		"phone":   {world.NewPlanPayer{PhoneNumber: "12"}, "/phoneNumber"},
	} {
		_, err := w.AddPlanPayer(plan, &c.body)
		e := planError(t, err, kernel.Invalid)
		require.Equal(t, c.pointer, e.Findings[0].Pointer, name)
		planUntouched(t, w)
	}
	_, err := w.AddPlanPayer("11111111-1111-4111-8111-111111111111", &world.NewPlanPayer{PhoneNumber: "+12025550131"})
	planError(t, err, kernel.NotFound)
}

func TestAnEndedPlanTakesNobody(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	plan := createPlan(t, w, nil)
	waiting := joinPlan(t, w, plan, "+12025550131", false)
	require.NoError(t, w.CancelPlan(plan))
	w.Take()
	_, err := w.AddPlanPayer(plan, &world.NewPlanPayer{PhoneNumber: "+12025550132"})
	require.Equal(t, "Canceled", planError(t, err, kernel.IllegalTransition).State)
	require.Equal(t, "plan", planError(t, w.AcceptConsent(waiting.ConsentID), kernel.IllegalTransition).Machine)
	planUntouched(t, w)
	view, err := w.ConsentView(waiting.ConsentID)
	require.NoError(t, err)
	require.False(t, view.Open)
	require.NoError(t, w.DeclineConsent(waiting.ConsentID))
}

func TestRemovePlanPayer(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	plan := createPlan(t, w, nil)
	pending := joinPlan(t, w, plan, "+12025550131", false)
	accepted := joinPlan(t, w, plan, "+12025550132", true)
	for consent, want := range map[world.PlanPayerAdded]string{pending: "Declined", accepted: "Revoked"} {
		require.NoError(t, w.RemovePlanPayer(plan, consent.RegistrationID))
		read, err := w.ReadConsent(consent.ConsentID)
		require.NoError(t, err)
		require.Equal(t, want, read.Status)
		planError(t, w.RemovePlanPayer(plan, consent.RegistrationID), kernel.NotFound)
	}
	require.Zero(t, readPlan(t, w, plan).Payers)
	planError(t, w.RemovePlanPayer(plan, "11111111-1111-4111-8111-111111111111"), kernel.NotFound)
	planError(t, w.RemovePlanPayer("11111111-1111-4111-8111-111111111111", pending.RegistrationID), kernel.NotFound)
}

func TestListConsents(t *testing.T) {
	t.Parallel()
	for _, order := range []latitude.Choice{latitude.ListOrderCreation, latitude.ListOrderReversed} {
		w, _ := planWorld(t, world.Config{Settings: latitude.Settings{}.Choose(order)})
		a, b := createPlan(t, w, nil), createPlan(t, w, nil)
		a1 := joinPlan(t, w, a, "+12025550131", true)
		declined := joinPlan(t, w, a, "+12025550132", false)
		b1 := joinPlan(t, w, b, "+12025550131", false)
		a3 := joinPlan(t, w, a, "+12025550133", false)
		revoked := joinPlan(t, w, b, "+12025550134", true)
		require.NoError(t, w.DeclineConsent(declined.ConsentID))
		require.NoError(t, w.DeclineConsent(revoked.ConsentID))
		for _, c := range []struct {
			plan, payer string
			want        []world.PlanPayerAdded
		}{
			{"", "", []world.PlanPayerAdded{a1, b1, a3}},
			{a, "", []world.PlanPayerAdded{a1, a3}},
			{b, "", []world.PlanPayerAdded{b1}},
			{"", a1.RegistrationID, []world.PlanPayerAdded{a1, b1}},
			{b, a1.RegistrationID, []world.PlanPayerAdded{b1}},
			{b, a3.RegistrationID, []world.PlanPayerAdded{}},
		} {
			list, err := w.ListConsents(c.plan, c.payer)
			require.NoError(t, err)
			got, want := []string{}, []string{}
			for i, e := range list.Consents {
				got = append(got, e.ConsentID)
				at := i
				if order == latitude.ListOrderReversed {
					at = len(c.want) - 1 - i
				}
				want = append(want, c.want[at].ConsentID)
			}
			require.Len(t, got, len(c.want))
			require.Equal(t, want, got)
		}
		list, err := w.ListConsents(a, a1.RegistrationID)
		require.NoError(t, err)
		require.Equal(t, []world.ConsentEntry{{ConsentID: a1.ConsentID, PaymentPlanID: a, RegistrationID: a1.RegistrationID, Status: "Accepted"}}, list.Consents)
		_, err = w.ListConsents("nothing", "")
		planError(t, err, kernel.NotFound)
		_, err = w.ListConsents("", "nobody")
		planError(t, err, kernel.NotFound)
	}
}

func TestReadConsent(t *testing.T) {
	t.Parallel()
	w, _ := planWorld(t, world.Config{})
	plan := createPlan(t, w, func(p *world.NewPlan) { p.ShortDescription = "Gym" })
	added := joinPlan(t, w, plan, "+12025550131", false)
	name, description, site := "Membership", "Gym", "https://fitgym.example.com"
	want := world.Consent{
		ConsentID: added.ConsentID, PaymentPlanID: plan, RegistrationID: added.RegistrationID, Status: "Pending",
		Plan: world.PlanTerms{Name: &name, PlanPrice: world.PlanPrice{
			Amount: 5000, StartDate: "2026-01-31", IntervalValue: 1, IntervalUnit: "Month", ShortDescription: &description, FeePayer: "client",
		}},
		RecipientCompany: world.RecipientCompany{
			Name: "Fit Gym", ContactNumber: "+12025550123", EmailAddress: "office@fitgym.example.com", WebsiteURL: &site,
			Address: world.Address{
				StreetNumberAndName: "415 Grand Ave", ApartmentNumber: "Suite 2", City: "Oakland", ZipCode: "94610", State: "CA", Country: "US",
			},
		},
	}
	read, err := w.ReadConsent(added.ConsentID)
	require.NoError(t, err)
	require.Equal(t, want, read)
	view, err := w.ConsentView(added.ConsentID)
	require.NoError(t, err)
	require.Equal(t, world.ConsentView{
		Consent: want, PlanStatus: "Draft", Every: "every month", Purpose: "Gym", Phone: "+12025550131", Open: true,
	}, view)
	_, err = w.ReadConsent("nothing")
	planError(t, err, kernel.NotFound)
	_, err = w.ConsentView("nothing")
	planError(t, err, kernel.NotFound)
	planError(t, w.AcceptConsent("nothing"), kernel.NotFound)
	planError(t, w.DeclineConsent("nothing"), kernel.NotFound)
}
