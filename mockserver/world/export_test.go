package world

// The pure functions of bank days.
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

// PagesOfEntities are the kinds of pages that rows of entityTables have.
func PagesOfEntities() []string {
	var pages []string
	for _, t := range entityTables {
		pages = append(pages, t.page)
	}
	return pages
}
