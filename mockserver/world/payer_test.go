package world_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func TestRegisterUser(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	made, err := w.RegisterUser(&world.NewRegistration{
		RedirectURL: "https://partner.example.com/welcome", MobileNumber: "+12025550199", Email: "pat@example.com",
		ShortDescription: "Membership", Amount: ptr(int64(5000)), Period: "once",
	})
	require.NoError(t, err)
	require.Equal(t, payerBase+"/register/"+made.RegistrationID, made.RegistrationURL)
	require.Empty(t, w.Advisories())

	sent := messages(w)
	require.Len(t, sent, 2)
	require.Equal(t, []string{"sms", "+12025550199", "registration"}, []string{sent[0].Channel, sent[0].To, sent[0].Template})
	require.True(t, sent[0].Bounced, "test data says that this number receives nothing")
	require.Equal(t, []string{"email", "pat@example.com"}, []string{sent[1].Channel, sent[1].To})
	require.False(t, sent[1].Bounced)
	require.Equal(t, made.RegistrationURL, linkOf(sent[1]))

	status, err := w.UserStatus(made.RegistrationID)
	require.NoError(t, err)
	require.Equal(t, world.UserStatus{Status: "Pending"}, status)
	upper, err := w.UserStatus(strings.ToUpper(made.RegistrationID))
	require.NoError(t, err)
	require.Equal(t, status, upper)
}

func TestRegisterUserRules(t *testing.T) {
	t.Parallel()
	good := "https://partner.example.com/welcome"
	for name, c := range map[string]struct {
		req     world.NewRegistration
		refused []string
		advised []string
	}{
		"least":              {req: world.NewRegistration{RedirectURL: good}},
		"http with a port":   {req: world.NewRegistration{RedirectURL: "http://localhost:3000"}},
		"no redirect":        {req: world.NewRegistration{}, refused: []string{"/redirectUrl"}},
		"relative redirect":  {req: world.NewRegistration{RedirectURL: "/welcome"}, refused: []string{"/redirectUrl"}},
		"no scheme":          {req: world.NewRegistration{RedirectURL: "partner.example.com"}, refused: []string{"/redirectUrl"}},
		"no host":            {req: world.NewRegistration{RedirectURL: "https:///welcome"}, refused: []string{"/redirectUrl"}},
		"only a port":        {req: world.NewRegistration{RedirectURL: "https://:80/"}, refused: []string{"/redirectUrl"}},
		"script":             {req: world.NewRegistration{RedirectURL: "javascript:alert(1)"}, refused: []string{"/redirectUrl"}},
		"unreadable":         {req: world.NewRegistration{RedirectURL: "http://%zz"}, refused: []string{"/redirectUrl"}},
		"phone of 14 digits": {req: world.NewRegistration{RedirectURL: good, MobileNumber: "+49180123456789"}, advised: nil},
		"phone of nobody":    {req: world.NewRegistration{RedirectURL: good, MobileNumber: "+10000000000"}, refused: []string{"/mobileNumber"}},
		"phone of 16 digits": {req: world.NewRegistration{RedirectURL: good, MobileNumber: "+4917012345678901"}, refused: []string{"/mobileNumber"}},
		"phone without plus": {req: world.NewRegistration{RedirectURL: good, MobileNumber: "12025551234"}, refused: []string{"/mobileNumber"}},
		"phone with hyphens": {req: world.NewRegistration{RedirectURL: good, MobileNumber: "+1-202-555-1234"}, refused: []string{"/mobileNumber"}},
		"amount of 1":        {req: world.NewRegistration{RedirectURL: good, Amount: ptr(int64(1))}},
		"amount of 0":        {req: world.NewRegistration{RedirectURL: good, Amount: ptr(int64(0))}, refused: []string{"/amount"}},
		"negative amount":    {req: world.NewRegistration{RedirectURL: good, Amount: ptr(int64(-1))}, refused: []string{"/amount"}},
		"greatest amount":    {req: world.NewRegistration{RedirectURL: good, Amount: ptr(int64(1<<63 - 1))}},
		"once":               {req: world.NewRegistration{RedirectURL: good, Period: "once"}},
		"another period":     {req: world.NewRegistration{RedirectURL: good, Period: "weekly"}, advised: []string{"/period"}},
		"bad e-mail":         {req: world.NewRegistration{RedirectURL: good, Email: "pat@"}, advised: []string{"/email"}},
		"all at once": {
			req:     world.NewRegistration{MobileNumber: "1", Amount: ptr(int64(0)), Email: "x", Period: "daily"},
			refused: []string{"/redirectUrl", "/mobileNumber", "/email", "/amount", "/period"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payerWorld()
			made, err := w.RegisterUser(&c.req)
			if c.refused != nil {
				require.Equal(t, kernel.Invalid, codeOf(t, err))
				require.Equal(t, c.refused, pointers(t, err))
				require.Empty(t, made)
				records, _ := w.Take()
				require.Empty(t, records, "a refused call leaves nothing behind")
				return
			}
			require.NoError(t, err)
			var advised []string
			for _, f := range w.Advisories() {
				advised = append(advised, f.Pointer)
			}
			require.Equal(t, c.advised, advised)
		})
	}
}

