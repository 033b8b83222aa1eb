package world_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// hooks is a world whose deliveries the test sends itself.
type hooks struct {
	t          *testing.T
	w          *world.World
	payer, gym string
	made       int // companies
}

func newHooks(t *testing.T, cfg world.Config) *hooks {
	t.Helper()
	w, gym := planWorld(t, cfg)
	user, err := w.RegisterUser(&world.NewRegistration{RedirectURL: "https://p.example.com", Email: "pat@example.com"})
	require.NoError(t, err)
	_, err = w.CompleteRegistration(user.RegistrationID, world.LinkedBank{Last4: "1111"}, "")
	require.NoError(t, err)
	return &hooks{t: t, w: w, payer: user.RegistrationID, gym: gym}
}

// company makes a company, which is verified at once: one event.
func (h *hooks) company() {
	h.t.Helper()
	h.made++
	_, err := h.w.CreateCompany(goodCompany("c" + strconv.Itoa(h.made)))
	require.NoError(h.t, err)
}

// payment makes a Pending payment: no event yet.
func (h *hooks) payment() string {
	h.t.Helper()
	p, err := h.w.CreatePayment(&world.NewPayment{Amount: new(int64(100)), RegistrationID: h.payer})
	require.NoError(h.t, err)
	return p.PaymentRequestID
}

// move takes a step of a payment: one event.
func (h *hooks) move(payment, event string) {
	h.t.Helper()
	require.NoError(h.t, h.w.MovePayment(payment, event, world.PaymentMove{}))
}

// sent are the attempts that have been asked for since the last call.
func (h *hooks) sent() []delivery.View {
	h.t.Helper()
	_, effects := h.w.Take()
	views := []delivery.View{}
	for _, e := range effects {
		require.Equal(h.t, kernel.SendDelivery, e.Kind)
		v, ok := h.w.Webhooks().View(e.ID)
		require.True(h.t, ok)
		views = append(views, v)
	}
	return views
}

// of are those to one endpoint.
func (h *hooks) of(endpoint string, views []delivery.View) []delivery.View {
	list := []delivery.View{}
	for _, v := range views {
		if v.Endpoint.String() == endpoint {
			list = append(list, v)
		}
	}
	return list
}

// one is the only attempt that has been asked for.
func (h *hooks) one() delivery.View {
	h.t.Helper()
	views := h.sent()
	require.Len(h.t, views, 1)
	return views[0]
}

func (h *hooks) answer(v delivery.View, r delivery.AttemptResult) delivery.AttemptOutcome {
	h.t.Helper()
	out, err := h.w.Webhooks().Attempted(v.ID, r)
	require.NoError(h.t, err)
	require.Equal(h.t, out.Done, out.Next == 0)
	require.NotEmpty(h.t, out.Reason)
	return out
}

// later lets virtual time pass from the present.
func (h *hooks) later(d time.Duration) { h.w.Advance(h.w.Now().Add(d).UnixNano()) }
