package receiver

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// linesBehind is how many lines behind a call are looked through for what its caller made of the answer.
const linesBehind = 6

// Declined reads from the lines right behind a charge that was answered as declined whether its caller took it for paid.
func Declined(files []source.File, r *recording.Recording) {
	places := placesOf(r)
	for _, f := range files {
		lines := strings.Split(string(f.Head(mostText)), "\n")
		for i := range r.Exchanges {
			x := &r.Exchanges[i]
			answer := trail.ReadBody(x.Answer.Body)
			if x.Place.Source != f.Name || x.Place.Line < 1 || x.TooSoon != "" || x.Answer.Status != 200 || !slices.Contains([]string{"declined", "denied", "failed"}, strings.ToLower(answer.Text("status"))) || answer.Text("paymentRequestId") == "" {
				continue
			}
			end := min(len(lines), x.Place.Line+linesBehind)
			if next, _ := slices.BinarySearch(places[f.Name], x.Place.Line+1); next < len(places[f.Name]) {
				end = min(end, places[f.Name][next]-1)
			}
			for n := x.Place.Line + 1; n <= end; n++ {
				if line := strings.TrimSpace(lines[n-1]); len(line) <= longest && takenPaid().MatchString(line) && !notPaid().MatchString(line) && !strings.Contains(line, "{") {
					x.TooSoon = fmt.Sprintf("the log says behind it %q (line %d)", takenPaid().FindString(line), n)
					break
				}
			}
		}
	}
}

// notPaid are words by which it was not.
var notPaid = trail.Pattern(`(?i)\b(?:not|never|no|un|fail\w*|error|declin\w*|den(?:y|ied)|refus\w*|reject\w*|will|would|if)\b`)

// takenPaid is how a log says that something was taken for paid.
var takenPaid = trail.Pattern(`(?i)\b(?:marked (?:as )?paid|set to paid|status (?::=|->|=>) paid|charge(?:d)? (?:ok|successful(?:ly)?|succeeded)|payment (?:ok|successful|succeeded|received)|receipt (?:mailed|sent|issued))\b`)