func TestStrictRefusesUnknownPeriod(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{Strict: true})
	payerInput(w, 0)
	_, err := w.RegisterUser(&world.NewRegistration{RedirectURL: "https://partner.example.com", Period: "monthly"})
	require.Equal(t, []string{"/period"}, pointers(t, err))
}

func TestUnknownRegistration(t *testing.T) {
	t.Parallel()
	w, other := payerWorld(), world.New(world.Config{Seed: 8})
	payerInput(other, 0)
	foreign := register(t, other, nil)
	for _, id := range []string{"", "x", unknownPayer, foreign, strings.ReplaceAll(unknownPayer, "-", "")} {
		_, err := w.UserStatus(id)
		require.Equal(t, kernel.NotFound, codeOf(t, err), id)
		_, err = w.RegistrationView(id)
		require.Equal(t, kernel.NotFound, codeOf(t, err), id)
		_, err = w.CompleteRegistration(id, goodBank(t), "")
		require.Equal(t, kernel.NotFound, codeOf(t, err), id)
	}
}

func TestSameSeedSameRegistration(t *testing.T) {
	t.Parallel()
	a, b := payerWorld(), payerWorld()
	require.Equal(t, register(t, a, nil), register(t, b, nil))
	require.NotEqual(t, register(t, a, nil), register(t, a, nil))
}

// payByContact creates a payment for whom the contacts name, and gives that
// payer.
func payByContact(t *testing.T, w *world.World, phone, email string) string {
	t.Helper()
	made, err := w.CreatePayment(&world.NewPayment{Amount: ptr(int64(100)), ContactNumber: phone, EmailAddress: email})
	require.NoError(t, err)
	return made.RegistrationPersonID
}

func TestPayersAreKnownByTheirContacts(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	payerCompany(t, w, "gym")
	pat := register(t, w, func(r *world.NewRegistration) { r.MobileNumber, r.Email = "+12025551234", "Pat@Example.com" })
	lee := register(t, w, func(r *world.NewRegistration) { r.Email = "lee@example.com" })
	require.Equal(t, pat, payByContact(t, w, "(202) 555-1234", ""))
	require.Equal(t, pat, payByContact(t, w, "", "pat@EXAMPLE.com"))
	require.Equal(t, pat, payByContact(t, w, "2025551234", "lee@example.com"), "the phone comes first")
	require.Equal(t, lee, payByContact(t, w, "+12025559999", "lee@example.com"))
	require.Equal(t, lee, payByContact(t, w, "+12025559999", ""), "what was missing has been learnt")

	kim := payByContact(t, w, "+442079460958", "")
	require.NotContains(t, []string{pat, lee}, kim)
	require.Equal(t, kim, payByContact(t, w, "+44 20 7946 0958", "kim@example.com"))
	require.Equal(t, kim, payByContact(t, w, "", "kim@example.com"))
	status, err := w.UserStatus(kim)
	require.NoError(t, err)
	require.Equal(t, world.UserStatus{Status: "Pending"}, status)
	to, err := w.CompleteRegistration(kim, goodBank(t), "")
	require.NoError(t, err)
	require.Empty(t, to, "nobody gave an address to go to")

	again := register(t, w, func(r *world.NewRegistration) { r.MobileNumber = "+12025551234" })
	require.NotEqual(t, pat, again)
	require.Equal(t, again, payByContact(t, w, "+12025551234", ""), "the newest registration counts")
}

// TestPayerMemory is not parallel: it measures the heap.
func TestPayerMemory(t *testing.T) {
	const n = 50_000
	w := payerWorld()
	before := heapNow()
	for i := range n {
		digits := strconv.Itoa(12_000_000 + i)
		_, err := w.RegisterUser(&world.NewRegistration{
			RedirectURL: "https://partner.example.com/welcome/" + digits, MobileNumber: "+1202" + digits[1:],
			Email: "payer" + digits + "@example.com", ShortDescription: "Membership", Amount: ptr(int64(5000)), Period: "once",
		})
		require.NoError(t, err)
		w.Take()
	}
	each := (heapNow() - before) / n
	runtime.KeepAlive(w)
	t.Logf("%d bytes for each payer", each)
	require.Less(t, each, int64(768))
}

func heapNow() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
