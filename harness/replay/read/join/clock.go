package join

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// SetClock puts a file's times on the service's clock, which its answers show in whole
// seconds: an answer of the moment D was written in [D, D+1s), and between the call's
// begin and end. As long as one offset fits all answers, it is one; where none does
// any more, the service's clock has jumped.
func SetClock(p *source.Part) {
	timed := byTime(p)
	fillFromDates(p)
	o := &offsets{source: p.Source()}
	for _, x := range timed {
		o.see(x)
	}
	o.close()
	o.shift(timed)
	for i := range p.Received {
		r := &p.Received[i]
		if r.At.IsZero() {
			continue
		}
		r.At = r.At.Add(o.at(r.At))
	}
	if len(o.spans) == 0 {
		setClockOfEvents(p, timed)
	}
}

// byTime are the exchanges whose times are known, by them.
func byTime(p *source.Part) []*recording.Exchange {
	var list []*recording.Exchange
	for i := range p.Exchanges {
		if !p.Exchanges[i].Begin.IsZero() {
			list = append(list, &p.Exchanges[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *recording.Exchange) int { return a.Begin.Compare(b.Begin) })
	return list
}

// fillFromDates gives calls without a time their answer's. Of one that stands behind another in the file that is never before
// it, but where it is by more than servers' clocks differ: people put what belongs together in one place, and a collection keeps the answers of a
// request with it.
func fillFromDates(p *source.Part) {
	last := time.Time{}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		if date := source.Moment(x); x.Begin.IsZero() && !date.IsZero() {
			x.Begin = date
			if date.Before(last) && !grouped(p.Source().Format) && last.Sub(date) <= apart {
				x.Begin = last
			}
			last = x.Begin
		} else if x.Begin.After(last) {
			last = x.Begin
		}
	}
}

// apart is by how much the clocks of a service's servers may differ.
const apart = 5 * time.Second

// grouped says whether a form keeps calls by what was called, whenever that was.
func grouped(form string) bool { return form == "postman" || form == "insomnia" }

// span is a stretch of a file in which one offset fits.
type span struct {
	from   time.Time // on the file's clock
	place  recording.Place
	lo, hi time.Duration
}

// offset is the one to take: none when none fits, else the middle.
func (s *span) offset() time.Duration {
	if s.lo <= 0 && 0 <= s.hi {
		return 0
	}
	return s.lo + (s.hi-s.lo)/2
}

type offsets struct {
	source *recording.Source
	spans  []span
}

// see takes one exchange into account.
func (o *offsets) see(x *recording.Exchange) {
	const usual = 2 * time.Second // of a log that does not say when the answer had come
	date, end := source.Moment(x), x.End
	if date.IsZero() {
		return
	}
	if end.IsZero() {
		end = x.Begin.Add(usual)
	}
	lo, hi := date.Sub(end), date.Add(time.Second).Sub(x.Begin)
	if n := len(o.spans); n > 0 {
		last := &o.spans[n-1]
		if both := (span{lo: max(lo, last.lo), hi: min(hi, last.hi)}); both.lo <= both.hi {
			last.lo, last.hi = both.lo, both.hi
			return
		}
	}
	o.spans = append(o.spans, span{from: x.Begin, place: x.Place, lo: lo, hi: hi})
}

// close tells the offsets: those that differ by more than clocks do by themselves.
func (o *offsets) close() {
	const small = 2 * time.Second
	told := time.Duration(0)
	for i := range o.spans {
		s := &o.spans[i]
		by := s.offset()
		if i == 0 && by == 0 || i > 0 && (by-told).Abs() < small {
			continue
		}
		o.source.Offsets = append(o.source.Offsets, recording.Offset{From: s.place, By: by})
		told = by
	}
}

// at is the offset that holds at a moment of the file's clock.
func (o *offsets) at(t time.Time) time.Duration {
	for i := len(o.spans) - 1; i > 0; i-- {
		if !t.Before(o.spans[i].from) {
			return o.spans[i].offset()
		}
	}
	if len(o.spans) > 0 {
		return o.spans[0].offset()
	}
	return 0
}

// shift adds the offsets; what came later stays later.
func (o *offsets) shift(timed []*recording.Exchange) {
	last, i := time.Time{}, 0
	for _, x := range timed {
		for i+1 < len(o.spans) && !x.Begin.Before(o.spans[i+1].from) {
			i++
		}
		by := time.Duration(0)
		if len(o.spans) > 0 {
			by = o.spans[i].offset()
		}
		took := x.End.Sub(x.Begin)
		x.Begin = x.Begin.Add(by)
		if x.Begin.Before(last) {
			x.Begin = last
		}
		if last = x.Begin; !x.End.IsZero() {
			x.End = x.Begin.Add(took)
		}
	}
}

// ofZone says whether clocks differ by that much because one tells local time, east of the other: whole half hours, and what a
// delivery takes.
func ofZone(by time.Duration) bool {
	const half, takes = 30 * time.Minute, 90 * time.Second
	return by <= -half && by >= -14*time.Hour-takes && -by%half < takes
}

// beforeMade says whether an event was sent before the call whose answer shows first what it is about.
func beforeMade(timed []*recording.Exchange, r *recording.Received, sent time.Time) bool {
	about := trail.ReadBody(r.Body).Object("Data")
	id := about.Text("PaymentId") + about.Text("CompanyId")
	i := slices.IndexFunc(timed, func(x *recording.Exchange) bool { return id != "" && bytes.Contains(x.Answer.Body, []byte(id)) })
	return i >= 0 && timed[i].Answer.Status/100 == 2 && timed[i].Method == http.MethodPost && sent.Before(timed[i].Begin)
}

// clockOfEvents is by how much a file's webhooks have to be moved: then none is received before it was sent.
func clockOfEvents(p *source.Part, timed []*recording.Exchange) (by time.Duration, from recording.Place, ok bool) {
	const late = 24 * time.Hour
	events, early := map[string]bool{}, false
	for i := range p.Received {
		r := &p.Received[i]
		sent := source.Time(trail.ReadBody(r.Body).Object("Data").Text("Timestamp"))
		if r.At.IsZero() || sent.IsZero() {
			continue
		}
		if !ok || sent.Sub(r.At) > by {
			by, from, ok = sent.Sub(r.At), r.Place, true
		}
		events[r.Says()], early = true, early || beforeMade(timed, r, sent)
	}
	zone := ofZone(by) && (early || len(events) > 2)
	return by, from, ok && (by > 0 || by <= -late || zone)
}

// setClockOfEvents does the same for a file that holds webhooks alone: none arrives
// before it is sent, and not all of them come a day late, or late by the hours of a zone.
func setClockOfEvents(p *source.Part, timed []*recording.Exchange) {
	by, from, ok := clockOfEvents(p, timed)
	if !ok {
		return
	}
	p.Source().Offsets = []recording.Offset{{From: from, By: by}}
	for i := range p.Received {
		if !p.Received[i].At.IsZero() {
			p.Received[i].At = p.Received[i].At.Add(by)
		}
	}
	if slices.ContainsFunc(timed, func(x *recording.Exchange) bool { return !source.Moment(x).IsZero() }) {
		return // the calls' own clock is known to be right
	}
	for _, x := range timed {
		x.Begin = x.Begin.Add(by)
		if !x.End.IsZero() {
			x.End = x.End.Add(by)
		}
	}
}
