package tree

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// A run is what a tool that runs workflows keeps of one: the steps that it went through, the first of which may be a webhook that it
// caught, and when it began.

// stepsOf are the steps of a run; nil for what is none.
func stepsOf(v map[string]any) []map[string]any {
	for _, name := range []string{"steps", "actions", "tasks", "modules"} {
		list, _ := v[name].([]any)
		var steps []map[string]any
		for _, one := range list {
			if step, ok := one.(map[string]any); ok {
				steps = append(steps, step)
			}
		}
		if len(steps) > 0 && len(steps) == len(list) {
			return steps
		}
	}
	return nil
}

// runBounds are when a run began and ended, as far as it says.
func runBounds(v map[string]any) (begin, end time.Time) {
	one := func(names ...string) time.Time {
		for _, name := range names {
			if at := moment(scalar(v[name])); !at.IsZero() {
				return at
			}
		}
		return time.Time{}
	}
	return one("start_time", "startTime", "started_at", "startedAt", "start"), one("end_time", "endTime", "ended_at", "endedAt", "finished_at", "finishedAt", "stoppedAt", "end")
}

// longestRun is how long a run may have lasted whose steps are taken to be of its beginning.
const longestRun = time.Minute

// timeSteps gives the steps of runs that tell no time of their own that of their run.
func timeSteps(v any, deep int) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if deep > 0 {
				timeSteps(one, deep-1)
			}
		}
	case map[string]any:
		begin, end := runBounds(v)
		for _, step := range stepsOf(v) {
			if !begin.IsZero() && !end.Before(begin) && end.Sub(begin) <= longestRun && !tellsTime(step) {
				step["timestamp"] = begin.Format(time.RFC3339Nano)
			}
		}
		for _, one := range v {
			if deep > 0 {
				timeSteps(one, deep-1)
			}
		}
	}
}

// tellsTime says whether a step tells a time of its own, beside what went in and came out of it.
func tellsTime(step map[string]any) bool {
	for name, one := range step {
		if !moment(scalar(one)).IsZero() && strings.ContainsAny(scalar(one), "-:") {
			return true
		}
		if list := words(name); len(list) > 0 && slices.Contains([]string{"time", "timestamp", "date", "at", "start", "started"}, list[len(list)-1]) {
			return true
		}
	}
	return false
}

// doings are what the steps of a run behind its first have done: calls that read nothing alone, and were served, with what they sent.
func doings(steps []map[string]any) (list []string) {
	for _, step := range steps[1:] {
		if x, ok := callOf(step); ok && x.Method != "GET" && x.Answer.Status/100 == 2 {
			list = append(list, fmt.Sprintf("%s %s %s", x.Method, x.Path, x.Body))
		}
	}
	return list
}

// caught joins what runs did to the webhooks that they began with: of one that came again, whether the same was done again. What other
// steps than calls did is not known.
func caught(list []recording.Received, runs map[int][]map[string]any) {
	first := map[string]int{}
	for i := range list {
		w := &list[i]
		before, again := first[w.Says()]
		if w.Says() == "" || runs[i] == nil {
			continue
		}
		if !again {
			first[w.Says()] = i
			continue
		}
		was := doings(runs[before])
		var same []string
		for _, did := range doings(runs[i]) {
			if call, _, _ := strings.Cut(did, " {"); slices.Contains(was, did) {
				same = append(same, call+" was made, and served")
			}
		}
		if w.Tell(recording.DidAgain, same...); len(runs[i]) == 1 { // nothing came behind it
			w.Tell(recording.PassedOver, "")
		}
	}
}

// catcher adds the webhooks that stand in values as a tool has caught them: headers, with the body as it came; runs are the steps of
// the runs that each began.
type catcher struct {
	part *source.Part
	runs map[int][]map[string]any
}

func (c *catcher) find(v any, run map[string]any, deep int) {
	if deep == 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			c.find(one, run, deep-1)
		}
	case map[string]any:
		if _, call := callOf(v); call { // it was found as one
			return
		}
		if c.take(v, run) {
			return
		}
		if stepsOf(v) != nil {
			run = v
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.find(v[name], run, deep-1)
		}
	}
}

// take takes a webhook that an object is, in a run, and says whether it is one.
func (c *catcher) take(v, run map[string]any) bool {
	for _, name := range []string{"raw_body", "rawBody"} {
		body, place := scalar(v[name]), c.part.Entry(len(c.part.Received)+1)
		if v["headers"] == nil || !source.IsEvent([]byte(body)) || c.part.Full(place) {
			continue
		}
		w := recording.Received{Place: place, Header: headers(v["headers"]), Body: []byte(body)}
		if run != nil {
			w.At, _ = runBounds(run)
			c.runs[len(c.part.Received)] = stepsOf(run)
		}
		c.part.Received = append(c.part.Received, w)
		return true
	}
	return false
}
