package explain

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// unseen is what calls that were served without showing what they sent may have decided: each was played with usual values.
type unseen struct {
	ids   map[string]bool // of what they were about or made, in lower case
	first int             // the first of them whose answer does not show what it made, too; -1 where there is none
}

// unseenOf finds them. What a token was asked for with decides nothing but whose it is.
func unseenOf(r *recording.Recording, run *play.Run) unseen {
	u := unseen{map[string]bool{}, -1}
	for n := range r.Exchanges {
		x := &r.Exchanges[n]
		a := run.Of(n)
		if a == nil || trail.OperationNamed(a.Operation).Token || !sentUsual(*x) {
			continue
		}
		if x.Answer.Known != recording.Whole && u.first < 0 {
			u.first = n
		}
		for _, id := range trail.UUIDs().FindAllString(strings.ToLower(x.Path+" "+string(x.Answer.Body)), -1) {
			u.ids[id] = true
		}
	}
	return u
}

// decides says whether a difference may come of what such a call sent.
func (u unseen) decides(r *recording.Recording, d *compare.Difference) bool {
	if !strings.HasPrefix(d.Where, "/") {
		return false
	}
	if u.first >= 0 && (d.N < 0 || d.N >= u.first) {
		return true
	}
	return len(u.ids) > 0 && slices.ContainsFunc(about(r, d), func(id string) bool { return u.ids[id] })
}

// byCursor says whether a page of a report was refused here for its cursor alone, which an answer that the files do not show may have told.
func byCursor(r *recording.Recording, d *compare.Difference) bool {
	if d.N < 0 || d.Where != "status" || d.Recorded != "200" || d.Replayed != "400" || d.Operation != "reportTransactions" || !strings.Contains(strings.ToLower(r.Exchanges[d.N].Query), "cursor=") {
		return false
	}
	return slices.ContainsFunc(r.Exchanges[:d.N], func(x recording.Exchange) bool {
		return strings.HasSuffix(strings.ToLower(x.Path), "/transaction/report") && x.Answer.Status == 200 && x.Answer.Known != recording.Whole
	})
}
