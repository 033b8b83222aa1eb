package tree

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
)

// longest is how long a call takes at most, so that a record's other time is that of its answer.
const longest = 5 * time.Minute

// wholeCall sets when the call of a record ended that was written when its answer had come: the record's own time, where it tells besides
// when the request was sent, or how many milliseconds the call took. Serilog's compact form has its time as @t.
func wholeCall(x *recording.Exchange, all []leaf) {
	if x.Begin.IsZero() || !x.End.IsZero() || x.Answer.Status == 0 {
		return
	}
	var own time.Time
	var took time.Duration
	for _, l := range all {
		if len(l.way) == 0 || side(l.way) == "response" {
			continue
		}
		switch name := strings.Join(l.way, " "); {
		case slices.Contains([]string{"t", "@t", "timestamp", "@timestamp", "time"}, name):
			own = moment(scalar(l.v))
		case slices.Contains([]string{"elapsed", "elapsed ms", "elapsed milliseconds"}, name):
			if n, err := strconv.ParseFloat(scalar(l.v), 64); err == nil && n > 0 {
				took = time.Duration(n * float64(time.Millisecond))
			}
		}
	}
	switch {
	case own.IsZero() || own.Before(x.Begin) || own.Sub(x.Begin) > longest:
	case own.After(x.Begin):
		x.End = own
	case took > 0 && took <= longest:
		x.Begin, x.End = own.Add(-took), own
	}
}
