package moment

import (
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// wholeFirst is a whole moment that a line begins with, and its time of day.
var wholeFirst = trail.Pattern(`^[^0-9A-Za-z\n]{0,4}([0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,][0-9]{1,9})?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2})\b)?)`)

// enough is how many seconds two parts of a text tell both, at least, for them to be of one clock.
const enough = 2

// besideWhole is when the day begins of which lines tell times of day alone, in a text that tells the same seconds of one day as whole
// moments elsewhere: both are of one clock then. It is zero for any other text.
func besideWhole(text string) (day time.Time) {
	whole, alone := map[time.Duration]bool{}, map[time.Duration]bool{}
	for line := range strings.Lines(text[:min(len(text), 1<<20)]) {
		head := line[:min(len(line), 160)]
		if f := wholeFirst().FindStringSubmatch(head); f != nil {
			at, of := source.Time(f[1]), timeOfDay(f[2], f[3], f[4], "", "")
			begins := at.Truncate(time.Second).Add(-of)
			if at.IsZero() || of < 0 || !day.IsZero() && !begins.Equal(day) {
				return time.Time{}
			}
			day, whole[of] = begins, true
		} else if f := clockFirst().FindStringSubmatch(head); f != nil && f[5] == "" {
			alone[timeOfDay(f[1], f[2], f[3], "", "")] = true
		}
	}
	both := 0
	for of := range alone {
		if whole[of] {
			both++
		}
	}
	if both < enough || 2*both < len(alone) {
		return time.Time{}
	}
	return day
}
