package token

import (
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

const (
	// carriedShare is how many calls a token serves at least, on an average, where one
	// program has fetched more than a few while others were good.
	carriedShare = 20
	// atWork is the longest rest, in nanoseconds, between the last call with one token and
	// the fetching of the next that leaves no doubt that both are one program's: another
	// process, or the next test, takes its time to begin.
	atWork = int64(250e6)
)

// carriers lists the tokens that were fetched by a program in the middle of its work,
// while the one before was good: that one is never used again, and a payment of its
// calls goes on at once with the new one. Another process, or the next test, would begin
// with something of its own.
func carriers(t *trail.Trail, by map[string]*granted, spare []uint64) (seqs []uint64) {
	last := map[*granted]*trail.Call{}
	for _, c := range t.Calls() {
		if g := by[c.Exchange.Token]; g != nil && g.c != c {
			last[g] = c
		}
	}
	begun := map[string]*granted{} // the token of the last call about a payment
	for _, c := range t.Calls() {
		g := by[c.Exchange.Token]
		if g == nil || g.c == c || c.Exchange.Auth != tape.AuthValid {
			continue
		}
		for _, id := range payments(t, c) {
			before := begun[id]
			begun[id] = g
			if before != nil && before != g && g.follows(last[before]) && slices.Contains(spare, g.c.Entry.Seq) && !slices.Contains(seqs, g.c.Entry.Seq) {
				seqs = append(seqs, g.c.Entry.Seq)
			}
		}
	}
	return seqs
}

// follows says whether a token was fetched right after the last call with another.
func (g *granted) follows(last *trail.Call) bool {
	return last.N < g.c.N && g.c.Began-last.Ended <= atWork
}

// payments are those that a call names, or has asked for.
func payments(t *trail.Trail, c *trail.Call) []string {
	o := trail.OperationOf(c.Exchange)
	switch {
	case o.Pays() && len(o.Makes) > 0 && c.Done():
		return []string{t.Answered(c.Exchange).Text(o.Makes[0])}
	case o.Kind == "payment" || o.Refunds:
		return slices.DeleteFunc(strings.Split(c.Exchange.Path, "/"), func(part string) bool { return !trail.IsUUID(part) })
	}
	return nil
}
