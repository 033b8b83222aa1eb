package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// account is how the bank account with the number behaves.
func account(t *testing.T, number string) world.LinkedBank {
	t.Helper()
	b, err := fixtures.BankAccount(number)
	require.NoError(t, err)
	return world.LinkedBankOf(b)
}

// at moves the world to a moment and gives a payment's state then.
func (x *shop) at(t *testing.T, when, id string) string {
	t.Helper()
	x.Begin(world.Input{Now: moment(t, when).UnixNano(), Base: payerBase})
	return x.state(t, id)
}

// step is a payment's state at a moment.
type step struct{ when, state string }

// follow checks a payment that is approved on Monday, 5 January 2026, 15:04:05 UTC.
func follow(t *testing.T, x *shop, id string, steps []step) {
	t.Helper()
	x.move(t, id, "approve")
	for _, s := range steps {
		require.Equal(t, s.state, x.at(t, s.when, id), s.when)
	}
	require.Zero(t, x.PendingTimers(), "the story is over")
}

func TestAccountsDecide(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		number string
		steps  []step
		last   string // the reason of the last transition
	}{
		"good": {"000000001111", []step{
			{"2026-01-05T15:04:09Z", "Processing"}, {"2026-01-05T15:04:10Z", "Paid"}, {"2026-12-05T15:04:10Z", "Paid"},
		}, "Paid: the payment settled"},
		"refused now": {"000000010001", []step{{"2026-01-05T15:04:05Z", "Failed"}}, "Failed: R01 Insufficient Funds"},
		"refused after two banking days": {"000000110016", []step{
			{"2026-01-05T15:04:10Z", "Processing"}, {"2026-01-07T15:04:04Z", "Processing"}, {"2026-01-07T15:04:05Z", "Failed"},
		}, "Failed: R16 Account Frozen"},
		"returned after Paid": {"000000210010", []step{
			{"2026-01-05T15:04:10Z", "Paid"}, {"2026-01-07T15:04:09Z", "Paid"}, {"2026-01-07T15:04:10Z", "Failed"},
		}, "Failed: R10 Customer Advises Not Authorized"},
		"returned on day 59": {"000000310007", []step{
			{"2026-01-05T15:04:10Z", "Paid"}, {"2026-03-05T15:04:09Z", "Paid"}, {"2026-03-05T15:04:10Z", "Failed"},
		}, "Failed: R07 Authorization Revoked by Customer"},
		"under review": {"000000002222", []step{
			{"2026-01-05T15:04:05Z", "InReview"},
			{"2026-01-06T15:04:04Z", "InReview"},
			{"2026-01-06T15:04:05Z", "Processing"},
			{"2026-01-06T15:04:10Z", "Paid"},
		}, "Paid: the payment settled"},
		"slow": {"000000003333", []step{
			{"2026-01-05T15:04:05Z", "Queued"},
			{"2026-01-07T15:04:04Z", "Queued"},
			{"2026-01-07T15:04:05Z", "Processing"},
			{"2026-01-07T15:04:10Z", "Paid"},
		}, "Paid: the payment settled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newShop(t, account(t, tt.number))
			id := x.pay(t, nil)
			follow(t, x, id, tt.steps)
			sent := x.reasons(id)
			require.Equal(t, tt.last, sent[len(sent)-1])
		})
	}
}

func TestLateReturnsNeedTheMove(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"000000210010", "000000310007"} {
		x := newShop(t, account(t, number), latitude.PaymentMachineNoLateReturn)
		id := x.pay(t, nil)
		follow(t, x, id, []step{{"2026-01-05T15:04:10Z", "Paid"}, {"2026-12-05T15:04:10Z", "Paid"}})
	}
}

func TestSlowTiming(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t), latitude.PaymentTimingSlow)
	id := x.pay(t, nil)
	follow(t, x, id, []step{{"2026-01-07T15:04:04Z", "Processing"}, {"2026-01-07T15:04:05Z", "Paid"}})
}

