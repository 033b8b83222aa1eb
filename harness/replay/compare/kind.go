package compare

import (
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	// number is a member that is one, and numeral one that is a text of figures.
	number  = trail.Pattern(`:\s*-?[0-9]`)
	numeral = trail.Pattern(`:\s*"-?[0-9]+"`)
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

// kinds are the members of an answer that are texts of figures where the replay has the same number.
func kinds(recorded, replayed []byte) (list []Difference) {
	if !numeral().Match(recorded) {
		return nil
	}
	numbers := map[string]json.Number{}
	correlate.Walk(replayed, func(path []string, v any) {
		if n, is := v.(json.Number); is {
			numbers[correlate.Pointer(path)] = n
		}
	})
	correlate.Walk(recorded, func(path []string, v any) {
		at := correlate.Pointer(path)
		if text, is := v.(string); is && text != "" && strings.EqualFold(text, numbers[at].String()) {
			list = append(list, Difference{Where: at, Recorded: string(trail.Quote(text)), Replayed: text})
		}
	})
	return list
}
