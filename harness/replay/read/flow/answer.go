package flow

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// answer is what a run shows of the answer to the call of one item, of so many.
func (r *run) answer(n *node, number, of int) recording.Answer {
	var mine []any
	var failed any
	for _, output := range r.Data.Main {
		for i := range output {
			if t := &output[i]; of == 1 || t.of() == number {
				if wrong := t.failure(); wrong != nil {
					failed = wrong
				} else {
					mine = append(mine, t.JSON)
				}
			}
		}
	}
	if of == 1 && r.Error != nil {
		failed = r.Error
	}
	switch {
	case failed != nil:
		return refusal(failed)
	case len(mine) == 0:
		return recording.Answer{Known: recording.NotRecorded}
	case len(mine) > 1: // a list is given out one by one
		return served(n, mine)
	default:
		return served(n, mine[0])
	}
}

// failure is what an item tells of a call that failed; nil for one that did not.
func (t *item) failure() any {
	if t.Error != nil {
		return t.Error
	}
	if m, is := t.JSON.(map[string]any); is && len(m) <= 2 {
		return m["error"]
	}
	return nil
}

// served is an answer that was taken for a good one.
func served(n *node, v any) recording.Answer {
	a := recording.Answer{Known: recording.Whole, Status: 200}
	m, _ := v.(map[string]any)
	if code := number(m["statusCode"]); code > 0 && (m["body"] != nil || m["headers"] != nil) {
		a.Status, a.Header, v = code, headers(m["headers"]), m["body"]
	} else if takesAll(n) {
		if a.Status = number(m["status"]); a.Status < 400 {
			return recording.Answer{Known: recording.NotRecorded}
		}
	}
	if text, isText := v.(string); isText {
		a.Body = []byte(text)
	} else if v != nil {
		a.Body = source.Encoded(v)
	}
	return a
}

// takesAll says whether a node takes refusals for good answers.
func takesAll(n *node) bool {
	under, _ := n.Parameters["options"].(map[string]any)
	response, _ := under["response"].(map[string]any)
	response, _ = response["response"].(map[string]any)
	never, _ := response["neverError"].(bool)
	return never
}

var (
	statusThenBody = trail.Pattern(`^([1-5][0-9]{2}) - (\S[\s\S]*)$`)
	lost           = trail.Pattern(`(?i)\btimed? ?out\b|timeout|connection (?:was )?(?:reset|aborted)|socket hang up|ECONNRESET|ETIMEDOUT|ECONNABORTED|connection was aborted|no response\b`)
)

// refusal is the answer that the error of a node tells of: its status and, in its messages, the body.
func refusal(v any) recording.Answer {
	var texts []string
	walk(v, func(text string) { texts = append(texts, text) })
	m, _ := v.(map[string]any)
	a := recording.Answer{Known: recording.NotRecorded}
	for _, name := range []string{"httpCode", "status", "statusCode", "code"} {
		if code := number(m[name]); a.Status == 0 && code >= 400 && code < 600 {
			a.Status, a.Known = code, recording.WithoutBody
		}
	}
	for _, text := range texts {
		found := statusThenBody().FindStringSubmatch(text)
		if found == nil || a.Status > 0 && found[1] != strconv.Itoa(a.Status) {
			continue
		}
		a.Status, _ = strconv.Atoi(found[1])
		a.Known = recording.WithoutBody
		if body := spoken(found[2]); body != "" {
			a.Body, a.Known = []byte(body), recording.Whole
			return a
		}
	}
	if a.Status == 0 && slices.ContainsFunc(texts, lost().MatchString) {
		a.Known = recording.NeverArrived
	}
	return a
}

// spoken is the JSON object that a message holds, perhaps as a text in quotes; "" for none.
func spoken(text string) string {
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		text = inner
	}
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return text
	}
	return ""
}

// walk gives the texts below a value.
func walk(v any, take func(text string)) {
	switch v := v.(type) {
	case string:
		take(v)
	case []any:
		for _, one := range v {
			walk(one, take)
		}
	case map[string]any:
		for _, name := range sorted(v) {
			walk(v[name], take)
		}
	}
}

func sorted(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// number is a whole number, also as a text; 0 for anything else.
func number(v any) int {
	switch v := v.(type) {
	case json.Number:
		n, _ := strconv.Atoi(v.String())
		return n
	case string:
		n, _ := strconv.Atoi(v)
		return n
	default:
		return 0
	}
}
