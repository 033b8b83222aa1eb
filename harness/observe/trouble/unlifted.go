package trouble

import (
	"maps"
	"path"
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Unlifted finds the trouble that a session has made and not lifted, as one that was killed:
// its faults by name, and the endpoints whose deliveries it has go wrong. Some of it may
// have been used up.
func Unlifted(entries []tape.Entry) (faults, endpoints []string) {
	l := unlifted{faults: map[string]bool{}, endpoints: map[string]bool{}}
	for i := range entries {
		if e := &entries[i]; e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Response.Status < 300 {
			l.take(e.Exchange)
		}
	}
	return slices.Sorted(maps.Keys(l.faults)), slices.Sorted(maps.Keys(l.endpoints))
}

// unlifted is what is armed.
type unlifted struct{ faults, endpoints map[string]bool }

func (l *unlifted) take(x *tape.Exchange) {
	ours, asked := Own(x), trail.ReadBody(x.Request.Body)
	switch x.Operation {
	case opArmFault:
		if name := asked.Text("name"); ours && name != "" {
			l.faults[name] = true
		}
	case opSetProfile:
		endpoint := path.Base(path.Dir(x.Path))
		if delete(l.endpoints, endpoint); ours && asked.Text("profile") != "" {
			l.endpoints[endpoint] = true
		}
	case opRemove:
		delete(l.faults, path.Base(x.Path))
	case opClear:
		clear(l.faults)
	case opRemoveWebhook:
		delete(l.endpoints, path.Base(x.Path))
	case opReset:
		clear(l.faults)
		clear(l.endpoints)
	}
}
