package judge

import (
	"maps"
	"slices"
	"time"

	"paysandbox/mockserver/tape"
)

// covers says what the verdict is about, and until when it holds.
func (j *Judgement) covers(meta *tape.Meta, o *Options) {
	r := j.End.Readiness
	r.Subject, r.Environment = o.Subject, meta.Environment
	for _, knob := range slices.Sorted(maps.Keys(meta.Latitude)) {
		r.Choices = append(r.Choices, knob+"="+meta.Latitude[knob])
	}
	if o.ValidFor > 0 {
		r.ValidUntil = o.Now.UTC().Add(o.ValidFor).Format(time.DateOnly)
	}
}
