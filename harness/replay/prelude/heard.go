package prelude

import (
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/trail"
)

// withHeard puts the moments of the received webhooks between the calls: by their
// times, and never before the answer that shows what they are about.
func (b *builder) withHeard(calls []play.Step) []play.Step {
	type moment struct {
		at    time.Time
		after int
		n     int
	}
	var heard []moment
	for n := range b.rec.Received {
		heard = append(heard, moment{b.clock.Received[n], b.madeBy(n), n + 1})
	}
	slices.SortStableFunc(heard, func(x, y moment) int { return x.at.Compare(y.at) })
	var steps []play.Step
	take := func(until int, before time.Time) {
		heard = slices.DeleteFunc(heard, func(m moment) bool {
			if m.after >= until || !before.IsZero() && !m.at.Before(before) {
				return false
			}
			steps = append(steps, play.Step{At: m.at, Heard: m.n})
			return true
		})
	}
	for i := range calls {
		take(i, calls[i].At)
		steps = append(steps, calls[i])
	}
	take(len(calls), time.Time{})
	return steps
}

// madeBy is the call whose answer shows first what a webhook is about, else -1.
func (b *builder) madeBy(n int) int {
	d := trail.ReadBody(b.rec.Received[n].Body).Object("Data")
	for member, t := range map[string]correlate.Type{"PaymentId": correlate.Payment, "CompanyId": correlate.Company} {
		if id := d.Text(member); id != "" {
			if at, made := b.facts.made[key(correlate.Value{Type: t, Text: strings.ToLower(id)})]; made {
				return at
			}
		}
	}
	return -1
}
