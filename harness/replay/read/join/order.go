package join

import (
	"slices"
	"time"

	"paysandbox/harness/replay/recording"
)

// inOrder puts calls in the order in which they began; one whose time is not known
// stays behind the one before it in its file.
func inOrder(list []recording.Exchange) []recording.Exchange {
	return ordered(list, func(x *recording.Exchange) (time.Time, string) { return x.Begin, x.Place.Source })
}

// receivedInOrder does the same for webhooks.
func receivedInOrder(list []recording.Received) []recording.Received {
	return ordered(list, func(r *recording.Received) (time.Time, string) { return r.At, r.Place.Source })
}

func ordered[T any](list []T, key func(*T) (time.Time, string)) []T {
	type timed struct {
		at   time.Time
		item T
	}
	all, last := make([]timed, len(list)), map[string]time.Time{}
	for i := range list {
		at, file := key(&list[i])
		if at.IsZero() {
			at = last[file]
		}
		last[file] = at
		all[i] = timed{at, list[i]}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	for i := range all {
		list[i] = all[i].item
	}
	return list
}