func TestDueDateIsTakenByTheDailyBatch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		due   string
		steps []step
	}{
		"winter": {"2026-01-10", []step{
			{"2026-01-05T15:04:05Z", "Scheduled"},
			{"2026-01-10T18:59:59Z", "Scheduled"},
			{"2026-01-10T19:00:00Z", "Processing"},
			{"2026-01-10T19:00:05Z", "Paid"},
		}},
		"the day before the clock goes forward": {"2026-03-07", []step{
			{"2026-03-07T18:59:59Z", "Scheduled"}, {"2026-03-07T19:00:00Z", "Processing"}, {"2026-03-07T19:00:05Z", "Paid"},
		}},
		"the day on which it does": {"2026-03-08", []step{
			{"2026-03-08T17:59:59Z", "Scheduled"}, {"2026-03-08T18:00:00Z", "Processing"}, {"2026-03-08T18:00:05Z", "Paid"},
		}},
		"the day on which it goes back": {"2026-11-01", []step{
			{"2026-11-01T18:59:59Z", "Scheduled"}, {"2026-11-01T19:00:00Z", "Processing"}, {"2026-11-01T19:00:05Z", "Paid"},
		}},
		"today":     {"2026-01-05", []step{{"2026-01-05T15:04:05Z", "Processing"}, {"2026-01-05T15:04:10Z", "Paid"}}},
		"yesterday": {"2026-01-04", []step{{"2026-01-05T15:04:05Z", "Processing"}, {"2026-01-05T15:04:10Z", "Paid"}}},
		"long ago":  {"1970-01-01", []step{{"2026-01-05T15:04:05Z", "Processing"}, {"2026-01-05T15:04:10Z", "Paid"}}},
		"tomorrow": {"2026-01-06", []step{
			{"2026-01-06T18:59:59Z", "Scheduled"}, {"2026-01-06T19:00:00Z", "Processing"}, {"2026-01-06T19:00:05Z", "Paid"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newShop(t, goodBank(t))
			follow(t, x, x.pay(t, func(r *world.NewPayment) { r.DueDate = tt.due }), tt.steps)
		})
	}
}

func TestTodayIsThePacificDay(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	late := "2026-01-07T07:30:00Z" // 23:30 on the 6th in Los Angeles
	today := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-01-06" })
	tomorrow := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-01-07" })
	x.at(t, late, today)
	x.move(t, today, "approve")
	x.move(t, tomorrow, "approve")
	require.Equal(t, "Processing", x.state(t, today))
	require.Equal(t, "Scheduled", x.state(t, tomorrow))
	require.Equal(t, "Processing", x.at(t, "2026-01-07T19:00:00Z", tomorrow))
}

func TestScheduledWithoutADayWaitsForTheNextBatch(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.inState(t, "Scheduled")
	past := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-01-04" })
	x.move(t, past, "schedule")
	for _, id := range []string{id, past} {
		require.Equal(t, "Scheduled", x.at(t, "2026-01-05T18:59:59Z", id))
	}
	for _, id := range []string{id, past} {
		require.Equal(t, "Processing", x.at(t, "2026-01-05T19:00:00Z", id))
	}
}

func TestBatchOverridesReviewAndQueue(t *testing.T) {
	t.Parallel()
	x := newShop(t, account(t, "000000002222"))
	id := x.pay(t, func(r *world.NewPayment) { r.DueDate = "2026-01-10" })
	follow(t, x, id, []step{{"2026-01-05T15:04:05Z", "Scheduled"}, {"2026-01-10T19:00:00Z", "Processing"}, {"2026-01-10T19:00:05Z", "Paid"}})
}

func TestReviewDecidedEarlier(t *testing.T) {
	t.Parallel()
	x := newShop(t, account(t, "000000002222"))
	id := x.pay(t, nil)
	x.move(t, id, "approve")
	x.move(t, id, "deny")
	x.Take()
	payerInput(x.World, 48*time.Hour)
	require.Equal(t, "Denied", x.state(t, id))
	records, _ := x.Take()
	require.Empty(t, records)
}

func TestRefusalNowStillPassesThroughProcessing(t *testing.T) {
	t.Parallel()
	x := newShop(t, account(t, "000000010001"))
	id := x.pay(t, nil)
	x.Take()
	x.move(t, id, "approve")
	var seen []string
	for _, e := range x.events(t) {
		seen = append(seen, e.Data.Status)
	}
	require.Equal(t, []string{"Processing", "Failed"}, seen)
}
