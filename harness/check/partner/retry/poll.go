package retry

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

const (
	// pollEvery is the shortest time between two reads that is gentle, a second
	// but for what the network takes.
	pollEvery = int64(900 * time.Millisecond)
	// pollLate is by how much the first read of a row may come later than it was made, on
	// a machine under load: those after it seem closer together.
	pollLate = int64(time.Second)
	// mostReads is how often a state may be read in quick succession.
	mostReads = 4
)

// reading is a row of reads of one state.
type reading struct {
	// began is the first read of the row.
	began, last *trail.Call
	seqs        []uint64
	told        bool
}

// start begins a row.
func (r *reading) start(c *trail.Call) { *r = reading{began: c, last: c, seqs: []uint64{c.Entry.Seq}} }

// gentlePolling counts how often a state is read in quick succession although nothing
// has happened.
func gentlePolling(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.KeepsTime()
	rows := map[string]*reading{}
	beingTold := underDelivery(t)
	lost := 0 // payments and refunds that have failed: each asks for a look at the report
	t.Replay(func(c *trail.Call, p *trail.Past) {
		reads := trail.OperationOf(c.Exchange)
		if (reads.Pays() || reads.Refunds) && c.Failed() {
			lost++
		}
		if reads.Reads != trail.OneState && reads.Reads != trail.Report || !c.Done() {
			return
		}
		r := rows[c.Same]
		if r == nil {
			r = &reading{}
			r.start(c)
			rows[c.Same] = r
			return
		}
		gap, since := c.Began-r.last.Began, r.last.Entry.Seq
		news := max(p.Touched(c.Entry), p.Acted(c.Entry), p.Refused(c.Entry), p.Asked)
		switch {
		case reads.Reads == trail.Report: // which tells of everything
			news = max(news, p.Changed)
		case reads.Kind == "company": // whose path need not name the id that events name
			news = max(news, p.Moved[reads.Kind])
		}
		switch {
		case news > since, beingTold(c):
			y.Holds(since, c.Entry.Seq)
			r.start(c)
		case !keeps: // what lies between is the test's doing, or the harness's
			y.Skip(clockStill)
			r.start(c)
		case gap >= pollEvery:
			y.Holds(since, c.Entry.Seq)
			r.start(c)
		case reads.Reads == trail.Report && lost > 0:
			lost--
			r.start(c)
		default:
			r.hot(t, &y, c)
		}
	})
	return y.Exercised()
}

// underDelivery says of a read whether the application was just being sent an event
// about what it reads: the event is the reason, also one that comes again.
func underDelivery(t *trail.Trail) func(c *trail.Call) bool {
	by := map[string][]*trail.Delivery{}
	for _, h := range t.Deliveries() {
		by[h.About()] = append(by[h.About()], h)
	}
	return func(c *trail.Call) bool {
		return slices.ContainsFunc(c.Entry.Entities, func(id string) bool {
			return slices.ContainsFunc(by[strings.ToLower(id)], func(h *trail.Delivery) bool {
				over := t.Waited(h.Entry)
				return c.Began <= over && c.Began >= over-h.Took-int64(trail.DeliveryLead)
			})
		})
	}
}

// hot notes one more read in quick succession. A row is told of once.
func (r *reading) hot(t *trail.Trail, y *verdict.Tally, c *trail.Call) {
	r.last, r.seqs = c, append(r.seqs, c.Entry.Seq)
	gentle := int64(len(r.seqs)-1)*pollEvery - pollLate
	if len(r.seqs) <= mostReads || r.told || c.Began-r.began.Began >= gentle {
		return
	}
	r.told = true
	t.Unsure(y, "a second between two reads of a state", strconv.Itoa(len(r.seqs))+" reads of "+c.Exchange.Path+" within "+trail.Span(c.Began-r.began.Began), r.seqs...)
}
