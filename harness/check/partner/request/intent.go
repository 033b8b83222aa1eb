package request

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// meant is a payment that a test suite has announced, and the calls that asked for it.
type meant struct {
	trail.Announcement
	calls []asked
	// refused says that a call for it was refused, and that no reference tells which
	// later one is meant.
	refused bool
	// failed is a call for it that came to nothing, as far as is known. What asks for
	// something else after it may be about something else: the application may have given up.
	failed *asked
}

// asked is a call that asked for a payment, and what its body says.
type asked struct {
	call *trail.Call
	terms
	Reference string
}

// terms are what can be announced of a payment.
type terms struct {
	Amount              json.Number
	LocationID, DueDate string
}

// pairing pairs what was announced with the calls that came after it.
type pairing struct {
	list []*meant
	born map[uint64][]string
	// lost are the calls that have acted and whose answers were lost, by [trail.Call.Same].
	lost map[string]uint64
	// unread are the entries that the tape has not kept: what they announced, or asked for, is not known.
	unread []uint64
}

// intents pairs what was announced with the calls that came after it, in their order.
// A call that came to nothing asked for nothing, and one that is made again because
// its answer was lost is the same.
func intents(t *trail.Trail) []*meant {
	return trail.Once(t, "intents", func() []*meant {
		said := t.Announcements()
		if len(said) == 0 {
			return nil
		}
		p := pairing{born: t.CreatedBy(), lost: map[string]uint64{}}
		if t.Meta.Dropped > 0 {
			p.unread = append(p.unread, t.Meta.Dropped)
		}
		for i := range t.Entries {
			if e := &t.Entries[i]; e.Omitted > 0 && (e.Kind == tape.KindExchange || e.Kind == tape.KindControl || e.Kind == tape.KindTransition) {
				p.unread = append(p.unread, e.Seq)
			}
		}
		for _, c := range t.Calls() {
			for ; len(said) > 0 && said[0].Entry.Seq < c.Entry.Seq; said = said[1:] {
				p.announce(said[0])
			}
			p.ask(c)
		}
		for _, in := range said {
			p.announce(in)
		}
		return p.list
	})
}

// announce adds what was announced. A split that is announced again with one of its later
// parts is the same one.
func (p *pairing) announce(in trail.Announcement) {
	for _, m := range p.list {
		again := in
		again.Entry, again.Amount = m.Entry, m.Amount
		if again == m.Announcement && in.Parts > 1 && len(m.calls) > 0 && m.open() && m.Amount != nil && in.Amount != nil && *m.Amount == *in.Amount {
			return
		}
	}
	p.list = append(p.list, &meant{Announcement: in})
}

// ask gives a call to what it asks for.
func (p *pairing) ask(c *trail.Call) {
	sent := c.Sent()
	a := asked{c, terms{sent.Number("amount"), sent.Text("locationId"), sent.Text("dueDate")}, sent.Text("reference")}
	served, refused := trail.Served(c.Exchange), c.Exchange.Response.Status == http.StatusBadRequest
	acted := served || len(p.born[c.Entry.Seq]) > 0
	if sent == nil && !refused {
		return
	}
	m := p.about(&a)
	switch {
	case m == nil:
	case acted:
		m.calls = append(m.calls, a)
		if c.Lost || !served {
			p.lost[c.Same] = c.Entry.Seq
		}
	case refused:
		m.refused = m.Reference == ""
	case m.failed == nil:
		m.failed = &a
	}
}

// about is the announcement that a call is about: one that it agrees with before any other,
// since the call for the other may never have come.
func (p *pairing) about(a *asked) *meant {
	before, again := p.lost[a.call.Same]
	var first *meant
	for _, m := range p.list {
		switch {
		case !m.takes(a) || m.Entry.Seq < before:
		case m.agrees(a):
			return m
		case first == nil && !again && (m.failed == nil || m.failed.terms == a.terms) && p.sure(m, a):
			first = m
		}
	}
	return first
}

// sure says whether all is known that stands between an announcement and a call: what a tape
// has lost can be the call that was meant, or the announcement of a split that goes on.
func (p *pairing) sure(m *meant, a *asked) bool {
	return m.Reference != "" || !slices.ContainsFunc(p.unread, func(seq uint64) bool {
		return seq < a.call.Entry.Seq && (seq > m.Entry.Seq || m.Parts > 1)
	})
}

