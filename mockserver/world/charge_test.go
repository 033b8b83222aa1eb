package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// saveCard saves the test card with the outcome and gives its id.
func (x *shop) saveCard(t *testing.T, outcome fixtures.CardOutcome) string {
	t.Helper()
	for _, c := range fixtures.Cards() {
		if c.Outcome == outcome {
			m, err := x.SaveCard(x.payer, c.Number)
			require.NoError(t, err)
			return m.ID
		}
	}
	require.Fail(t, "no such card", "%s", outcome)
	return ""
}

func TestChargeSavedCard(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[fixtures.CardOutcome]struct {
		status, state string
		charged       int32
	}{
		fixtures.CardApproved:          {"success", "Paid", 5000},
		fixtures.CardChallengePasses:   {"success", "Paid", 5000},
		fixtures.CardDeclined:          {"declined", "Denied", 0},
		fixtures.CardInsufficientFunds: {"declined", "Denied", 0},
		fixtures.CardExpired:           {"declined", "Denied", 0},
		fixtures.CardWrongCode:         {"declined", "Denied", 0},
		fixtures.CardChallengeFails:    {"declined", "Denied", 0},
		fixtures.CardLaterDecline:      {"declined", "Denied", 0},
		fixtures.CardProcessorError:    {"failed", "Failed", 0},
	} {
		t.Run(string(outcome), func(t *testing.T) {
			t.Parallel()
			x := newShop(t, goodBank(t))
			card := x.saveCard(t, outcome)
			x.Take()
			got, err := x.ChargeSavedCard(&world.NewSavedCardCharge{
				Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: card, LocationID: x.location, DueDate: "2026-02-01",
			})
			require.NoError(t, err)
			require.Equal(t, want.status, got.Status)
			require.Equal(t, want.charged, got.ChargedAmount)
			require.Equal(t, x.payer, got.RegistrationID)
			events := x.events(t)
			require.Len(t, events, 1)
			require.Equal(t, want.state, events[0].Data.Status)
			require.NotEqual(t, "*1111", *events[0].Data.AccountNumberMasked, "the card's digits, not the account's")
			require.Equal(t, want.state, x.state(t, got.PaymentRequestID))
			require.Zero(t, x.PendingTimers())
			details, err := x.PaymentDetails(got.PaymentRequestID)
			require.NoError(t, err)
			require.Equal(t, "SavedCard", details.PaymentType)
		})
	}
}

func TestChargeSavedCardRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	card := x.saveCard(t, fixtures.CardApproved)
	other := register(t, x.World, nil)
	for name, tt := range map[string]struct {
		change func(r *world.NewSavedCardCharge)
		want   []string
	}{
		"no amount":          {func(r *world.NewSavedCardCharge) { r.Amount = nil }, []string{"/amount"}},
		"zero":               {func(r *world.NewSavedCardCharge) { r.Amount = ptr(int32(0)) }, []string{"/amount"}},
		"location":           {func(r *world.NewSavedCardCharge) { r.LocationID = unknownPayer }, []string{"/locationId"}},
		"location's form":    {func(r *world.NewSavedCardCharge) { r.LocationID = "1" }, []string{"/locationId"}},
		"no payer":           {func(r *world.NewSavedCardCharge) { r.RegistrationID = "" }, []string{"/registrationId"}},
		"payer":              {func(r *world.NewSavedCardCharge) { r.RegistrationID = unknownPayer }, []string{"/registrationId"}},
		"no card":            {func(r *world.NewSavedCardCharge) { r.PaymentMethodID = "" }, []string{"/paymentMethodId"}},
		"card":               {func(r *world.NewSavedCardCharge) { r.PaymentMethodID = "pm_123" }, []string{"/paymentMethodId"}},
		"another one's card": {func(r *world.NewSavedCardCharge) { r.RegistrationID = other }, []string{"/paymentMethodId"}},
		"date":               {func(r *world.NewSavedCardCharge) { r.DueDate = "tomorrow" }, []string{"/dueDate"}},
		"attachment":         {func(r *world.NewSavedCardCharge) { r.Attachment = "#" }, []string{"/attachment"}},
		"nothing":            {func(r *world.NewSavedCardCharge) { *r = world.NewSavedCardCharge{} }, []string{"/amount", "/registrationId", "/paymentMethodId"}},
	} {
		req := world.NewSavedCardCharge{Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: card}
		tt.change(&req)
		_, err := x.ChargeSavedCard(&req)
		require.Equal(t, kernel.Invalid, codeOf(t, err), name)
		require.Equal(t, tt.want, pointers(t, err), name)
	}
	_, err := x.ChargeSavedCard(&world.NewSavedCardCharge{
		Amount: ptr(int32(1)), RegistrationID: x.payer, PaymentMethodID: card, FeePayer: "x", DueDate: "2020-01-01",
	})
	require.NoError(t, err)
	require.Len(t, x.Advisories(), 2)
}

func TestUnknownCardIsNotFoundWhereTheLedgerSaysSo(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t), latitude.UnknownBodyIDsNotFound)
	_, err := x.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: "pm_123"})
	require.Equal(t, kernel.NotFound, codeOf(t, err))
}

func TestSavedCardChargeMachine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	card := x.saveCard(t, fixtures.CardApproved)
	got, err := x.ChargeSavedCard(&world.NewSavedCardCharge{Amount: ptr(int32(5000)), RegistrationID: x.payer, PaymentMethodID: card})
	require.NoError(t, err)
	for _, event := range world.PaymentMachine.Events() {
		err := x.MovePayment(got.PaymentRequestID, event, world.PaymentMove{})
		require.Equal(t, kernel.IllegalTransition, codeOf(t, err), event)
	}
	require.Equal(t, kernel.IllegalTransition, codeOf(t, x.CancelPayment(got.PaymentRequestID)))
	require.Equal(t, []string{"create", "pay", "deny", "fail"}, world.SavedCardChargeMachine.Events())
	for state := world.ChargePaid; state <= world.ChargeFailed; state++ {
		require.Empty(t, world.SavedCardChargeMachine.Legal(state), "final")
	}
}
