package world_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestPaymentRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	second, _ := payerCompany(t, x.World, "loc-002")
	x.Take()
	for name, tt := range map[string]struct {
		change func(r *world.NewPayment)
		want   []string
	}{
		"no amount":             {func(r *world.NewPayment) { r.Amount = nil }, []string{"/amount"}},
		"zero":                  {func(r *world.NewPayment) { r.Amount = ptr(int64(0)) }, []string{"/amount"}},
		"negative":              {func(r *world.NewPayment) { r.Amount = ptr(int64(math.MinInt64)) }, []string{"/amount"}},
		"no payer":              {func(r *world.NewPayment) { r.RegistrationID = "" }, []string{""}},
		"payer of no form":      {func(r *world.NewPayment) { r.RegistrationID = "7" }, []string{"/registrationId"}},
		"payer of nobody":       {func(r *world.NewPayment) { r.RegistrationID = unknownPayer }, []string{"/registrationId"}},
		"no phone":              {func(r *world.NewPayment) { r.ContactNumber = "12" }, []string{"/contactNumber"}},
		"no e-mail":             {func(r *world.NewPayment) { r.EmailAddress = "pat" }, []string{"/emailAddress"}},
		"location of no form":   {func(r *world.NewPayment) { r.LocationID = "7" }, []string{"/locationId"}},
		"location of nobody":    {func(r *world.NewPayment) { r.LocationID = unknownPayer }, []string{"/locationId"}},
		"company of no form":    {func(r *world.NewPayment) { r.CompanyID = "7" }, []string{"/companyId"}},
		"company of nobody":     {func(r *world.NewPayment) { r.CompanyID = unknownPayer }, []string{"/companyId"}},
		"reference of nobody":   {func(r *world.NewPayment) { r.CompanyReferenceID = "loc-009" }, []string{"/companyReferenceId"}},
		"location and company":  {func(r *world.NewPayment) { r.LocationID, r.CompanyID = x.location, second }, []string{"/companyId"}},
		"location, reference":   {func(r *world.NewPayment) { r.LocationID, r.CompanyReferenceID = x.location, "loc-002" }, []string{"/companyReferenceId"}},
		"company and reference": {func(r *world.NewPayment) { r.CompanyID, r.CompanyReferenceID = x.company, "loc-002" }, []string{"/companyReferenceId"}},
		"a day that is not":     {func(r *world.NewPayment) { r.DueDate = "2026-02-30" }, []string{"/dueDate"}},
		"a time":                {func(r *world.NewPayment) { r.DueDate = "2026-02-20T00:00:00Z" }, []string{"/dueDate"}},
		"a day too far":         {func(r *world.NewPayment) { r.DueDate = "2200-01-01" }, []string{"/dueDate"}},
		"a relative address":    {func(r *world.NewPayment) { r.ReturnURL = "/paid" }, []string{"/returnUrl"}},
		"a script":              {func(r *world.NewPayment) { r.ReturnURL = "javascript://x/%0aalert(1)" }, []string{"/returnUrl"}},
		"no file":               {func(r *world.NewPayment) { r.Attachment = "not base64!" }, []string{"/attachment"}},
		"an ftp file":           {func(r *world.NewPayment) { r.Attachment = "ftp://example.com/a.pdf" }, []string{"/attachment"}},
		"switches": {func(r *world.NewPayment) {
			r.EnableDebitAuth, r.EnableAutoPay, r.DebitAuthLimit = ptr(true), ptr(false), ptr(int64(1))
		}, []string{"/enableAutoPay"}},
		"limits": {func(r *world.NewPayment) {
			r.EnableDebitAuth, r.DebitAuthLimit, r.AutoPayLimit = ptr(true), ptr(int64(1)), ptr(int64(2))
		}, []string{"/autoPayLimit"}},
		"limit of nothing":    {func(r *world.NewPayment) { r.EnableDebitAuth, r.DebitAuthLimit = ptr(true), ptr(int64(0)) }, []string{"/debitAuthLimit"}},
		"autoPay of nothing":  {func(r *world.NewPayment) { r.EnableAutoPay, r.AutoPayLimit = ptr(true), ptr(int64(-1)) }, []string{"/autoPayLimit"}},
		"everything at once":  {func(r *world.NewPayment) { *r = world.NewPayment{Amount: ptr(int64(0)), DueDate: "x", ReturnURL: "y"} }, []string{"", "/amount", "/dueDate", "/returnUrl"}},
		"location and nobody": {func(r *world.NewPayment) { r.LocationID, r.CompanyID = x.location, unknownPayer }, []string{"/companyId"}},
	} {
		before := x.PendingTimers()
		_, err := x.CreatePayment(request(x, tt.change))
		require.Equal(t, kernel.Invalid, codeOf(t, err), name)
		require.Equal(t, tt.want, pointers(t, err), name)
		require.Equal(t, before, x.PendingTimers(), name)
	}
	list, err := x.CompanyPayments("loc-001", "", "", 0)
	require.NoError(t, err)
	require.Empty(t, list, "nothing was kept")
	require.Empty(t, messages(x.World))
}

func request(x *shop, change func(r *world.NewPayment)) *world.NewPayment {
	req := world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer}
	change(&req)
	return &req
}

