package join

import (
	"bytes"
	"encoding/json"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Received puts the webhooks of all files together, in the order in which they arrived; the same in two files, its members in any order, within a second is one
// arrival. Its place is the one in the file that tells more beside its webhooks.
func Received(parts []*source.Part) []recording.Received {
	if len(parts) == 1 {
		return receivedInOrder(parts[0].Received)
	}
	var all []recording.Received
	index, besides := map[string][]int{}, map[string]int{}
	for _, p := range parts {
		taken, first := map[int]bool{}, len(all)
		besides[p.Source().Name] = p.Source().Size / max(len(p.Received), 1)
	next:
		for _, r := range p.Received {
			for _, i := range index[inMembers(r.Body)] {
				if !taken[i] && sameTime(all[i].At, r.At) {
					taken[i] = true
					all[i] = joinedTo(all[i], r, besides[r.Place.Source] > besides[all[i].Place.Source])
					continue next
				}
			}
			all = append(all, r)
		}
		for i := first; i < len(all); i++ {
			key := inMembers(all[i].Body)
			index[key] = append(index[key], i)
		}
	}
	return receivedInOrder(all)
}

// joinedTo is a webhook with what another file tells of it, whose place it takes where that tells more.
func joinedTo(w, other recording.Received, more bool) recording.Received {
	if more {
		w.Place, other.Place = other.Place, w.Place
	}
	w.Also = append(w.Also, other.Place)
	if w.At.IsZero() {
		w.At = other.At
	}
	if len(w.Header) == 0 && len(other.Header) > 0 {
		w.Header, w.Body, w.Reprinted = other.Header, other.Body, other.Reprinted
	}
	if w.Status == 0 && !w.Did(recording.Refused) {
		w.Status = other.Status
		w.Tell(recording.Refused, other.Lines(recording.Refused)...)
	}
	return w
}

// largest is how long a body may be whose members are compared in any order, in bytes.
const largest = 1 << 20

// inMembers is a body by its members, in whichever order they stand.
func inMembers(body []byte) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if len(body) > largest || d.Decode(&v) != nil {
		return string(body)
	}
	return string(source.Encoded(v))
}

// Heads puts together a webhook's head and its body where a log tells of them in two lines, one behind the other.
func Heads(p *source.Part) {
	const near = 3 // lines
	heads := map[int]int{}
	for i := range p.Received {
		if w := &p.Received[i]; len(w.Body) == 0 && w.Place.Line > 0 && source.Header(w.Header, trail.SignatureHeader) != "" {
			heads[w.Place.Line] = i
		}
	}
	taken := map[int]bool{}
	for i := range p.Received {
		w := &p.Received[i]
		for line := w.Place.Line - 1; len(w.Body) > 0 && len(w.Header) == 0 && line >= w.Place.Line-near; line-- {
			if at, known := heads[line]; known && !taken[at] && sameTime(p.Received[at].At, w.At) {
				w.Header, w.URL, w.Status, taken[at] = p.Received[at].Header, p.Received[at].URL, max(w.Status, p.Received[at].Status), true
				break
			}
		}
	}
	list := p.Received[:0]
	for i := range p.Received {
		if !taken[i] {
			list = append(list, p.Received[i])
		}
	}
	p.Received = list
}
