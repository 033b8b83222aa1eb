package observe

import (
	"context"
	"encoding/json"
	"fmt"

	"paysandbox/mockserver/tape"
)

// kindInterrupted is the kind of the note that an application is ended from
// outside: what it leaves undone from then on is not its fault.
const kindInterrupted = "interrupted"

// Interrupted notes that the application is about to be ended. What comes after
// that is not judged. It may be called while Watch runs.
func (s *Session) Interrupted(ctx context.Context) error {
	return s.panel.note(ctx, kindInterrupted, "the application is ended: what comes after this is not judged", json.RawMessage("{}"))
}

// interrupted gives the entries up to the one that says that the application was
// ended, and a note where there is such a one.
func interrupted(entries []tape.Entry) (judged []tape.Entry, notes []string) {
	for i := range entries {
		if kind, _ := noteOf(&entries[i]); kind == kindInterrupted {
			return entries[:i+1], []string{fmt.Sprintf("The application was interrupted: what came after entry #%d is not judged.", entries[i].Seq)}
		}
	}
	return entries, nil
}
