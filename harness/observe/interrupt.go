package observe

import (
	"context"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// BrokeOff notes the journeys that did not come to their end, for whoever judges the tape.
func (s *Session) BrokeOff(ctx context.Context, journeys []string) error {
	text := "these journeys did not come to their end: " + verdict.Some(journeys)
	return s.panel.note(ctx, trail.NoteBrokeOff, text, map[string][]string{"journeys": journeys})
}

// Interrupted notes that the application is about to be ended. What comes after
// that is not judged. It may be called while Watch runs.
func (s *Session) Interrupted(ctx context.Context) error {
	return s.panel.note(ctx, trail.NoteInterrupted, "the application is ended: what comes after this is not judged", struct{}{})
}
