package recording

import "slices"

// SkippedKind is what a thing that was left out is.
type SkippedKind int

// The kinds.
const (
	// MayBeCall: a call, or what may be one.
	MayBeCall SkippedKind = iota
	// OfCall: something of a call or a webhook that was read, such as headers or a part of a body.
	OfCall
	// AnswerBody: the body of an answer, which another file may hold.
	AnswerBody
)

// Skipped is something that a file holds and that is not part of the recording:
// a call to another host, a body that cannot be read, a line that is no request.
type Skipped struct {
	Place Place `json:"place"`
	// Why says it in one sentence, with what was expected.
	Why string `json:"why"`
	// Kind is for who reads on; Why tells it to people.
	Kind SkippedKind `json:"-"`
	// Host is set when it was left out as a call to a foreign host.
	Host string `json:"host,omitempty"`
	// Count is how many there are, from the place on; 0 is one.
	Count int `json:"count,omitempty"`
}

// Lost says whether what was left out may be a call: not one of another host, nor what lacks of a call that was read, nor the line above
// all else, by which a program was begun.
func (s *Skipped) Lost() bool {
	first := s.Place.Line == 1 && s.Count <= 1
	return s.Host == "" && !first && s.Kind == MayBeCall
}

// Together counts what was left out of one source for one reason, at its first place.
func Together(list []Skipped) []Skipped {
	var kept []Skipped
	for _, s := range list {
		i := slices.IndexFunc(kept, func(k Skipped) bool {
			return k.Why == s.Why && k.Host == s.Host && k.Place.Source == s.Place.Source
		})
		if i < 0 {
			kept = append(kept, s)
			continue
		}
		kept[i].Count = max(1, kept[i].Count) + max(1, s.Count)
	}
	return kept
}
