package unshown

import (
	"fmt"
	"slices"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// Events are the files that name events, where no webhook was read of any: what they say of these is not known.
func Events(r *recording.Recording) (list []string) {
	for i := range r.Sources {
		if s := &r.Sources[i]; s.Events > 0 && len(r.Received) == 0 && s.Format != "tape" && s.Format != recording.Unread {
			list = append(list, fmt.Sprintf("the webhooks that %s names (%d times), with headers and bodies, in a form that is read", s.Name, s.Events))
		}
	}
	return list
}

// Deliveries is what to ask for where somebody says that no event came, and the files show nothing of what became of it.
func Deliveries(r *recording.Recording) []string {
	if !slices.ContainsFunc(r.Sources, func(s recording.Source) bool { return s.Unheard }) {
		return nil
	}
	return []string{"when the address of the receiver was registered for events, and the answer to that; the access log of the receiver from when the state changed on; and what the service has delivered there, with what was answered"}
}

// Files are the files in which no call was found, and what the access logs of receivers do not tell.
func Files(r *recording.Recording) (list []string) {
	for i := range r.Sources {
		switch n := len(r.Sources[i].Arrivals); {
		case n > 0 && len(r.Received) == 0:
			list = append(list, fmt.Sprintf("what came to the receiver: %s shows when something did (%d times), and not what; the bodies of the webhooks, or the lines of the program that took them; and the status call of what this is about, with its answer", r.Sources[i].Name, n))
		case r.Sources[i].Format == recording.Unread && r.Sources[i].Size == 0:
			list = append(list, r.Sources[i].Name+" once more: it is empty")
		case r.Sources[i].Format == recording.Unread:
			list = append(list, "what "+r.Sources[i].Name+" shows, in a form that is read: no call was found in it")
		}
	}
	return list
}

// OwnClock says whether a call's file tells times by a clock that nothing ties to that of the webhooks in another file.
func OwnClock(r *recording.Recording, n int) bool {
	file := r.Exchanges[n].Place.Source
	return slices.ContainsFunc(r.Received, func(w recording.Received) bool { return w.Place.Source != file }) &&
		!slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool { return x.Place.Source == file && !source.Moment(&x).IsZero() })
}
