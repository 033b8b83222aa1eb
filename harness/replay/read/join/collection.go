package join

import (
	"slices"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// DropUnrun leaves out the requests of a collection of which a run is given, too, where it has no names for them by which the run tells
// of each: the run holds what was sent.
func DropUnrun(parts []*source.Part) {
	ran, some := map[string]bool{}, false
	for _, p := range parts {
		ran[p.Collection] = ran[p.Collection] || p.Source().Format == "newman"
		some = some || p.Source().Format == "newman"
	}
	for _, p := range parts {
		if !some {
			dropUnsent(p)
		}
		if len(p.Collection) > 1 && ran[p.Collection] && p.Source().Format == "postman" {
			p.Exchanges = slices.DeleteFunc(p.Exchanges, func(x recording.Exchange) bool { return x.Link == "" && x.Answer.Known == recording.NotRecorded })
		}
	}
}

// dropUnsent leaves out the requests of a collection that have no example, where others have one and no run is given: that they were
// sent nothing shows.
func dropUnsent(p *source.Part) {
	if p.Source().Format != "postman" || !slices.ContainsFunc(p.Exchanges, func(x recording.Exchange) bool { return x.Answer.Known != recording.NotRecorded }) {
		return
	}
	p.Exchanges = slices.DeleteFunc(p.Exchanges, func(x recording.Exchange) bool {
		if x.Answer.Known == recording.NotRecorded {
			p.Skip(x.Place, "a request without an example, in a collection whose others have one: it may not have been sent")
		}
		return x.Answer.Known == recording.NotRecorded
	})
}
