package world_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// inState gives a payment that is in a state of PaymentMachine.
func (x *shop) inState(t *testing.T, state string) string {
	t.Helper()
	id := x.pay(t, nil)
	for _, event := range map[string][]string{
		"Pending": {}, "Scheduled": {"schedule"}, "Queued": {"queue"}, "InReview": {"review"}, "Processing": {"approve"},
		"Paid": {"approve", "pay"}, "Failed": {"approve", "fail"}, "Denied": {"deny"}, "Canceled": {"cancel"},
	}[state] {
		x.move(t, id, event)
	}
	require.Equal(t, state, x.state(t, id))
	return id
}

// wantMoves is the table of latitude, payment-machine.
var wantMoves = map[string]map[string]string{
	"Pending":    {"approve": "Processing", "schedule": "Scheduled", "queue": "Queued", "review": "InReview", "deny": "Denied", "cancel": "Canceled"},
	"Scheduled":  {"process": "Processing", "cancel": "Canceled"},
	"Queued":     {"process": "Processing", "cancel": "Canceled"},
	"InReview":   {"process": "Processing", "deny": "Denied", "cancel": "Canceled"},
	"Processing": {"pay": "Paid", "fail": "Failed"},
	"Paid":       {"return": "Failed"},
	"Failed":     {}, "Denied": {}, "Canceled": {},
}

func TestPaymentMachine(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	events := []string{"create", "approve", "schedule", "queue", "review", "deny", "cancel", "process", "pay", "fail", "return"}
	require.Equal(t, events, world.PaymentMachine.Events())
	for _, state := range world.PaymentMachine.States[1:] {
		for _, event := range events {
			id := x.inState(t, state)
			x.Take()
			want, legal := wantMoves[state][event]
			err := x.MovePayment(id, event, world.PaymentMove{})
			if !legal {
				refused(t, x.World, err, "payment", state, event)
				require.Equal(t, state, x.state(t, id), event)
				require.Empty(t, x.events(t))
				continue
			}
			require.NoError(t, err, state+" "+event)
			require.Equal(t, want, x.state(t, id), state+" "+event)
			got := x.events(t)
			require.Len(t, got, 1)
			require.Equal(t, want, got[0].Data.Status)
		}
	}
}

func TestPaidIsFinalWhereTheLedgerSaysSo(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t), latitude.PaymentMachineNoLateReturn)
	id := x.paid(t, nil)
	err := x.MovePayment(id, "return", world.PaymentMove{})
	require.Equal(t, kernel.IllegalTransition, codeOf(t, err))
	var e *kernel.Error
	require.ErrorAs(t, err, &e)
	require.Empty(t, e.Legal)
	require.Equal(t, "Paid", x.state(t, id))
}

func TestCancelPayment(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for _, state := range world.PaymentMachine.States[1:] {
		id := x.inState(t, state)
		err := x.CancelPayment(id)
		if slices.Contains([]string{"Pending", "Scheduled", "Queued", "InReview"}, state) {
			require.NoError(t, err, state)
			require.Equal(t, "Canceled", x.state(t, id))
			continue
		}
		require.Equal(t, kernel.IllegalTransition, codeOf(t, err), state)
		require.Contains(t, err.Error(), state)
	}
	require.Equal(t, kernel.NotFound, codeOf(t, x.CancelPayment(unknownPayer)))
	require.Equal(t, kernel.NotFound, codeOf(t, x.CancelPayment("7")))
}

func TestCancelCardAuthorisation(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	auth, _ := cardAuth(t, x.World)
	require.NoError(t, x.CancelPayment(auth))
	require.Equal(t, "Canceled", x.state(t, auth))
	require.Equal(t, kernel.IllegalTransition, codeOf(t, x.CancelPayment(auth)))
}

func TestCancelledPaymentIsNeverCollected(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"Pending", "Scheduled", "Queued", "InReview"} {
		x := newShop(t, goodBank(t))
		id := x.inState(t, state)
		require.NoError(t, x.CancelPayment(id))
		x.Take()
		payerInput(x.World, 100*24*time.Hour)
		require.Equal(t, "Canceled", x.state(t, id))
		records, _ := x.Take()
		require.Empty(t, records, "a timer that has lost its meaning leaves no trace")
		require.Zero(t, x.PendingTimers())
	}
}

func TestPaymentEventRules(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	ask := x.pay(t, func(r *world.NewPayment) { r.FeePayer = "ask" })
	plain := x.pay(t, nil)
	for name, tt := range map[string]struct {
		id, event string
		opt       world.PaymentMove
		want      string
	}{
		"no event":        {plain, "refund", world.PaymentMove{}, "path:event"},
		"no code":         {x.inState(t, "Processing"), "fail", world.PaymentMove{ReturnCode: "R99"}, "/returnCode"},
		"code of a yes":   {plain, "approve", world.PaymentMove{ReturnCode: "R01"}, "/returnCode"},
		"fee of a no":     {ask, "deny", world.PaymentMove{FeePayer: "client"}, "/feePayer"},
		"fee not asked":   {plain, "approve", world.PaymentMove{FeePayer: "client"}, "/feePayer"},
		"fee of somebody": {ask, "approve", world.PaymentMove{FeePayer: "ask"}, "/feePayer"},
	} {
		before := x.state(t, tt.id)
		require.Equal(t, []string{tt.want}, pointers(t, x.MovePayment(tt.id, tt.event, tt.opt)), name)
		require.Equal(t, before, x.state(t, tt.id), name)
	}
	require.Equal(t, kernel.NotFound, codeOf(t, x.MovePayment(unknownPayer, "approve", world.PaymentMove{})))
	require.NoError(t, x.MovePayment(ask, "approve", world.PaymentMove{FeePayer: "partner"}))
	v, err := x.PaymentView(ask)
	require.NoError(t, err)
	require.Equal(t, "partner", v.FeePayer)
}

// reasons are the reasons of a payment's transitions since the last input.
func (x *shop) reasons(id string) []string {
	var list []string
	records, _ := x.Take()
	for _, r := range records {
		if r.Kind == kernel.RecordTransition && r.Entity.String() == id {
			list = append(list, r.To+": "+r.Reason)
		}
	}
	return list
}

func TestReasonsNameTheReturnCode(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	failed := x.inState(t, "Processing")
	x.Take()
	require.NoError(t, x.MovePayment(failed, "fail", world.PaymentMove{ReturnCode: "r01"}))
	require.Equal(t, []string{"Failed: R01 Insufficient Funds"}, x.reasons(failed))
	returned := x.inState(t, "Paid")
	x.Take()
	require.NoError(t, x.MovePayment(returned, "return", world.PaymentMove{ReturnCode: "R10", Reason: "the payer complained"}))
	require.Equal(t, []string{"Failed: the payer complained"}, x.reasons(returned))
	denied := x.pay(t, nil)
	x.move(t, denied, "deny")
	require.Equal(t, "Denied: decided by control call", x.reasons(denied)[1])
}
