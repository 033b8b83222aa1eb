package door

// Known is how many callers are known.
func (g *Guesses) Known() int { return len(g.spent) }
