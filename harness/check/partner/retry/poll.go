package retry

import (
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

const (
	// pollEvery is the shortest time between two reads that is gentle, a second
	// but for what the network takes.
	pollEvery = int64(900 * time.Millisecond)
	// mostReads is how often a state may be read in quick succession.
	mostReads = 4
)

// reading is a row of reads of one state.
type reading struct {
	last *trail.Call
	seqs []uint64
	told bool
}

// gentlePolling counts how often a state is read in quick succession although nothing
// has happened.
func gentlePolling(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.KeepsTime()
	rows := map[string]*reading{}
	t.Replay(func(c *trail.Call, p *trail.Past) {
		reads := trail.OperationOf(c.Exchange)
		if reads.Reads != trail.OneState && reads.Reads != trail.Report || !c.Done() {
			return
		}
		r := rows[c.Same]
		if r == nil {
			rows[c.Same] = &reading{last: c, seqs: []uint64{c.Entry.Seq}}
			return
		}
		gap, since := c.Began-r.last.Began, r.last.Entry.Seq
		news := max(p.Touched(c.Entry), p.Asked)
		switch {
		case reads.Reads == trail.Report: // which tells of everything
			news = max(news, p.Changed)
		case reads.Kind == "company": // whose path need not name the id that events name
			news = max(news, p.Moved[reads.Kind])
		}
		before := r.last.Entry.Seq
		r.last = c
		switch {
		case gap >= pollEvery || news > since:
			y.Holds(before, c.Entry.Seq)
			r.seqs, r.told = []uint64{c.Entry.Seq}, false
		case !keeps && gap == 0:
			y.Skip(clockStill)
		default:
			r.hot(&y, c)
		}
	})
	return y.Exercised()
}

// hot notes one more read in quick succession. A row is told of once.
func (r *reading) hot(y *verdict.Tally, c *trail.Call) {
	r.seqs = append(r.seqs, c.Entry.Seq)
	if len(r.seqs) <= mostReads || r.told {
		return
	}
	r.told = true
	y.Fail("a second between two reads of a state", strconv.Itoa(len(r.seqs))+" reads of "+c.Exchange.Path+" within less",
		"wait for the webhook, and read the state now and then as a fallback only", r.seqs...)
}
