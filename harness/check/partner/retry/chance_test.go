package retry_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/partner/retry"
	"paysandbox/harness/sampling"
)

// TestSaneClientsAreNotBlamed simulates clients whose pauses grow and are spread by
// chance, in as many rows and attempts as sessions have: of each at most 1 in 10,000
// is blamed (of a sample at most one). Clients without chance are.
func TestSaneClientsAreNotBlamed(t *testing.T) {
	t.Parallel()
	const ms = 1e6
	uniform := func(r *rand.Rand, low, high float64) float64 { return low + r.Float64()*(high-low) }
	clients := map[string]func(r *rand.Rand, try int, before float64) float64{
		"full jitter": func(r *rand.Rand, try int, _ float64) float64 { return uniform(r, 0, float64(int(100)<<try)) },
		"full jitter, capped": func(r *rand.Rand, try int, _ float64) float64 {
			return uniform(r, 0, min(1000, float64(int(500)<<try)))
		},
		"equal jitter, capped": func(r *rand.Rand, try int, _ float64) float64 {
			top := min(1000, float64(int(500)<<try))
			return uniform(r, top/2, top)
		},
		"decorrelated": func(r *rand.Rand, _ int, before float64) float64 {
			return min(2000, uniform(r, 100, 3*max(before, 100)))
		},
		"an eighth more or less": func(r *rand.Rand, try int, _ float64) float64 {
			return float64(int(200)<<try) * uniform(r, 0.875, 1.125)
		},
		"half as long again, and no longer": func(r *rand.Rand, try int, _ float64) float64 {
			return min(150, float64(int(100)+50*try)) * uniform(r, 0.6, 1)
		},
		"half as long again, full jitter, and no longer": func(r *rand.Rand, try int, _ float64) float64 {
			return min(600, float64(int(400)+200*try)) * r.Float64()
		},
	}
	const operations = 2
	sessions := 20_000 / sampling.Step(t, 10)
	for name, next := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			for _, shape := range [][2]int{{6, 1}, {9, 1}, {1, 2}, {1, 3}, {1, 5}, {1, 8}, {2, 2}, {2, 3}, {4, 3}, {6, 2}, {6, 3}, {8, 3}} {
				blamed := 0
				for range sessions {
					rows := make([][]int64, shape[0])
					for i := range rows {
						before := 0.0
						for try := range shape[1] {
							before = next(r, try, before)
							rows[i] = append(rows[i], int64(before*ms))
						}
					}
					if retry.Hot(rows) || retry.Improbable(rows, operations) != "" {
						blamed++
					}
				}
				require.LessOrEqual(t, blamed, max(1, sessions/10_000), "%d rows of %d pauses", shape[0], shape[1])
			}
		})
	}
	for name, rows := range map[string][][]int64{
		"the same each time":     {{500 * ms, 502 * ms, 501 * ms, 503 * ms, 500 * ms}},
		"doubled without chance": {{100 * ms, 200 * ms, 400 * ms}, {101 * ms, 200 * ms, 401 * ms}, {100 * ms, 201 * ms, 400 * ms}},
		"in growing steps without chance, on a machine that is busy once": {{502 * ms, 1003 * ms, 1502 * ms}, {501 * ms, 1002 * ms, 1509 * ms}, {501 * ms, 1190 * ms, 1504 * ms}, {640 * ms, 1001 * ms, 1502 * ms}, {501 * ms, 1006 * ms, 1503 * ms}},
		"next to nothing": {{10 * ms, 13 * ms, 12 * ms}, {14 * ms, 11 * ms, 31 * ms}, {12 * ms, 10 * ms, 19 * ms}},
		"next to nothing, on a machine that is busy once": {{12 * ms, 13 * ms, 12 * ms}, {14 * ms, 11 * ms, 1310 * ms}, {12 * ms, 13 * ms, 12 * ms}},
		"the same, spread by a quarter":                   {{108 * ms, 101 * ms, 117 * ms}, {121 * ms, 103 * ms, 112 * ms}, {101 * ms, 123 * ms, 110 * ms}, {119 * ms, 106 * ms, 104 * ms}, {104 * ms, 122 * ms, 113 * ms}},
		"one long, then short ones":                       {{4900 * ms, 330 * ms, 290 * ms}, {5210 * ms, 290 * ms, 310 * ms}},
		"once each, all alike":                            {{251 * ms}, {252 * ms}, {250 * ms}, {252 * ms}, {253 * ms}, {251 * ms}},
		"doubled without chance, by two at a time":        {{261 * ms}, {258 * ms, 509 * ms}, {261 * ms}, {259 * ms, 508 * ms}, {262 * ms, 507 * ms}, {258 * ms}, {260 * ms}},
		"halved":                  {{1600 * ms, 800 * ms, 400 * ms, 200 * ms, 100 * ms}},
		"shorter in row upon row": {{900 * ms, 700 * ms, 100 * ms}, {800 * ms, 500 * ms, 90 * ms}, {700 * ms, 600 * ms, 80 * ms}, {900 * ms, 700 * ms, 100 * ms}, {800 * ms, 500 * ms, 90 * ms}, {700 * ms, 600 * ms, 80 * ms}},
	} {
		require.NotEmpty(t, retry.Improbable(rows, 1), name)
	}
	busy := [][]int64{{310.1 * ms, 608.9 * ms, 1204.8 * ms}, {307.3 * ms, 601.2 * ms, 1204.7 * ms}, {309.2 * ms, 624.2 * ms, 1204.8 * ms}, {318.5 * ms, 609.6 * ms, 1206.1 * ms}, {314.2 * ms, 630.4 * ms, 1211.2 * ms}, {301.8 * ms}}
	require.NotEmpty(t, retry.Improbable(busy, operations), "doubled without chance, on a busy machine, which spreads short pauses and leaves long ones nearly the same")
	beside := [][]int64{{488.8 * ms, 488.3 * ms, 524.8 * ms}, {430.1 * ms, 441.8 * ms}, {495.0 * ms, 512.1 * ms, 474.6 * ms}, {245.8 * ms}, {487.0 * ms, 495.9 * ms, 524.3 * ms}, {515.4 * ms, 497.6 * ms, 450.4 * ms}, {507.1 * ms, 481.2 * ms, 523.0 * ms}}
	require.NotEmpty(t, retry.Improbable(beside, operations), "the same, a twentieth more or less, beside readings that two readers make again")
	require.True(t, retry.Hot([][]int64{{0, 1 * ms, 0}, {2 * ms, 31 * ms, 0}}), "a busy machine takes a while for some")
	require.Empty(t, retry.Improbable([][]int64{{506 * ms, 501 * ms}}, 1), "two that lie close by chance")
	for name, odd := range map[string][]int64{"even": {500 * ms, 501 * ms, 500 * ms, 502 * ms, 500 * ms}, "drilled": {1000 * ms, 2000 * ms, 4001 * ms}} {
		rows := [][]int64{odd, {71 * ms, 163 * ms, 390 * ms}, odd, {90 * ms, 122 * ms, 203 * ms}, odd, {55 * ms, 180 * ms, 310 * ms}}
		require.NotEmpty(t, retry.Improbable(rows, operations), "%s for one of two operations", name)
	}
}
