package verify

import (
	"fmt"
	"time"

	"paysandbox/harness/signoff"
)

// overdue tells of the deviations that have expired.
func overdue(list []signoff.Deviation, now time.Time) []string {
	var notes []string
	for _, d := range list {
		if signoff.Over(d.Expires, now) {
			notes = append(notes, fmt.Sprintf("The deviation of %s expired after %s and excuses nothing; %s answers for it.", d.Clause, d.Expires, d.Owner))
		}
	}
	return notes
}
