// Package missing finds the events that were due and that the files do not show, although they show those of everything else: by
// the states that calls show. It judges nothing.
package missing

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Event is one that was due.
type Event struct {
	Name, About, Says string
	// Call is the call that is the first to show the state, from 0.
	Call int
	// Before and Behind are the webhooks nearest to that call, from 1.
	Before, Behind int
}

// settled is how long behind the call the recording has to go on: an event that fails is tried again within that time.
const settled = 10 * time.Minute

// atOnce is within which time two logs tell of one arrival.
const atOnce = 5 * time.Second

// ends are the states that an event tells and nothing follows soon.
var ends = []string{"Paid", "Failed", "Denied", "Verified", "Rejected"}

// Find finds the one event of its name that is missing. Where more are, the files do not show all webhooks, and nothing is missing.
func Find(r *recording.Recording, run *play.Run) []Event {
	if len(r.Received) == 0 || slices.ContainsFunc(r.Received, func(w recording.Received) bool {
		return w.At.IsZero() || w.Place.Source != r.Received[0].Place.Source
	}) {
		return nil
	}
	s := search{r: r, run: run, ids: references(r, run), told: map[string][]string{}}
	if !s.hears() || !s.accounted() {
		return nil
	}
	var found []Event
	for _, name := range []string{trail.PaymentEvent, trail.CompanyEvent} {
		if list := s.due(name); len(list) == 1 && s.around(&list[0]) {
			found = append(found, list[0])
		}
	}
	return found
}

// search is what events tell: of what, in small letters, which ends.
type search struct {
	r    *recording.Recording
	run  *play.Run
	ids  map[string]string
	told map[string][]string
}

// references are the ids of the companies that calls have made, by the partner's own references, both in small letters.
func references(r *recording.Recording, run *play.Run) map[string]string {
	ids := map[string]string{}
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N < 0 || a.Operation != "createCompany" {
			continue
		}
		sent := trail.ReadBody(run.Script.Steps[a.Step].Call.Exchange.Body)
		ids[strings.ToLower(sent.Text("companyReferenceId"))] = strings.ToLower(trail.ReadBody(r.Exchanges[a.N].Answer.Body).Text("companyId"))
	}
	return ids
}

// hears takes what the webhooks tell; false where one of them does not tell it, or was refused.
func (s *search) hears() bool {
	for i := range s.r.Received {
		w := &s.r.Received[i]
		event := compare.Tell(w.Body)
		if event.About == "" || recording.Struck(event.About) || recording.Struck(event.Says) || w.Status >= 300 {
			return false
		}
		if slices.Contains(ends, event.Says) {
			s.told[event.Name+" "+event.About] = append(s.told[event.Name+" "+event.About], event.Says)
		}
	}
	return true
}

// accounted says whether all that came to the receiver by its access logs, while webhooks are shown, is among these.
func (s *search) accounted() bool {
	first, last := s.r.Received[0].At.Add(-atOnce), s.r.Received[len(s.r.Received)-1].At.Add(atOnce)
	taken := map[int]bool{}
	for _, source := range s.r.Sources {
		for _, arrival := range source.Arrivals {
			at := arrival.At
			if at.Before(first) || at.After(last) {
				continue
			}
			i := 0
			for i < len(s.r.Received) && (taken[i] || s.r.Received[i].At.Sub(at).Abs() > atOnce) {
				i++
			}
			if i == len(s.r.Received) {
				return false
			}
			taken[i] = true
		}
	}
	return true
}

// due are the ends that calls show behind another state, and no event tells; none where events tell too little of others.
func (s *search) due(name string) []Event {
	var list []Event
	open := map[string]time.Time{}
	for i := range s.r.Exchanges {
		about, says := s.shown(i, name)
		since, was := open[about]
		switch {
		case about == "":
		case !slices.Contains(ends, says):
			open[about] = s.r.Exchanges[i].Begin
		case was && !slices.Contains(s.told[name+" "+about], says) && !s.mayBe(about, name, says, since):
			list = append(list, Event{Name: name, About: about, Says: says, Call: i})
			fallthrough
		default:
			delete(open, about)
		}
	}
	others := 0
	for key := range s.told {
		if strings.HasPrefix(key, name) {
			others++
		}
	}
	if least := map[string]int{trail.PaymentEvent: 2, trail.CompanyEvent: 1}[name]; others < least {
		return nil
	}
	return list
}

// mayBe says whether an event may be about something that is known by a name of the partner's own alone: one that came when that was not
// so any more is none.
func (s *search) mayBe(about, name, says string, since time.Time) bool {
	return name == trail.CompanyEvent && !trail.IsUUID(about) && slices.ContainsFunc(s.r.Received, func(w recording.Received) bool {
		event := compare.Tell(w.Body)
		return event.Name == name && event.Says == says && w.At.After(since.Add(-settled))
	})
}

// shown is the state that a call shows, and of what: a payment is Pending in the answer that makes it.
func (s *search) shown(n int, name string) (about, says string) {
	x, a := &s.r.Exchanges[n], s.run.Of(n)
	if a == nil || x.Answer.Status != 200 {
		return "", ""
	}
	answer, path := trail.ReadBody(x.Answer.Body), strings.Split(strings.ToLower(strings.Trim(x.Path, "/")), "/")
	switch does := trail.OperationNamed(a.Operation); {
	case trail.KindOf(does.Kind).Event != name:
		return "", ""
	case does.RequestsPayment():
		return strings.ToLower(answer.Text(does.Makes[0])), "Pending"
	case does.State == "status" && len(path) > 2: // other members tell it in the transaction report's words, or of no id in the path
		return cmp.Or(s.ids[path[1]], path[1]), answer.Text(does.State)
	default:
		return "", ""
	}
}

// around finds the webhooks before and behind an event that is missing; false where there are none, or the recording ends too soon.
func (s *search) around(e *Event) bool {
	at := s.r.Exchanges[e.Call].Begin
	last := s.r.Exchanges[len(s.r.Exchanges)-1].Begin
	for i := range s.r.Received {
		if w := &s.r.Received[i]; w.At.Before(at) {
			e.Before = i + 1
		} else if e.Behind == 0 {
			e.Behind = i + 1
		}
		if w := &s.r.Received[i]; w.At.After(last) {
			last = w.At
		}
	}
	return !at.IsZero() && e.Before > 0 && e.Behind > 0 && last.Sub(at) >= settled
}
