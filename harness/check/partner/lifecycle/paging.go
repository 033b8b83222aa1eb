package lifecycle

import (
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// pagesComplete judges whether reports of more than one page are read to their end.
func pagesComplete(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	asked := map[string]uint64{}
	for e := range t.CallEntries() {
		if trail.OperationOf(e.Exchange).Reads == trail.Report {
			asked[trail.Argument(e.Exchange, "cursor")] = e.Seq
		}
	}
	for e := range t.CallEntries() {
		x := e.Exchange
		if trail.OperationOf(x).Reads != trail.Report || !trail.Served(x) {
			continue
		}
		b := trail.ReadBody(x.Response.Body)
		if b.Get("hasMore") != true || b.Text("nextCursor") == "" {
			continue
		}
		next, ok := asked[b.Text("nextCursor")]
		switch {
		case ok && next > e.Seq:
			y.Holds(e.Seq, next)
		case !t.WentOn(e, 5*time.Second) && !returnedFrom(t, e):
			y.Skip("a report whose first pages have just been read")
		default:
			t.Unsure(&y, "a call with cursor="+b.Text("nextCursor"), "no further page, though hasMore is true", e.Seq)
		}
	}
	return y.Exercised()
}

// returnedFrom says whether an application that is driven, one thing at a time,
// has come back from what it was doing at an entry: the harness has spoken since.
func returnedFrom(t *trail.Trail, e *tape.Entry) bool {
	if t.Meta.Clock == "real" || !t.KeepsTime() {
		return false
	}
	for c := range t.Of(tape.KindControl) {
		if c.Seq > e.Seq {
			return true
		}
	}
	return false
}
