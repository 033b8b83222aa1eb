package judge

import (
	"maps"
	"slices"
	"time"

	"paysandbox/harness/observe/history"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// mostBefore is how many earlier runs a report lists.
const mostBefore = 20

// covers says what the verdict is about, and until when it holds.
func (j *Judgement) covers(meta *tape.Meta, o *Options) {
	r := j.End.Readiness
	r.Subject, r.Environment = o.Subject, meta.Environment
	for _, knob := range slices.Sorted(maps.Keys(meta.Latitude)) {
		r.Choices = append(r.Choices, knob+"="+meta.Latitude[knob])
	}
	since, ready := history.SinceReady(o.Before)
	if ready != nil {
		r.LastReady = ready.At
	}
	r.BeforeMore = max(0, len(since)-mostBefore)
	for _, run := range since[r.BeforeMore:] {
		r.Before = append(r.Before, report.Before(run))
	}
	if o.ValidFor > 0 {
		layout := time.DateOnly
		if o.ValidFor%(24*time.Hour) != 0 {
			layout = time.RFC3339
		}
		r.ValidUntil = o.Now.UTC().Add(o.ValidFor).Format(layout)
	}
}
