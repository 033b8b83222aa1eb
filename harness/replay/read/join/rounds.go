package join

import (
	"bytes"
	"fmt"
	"slices"

	"paysandbox/harness/replay/recording"
)

// Rounds leaves out the rounds of a loop that a log of its run does not show, where it shows others: a script makes the same call up
// to so many times, and each that was made is in the log as the others are. What is left out is told.
func Rounds(list []recording.Exchange) (kept []recording.Exchange, told []recording.Skipped) {
	made := map[recording.Place]*recording.Exchange{}
	for i := range list {
		x := &list[i]
		if x.Answer.Known == recording.NotRecorded || len(x.Also) == 0 {
			continue
		}
		for _, at := range append(x.Also[:len(x.Also):len(x.Also)], x.Place) {
			made[at] = x
		}
	}
	list = slices.Clone(list)
	kept = slices.DeleteFunc(list, func(x recording.Exchange) bool {
		other := made[x.Place]
		if other == nil || x.Answer.Known != recording.NotRecorded || len(x.Also) > 0 || x.Method != other.Method || x.Path != other.Path || x.Query != other.Query || !bytes.Equal(x.Body, other.Body) {
			return false
		}
		told = append(told, recording.Skipped{Place: x.Place, Why: fmt.Sprintf("a round of a loop of which %s shows others, and not this one: it is not taken for made", other.Place.Source)})
		return true
	})
	return kept, told
}
