package check

import (
	"strconv"
	"time"

	"paysandbox/harness/verdict"
)

// states are the operations that read a state, and the machine of those whose
// path does not name the id that events name.
var states = map[string]string{
	"getCompanyStatus": "company", "getDefaultCompanyStatus": "company", "getUserStatus": "", "getPaymentStatus": "", "getTransaction": "",
	"reportTransactions": anyMachine,
}

// anyMachine stands for all of them: a report tells of everything.
const anyMachine = "*"

const (
	// pollEvery is the shortest time between two reads that is gentle, a second
	// but for what the network takes.
	pollEvery = int64(900 * time.Millisecond)
	// mostReads is how often a state may be read in quick succession.
	mostReads = 4
)

// reading is a row of reads of one state.
type reading struct {
	last *try
	seqs []uint64
	told bool
}

// gentle counts how often a state is read in quick succession although nothing
// has happened.
func gentle(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.keepsTime()
	list := t.tries()
	rows := map[string]*reading{}
	t.replay(list, func(n int, p *past) {
		c := &list[n]
		machine, reads := states[c.x.Operation]
		if !reads || !c.done() {
			return
		}
		r := rows[c.same]
		if r == nil {
			rows[c.same] = &reading{last: c, seqs: []uint64{c.e.Seq}}
			return
		}
		gap, since := c.began-r.last.began, r.last.e.Seq
		news := max(p.touched(c.e), p.asked)
		switch machine {
		case "":
		case anyMachine:
			news = max(news, p.changed)
		default:
			news = max(news, p.moved[machine])
		}
		before := r.last.e.Seq
		r.last = c
		switch {
		case gap >= pollEvery || news > since:
			y.Holds(before, c.e.Seq)
			r.seqs, r.told = []uint64{c.e.Seq}, false
		case !keeps && gap == 0:
			y.Skip(clockStill)
		default:
			r.hot(&y, c)
		}
	})
	return y.Exercised("ask for a state several times")
}

// hot notes one more read in quick succession. A row is told of once.
func (r *reading) hot(y *verdict.Tally, c *try) {
	r.seqs = append(r.seqs, c.e.Seq)
	if len(r.seqs) <= mostReads || r.told {
		return
	}
	r.told = true
	y.Fail("a second between two reads of a state", strconv.Itoa(len(r.seqs))+" reads of "+c.x.Path+" within less",
		"wait for the webhook, and read the state now and then as a fallback only", r.seqs...)
}
