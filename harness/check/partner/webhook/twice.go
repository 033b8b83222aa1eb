package webhook

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// copies are the attempts that have brought one event to one endpoint, when it
// came more than once. marked is true when a profile has doubled it on purpose.
type copies struct {
	about  string
	list   []*trail.Delivery
	marked bool
}

// effectOnce judges what applications make of events that come twice: by a profile,
// and by any others but twins, where others is true.
func effectOnce(profile string, others bool) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		var y verdict.Tally
		var unseen *copies
		var refused refusals
		for _, c := range doubledEvents(t, profile, others) {
			last := c.list[len(c.list)-1]
			switch p := lastOf(t, c.about); {
			case !c.taken(&y, &refused):
				overdone(t, &y, c)
			case !c.matters():
				y.Skip("an event that says only " + last.Says() + " came twice: nothing follows from it")
			case overdone(t, &y, c), chargedAgain(t, &y, c):
			case p == nil || p.Entry.Seq < last.Entry.Seq:
				unseen = c
			case last.Says() == "Paid" && p.By[c.about].Fulfilled == 0:
				y.Skip("the application had not done anything because of the event when it was asked")
			default:
				y.Holds(c.list[0].Entry.Seq, last.Entry.Seq, p.Entry.Seq)
			}
		}
		refused.judge(&y, others)
		tellUnwatched(&y, unseen, len(t.Probes()) > 0)
		return y.Exercised()
	}
}

// tellUnwatched tells of an event that came twice, where nothing shows what came of any.
// An application that shows what it makes of payments is waited for.
func tellUnwatched(y *verdict.Tally, c *copies, shows bool) {
	switch {
	case c == nil || y.Held() > 0 || y.Problems() > 0:
	case shows:
		y.Skip("an event came twice of which the state probe does not know")
	default:
		y.ReviewAs("probe", "both copies were answered with 2xx; whether the effect came once only the application knows", c.list[0].Entry.Seq, c.list[len(c.list)-1].Entry.Seq)
	}
}

// doubledEvents are the events that came twice, in the order of their second copies. Where
// others is true they include what was resent, and what was tried again because the
// answer was lost.
func doubledEvents(t *trail.Trail, profile string, others bool) []*copies {
	at := map[[2]string]*copies{}
	var found []*copies
	for _, h := range t.Deliveries() {
		marked := trail.Spoilt(h.Attempt, profile)
		if !marked && trail.Spoilt(h.Attempt, "parallel-duplicate") {
			continue // which has a clause of its own
		}
		if !h.Genuine() || !others && !marked || trail.Spoilt(h.Attempt, "unknown-event", "stale-timestamp") {
			continue
		}
		key := [2]string{h.Endpoint, h.Event}
		c := at[key]
		if c == nil {
			c = &copies{about: h.About()}
			at[key] = c
		}
		c.marked = c.marked || marked
		if c.list = append(c.list, h); len(c.list) == 2 {
			found = append(found, c)
		}
	}
	return slices.DeleteFunc(found, func(c *copies) bool { return !c.marked && !c.cameTwice() })
}

// cameTwice drops the attempts by which an event that nobody has doubled did not
// come: the receiver has refused it, and was sent it again. It says whether more
// than one is left, one of which was taken.
func (c *copies) cameTwice() bool {
	c.list = slices.DeleteFunc(c.list, func(h *trail.Delivery) bool { return !trail.Accepted(h.Attempt) && h.Status != 0 })
	return len(c.list) > 1 && slices.ContainsFunc(c.list, func(h *trail.Delivery) bool { return trail.Accepted(h.Attempt) })
}

// matters says whether an application does something because of the event: what
// has no effect cannot have it twice.
func (c *copies) matters() bool {
	switch c.list[0].Says() {
	case "Paid", "Failed", "Verified", "Rejected":
		return true
	default:
		return false
	}
}

// refusals are the copies that were refused although another had been taken.
type refusals []*trail.Delivery

// judge fails a receiver that refuses what has come before: the service sends it again
// and again. Of copies at the same moment one may be put off, and one may crash by chance.
func (r refusals) judge(y *verdict.Tally, later bool) {
	if len(r) == 0 {
		return
	}
	const expected = "2xx to every copy of an event"
	first := r[0]
	var seqs []uint64
	for _, h := range r {
		seqs = append(seqs, h.Entry.Seq)
	}
	got := "status " + strconv.Itoa(first.Status)
	if later && (len(r) > 1 || first.Status < http.StatusInternalServerError) {
		y.FailAs("answer", expected, got+" to a copy that came later", seqs...)
		return
	}
	y.WarnAs("answer", expected, got, seqs...)
}

// taken says whether every copy was answered with 2xx, and notes the refusals.
func (c *copies) taken(y *verdict.Tally, refused *refusals) bool {
	good, bad := 0, (*trail.Delivery)(nil)
	for _, h := range c.list {
		switch {
		case trail.Accepted(h.Attempt):
			good++
		case h.Away():
		default:
			bad = h
		}
	}
	if good >= 1 && bad != nil {
		*refused = append(*refused, bad)
		return false
	}
	if good < 2 {
		y.Skip("an event of which the copies were not answered")
	}
	return good >= 2
}

// lastOf is the last answer of the state probe that knows a payment.
func lastOf(t *trail.Trail, id string) *trail.Probe {
	for _, p := range slices.Backward(t.Probes()) {
		if _, known := p.By[id]; known {
			return p
		}
	}
	return nil
}

// overdone tells of an effect that came twice, after the second copy at the
// earliest.
func overdone(t *trail.Trail, y *verdict.Tally, c *copies) bool {
	last := c.list[1]
	for _, p := range t.ProbesAfter(last.Entry.Seq) {
		e := p.By[c.about]
		if e.Fulfilled <= 1 && e.Reversed <= 1 || !c.matters() {
			continue
		}
		y.Fail("the payment "+c.about+" fulfilled once, and reversed once at most",
			e.Text()+", after "+c.list[0].Says()+" had come twice", c.list[0].Entry.Seq, last.Entry.Seq, p.Entry.Seq)
		return true
	}
	return false
}

// chargedAgain tells of one call that moves money, made twice soon after a copy.
func chargedAgain(t *trail.Trail, y *verdict.Tally, c *copies) bool {
	first, last := c.list[0], c.list[len(c.list)-1]
	made := map[string]*tape.Entry{}
	later := t.From(first.Entry.Seq)
	for i := range later {
		e := &later[i]
		x := e.Exchange
		if t.Waited(e)-t.Waited(last.Entry) > int64(followWindow) {
			break
		}
		if e.Kind != tape.KindExchange || x == nil || !trail.OperationOf(x).MovesMoney() || !t.Names(e, c.about) || trail.Replayed(x) || !trail.Served(x) || t.Tasks().Covers(e, c.about) {
			continue
		}
		amount, _ := trail.ReadBody(x.Request.Body).Whole("amount")
		key := x.Operation + " " + strings.ToLower(x.Path) + " " + strconv.FormatInt(amount, 10)
		if before := made[key]; before != nil && e.Seq > last.Entry.Seq {
			y.ReviewAs("call", x.Operation+" twice after an event that came twice: on purpose, or because of it?", last.Entry.Seq, before.Seq, e.Seq)
			return true
		}
		made[key] = e
	}
	return false
}
