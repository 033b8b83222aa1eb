package control

import "paysandbox/mockserver/tape"

// Line is an entry of the tape as it stands in a tape file. Beside the members
// below it has the body of its kind.
type Line struct {
	// Seq is the entry's number, and Cause the number of what made it happen.
	Seq   uint64 `json:"seq" required:"true" example:"17"`
	Cause uint64 `json:"cause" example:"16"`
	// At is the virtual time.
	At string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	// Kind says which body the entry has.
	Kind string `json:"kind" required:"true" enum:"exchange,page,control,clock,timer,transition,event,attempt,message,fetch,finding,hangup" example:"timer"`
	// Label is what the caller, or the caller of its cause, named itself by.
	Label string `json:"label" example:"team-checkout"`
	// Entities are the ids that the entry is about, the main one first.
	Entities []string `json:"entities"`

	entry tape.Entry
}

// MarshalJSON writes the line of the tape file.
func (l Line) MarshalJSON() ([]byte, error) { return l.entry.MarshalJSON() }

func lines(entries []tape.Entry) []Line {
	list := make([]Line, 0, len(entries))
	for _, e := range entries {
		list = append(list, Line{entry: e})
	}
	return list
}
