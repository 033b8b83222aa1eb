package check

import (
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// movesMoney says whether an operation moves money, or stops it.
func movesMoney(operation string) bool {
	switch operation {
	case "createPayment", "chargeSavedCard", "authoriseCard", "refundPayment", "refundPaymentByQuery",
		"cancelPayment", "cancelPaymentByPost", "createPlan", "createRecurring":
		return true
	default:
		return false
	}
}

// copies are the attempts that have brought one event to one endpoint, when it
// came more than once. marked is true when a profile has doubled it on purpose.
type copies struct {
	about  string
	list   []*hook
	marked bool
}

// onceOnly judges what applications make of events that come twice: by a profile,
// and by any others but twins, where others is true.
func onceOnly(profile string, others bool) func(*Tape) []verdict.Judgement {
	return func(t *Tape) []verdict.Judgement {
		var y verdict.Tally
		book, tasks, probes := t.companies(), t.announced(), t.probes()
		var unseen *copies
		for _, c := range t.copied(profile, others) {
			last := c.list[len(c.list)-1]
			switch p := lastOf(probes, c.about); {
			case !c.taken(&y):
				t.overdone(&y, c, probes)
			case !c.matters():
				y.Skip("an event that says only " + last.says() + " came twice: nothing follows from it")
			case t.overdone(&y, c, probes), t.again(&y, c, book, tasks):
			case p == nil || p.entry.Seq < last.entry.Seq:
				unseen = c
			case last.says() == "Paid" && p.by[c.about].fulfilled == 0:
				y.Skip("the application had not done anything because of the event when it was asked")
			default:
				y.Holds(c.list[0].entry.Seq, last.entry.Seq, p.entry.Seq)
			}
		}
		tellUnwatched(&y, unseen, len(probes) > 0)
		return y.Exercised("be sent an event twice that says Paid: the delivery profile " + profile)
	}
}

// unwatched tells of an event that came twice, where nothing shows what came of any.
// An application that shows what it makes of payments is waited for.
func tellUnwatched(y *verdict.Tally, c *copies, shows bool) {
	switch {
	case c == nil || y.Held() > 0 || y.Problems() > 0:
	case shows:
		y.Skip("an event came twice of which the state probe does not know")
	default:
		y.Review("both copies were answered with 2xx; whether the effect came once only the application knows",
			"offer a state probe in test builds, or show that the effect came once", c.list[0].entry.Seq, c.list[len(c.list)-1].entry.Seq)
	}
}

// copied are the events that came twice, in the order of their second copies. Where
// others is true they include what was resent, and what was tried again because the
// answer was lost.
func (t *Tape) copied(profile string, others bool) []*copies {
	hooks := t.hooks()
	at := map[[2]string]*copies{}
	var found []*copies
	for i := range hooks {
		h := &hooks[i]
		marked := spoilt(h.Attempt, profile)
		if !marked && spoilt(h.Attempt, "parallel-duplicate") {
			continue // which has a clause of its own
		}
		if !h.genuine() || !others && !marked || spoilt(h.Attempt, "unknown-event", "stale-timestamp") {
			continue
		}
		key := [2]string{h.Endpoint, h.Event}
		c := at[key]
		if c == nil {
			c = &copies{about: h.about()}
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
	c.list = slices.DeleteFunc(c.list, func(h *hook) bool { return !succeeded(h.Attempt) && h.Status != 0 })
	return len(c.list) > 1 && slices.ContainsFunc(c.list, func(h *hook) bool { return succeeded(h.Attempt) })
}

// matters says whether an application does something because of the event: what
// has no effect cannot have it twice.
func (c *copies) matters() bool {
	switch c.list[0].says() {
	case "Paid", "Failed", "Verified", "Rejected":
		return true
	default:
		return false
	}
}

// taken says whether every copy was answered with 2xx.
func (c *copies) taken(y *verdict.Tally) bool {
	good, bad := 0, (*hook)(nil)
	for _, h := range c.list {
		switch {
		case succeeded(h.Attempt):
			good++
		case h.away():
		default:
			bad = h
		}
	}
	if good >= 1 && bad != nil {
		y.Warn("2xx to every copy of an event", "status "+strconv.Itoa(bad.Status), "answer 200 to an event that came before, and do nothing", bad.entry.Seq)
		return false
	}
	if good < 2 {
		y.Skip("an event of which the copies were not answered")
	}
	return good >= 2
}

// lastOf is the last answer of the state probe that knows a payment.
func lastOf(probes []probe, id string) *probe {
	for i := len(probes) - 1; i >= 0; i-- {
		if _, known := probes[i].by[id]; known {
			return &probes[i]
		}
	}
	return nil
}

// overdone tells of an effect that came twice, after the second copy at the
// earliest.
func (t *Tape) overdone(y *verdict.Tally, c *copies, probes []probe) bool {
	last := c.list[1]
	for i := range probes {
		p := &probes[i]
		e := p.by[c.about]
		if p.entry.Seq < last.entry.Seq || e.fulfilled <= 1 && e.reversed <= 1 || !c.matters() {
			continue
		}
		y.Fail("the payment "+c.about+" fulfilled once, and reversed once at most",
			e.text()+", after "+c.list[0].says()+" had come twice",
			"keep what was done in the same transaction as the event's key (event, id, status, timestamp), with a unique index", c.list[0].entry.Seq, last.entry.Seq, p.entry.Seq)
		return true
	}
	return false
}

// again tells of one call that moves money, made twice soon after a copy.
func (t *Tape) again(y *verdict.Tally, c *copies, book *companies, tasks *announced) bool {
	first, last := c.list[0], c.list[len(c.list)-1]
	made := map[string]*tape.Entry{}
	for i := t.index[first.entry.Seq]; i < len(t.Entries); i++ {
		e := &t.Entries[i]
		x := e.Exchange
		if t.waited(e)-t.waited(last.entry) > int64(followWindow) {
			break
		}
		if e.Kind != tape.KindExchange || x == nil || !movesMoney(x.Operation) || !book.names(e, c.about) || replayed(x) || !served(x) || tasks.covers(e, c.about) {
			continue
		}
		amount, _ := read(x.Request.Body).whole("amount")
		key := x.Operation + " " + strings.ToLower(x.Path) + " " + strconv.FormatInt(amount, 10)
		if before := made[key]; before != nil && e.Seq > last.entry.Seq {
			y.Review(x.Operation+" twice after an event that came twice: on purpose, or because of it?",
				"do what an event asks for once: keep its key (event, id, status, timestamp)", last.entry.Seq, before.Seq, e.Seq)
			return true
		}
		made[key] = e
	}
	return false
}
