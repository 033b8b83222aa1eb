package compare

import (
	"encoding/json"
	"fmt"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	// number is a member that is one, and numeral one that is a text of figures.
	number  = trail.Pattern(`"\s*:\s*-?[0-9]`)
	numeral = trail.Pattern(`"\s*:\s*"-?[0-9]+"`)
)

// numbered are the files of which a body shows a number: they print values as they are, and not all of them as texts.
func numbered(r *recording.Recording) map[string]bool {
	files := map[string]bool{}
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; !files[x.Place.Source] && (number().Match(x.Body) || x.Answer.Status < 300 && number().Match(x.Answer.Body)) {
			files[x.Place.Source] = true
		}
	}
	return files
}

// kinds are the members that are the same figures on both sides, as a number on one and as a text on the other.
func kinds(recorded, replayed []byte) (list []Difference) {
	if !numeral().Match(recorded) && !numeral().Match(replayed) {
		return nil
	}
	ours := map[string]any{}
	correlate.Walk(replayed, func(path []string, v any) { ours[correlate.Pointer(path)] = v })
	correlate.Walk(recorded, func(path []string, v any) {
		at := correlate.Pointer(path)
		_, number := v.(json.Number)
		_, other := ours[at].(json.Number)
		if is := ours[at]; is != nil && number != other && fmt.Sprint(v) == fmt.Sprint(is) {
			list = append(list, Difference{Where: at, Recorded: string(trail.Quote(v)), Replayed: string(trail.Quote(is))})
		}
	})
	return list
}
