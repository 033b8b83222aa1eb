package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// resetNote tells that a tape does not begin with the application's first call.
func resetNote(entries []tape.Entry) []string {
	if !slices.ContainsFunc(entries, func(e tape.Entry) bool { return trail.NoteOf(&e, trail.NoteReset).Kind != "" }) {
		return nil
	}
	return []string{"The integration was reset while it was watched: the tape begins with the last reset, and what happened before it is not judged."}
}

// wentBack tells that the times of a tape cannot be as they were written.
func wentBack(meta *tape.Meta) []string {
	if meta.Back == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The time of entry #%d is before what it stands behind: a sandbox's time never goes back, so the tape was edited, and its times show nothing.", meta.Back)}
}

// mostLabels is how many labels a note names.
const mostLabels = 5

// unknownLabel tells that no call bears the label that is asked for, and which there are.
func unknownLabel(entries []tape.Entry, label string) []string {
	if label == "" || calls(entries, label) > 0 {
		return nil
	}
	there := map[string]bool{}
	for i := range entries {
		if e := &entries[i]; e.Kind == tape.KindExchange && e.Label != "" {
			there[e.Label] = true
		}
	}
	others := slices.Sorted(maps.Keys(there))
	said := fmt.Sprintf("No call bears the label %q", label)
	switch n := len(others); {
	case n == 0:
		return []string{said + ", nor any other: send it as Sandbox-Label."}
	case n > mostLabels:
		others = append(others[:mostLabels], fmt.Sprintf("%d more", n-mostLabels))
	}
	return []string{said + "; there are " + strings.Join(others, ", ") + "."}
}

// unread tells what of the application's states could not be used, and why: each reason once.
func unread(entries []tape.Entry) []string {
	var list []string
	known := map[string]bool{}
	tell := func(seq uint64, what, why string) {
		if !known[why] {
			list = append(list, fmt.Sprintf("%s could not be used from entry #%d on: %s.", what, seq, why))
		}
		known[why] = true
	}
	for i := range entries {
		var data struct{ Problem string }
		switch n := trail.NoteOf(&entries[i]); n.Kind {
		case trail.NoteUnread:
			if n.Into(&data) {
				tell(entries[i].Seq, "The state probe", data.Problem)
			}
		case trail.NoteState:
			if _, err := trail.ReadState(n.Data); err != nil {
				tell(entries[i].Seq, "The application's state", err.Error())
			}
		}
	}
	return list
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

// spared tells how many of the application's calls asked to meet no trouble: what they
// would have met it with was not seen.
func (j *judging) spared() []string {
	var list []uint64
	for e := range j.tape.CallEntries() {
		if asked, _ := trail.Header(e.Exchange.Request.Header, "Sandbox-Fault"); asked == "none" {
			list = append(list, e.Seq)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s sent with Sandbox-Fault: none (first at entry #%d), which production does not know: how they bear the trouble that was armed is not shown.", callsWere(len(list)), list[0])}
}

// misread tells of notes by which the tests mean to announce something, and do not.
func (j *judging) misread() []string {
	var notes []string
	for _, m := range j.tape.Misread() {
		notes = append(notes, fmt.Sprintf("The note of kind %s at entry #%d does not say what is meant: %s.", m.Kind, m.Entry.Seq, m.Problem))
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

// brokenOff are the journeys that did not come to their end, as a note tells, which may
// stand behind the one that the application was ended.
func brokenOff(entries []tape.Entry) (journeys []string) {
	for i := range entries {
		var broken struct{ Journeys []string }
		if n := trail.NoteOf(&entries[i], trail.NoteBrokeOff); n.Kind != "" && n.Into(&broken) {
			journeys = append(journeys, broken.Journeys...)
		}
	}
	return journeys
}

// interrupted gives the entries up to the one that says that the application was
// ended, and a note where there is such a one.
func interrupted(entries []tape.Entry) (judged []tape.Entry, notes []string) {
	for i := range entries {
		if trail.NoteOf(&entries[i], trail.NoteInterrupted).Kind != "" {
			return entries[:i+1], []string{fmt.Sprintf("The application was interrupted: what came after entry #%d is not judged.", entries[i].Seq)}
		}
	}
	return entries, nil
}
