package join

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// setShared puts a file's times on the clock of another that tells the same calls, as a program's log and what a browser has recorded:
// of several calls both show the same answers, with ids that no two calls have, and all are as far apart, by more than one call may be.
func setShared(parts []*source.Part) {
	for i, p := range parts {
		for _, other := range parts[:i] {
			by, sure := between(p, other)
			switch {
			case !sure || by.Abs() <= within:
			case len(p.Source().Offsets) > 0 && len(other.Source().Offsets) == 0: // it is by the service's clock
				other.Shift(-by)
			default:
				p.Shift(by)
			}
		}
	}
}

// between is how much later one file tells what another tells, too; false where that is not sure.
func between(p, other *source.Part) (by time.Duration, sure bool) {
	const few = 2
	told, made := answersOf(other), answersOf(p)
	var apart []time.Duration
	for key, at := range made {
		if there, both := told[key]; both {
			apart = append(apart, there.Sub(at))
		}
	}
	if len(apart) < few || slices.Max(apart)-slices.Min(apart) > within {
		return 0, false
	}
	slices.Sort(apart)
	return apart[len(apart)/2], true
}

// answersOf are the times of a file's calls whose answers name something new, by the call and its answer; one that several calls had
// tells nothing.
func answersOf(p *source.Part) map[string]time.Time {
	times, twice := map[string]time.Time{}, map[string]bool{}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		names := namesIn(x.Answer.Body)
		if x.Begin.IsZero() || x.Method != "POST" || x.Answer.Status/100 != 2 || x.Answer.Known != recording.Whole || names == "" {
			continue
		}
		key := strings.ToLower(x.Path) + " " + names
		if _, known := times[key]; known {
			twice[key] = true
		}
		times[key] = cmp.Or(x.Begin, times[key])
	}
	for key := range twice {
		delete(times, key)
	}
	return times
}

// namesIn are the ids that an answer shows, and its token; "" for none.
func namesIn(answer []byte) string {
	names := string(bytes.Join(trail.UUIDs().FindAll(bytes.ToLower(answer), -1), []byte(" ")))
	if token := trail.ReadBody(answer).Text("accessToken"); len(token) > 20 && !recording.Struck(token) {
		names += " " + token
	}
	return names
}
