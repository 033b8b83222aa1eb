package hosted_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/theme"
	"paysandbox/mockserver/world"
)

// house is a server of pages with one integration.
type house struct {
	tb      testing.TB
	on      *integration.Integration
	url     string
	client  *http.Client
	company string
}

// newHouse starts the pages of a fresh integration with one company. The client
// follows no redirects.
func newHouse(tb testing.TB) *house {
	tb.Helper()
	return houseWith(tb, integration.Options{Seed: 7, Clock: integration.Manual})
}

func houseWith(tb testing.TB, o integration.Options) *house {
	tb.Helper()
	return housePages(tb, o, hosted.Options{})
}

// housePages starts pages that are made otherwise.
func housePages(tb testing.TB, o integration.Options, p hosted.Options) *house {
	tb.Helper()
	registry, err := integration.NewRegistry(o, func() time.Time { return integration.DefaultStart }, nil)
	require.NoError(tb, err)
	p.Registry = registry
	pages, look := hosted.New(p), theme.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, theme.Prefix) {
			look.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	tb.Cleanup(server.Close)
	h := &house{tb: tb, on: registry.Default(), url: server.URL, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	h.company = h.newCompany("Fit Gym")
	return h
}

// do acts on the world as the control API would.
func (h *house) do(run func(w *world.World)) {
	h.tb.Helper()
	h.on.Do(&integration.Call{Kind: tape.KindControl, Base: h.url + "/pages/default"}, func(w *world.World, c *integration.Call) {
		c.Exchange.Method = http.MethodPost
		run(w)
	})
}

// made gives what a use case of the world makes of a body.
func made[Q, A any](h *house, create func(*world.World, *Q, ...kernel.Finding) (A, error), req *Q) (answer A) {
	h.tb.Helper()
	h.do(func(w *world.World) {
		var err error
		answer, err = create(w, req)
		require.NoError(h.tb, err)
	})
	return answer
}

func (h *house) newCompany(name string) string {
	h.tb.Helper()
	body := fixtures.NewPeople(uint64(len(name))).Company()
	text, err := json.Marshal(body)
	require.NoError(h.tb, err)
	var req world.NewCompany
	require.NoError(h.tb, json.Unmarshal(text, &req))
	req.Name = name
	return made(h, (*world.World).CreateCompany, &req).CompanyID
}

// payer registers a payer and gives the registrationId.
func (h *house) payer(req world.NewRegistration) string {
	h.tb.Helper()
	if req.RedirectURL == "" {
		req.RedirectURL = "https://partner.example.com/welcome"
	}
	req.MobileNumber = "+12025550123"
	return made(h, (*world.World).RegisterUser, &req).RegistrationID
}

// link gives a payer a good account.
func (h *house) link(registration string) {
	h.tb.Helper()
	h.do(func(w *world.World) {
		_, err := w.CompleteRegistration(registration, world.LinkedBankOf(fixtures.Personas()[0].Bank), "")
		require.NoError(h.tb, err)
	})
}

// payment asks for money and gives the paymentRequestId.
func (h *house) payment(req world.NewPayment) string {
	h.tb.Helper()
	if req.Amount == nil {
		req.Amount = ptr[int64](123450)
	}
	if req.RegistrationID == "" && req.ContactNumber == "" {
		req.ContactNumber = "+12025550123"
	}
	return made(h, (*world.World).CreatePayment, &req).PaymentRequestID
}

func (h *house) card(req world.NewCardAuthorisation) string {
	h.tb.Helper()
	req.Amount, req.ContactNumber = ptr[int64](5000), "+12025550123"
	return made(h, (*world.World).CreateCardAuthorisation, &req).PaymentRequestID
}

func (h *house) status(payment string) (status string) {
	h.tb.Helper()
	h.do(func(w *world.World) {
		s, err := w.PaymentStatus(payment)
		require.NoError(h.tb, err)
		status = s.Status
	})
	return status
}

// debit asks for a debit authorisation and gives its id, from the link that was
// sent.
func (h *house) debit(registration string) string {
	h.tb.Helper()
	h.do(func(w *world.World) {
		require.NoError(h.tb, w.RequestDebitAuth(registration, &world.DebitAuthRequest{CompanyID: h.company, Enabled: ptr(true), Limit: ptr[int64](10000)}))
	})
	return h.lastLink(world.PageDebit)
}

func (h *house) bankLink() string {
	h.tb.Helper()
	h.do(func(w *world.World) {
		_, err := w.CreateExternalAuthLink(h.company, &world.NewExternalAuthLink{MobileNumber: "+12025550123"})
		require.NoError(h.tb, err)
	})
	return h.lastLink(world.PageBankLink)
}

func (h *house) consent() (id string) {
	h.tb.Helper()
	plan := world.NewPlan{
		Name: "Membership", Amount: ptr[int64](5000), CompanyID: h.company, StartDate: "2026-03-31",
		Occurrences: ptr[int32](3), IntervalValue: ptr[int32](1), IntervalUnit: "Month",
	}
	h.do(func(w *world.World) {
		made, err := w.CreatePlan(&plan)
		require.NoError(h.tb, err)
		added, err := w.AddPlanPayer(made.PaymentPlanID, &world.NewPlanPayer{PhoneNumber: "+12025550123"})
		require.NoError(h.tb, err)
		id = added.ConsentID
	})
	return id
}

// lastLink is the id in the newest link to a page of a kind that a message held.
func (h *house) lastLink(kind string) string {
	h.tb.Helper()
	pattern := regexp.MustCompile("/pages/default/" + kind + "/([0-9a-f-]{36})")
	found := ""
	h.on.Look(tape.Filter{}, func(e tape.Entry) bool {
		if e.Message == nil {
			return true
		}
		for _, p := range e.Message.Params {
			if m := pattern.FindStringSubmatch(p.Value); m != nil {
				found = m[1]
				return false
			}
		}
		return true
	})
	require.NotEmpty(h.tb, found, "a message with a link to "+kind)
	return found
}

func (h *house) address(parts ...string) string {
	return h.url + "/pages/default/" + strings.Join(parts, "/")
}

// last is the newest page entry on the tape.
func (h *house) last() tape.Entry {
	h.tb.Helper()
	var last tape.Entry
	h.on.Look(tape.Filter{}, func(e tape.Entry) bool {
		last = e
		return e.Kind != tape.KindPage
	})
	require.Equal(h.tb, tape.KindPage, last.Kind)
	return last
}

func ptr[T any](v T) *T { return &v }
