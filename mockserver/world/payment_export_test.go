package world

// What the tests of payments see of the inside: the pure functions of bank days.
var (
	PacificOffset  = pacificOffset
	FromPacific    = fromPacific
	PacificDate    = pacificDate
	BatchAt        = batchAt
	NextBatch      = nextBatch
	NextBankingDay = nextBankingDay
	IsBankingDay   = isBankingDay
)

// RememberedAnswers is how many answers of idempotent calls are kept.
func (w *World) RememberedAnswers() int { return len(w.keys.answers) }
