package world_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/world"
)

// BenchmarkPlanPayers fills a plan and collects one due date; the cost of one
// payer must not grow with their number.
func BenchmarkPlanPayers(b *testing.B) {
	for _, payers := range []int{1_000, 10_000, 100_000} {
		b.Run(strconv.Itoa(payers), func(b *testing.B) {
			for b.Loop() {
				planWithPayers(b, payers)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*payers), "ns/payer")
		})
	}
}

func planWithPayers(b *testing.B, payers int) {
	b.Helper()
	w := world.New(world.Config{})
	planAt(w, planStart)
	_, err := w.CreateCompany(goodCompany("gym"))
	require.NoError(b, err)
	made, err := w.CreatePlan(planBody())
	require.NoError(b, err)
	for i := range payers {
		added, err := w.AddPlanPayer(made.PaymentPlanID, &world.NewPlanPayer{PhoneNumber: "+1" + strconv.Itoa(2_025_000_000+i)})
		require.NoError(b, err)
		require.NoError(b, w.AcceptConsent(added.ConsentID))
		w.Take()
	}
	require.NoError(b, w.ActivatePlan(made.PaymentPlanID))
	w.Advance(planStart.AddDate(0, 0, 40).UnixNano())
}