// open says whether calls are missing.
func (m *meant) open() bool { return len(m.calls) < max(m.Parts, 1) }

// takes says whether a call is one by which the announced payment is asked for.
func (m *meant) takes(a *asked) bool {
	return m.open() && m.Operation == a.call.Exchange.Operation && (m.Reference == "" || m.Reference == a.Reference)
}

// agrees says whether a call asks for what was announced, or for a part of it.
func (m *meant) agrees(a *asked) bool {
	if m.Amount != nil {
		n, err := a.Amount.Int64()
		if low := *m.Amount / int64(max(m.Parts, 1)); err != nil || n != low && (m.Parts < 2 || n != low+1) {
			return false
		}
	}
	return (m.LocationID == "" || strings.EqualFold(m.LocationID, a.LocationID)) && (m.DueDate == "" || m.DueDate == day(a.DueDate))
}

// day is the day of a due date.
func day(date string) string {
	d, _, _ := strings.Cut(date, "T")
	return d
}

// holdsTo judges the calls of what was announced. speaks says which announcements matter;
// wrong gives what was expected and received, empty when it is right.
func holdsTo(t *trail.Trail, speaks func(*meant) bool, wrong func(*meant) (expected, received string)) []verdict.Judgement {
	var y verdict.Tally
	spoken := false
	for _, m := range intents(t) {
		if !speaks(m) {
			continue
		}
		spoken = true
		if m.refused {
			y.Skip("a call for what was announced was refused: announce a reference, which tells the call that is meant")
			continue
		}
		if len(m.calls) < max(m.Parts, 1) {
			y.Skip("what was announced has not been asked for")
			continue
		}
		seqs := []uint64{m.Entry.Seq}
		for _, a := range m.calls {
			seqs = append(seqs, a.call.Entry.Seq)
		}
		seqs = seqs[:min(len(seqs), verdict.MaxEvidence)]
		if expected, received := wrong(m); expected != "" {
			y.Fail(expected, received, seqs...)
		} else {
			y.Holds(seqs...)
		}
	}
	if !spoken && len(t.Calls()) > 0 {
		return verdict.DoesNotApply("no test has announced what it means (notes of kind intent)")
	}
	return y.Exercised()
}

func intendedAmount(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.Amount != nil && m.Parts < 2 }, func(m *meant) (expected, received string) {
		got := m.calls[0].Amount.String()
		if want := strconv.FormatInt(*m.Amount, 10); got != want {
			return "the amount " + want + ", as announced", "the amount " + got
		}
		return "", ""
	})
}

func intendedSplit(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.Amount != nil && m.Parts > 1 }, func(m *meant) (expected, received string) {
		var sum, low, high int64
		var parts []string
		for i, a := range m.calls {
			n, _ := a.Amount.Int64() // no whole number is partner.amount.cents' matter
			if sum += n; i == 0 {
				low, high = n, n
			}
			low, high = min(low, n), max(high, n)
			parts = append(parts, a.Amount.String())
		}
		if sum == *m.Amount && high-low <= 1 {
			return "", ""
		}
		return fmt.Sprintf("%d parts that are together %d and differ by a cent at most", m.Parts, *m.Amount), fmt.Sprintf("%s, together %d", strings.Join(parts, " + "), sum)
	})
}

func intendedLocation(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.LocationID != "" }, func(m *meant) (expected, received string) {
		for _, a := range m.calls {
			if !strings.EqualFold(a.LocationID, m.LocationID) {
				return "the location " + m.LocationID + ", as announced", orNone("the location ", a.LocationID)
			}
		}
		return "", ""
	})
}

func intendedDueDate(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.DueDate != "" }, func(m *meant) (expected, received string) {
		for _, a := range m.calls {
			if day(a.DueDate) != m.DueDate {
				return "the due date " + m.DueDate + ", as announced", orNone("the due date ", a.DueDate)
			}
		}
		return "", ""
	})
}

func orNone(what, value string) string {
	if value == "" {
		return "none"
	}
	return what + value
}
