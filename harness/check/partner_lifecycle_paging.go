package check

import (
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// paged judges whether reports of more than one page are read to their end.
func paged(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	asked := map[string]uint64{}
	for e := range t.exchanges() {
		if e.Exchange.Operation == "reportTransactions" {
			asked[argument(e.Exchange, "cursor")] = e.Seq
		}
	}
	for e := range t.exchanges() {
		x := e.Exchange
		b := read(x.Response.Body)
		if x.Operation != "reportTransactions" || !served(x) || b.get("hasMore") != true || b.text("nextCursor") == "" {
			continue
		}
		next, ok := asked[b.text("nextCursor")]
		switch {
		case ok && next > e.Seq:
			y.Holds(e.Seq, next)
		case !t.wentOn(e, 5*time.Second) && !t.returnedFrom(e):
			y.Skip("a report whose first pages have just been read")
		default:
			t.unsure(&y, "a call with cursor="+b.text("nextCursor"), "no further page, though hasMore is true",
				"call again with nextCursor as cursor until hasMore is false", e.Seq)
		}
	}
	return y.Exercised("read a report that has more than one page")
}

// returnedFrom says whether an application that is driven, one thing at a time,
// has come back from what it was doing at an entry: the harness has spoken since.
func (t *Tape) returnedFrom(e *tape.Entry) bool {
	if t.Meta.Clock == "real" || !t.keepsTime() {
		return false
	}
	for c := range t.of(tape.KindControl) {
		if c.Seq > e.Seq {
			return true
		}
	}
	return false
}
