package world_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// TestARefusalTellsWhatReadingFound: what reading a body has shown is sent also
// where something else ends the request before its members are judged.
func TestARefusalTellsWhatReadingFound(t *testing.T) {
	t.Parallel()
	noted := kernel.Finding{Pointer: "/amonut", Clause: "request.unknown-member", Source: kernel.Assumed, Advisory: true}
	for name, call := range map[string]func(*world.World) error{
		"refund": func(w *world.World) error { return w.RefundPayment(unknownPayer, &world.NewRefund{}, noted) },
		"move": func(w *world.World) error {
			return w.MovePayment(unknownPayer, "approve", world.PaymentMove{}, noted)
		},
		"debit authorisation": func(w *world.World) error {
			return w.RequestDebitAuth(unknownPayer, &world.DebitAuthRequest{}, noted)
		},
		"location": func(w *world.World) error {
			_, err := w.AddLocation("nobody", &world.NewLocation{}, noted)
			return err
		},
		"bank link": func(w *world.World) error {
			_, err := w.CreateExternalAuthLink("nobody", &world.NewExternalAuthLink{}, noted)
			return err
		},
		"payer of a plan": func(w *world.World) error {
			_, err := w.AddPlanPayer(unknownPayer, &world.NewPlanPayer{}, noted)
			return err
		},
		"profile": func(w *world.World) error {
			_, err := w.Webhooks().SetProfile(unknownPayer, delivery.NewProfile{}, noted)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(world.Config{})
			w.Begin(world.Input{Now: planStart.UnixNano()})
			err := call(w)
			require.Equal(t, kernel.NotFound, codeOf(t, err))
			var refusal *kernel.Error
			require.True(t, errors.As(err, &refusal))
			require.Equal(t, []kernel.Finding{noted}, refusal.Findings)
		})
	}
}
