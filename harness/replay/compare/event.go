package compare

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Told is an event: what it is about, by the world's id, and what it says.
type Told struct {
	Name, About, Says string
	Body              []byte
	Entry             *tape.Entry
}

// Emitted are the events of a replay.
func Emitted(run *play.Run) []Told {
	var list []Told
	for i := range run.Entries {
		if e := &run.Entries[i]; e.Event != nil {
			t := Tell(e.Event.Body)
			t.Entry = e
			list = append(list, t)
		}
	}
	return list
}

// Tell reads an event.
func Tell(body []byte) Told {
	b := trail.ReadBody(body)
	d := b.Object("Data")
	t := Told{Name: b.Text("Event"), Says: d.Text("Status"), Body: body}
	for _, member := range []string{"PaymentId", "CompanyId"} {
		if t.About == "" {
			t.About = strings.ToLower(d.Text(member))
		}
	}
	return t
}

// events compares what the partner received with what the replay emitted.
func events(r *recording.Recording, run *play.Run, missed bool) []Difference {
	emitted := Emitted(run)
	first := firstOf(emitted)
	var list []Difference
	told := map[int]bool{}
	for i := range run.Script.Steps {
		n := run.Script.Steps[i].Heard - 1
		if n < 0 {
			continue
		}
		w := &r.Received[n]
		found, i := received(w, emitted, first, run)
		told[i] = true
		for _, d := range found {
			if d.N, d.Heard, d.Place, d.Class = play.Prelude, n+1, w.Place, Unexplained; compared(w) {
				list = append(list, d)
			}
		}
	}
	if !missed || len(r.Received) == 0 {
		return list
	}
	return append(list, unheard(r, run, emitted, told)...)
}

// compared says whether a webhook is the service's, and of an event that has to be known.
func compared(w *recording.Received) bool {
	name := Tell(w.Body).Name
	return w.Signature != recording.Wrong && w.Signature != recording.Missing &&
		(name == "" || name == trail.PaymentEvent || name == trail.CompanyEvent)
}

// event names events that say the same: of one resource, or, without it, of any.
type event struct{ about, name, says string }

// firstOf are the places of the first events of their kind.
func firstOf(emitted []Told) map[event]int {
	first := make(map[event]int, 2*len(emitted))
	for i := len(emitted) - 1; i >= 0; i-- {
		e := &emitted[i]
		first[event{e.About, e.Name, e.Says}], first[event{"", e.Name, e.Says}] = i, i
	}
	return first
}

// received compares one webhook with the event of the replay that it is, by its place
// among those that were emitted, -1 for none.
func received(w *recording.Received, emitted []Told, first map[event]int, run *play.Run) ([]Difference, int) {
	t := Tell(w.Body)
	call := strings.TrimSpace(t.Name + " " + t.Says)
	if t.Name == "" || t.About == "" {
		return []Difference{{Call: call, Where: "event", Recorded: trail.Show(w.Body)}}, -1
	}
	id, linked := run.Links.Find("", t.About)
	if recording.Struck(t.About) {
		id, linked = "", true
	}
	i, told := first[event{strings.ToLower(id), t.Name, t.Says}]
	if !linked || !told {
		return []Difference{{Call: call, Where: "event", Recorded: call}}, -1
	}
	var list []Difference
	found := Bodies("", w.Body, emitted[i].Body, &run.Links)
	if trail.ReadBody(w.Body).Text("Live") == "" { // else whoever printed it has made texts of all values
		found = append(found, kinds(w.Body, emitted[i].Body)...)
	}
	for _, d := range found {
		if d.Call = call; d.Replayed != "" && (d.Recorded != "" || !w.Mentioned) { // a receiver has to pass over a member more
			list = append(list, d)
		}
	}
	return list, i
}

// unheard are the events that the replay emitted and that a complete list of received
// webhooks does not have.
func unheard(r *recording.Recording, run *play.Run, emitted []Told, told map[int]bool) []Difference {
	if !slices.ContainsFunc(r.Sources, func(s recording.Source) bool { return s.ReceivedComplete }) {
		return nil
	}
	var list []Difference
	for i := range emitted {
		about, ours := run.Links.Recorded(emitted[i].About)
		if !told[i] && ours {
			list = append(list, Difference{
				N: play.Prelude, Where: "event", Call: emitted[i].Name + " about " + about, Replayed: emitted[i].Name + " " + emitted[i].Says, Class: Unexplained,
			})
		}
	}
	return list
}

// Drawn drops the differences whose replayed value is another under another seed, but
// for a resource that the recording knows in the place of another that it knows.
func Drawn(list []Difference, other *play.Run, run *play.Run) {
	ours, theirs := texts{}, texts{}
	for i := range list {
		d := &list[i]
		if d.Class != Unexplained || d.Where == "" || d.Where[0] != '/' || d.N < 0 {
			continue
		}
		if ours.of(run, d.N)[d.Where] != theirs.of(other, d.N)[d.Where] && d.Recorded != "" && d.Replayed != "" && !confused(d, &run.Links) && !another(run, d) {
			d.Class = TimeOrID
		}
	}
}

// confused says whether both values are ids that the recording and the world have in
// common: then it matters which of them it is. So it does where a call made again what an earlier one had made.
func confused(d *Difference, l *correlate.Links) bool {
	theirs, known := l.Find(correlate.TypeAt(d.Operation, d.Where), d.Recorded)
	_, ours := l.Recorded(d.Replayed)
	again := slices.Contains(trail.OperationNamed(d.Operation).Makes, strings.TrimPrefix(d.Where, "/"))
	return known && (ours || again) && !strings.EqualFold(theirs, d.Replayed)
}

// another says whether a call is answered with the id of another thing than that which its path names.
func another(run *play.Run, d *Difference) bool {
	asked, ours := run.Links.Recorded(d.Replayed)
	a := run.Of(d.N)
	return ours && a != nil && asked != "" && strings.Contains(strings.ToLower(run.Script.Steps[a.Step].Call.Exchange.Path), strings.ToLower(asked))
}

// texts are the texts of answers, by their exchanges and where they stand.
type texts map[int]map[string]string

func (t texts) of(run *play.Run, n int) map[string]string {
	if t[n] == nil {
		t[n] = map[string]string{}
		if a := run.Of(n); a != nil {
			correlate.Walk(a.Body, func(path []string, v any) {
				if text, ok := v.(string); ok {
					t[n][correlate.Pointer(path)] = text
				}
			})
		}
	}
	return t[n]
}
