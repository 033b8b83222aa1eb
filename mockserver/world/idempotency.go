package world

// keys are the remembered answers of idempotent calls.
type keys struct{}

// StoredAnswer is the answer that a repeated call gets.
type StoredAnswer struct {
	// Status is the HTTP status and Body the exact bytes of the first answer.
	Status int
	Body   []byte
}

func (w *World) keyTimer(t timer) bool { return false }
