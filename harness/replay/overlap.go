package replay

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// mostOrders bounds how many other orders of calls that overlapped are played: fewer of a long recording, of which each play takes long.
func mostOrders(calls int) int {
	const most, least, together = 40, 4, 8_000
	return min(most, max(least, together/max(calls, 1)))
}

// overlap says whether two calls were under way at one time: the service may have carried
// out either of them first.
func overlap(a, b *recording.Exchange) bool {
	return !a.Begin.IsZero() && !b.Begin.IsZero() && a.Begin.Before(b.End) && b.Begin.Before(a.End)
}

// orders are what other orders there are: each pair of steps of calls that overlapped, of
// which the later may come before the earlier.
func orders(r *recording.Recording, s *play.Script) [][2]int {
	var list [][2]int
	for i := range s.Steps {
		a := s.Steps[i].Call
		if a == nil || a.N == play.Prelude {
			continue
		}
		for k := i + 1; k < len(s.Steps); k++ {
			b := s.Steps[k].Call
			if b == nil || b.N == play.Prelude {
				continue
			}
			if !overlap(&r.Exchanges[a.N], &r.Exchanges[b.N]) {
				break // calls stand in the order in which they began
			}
			list = append(list, [2]int{i, k})
		}
	}
	return list
}

// atOnce says which calls meet: of two that overlapped and have one idempotency key, the
// one that was told that the other is still at work. They are played truly at once, the
// other first. Everything else that overlaps is the same as one after the other: the
// service carries out the calls of an integration one by one.
func atOnce(r *recording.Recording, s *play.Script) {
	for _, pair := range orders(r, s) {
		a, b := pair[0], pair[1]
		if keyBusy(s.Steps[a].Call) {
			a, b = b, a
		}
		one, two := s.Steps[a].Call, s.Steps[b].Call
		if keyBusy(one) || !keyBusy(two) || one.Met || two.Meets || pair[1] != pair[0]+1 || one.Exchange.Path != two.Exchange.Path || key(one) == "" || key(one) != key(two) {
			continue
		}
		met, meets := *one, *two
		met.Met, meets.Meets = true, true
		at, end := s.Steps[pair[0]].At, s.Steps[pair[1]].At
		s.Steps[pair[0]], s.Steps[pair[1]] = play.Step{At: at, Call: &met}, play.Step{At: end, Call: &meets}
	}
}

// keyBusy says whether a call was answered that another with its key is at work.
func keyBusy(c *play.Call) bool { return c.Exchange.Answer.Status == http.StatusConflict }

func key(c *play.Call) string {
	text, _ := trail.Header(c.Exchange.Header, "Idempotency-Key")
	return text
}

// sooner is a script in which a step comes before an earlier one, at its time.
func sooner(s *play.Script, pair [2]int) play.Script {
	out := s.Clone()
	moved := out.Steps[pair[1]]
	moved.At = out.Steps[pair[0]].At
	out.Steps = slices.Insert(slices.Delete(out.Steps, pair[1], pair[1]+1), pair[0], moved)
	return out
}

// ordered plays calls that overlapped in other orders, where the answers that were recorded
// contradict the one in which they began, and keeps what leaves the least open.
func (m *maker) ordered(ctx context.Context, run *play.Run, list []compare.Difference, c *Case) (*play.Run, []compare.Difference, error) {
	pairs := orders(m.rec, &m.begun)
	if len(pairs) == 0 {
		return run, list, nil
	}
	note := fmt.Sprintf("Calls that overlapped (%d pairs, the first are %s) were played in the order in which they began.", len(pairs), m.pair(pairs[0]))
	most := mostOrders(len(m.rec.Exchanges))
	for tried := 0; open(list) > 0 && tried < most; {
		better := false
		for _, p := range m.contradicted(orders(m.rec, &m.begun), list) {
			if tried++; tried > most {
				break
			}
			was, begun, name := m.base, m.begun, m.pair(p)
			m.begun = sooner(&begun, p)
			m.base = m.begun
			other, err := m.settled(ctx)
			if err != nil {
				return nil, nil, err
			}
			if now := m.compare(other); open(now) < open(list) {
				run, list, better = other, now, true
				note = "Calls " + name + " overlapped, and the answers are possible only when the later was carried out first: so it was played."
				c.Notes = append(c.Notes, note)
				note = ""
				break
			}
			m.base, m.begun = was, begun
		}
		if !better {
			break
		}
	}
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	return run, list, nil
}

// contradicted are the pairs of which one shows a difference.
func (m *maker) contradicted(pairs [][2]int, list []compare.Difference) [][2]int {
	differs := map[int]bool{}
	for i := range list {
		differs[list[i].N] = differs[list[i].N] || list[i].Class == compare.Unexplained
	}
	return slices.DeleteFunc(pairs, func(p [2]int) bool {
		return !differs[m.begun.Steps[p[0]].Call.N] && !differs[m.begun.Steps[p[1]].Call.N]
	})
}

func (m *maker) pair(p [2]int) string {
	return fmt.Sprintf("%d and %d", m.begun.Steps[p[0]].Call.N+1, m.begun.Steps[p[1]].Call.N+1)
}
