package join

import (
	"slices"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// mostHeads bounds how many requests of a proxy's log are kept as arrivals.
const mostHeads = 2_000

// TakeHeads puts what the log of a proxy tells of webhooks, their headers and no body, to the bodies that the receiver behind it tells in
// another file: those that came within a second, one there and one here. All are arrivals at the receiver, whatever they were.
func TakeHeads(p *source.Part, parts []*source.Part) {
	if len(p.Received) == 0 || slices.ContainsFunc(p.Received, func(w recording.Received) bool { return len(w.Body) > 0 }) {
		return
	}
	slices.SortStableFunc(p.Received, func(a, b recording.Received) int { return a.At.Compare(b.At) })
	taken := giveHeads(p.Received, bodiesBeside(parts, p))
	for i := range p.Received {
		w := &p.Received[i]
		if a := &p.Source().Arrivals; !w.At.IsZero() && len(*a) < mostHeads {
			*a = append(*a, recording.Arrival{At: w.At, Line: w.Place.Line, Status: w.Status})
		}
		if !taken[i] {
			p.Skip(w.Place, "a call to the partner's own receiver, of which the file shows no event")
		}
	}
	p.Received = nil
}

// bodiesBeside are the webhooks of other files whose bodies are shown and of which it is not shown whether they were signed, in the order
// in which they arrived.
func bodiesBeside(parts []*source.Part, heads *source.Part) (list []*recording.Received) {
	for _, p := range parts {
		for i := range p.Received {
			if w := &p.Received[i]; p != heads && len(w.Body) > 0 && !w.At.IsZero() && !w.Unsigned && source.Header(w.Header, trail.SignatureHeader) == "" {
				list = append(list, w)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *recording.Received) int { return a.At.Compare(b.At) })
	return list
}

// giveHeads gives each body the head that alone came when it did, and to which no other body did. It says which heads were given.
func giveHeads(heads []recording.Received, bodies []*recording.Received) (taken map[int]bool) {
	taken = map[int]bool{}
	of, many := map[int]int{}, map[int]int{} // by the places of bodies: the head, and how many may be its
	for h := range heads {
		if at := onlyNear(bodies, &heads[h]); at >= 0 {
			of[at], many[at] = h, many[at]+1
		}
	}
	for at, h := range of {
		if many[at] != 1 || crowded(heads, h) {
			continue
		}
		w, head := bodies[at], &heads[h]
		for _, header := range head.Header {
			w.Header = source.SetHeader(w.Header, header.Name, header.Value)
		}
		w.URL, w.Status, w.Unsigned, w.Reprinted = head.URL, max(w.Status, head.Status), head.Unsigned, true
		w.Also, taken[h] = append(w.Also, head.Place), true
	}
	return taken
}

// onlyNear is the place of the one body that came when a head did, -1 for none, several, or one that was answered otherwise.
func onlyNear(bodies []*recording.Received, head *recording.Received) int {
	if head.At.IsZero() {
		return -1
	}
	first, _ := slices.BinarySearchFunc(bodies, head.At.Add(-within), func(w *recording.Received, at time.Time) int { return w.At.Compare(at) })
	if first == len(bodies) || !sameTime(bodies[first].At, head.At) || first+1 < len(bodies) && sameTime(bodies[first+1].At, head.At) {
		return -1
	}
	if status := bodies[first].Status; status != 0 && head.Status != 0 && status != head.Status {
		return -1
	}
	return first
}

// crowded says whether another head came when one did: its body may be that of the other, and not be shown.
func crowded(heads []recording.Received, h int) bool {
	for _, next := range []int{h - 1, h + 1} {
		if next >= 0 && next < len(heads) && sameTime(heads[next].At, heads[h].At) {
			return true
		}
	}
	return false
}
