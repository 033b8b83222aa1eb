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
	slices.SortStableFunc(heard, func(x, y moment) int { return b.happened(x.n-1, y.n-1, x.at, y.at) })
	var steps []play.Step
	take := func(until int, before *play.Step) {
		heard = slices.DeleteFunc(heard, func(m moment) bool {
			if m.after >= until || before != nil && !b.earlier(m.n-1, m.at, before) {
				return false
			}
			steps = append(steps, play.Step{At: b.moment(m.n-1, m.at), Heard: m.n})
			return true
		})
	}
	begun := 0
	for i := range calls {
		take(begun, &calls[i])
		if steps = append(steps, calls[i]); calls[i].Call.N >= 0 { // others are assumed between them
			begun = calls[i].Call.N + 1
		}
	}
	take(len(b.rec.Exchanges), nil)
	return steps
}

// moment is when what a webhook tells has happened, as far back as its second begins.
func (b *builder) moment(n int, at time.Time) time.Time {
	if stamp := Timestamp(&b.rec.Received[n]); !stamp.IsZero() && stamp.Before(at) {
		return stamp
	}
	return at
}

// happened orders two webhooks by when what they tell has happened: events of one
// second about one thing by how far they have come.
func (b *builder) happened(x, y int, at, other time.Time) int {
	v, w := &b.rec.Received[x], &b.rec.Received[y]
	if stamp := Timestamp(v); !stamp.IsZero() && stamp.Equal(Timestamp(w)) {
		one, two := trail.ReadBody(v.Body).Object("Data"), trail.ReadBody(w.Body).Object("Data")
		if id := one.Text("PaymentId"); id != "" && strings.EqualFold(id, two.Text("PaymentId")) {
			return progress(one.Text("Status")) - progress(two.Text("Status"))
		}
	}
	return at.Compare(other)
}

// progress is how far a payment has come that is in a state.
func progress(status string) int {
	return slices.Index([]string{"Pending", "Scheduled", "Queued", "InReview", "Processing", "Paid", "Failed"}, status)
}

// earlier says whether a webhook came before a call: at one moment, what stands first
// in their file did. Of two files a company's verification did: it is what a careful
// partner waits for, and nobody is blamed for what cannot be told.
func (b *builder) earlier(n int, at time.Time, s *play.Step) bool {
	w, c := b.rec.Received[n].Place, s.Call.Exchange.Place
	if at.Equal(s.At) && w.Source == c.Source && w.Entry > 0 {
		return w.Entry < c.Entry
	}
	if body := trail.ReadBody(b.rec.Received[n].Body); at.Equal(s.At) && body.Text("Event") == trail.CompanyEvent {
		return body.Object("Data").Text("Status") == "Verified"
	}
	return at.Before(s.At)
}

// madeBy is the call whose answer shows first what a webhook is about, or that has
// caused it, else -1.
func (b *builder) madeBy(n int) int {
	d := trail.ReadBody(b.rec.Received[n].Body).Object("Data")
	id := d.Text("PaymentId")
	if id == "" {
		return b.madeAt(correlate.Company, d.Text("CompanyId"))
	}
	made := b.madeAt(correlate.Payment, id)
	if d.Text("Status") == "Canceled" {
		for i := range b.rec.Exchanges {
			x := &b.rec.Exchanges[i]
			op, params := b.routes.Match(x.Method, x.Path)
			if trail.OperationNamed(op).Cancels && Served(x) && strings.EqualFold(params[0].Text, id) {
				return i
			}
		}
	}
	return made
}

func (b *builder) madeAt(t correlate.Type, id string) int {
	if at, made := b.facts.made[key(correlate.Value{Type: t, Text: id})]; made {
		return at
	}
	return -1
}

// collected says whether a payment may come from a plan or a registration that the
// recording has made before: such payments are made by no call.
func (b *builder) collected(one *fact) bool {
	for i := range min(one.first, len(b.rec.Exchanges)) {
		x := &b.rec.Exchanges[i]
		op, _ := b.routes.Match(x.Method, x.Path)
		if !Served(x) {
			continue
		}
		does := trail.OperationNamed(op)
		brings := does.Later || does.MakesA("registration") && trail.ReadBody(x.Body).Get("amount") != nil
		if brings && b.mayBe(one, i) {
			return true
		}
	}
	return false
}

// mayBe says whether a payment may come of what a call has asked for: it has that amount, and was not made long before.
func (b *builder) mayBe(one *fact, n int) bool {
	amount := whole(0, trail.ReadBody(b.rec.Exchanges[n].Body), "amount")
	if one.amount > 0 && amount > 0 && one.amount != amount {
		return false
	}
	created, err := time.Parse(time.RFC3339, one.created)
	return err != nil || !b.clock.Known || !created.Before(b.clock.Calls[n].Add(-time.Minute))
}
