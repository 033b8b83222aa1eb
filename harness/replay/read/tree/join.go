package tree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
)

// joined puts answers that stand in objects of their own to the calls that they answer: an id
// says which, that no third object has; without ids they follow each other, all of them.
func joined(list []any) []any {
	kinds, ids := make([]int, len(list)), map[string][]int{}
	for i, one := range list {
		v, ok := one.(map[string]any)
		if !ok {
			continue
		}
		all := leaves(v, nil, nil)
		kinds[i] = kindOf(v, all)
		for _, l := range all {
			if n := len(l.way); n > 0 && scalar(l.v) != "" && slices.ContainsFunc(l.way[max(0, n-2):], isID) {
				key := fmt.Sprint(bothSides(l.way[max(0, n-2):]), scalar(l.v))
				ids[key] = append(ids[key], i)
			}
		}
	}
	answers := map[int]int{}
	for _, pair := range ids {
		if len(pair) == 2 && kinds[pair[0]] == openCall && (kinds[pair[1]] == answerAlone || kinds[pair[1]] == answeredCall && sameCall(list[pair[0]], list[pair[1]])) {
			answers[pair[0]] = pair[1]
		}
	}
	if len(answers) == 0 {
		answers = following(kinds)
	}
	return pairs(list, answers)
}

// kindOf is what an object of a list is.
func kindOf(v map[string]any, all []leaf) int {
	x, is := callOf(v)
	switch {
	case is && x.Answer.Known == recording.NotRecorded:
		return openCall
	case is:
		return answeredCall
	case statusOf(all) > 0 || lost(all) || message(all, answer()) != "":
		return answerAlone
	default:
		return other
	}
}

// pairs puts each answer to its call.
func pairs(list []any, answers map[int]int) []any {
	if len(answers) == 0 {
		return list
	}
	var made []any
	taken := map[int]bool{}
	for i, one := range list {
		if at, ok := answers[i]; ok && !taken[at] {
			taken[at] = true
			one = map[string]any{"request part": one, "response part": list[at]}
		} else if taken[i] {
			continue
		}
		made = append(made, one)
	}
	return made
}

const (
	other = iota
	openCall
	answeredCall
	answerAlone
)

// following are the answers by their calls, where each stands right behind its call.
func following(kinds []int) map[int]int {
	answers := map[int]int{}
	for i, kind := range kinds {
		switch behind := i > 0 && kinds[i-1] == openCall; {
		case kind == answerAlone && !behind:
			return nil
		case kind == answerAlone:
			answers[i-1] = i
		}
	}
	return answers
}

// bothSides is a way without the words that say whose a value is: req.id and res.id are one.
func bothSides(way []string) []string {
	return slices.DeleteFunc(slices.Clone(way), func(word string) bool { return side([]string{word}) != "" })
}

func isID(word string) bool {
	return strings.HasSuffix(word, "id") || strings.HasPrefix(word, "correlation") || strings.HasPrefix(word, "trace")
}

// sameCall says whether an answer that names its call names the other, and shows nothing that was sent.
func sameCall(sent, got any) bool {
	one, _ := sent.(map[string]any)
	other, _ := got.(map[string]any)
	a, _ := callOf(one)
	b, _ := callOf(other)
	return a.Method == b.Method && a.Host == b.Host && a.Path == b.Path && a.Query == b.Query && len(b.Body) == 0
}

// scalar is a plain value as a text.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case nil, map[string]any, []any:
		return ""
	default:
		raw, _ := json.Marshal(v) // a scalar of YAML
		return strings.Trim(string(raw), `"`)
	}
}

// longestSaid is how long a text may be that a service which keeps logs holds a line's object in, in bytes.
const longestSaid = 1 << 20

// spelledCall is the object that a text holds, where it shows a call; nil for any other text.
func spelledCall(text string, deep int) any {
	text = strings.TrimSpace(text)
	if len(text) > longestSaid || !strings.HasPrefix(text, "{") || !strings.Contains(text, "/") {
		return nil
	}
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&m) != nil {
		return nil
	}
	said, _ := plain(m, deep+1).(map[string]any)
	if _, ok := callOf(said); !ok {
		return nil
	}
	return said
}

// longest is how long a call takes at most, so that a record's other time is that of its answer.
const longest = 5 * time.Minute

// ofRecord is a record's own time, and how long its call took, as far as it tells.
func ofRecord(all []leaf) (own time.Time, took time.Duration) {
	for _, l := range all {
		if len(l.way) == 0 || side(l.way) == "response" {
			continue
		}
		switch name := strings.Join(l.way, " "); {
		case slices.Contains([]string{"t", "@t", "timestamp", "@timestamp", "time"}, name):
			own = moment(scalar(l.v))
		case slices.Contains([]string{"elapsed", "elapsed ms", "elapsed milliseconds"}, name):
			if n, err := strconv.ParseFloat(scalar(l.v), 64); err == nil && n > 0 {
				took = time.Duration(n * float64(time.Millisecond))
			}
		}
	}
	return own, took
}

// wholeCall sets when the call of a record ended that was written when its answer had come: the record's own time, where it tells besides
// when the request was sent, or how many milliseconds the call took. Serilog's compact form has its time as @t.
func wholeCall(x *recording.Exchange, all []leaf) {
	if x.Begin.IsZero() || !x.End.IsZero() || x.Answer.Status == 0 {
		return
	}
	own, took := ofRecord(all)
	switch {
	case own.IsZero() || own.Before(x.Begin) || own.Sub(x.Begin) > longest:
	case own.After(x.Begin):
		x.End = own
	case took > 0 && took <= longest:
		x.Begin, x.End = own.Add(-took), own
	}
}
