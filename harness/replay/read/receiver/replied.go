package receiver

import (
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Replies reads from the line above a webhook, which divides it from what stands before, how its receiver has answered it, where
// that line tells a moment, too, and is the webhook's own so.
func Replies(files []source.File, r *recording.Recording) {
	for _, f := range files {
		lines := strings.Split(string(f.Text()[:min(len(f.Text()), mostText)]), "\n")
		for i := range r.Received {
			w := &r.Received[i]
			if w.Place.Source != f.Name || w.Status != 0 || w.Place.Line < 2 || w.Place.Line-1 > len(lines) {
				continue
			}
			above := strings.TrimSpace(lines[w.Place.Line-2])
			if len(above) > longest || !moments().MatchString(above) || !dividing().MatchString(above) {
				continue
			}
			if found := replied().FindStringSubmatch(above); found != nil {
				w.Status, _ = strconv.Atoi(found[1])
			}
		}
	}
}

var (
	// dividing is how a line begins that divides what stands above it from what stands below.
	dividing = trail.Pattern(`^(?:#{1,}|-{2,}|={2,}|\*{2,}|/{2,}|~{2,}|\[|[0-9]{4}-)`)
	// replied is how a status is told that somebody has sent back.
	replied = trail.Pattern(`(?i)(?:\b(?:sent(?: back)?|answer(?:ed|s)?|respond(?:ed|s)?(?: with)?|response|repl(?:ied|ies|y)(?: with)?|return(?:ed|s)?|gave|status(?: ?code)?|http)|->|=>|→)["']?\s*[:=]?\s*["']?(?:http )?([1-5][0-9]{2})\b`)
)
