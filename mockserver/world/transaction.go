package world

// journalEntry is one line of the transaction report.
type journalEntry struct {
	created  int64
	company  uint32
	row      uint32
	terminal bool // row is of an external card payment
}
