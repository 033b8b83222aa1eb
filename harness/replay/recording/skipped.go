package recording

import (
	"slices"
	"strings"
)

// Skipped is something that a file holds and that is not part of the recording:
// a call to another host, a body that cannot be read, a line that is no request.
type Skipped struct {
	Place Place `json:"place"`
	// Why says it in one sentence, with what was expected.
	Why string `json:"why"`
	// Host is set when it was left out as a call to a foreign host.
	Host string `json:"host,omitempty"`
	// Count is how many there are, from the place on; 0 is one.
	Count int `json:"count,omitempty"`
}

// Lost says whether what was left out may be a call: not one of another host, nor what lacks of a call that was read, nor the line above
// all else, by which a program was begun.
func (s *Skipped) Lost() bool {
	first := s.Place.Line == 1 && s.Count <= 1
	return s.Host == "" && !first && !strings.Contains(s.Why, "body") && !strings.Contains(s.Why, "bodies") && !strings.Contains(s.Why, "headers")
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
