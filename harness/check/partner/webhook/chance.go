package webhook

// byChance is how seldom chance may bring so many calls after refused deliveries, for an
// application that makes them as often after genuine ones that say the same.
const byChance = 1e-3

// orMore is the chance of so many of some, or more, of which each comes with a chance.
func orMore(n, of int, chance float64) float64 {
	chances := make([]float64, of+1) // of none, one, two …
	chances[0] = 1
	for range of {
		for k := of; k > 0; k-- {
			chances[k] = chances[k]*(1-chance) + chances[k-1]*chance
		}
		chances[0] *= 1 - chance
	}
	sum := 0.0
	for _, c := range chances[min(n, of):] {
		sum += c
	}
	return sum
}
