package observe

import (
	"context"

	"paysandbox/harness/trail"
)

// Interrupted notes that the application is about to be ended. What comes after
// that is not judged. It may be called while Watch runs.
func (s *Session) Interrupted(ctx context.Context) error {
	return s.panel.note(ctx, trail.NoteInterrupted, "the application is ended: what comes after this is not judged", struct{}{})
}
