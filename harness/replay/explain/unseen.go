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