func TestPaymentAdvice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(r *world.NewPayment)
		want   string
	}{
		"fee payer":         {func(r *world.NewPayment) { r.FeePayer = "bank" }, "/feePayer"},
		"a day gone by":     {func(r *world.NewPayment) { r.DueDate = "2026-01-04" }, "/dueDate"},
		"no PDF":            {func(r *world.NewPayment) { r.Attachment = "aGVsbG8=" }, "/attachment"},
		"no limit":          {func(r *world.NewPayment) { r.EnableDebitAuth = ptr(true) }, "/debitAuthLimit"},
		"limit for nothing": {func(r *world.NewPayment) { r.AutoPayLimit = ptr(int64(1)) }, "/autoPayLimit"},
	} {
		x := newShop(t, goodBank(t))
		_, err := x.CreatePayment(request(x, tt.change))
		require.NoError(t, err, name)
		require.Len(t, x.Advisories(), 1, name)
		require.Equal(t, tt.want, x.Advisories()[0].Pointer, name)

		w := world.New(world.Config{Seed: 1, Strict: true})
		payerInput(w, 0)
		strict := &shop{World: w}
		strict.company, strict.location = payerCompany(t, w, "loc-001")
		strict.payer = register(t, w, nil)
		_, err = w.CreatePayment(request(strict, tt.change))
		require.Equal(t, []string{tt.want}, pointers(t, err), name)
	}
}

func TestPaymentAcceptsTheWholeRange(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for name, change := range map[string]func(r *world.NewPayment){
		"one cent": func(r *world.NewPayment) { r.Amount = ptr(int64(1)) },
		"the most": func(r *world.NewPayment) { r.Amount = ptr(int64(math.MaxInt64)) },
		"today":    func(r *world.NewPayment) { r.DueDate = "2026-01-05" },
		"last day": func(r *world.NewPayment) { r.DueDate = "2199-12-31" },
		"both pairs": func(r *world.NewPayment) {
			r.EnableDebitAuth, r.EnableAutoPay, r.DebitAuthLimit, r.AutoPayLimit = ptr(true), ptr(true), ptr(int64(5)), ptr(int64(5))
		},
		"one company": func(r *world.NewPayment) {
			r.LocationID, r.CompanyID, r.CompanyReferenceID = x.location, strings.ToUpper(x.company), "loc-001"
		},
		"fee":          func(r *world.NewPayment) { r.FeePayer = "Partner" },
		"switched off": func(r *world.NewPayment) { r.EnableDebitAuth = ptr(false) },
		"loopback":     func(r *world.NewPayment) { r.ReturnURL = "http://localhost:3000/paid?x=1#y" },
	} {
		_, err := x.CreatePayment(request(x, change))
		require.NoError(t, err, name)
		require.Empty(t, x.Advisories(), name)
	}
}

func TestPaymentCompany(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	second, place := payerCompany(t, x.World, "loc-002")
	for name, tt := range map[string]struct {
		change func(r *world.NewPayment)
		want   string
	}{
		"default":   {func(*world.NewPayment) {}, x.company},
		"location":  {func(r *world.NewPayment) { r.LocationID = place }, second},
		"id":        {func(r *world.NewPayment) { r.CompanyID = second }, second},
		"reference": {func(r *world.NewPayment) { r.CompanyReferenceID = "loc-002" }, second},
	} {
		v, err := x.PaymentView(x.pay(t, tt.change))
		require.NoError(t, err, name)
		require.Equal(t, tt.want, v.CompanyID, name)
	}
}

func TestPaymentNeedsACompany(t *testing.T) {
	t.Parallel()
	w := payerWorld()
	_, err := w.CreatePayment(&world.NewPayment{Amount: ptr(int64(1)), ContactNumber: "+12025550123"})
	require.Equal(t, []string{"/companyId"}, pointers(t, err))
}

func TestUnknownIDsOfAPaymentAreNotFoundWhereTheLedgerSaysSo(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t), latitude.UnknownBodyIDsNotFound)
	for name, change := range map[string]func(r *world.NewPayment){
		"registration": func(r *world.NewPayment) { r.RegistrationID = unknownPayer },
		"location":     func(r *world.NewPayment) { r.LocationID = unknownPayer },
		"company":      func(r *world.NewPayment) { r.CompanyID = unknownPayer },
		"reference":    func(r *world.NewPayment) { r.CompanyReferenceID = "loc-009" },
	} {
		_, err := x.CreatePayment(request(x, change))
		require.Equal(t, kernel.NotFound, codeOf(t, err), name)
	}
}

func TestSameSeedSamePayment(t *testing.T) {
	t.Parallel()
	var sent [2][]kernel.Record
	for i := range sent {
		x := newShop(t, goodBank(t))
		x.paid(t, nil)
		sent[i], _ = x.Take()
	}
	require.NotEmpty(t, sent[0])
	require.Equal(t, sent[0], sent[1])
}

// TestACompanyThatIsNotVerified: who waits for a company that is being verified is told to
// wait, and of one that was rejected that nothing will follow.
func TestACompanyThatIsNotVerified(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{Environment: world.Rehearsal, Settings: latitude.Settings{}.Choose(latitude.CollectUnverifiedRefused)})
	payerCompany(t, w, "gym")
	payer := register(t, w, func(r *world.NewRegistration) { r.MobileNumber = "+12025551234" })
	fix := func() string {
		_, err := w.CreatePayment(&world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: payer, CompanyReferenceID: "gym"})
		require.Equal(t, []string{"/companyReferenceId"}, pointers(t, err))
		var refused *kernel.Error
		require.ErrorAs(t, err, &refused)
		return refused.Findings[0].Fix
	}
	require.Contains(t, fix(), "wait for the verification")
	require.NoError(t, w.DecideKYB("gym", "rejected"))
	require.Contains(t, fix(), "create it again")
}
