package webhook

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// misled is the first call about what nothing but a delivery names that has to be refused:
// of an id in it a character was altered on its way. It is nil for none.
func (f *follower) misled(h *trail.Delivery) *tape.Entry {
	sent, came := trail.ReadBody(h.Emitted.Event.Body).Object("Data"), trail.ReadBody(h.Body).Object("Data")
	for _, name := range slices.Sorted(maps.Keys(came)) {
		id := strings.ToLower(came.Text(name))
		if !trail.IsUUID(sent.Text(name)) || len(id) != len(sent.Text(name)) || strings.EqualFold(id, sent.Text(name)) {
			continue
		}
		for e := range f.t.CallEntries() {
			if e.Seq > h.Emitted.Seq && f.t.Names(e, id) {
				return e
			}
		}
	}
	return nil
}
