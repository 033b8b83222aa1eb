package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestRegistrationMachine(t *testing.T) {
	t.Parallel()
	outcomes := map[string]string{"complete": world.OutcomeRegistered, "kyc-fail": world.OutcomeKYCFailed}
	everyStep(t, &world.RegistrationMachine, []string{"complete", "kyc-fail"}, func(from string) (*world.World, func(string) error, func() string) {
		w := payerWorld()
		id := register(t, w, nil)
		move := func(event string) error {
			_, err := w.CompleteRegistration(id, goodBank(t), outcomes[event])
			return err
		}
		if from == "Registered" {
			require.NoError(t, move("complete"))
		}
		return w, move, func() string {
			status, err := w.UserStatus(id)
			require.NoError(t, err)
			return status.Status
		}
	})
}

func TestCompleteRegistration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choices  []latitude.Choice
		redirect string
		want     func(id string) string
		mask     string
	}{
		"default": {redirect: "https://p.example.com/a?x=1#top", want: func(string) string { return "https://p.example.com/a?x=1#top" }, mask: "*1111"},
		"id": {
			choices: []latitude.Choice{latitude.RegistrationRedirectID}, redirect: "https://p.example.com/a?x=1#top",
			want: func(id string) string { return "https://p.example.com/a?x=1&registrationId=" + id + "#top" }, mask: "*1111",
		},
		"status, digits": {
			choices: []latitude.Choice{latitude.RegistrationRedirectStatus, latitude.AccountMaskDigits}, redirect: "https://p.example.com",
			want: func(string) string { return "https://p.example.com?status=Registered" }, mask: "1111",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld(c.choices...)
			id := register(t, w, func(r *world.NewRegistration) { r.RedirectURL = c.redirect })
			to, err := w.CompleteRegistration(id, goodBank(t), "")
			require.NoError(t, err)
			require.Equal(t, c.want(id), to)
			status, err := w.UserStatus(id)
			require.NoError(t, err)
			require.Equal(t, world.UserStatus{Status: "Registered", AccountMask: &c.mask}, status)
			view, err := w.RegistrationView(id)
			require.NoError(t, err)
			require.Equal(t, to, view.RedirectURL)
		})
	}
}

func TestFailedKYCLinksNothing(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	id := register(t, w, nil)
	to, err := w.CompleteRegistration(id, goodBank(t), world.OutcomeKYCFailed)
	require.NoError(t, err)
	require.Empty(t, to)
	status, err := w.UserStatus(id)
	require.NoError(t, err)
	require.Equal(t, world.UserStatus{Status: "Pending"}, status)
	_, err = w.CompleteRegistration(id, goodBank(t), world.OutcomeRegistered)
	require.NoError(t, err, "the payer may try again")
}

func TestCompleteRegistrationRules(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	id := register(t, w, nil)
	w.Take()
	_, err := w.CompleteRegistration(id, goodBank(t), "perhaps")
	require.Equal(t, []string{"/outcome"}, pointers(t, err))
	for _, last4 := range []string{"", "111", "11111", "11a1"} {
		_, err = w.CompleteRegistration(id, world.LinkedBank{Last4: last4}, "")
		require.Equal(t, []string{"/bank"}, pointers(t, err), last4)
	}
	records, _ := w.Take()
	require.Empty(t, records)
}

func TestSinglePaymentOfRegistration(t *testing.T) {
	t.Parallel()
	amount := ptr(int64(5000))
	for name, c := range map[string]struct {
		choices   []latitude.Choice
		amount    *int64
		period    string
		noCompany bool
		want      int
	}{
		"amount and once": {amount: amount, period: "once", want: 1},
		"amount alone":    {amount: amount},
		"another period":  {amount: amount, period: "weekly"},
		"once alone":      {period: "once"},
		"nobody to pay":   {amount: amount, period: "once", noCompany: true},
		"ledger says no":  {choices: []latitude.Choice{latitude.RegistrationWithPaymentNone}, amount: amount, period: "once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld(c.choices...)
			if !c.noCompany {
				payerCompany(t, w, "gym")
			}
			id := register(t, w, func(r *world.NewRegistration) { r.Amount, r.Period = c.amount, c.period })
			w.Take()
			_, err := w.CompleteRegistration(id, goodBank(t), "")
			require.NoError(t, err)
			made := 0
			var last string
			records, _ := w.Take()
			for _, r := range records {
				if r.Kind == kernel.RecordTransition && r.Machine == world.PaymentMachine.Name {
					last = r.To
					if r.Event == "create" {
						made++
					}
				}
			}
			require.Equal(t, c.want, made)
			if c.want == 1 {
				require.Equal(t, "Processing", last)
			}
		})
	}
}

// TestSinglePaymentToWhomCannotCollect: the company came after the registration, and is
// not Verified when the payer completes it.
func TestSinglePaymentToWhomCannotCollect(t *testing.T) {
	t.Parallel()
	for want, choices := range map[int][]latitude.Choice{1: nil, 0: {latitude.CollectUnverifiedRefused}} {
		w := world.New(world.Config{Environment: world.Rehearsal, Settings: latitude.Settings{}.Choose(choices...)})
		payerInput(w, 0)
		id := register(t, w, func(r *world.NewRegistration) { r.Amount, r.Period = ptr(int64(5000)), "once" })
		payerCompany(t, w, "gym")
		w.Take()
		_, err := w.CompleteRegistration(id, goodBank(t), "")
		require.NoError(t, err)
		made := 0
		records, _ := w.Take()
		for _, r := range records {
			if r.Machine == world.PaymentMachine.Name && r.Event == "create" {
				made++
			}
		}
		require.Equal(t, want, made)
	}
}

func TestRegistrationView(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payerCompany(t, w, "gym")
	id := register(t, w, func(r *world.NewRegistration) {
		r.MobileNumber, r.Email, r.ShortDescription = "+12025551234", "pat@example.com", "Membership"
		r.Amount, r.Period = ptr(int64(5000)), "once"
	})
	view, err := w.RegistrationView(id)
	require.NoError(t, err)
	require.Equal(t, world.RegistrationView{
		RegistrationID: id, State: "Pending", Company: "Fit Gym", Amount: 5000, Purpose: "Membership", Period: "once",
		Phone: "+12025551234", Email: "pat@example.com", RedirectURL: "https://partner.example.com/welcome",
	}, view)
}

func TestLinkedBankOf(t *testing.T) {
	t.Parallel()
	for persona, want := range map[string]world.LinkedBank{
		"good":                     {Last4: "1111"},
		"insufficient-funds":       {Last4: "0001", ReturnCode: 1, When: 1},
		"closed-account":           {Last4: "0002", ReturnCode: 2, When: 1},
		"unauthorised-late-return": {Last4: "0010", ReturnCode: 10, When: 3},
		"under-review":             {Last4: "2222", Review: true},
		"slow":                     {Last4: "3333", Slow: true},
	} {
		p, err := fixtures.PersonaNamed(persona)
		require.NoError(t, err)
		require.Equal(t, want, world.LinkedBankOf(p.Bank), persona)
	}
	for number, when := range map[string]uint8{"0000110023": 2, "0000310085": 4} {
		b, err := fixtures.BankAccount(number)
		require.NoError(t, err)
		require.Equal(t, when, world.LinkedBankOf(b).When)
	}
}
