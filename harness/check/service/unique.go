package service

import (
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// freshIDs collects every id that was given to something new.
func freshIDs(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	given := map[string]uint64{}
	for i := range t.Entries {
		e := &t.Entries[i]
		what, ids := fresh(e)
		for _, id := range ids {
			claimOnce(&y, given, e, what, id)
		}
	}
	if t.Cut(tape.Kinds()...) && y.Problems() == 0 {
		y.Open("which ids were given in the dropped part of the tape is not known")
	}
	return y.Judgements("nothing that was created")
}

// claimOnce judges an id that is given to something new.
func claimOnce(y *verdict.Tally, given map[string]uint64, e *tape.Entry, what, id string) {
	before, twice := given[what+" "+id]
	given[what+" "+id] = e.Seq
	switch {
	case !trail.IsUUID(id):
		y.Breach(idClause(e), "a uuid as the id of the "+what, strconv.Quote(id), "", e.Seq)
	case twice:
		y.Breach(idClause(e), "an id of its own for each "+what, id+" for a second time", "twice", before, e.Seq)
	default:
		y.Holds(e.Seq)
	}
}

// idClause is the clause about the id that an entry gives.
func idClause(e *tape.Entry) string {
	switch {
	case e.Transition != nil:
		return trail.MakerClause(e.Transition.Machine)
	case e.Exchange != nil && len(trail.OperationOf(e.Exchange).Makes) > 0:
		return trail.OperationOf(e.Exchange).Clause
	}
	return ""
}

// fresh lists the ids that an entry gives to something new, and what that is.
func fresh(e *tape.Entry) (what string, ids []string) {
	switch {
	case e.Transition != nil && e.Transition.From == "":
		return e.Transition.Machine, []string{e.Transition.Entity}
	case e.Event != nil:
		return "event", []string{e.Event.ID}
	case e.Attempt != nil && e.Attempt.Number == 1:
		return "delivery", []string{e.Attempt.Delivery}
	case e.Kind == tape.KindExchange && e.Exchange != nil && trail.Served(e.Exchange) && !trail.Replayed(e.Exchange):
		return "answer", answered(e.Exchange)
	}
	return "", nil
}

// answered lists the ids of what a call has created, and of its token.
func answered(x *tape.Exchange) []string {
	var ids []string
	if trail.OperationOf(x).Token && x.Token != "" {
		ids = append(ids, x.Token)
	}
	members := trail.OperationOf(x).Makes
	if len(members) == 0 || len(x.Response.Body) == 0 {
		return ids
	}
	b := trail.ReadBody(x.Response.Body)
	for _, name := range members {
		switch v := b.Get(name).(type) {
		case string:
			ids = append(ids, v)
		case []any:
			for _, one := range v {
				id, _ := one.(string)
				ids = append(ids, id)
			}
		}
	}
	return ids
}
