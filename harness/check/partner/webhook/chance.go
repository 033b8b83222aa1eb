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

// decide judges the deliveries after which a call may have come by chance.
func (f *follower) decide() {
	const several = 4 // deliveries after which nothing was done: a single call more comes by chance
	if len(f.sure) == 1 && f.y.Held() >= several {
		f.doubts = append(f.doubts, f.sure...)
	} else {
		for _, d := range f.sure {
			f.blame(d.h, d.call)
		}
	}
	f.decideOld()
	f.decideNew()
}

// decideNew judges the doubts. What comes after refused deliveries far more often than after
// genuine ones comes because of them.
func (f *follower) decideNew() {
	n := len(f.doubts)
	if n == 0 {
		return
	}
	says := map[string]bool{}
	for _, d := range f.doubts {
		says[d.h.Says()] = true
	}
	genuine, followed := 0, 0
	for _, h := range f.t.Deliveries() {
		if h.Taken() && h.Number == 1 && h.About() != "" && says[h.Says()] {
			genuine++
			if call, _ := f.after(h); call != nil {
				followed++
			}
		}
	}
	if f.t.Meta.Clock == "real" && n >= 2 && genuine >= 4 && orMore(n, f.forged, float64(followed+1)/float64(genuine+2)) < byChance {
		for _, d := range f.doubts {
			f.blame(d.h, d.call)
		}
		return
	}
	if d := f.doubts[0]; f.y.Held() == 0 {
		f.y.ReviewAs("call", d.call.Exchange.Method+" "+d.call.Exchange.Path+" after a delivery that was refused: by chance, or because of it?", d.h.Entry.Seq, d.call.Seq)
	}
}
