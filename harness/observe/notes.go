package observe

import (
	"fmt"
	"slices"

	"paysandbox/mockserver/tape"
)

// resetNote tells that a tape does not begin with the application's first call.
func resetNote(entries []tape.Entry) []string {
	if !slices.ContainsFunc(entries, func(e tape.Entry) bool { kind, _ := noteOf(&e); return kind == kindReset }) {
		return nil
	}
	return []string{"The integration was reset while it was watched: the tape begins with the last reset, and what happened before it is not judged."}
}

// leftOut tells how many calls were not judged, and why.
func (j *judging) leftOut() []string {
	var notes []string
	if n := len(j.tape.LeftOut()); n > 0 {
		notes = append(notes, fmt.Sprintf("%s left out: the tests have announced that they are wrong on purpose (notes of kind deliberate).", callsWere(n)))
	}
	if n := len(j.tape.ByHand()); n > 0 {
		notes = append(notes, fmt.Sprintf("%s made by hand beside the application, and not judged as its doing.", callsWere(n)))
	}
	return notes
}

// callsWere counts in words.
func callsWere(n int) string {
	if n == 1 {
		return "1 call was"
	}
	return fmt.Sprintf("%d calls were", n)
}
