package diagnose

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/made"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
)

// outOfOrder are the events that came behind a later one of the same payment: a service may deliver them so.
func (in *Input) outOfOrder() []notable {
	var list []notable
	older := receiver.Older(in.Recording)
	for _, i := range in.Run.Heard() {
		if before := older[i]; before >= 0 {
			list = append(list, notable{
				fmt.Sprintf("webhook %d, %s, came behind webhook %d, %s, and is %s older", i+1, compare.Tell(in.Recording.Received[i].Body).Says, before+1, compare.Tell(in.Recording.Received[before].Body).Says, receiver.Late(in.Recording, i, before)),
				"events may come in any order: one that is older by its Timestamp than what is known changes nothing; where in doubt, read the payment's state",
			})
		}
	}
	return list
}

// setBack are the events that came behind a later one, and of which the receiver's log tells that it took them for the state.
func setBack(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	older, newer := receiver.Older(r), receiver.Newer(r)
	for _, i := range run.Heard() {
		w, before, came := &r.Received[i], older[i], "had come before and"
		if before < 0 {
			before, came = newer[i], "came behind it and"
		}
		if before < 0 || !w.Did(recording.SetBack) || w.Signature == recording.Wrong || w.Signature == recording.Missing || w.Denied() {
			continue
		}
		says := compare.Tell(w.Body)
		list = append(list, Fault{
			Side: Partner, Heard: i + 1, Clause: "partner.webhook.order", Webhooks: []int{min(before, i) + 1, max(before, i) + 1},
			What: fmt.Sprintf("it tells that the payment %s is %s, and is %s older than webhook %d, which %s tells %s; the receiver's log tells that it went back: \"%s\"", says.About, says.Says, receiver.Late(r, i, before), before+1, came, compare.Tell(r.Received[before].Body).Says, w.Line(recording.SetBack)),
			Fix:  "order events by their Timestamp, not by when they come: one that is older than what is known changes nothing; where in doubt, read the payment's state",
		}.placed(r))
	}
	return list
}

// EventFirst is the choice of a service whose events come before the call that has caused them has answered.
const EventFirst = "event-before-response=yes"

// overtook are the events that came while the call that has caused them had not answered: that is left open.
func overtook(r *recording.Recording, run *play.Run) []Fault {
	knob, value, _ := strings.Cut(EventFirst, "=")
	if run.Script.World.Latitude[knob] == value {
		return nil
	}
	var list []Fault
	known, by := map[string]bool{}, made.Causes(r, run)
	for _, i := range run.Heard() {
		w := &r.Received[i]
		key, says := w.Says(), compare.Tell(w.Body)
		n, caused := by[made.Cause{About: says.About, Canceled: says.Says == "Canceled"}]
		if key == "" || known[key] || !caused || w.Signature == recording.Wrong || w.Signature == recording.Missing {
			continue
		}
		known[key] = true
		x := &r.Exchanges[n]
		if !receiver.Crossed(w, x) || !receiver.OneClock(r, w, x) {
			continue
		}
		taken := receiver.TakenLater(r, i)
		unknown := w.Status >= 300 && !w.Denied() && taken > 0
		if !unknown && w.Place.Source != x.Place.Source { // of two files the answer tells, too
			continue
		}
		f := Fault{
			Side: Choice, Heard: i + 1, Knob: EventFirst, Calls: []int{n + 1}, Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that %s is %s, and came while call %d, %s %s, by which that is so, had not answered: %s after the call had begun, %s before its answer was there, which names the same id", says.About, says.Says, n+1, x.Method, x.Path, w.At.Sub(x.Begin).Round(time.Millisecond), x.End.Sub(w.At).Round(time.Millisecond)),
			Fix:  "the event is about what the call under way has made, and is nobody else's: the specification leaves open which of the two comes first; take an event about what is not known yet, answer 2xx and keep it until the call has answered, or answer an error, so that it is sent again",
		}.placed(r)
		if unknown {
			f.Webhooks = append(f.Webhooks, taken)
			f.What += fmt.Sprintf("; the receiver answered %d, so that it was sent again, and took it then (webhook %d)", w.Status, taken)
		}
		list = append(list, f)
	}
	return list
}

// notKnownYet leaves out what a receiver is said to have got wrong with an event that came before the answer to its call: that it came so
// is the service's choice.
func notKnownYet(faults []Fault) []Fault {
	early := map[int]bool{}
	for i := range faults {
		early[faults[i].Heard] = early[faults[i].Heard] || faults[i].Knob == EventFirst
	}
	return slices.DeleteFunc(faults, func(f Fault) bool { return f.Clause == "partner.webhook.before-response" && early[f.Heard] })
}

// takenForPaid are the answers that show a payment as under way, and after which a system of the partner's own was told that it is paid.
func takenForPaid(r *recording.Recording) []Fault {
	var list []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.TooSoon == "" {
			continue
		}
		b := trail.ReadBody(x.Answer.Body)
		f := Fault{
			Side: Partner, N: i, Clause: "partner.payment.paid-first", Calls: []int{i + 1},
			What: fmt.Sprintf("it tells that the payment %s is %s: the money has not come; %s", cmp.Or(b.Text("id"), b.Text("paymentRequestId")), b.Text("status"), x.TooSoon),
			Fix:  paidFirst,
		}.placed(r)
		for j := i + 1; j < len(r.Exchanges); j++ {
			if later := trail.ReadBody(r.Exchanges[j].Answer.Body); strings.EqualFold(later.Text("id"), b.Text("id")) && later.Text("status") == "Failed" {
				f.Calls = append(f.Calls, j+1)
				f.What += fmt.Sprintf("; it Failed (call %d)", j+1)
				break
			}
		}
		list = append(list, f)
	}
	return list
}

// mixedUp are the events that the receiver's log tells it took for those of another payment.
func mixedUp(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for _, i := range run.Heard() {
		w := &r.Received[i]
		if !w.Did(recording.Another) || w.Signature == recording.Wrong || w.Denied() {
			continue
		}
		says := compare.Tell(w.Body)
		list = append(list, Fault{
			Side: Partner, Heard: i + 1, Clause: "partner.payment.books", Webhooks: []int{i + 1},
			What: fmt.Sprintf("it tells that the payment %s is %s, and the receiver's log tells of another one then, whose reference is %q", says.About, says.Says, w.Line(recording.Another)),
			Fix:  "find what an event is about by its PaymentId, the id that the call answered which made the payment: a payer may have several payments of one amount",
		}.placed(r))
	}
	return list
}

// oneEvent says whether two webhooks tell of one change.
func oneEvent(a, b []byte) bool {
	one, other := compare.Tell(a), compare.Tell(b)
	return one.About != "" && one.Name == other.Name && one.About == other.About && one.Says == other.Says
}

// signedAlike are the webhooks that carry the signature of another one, whose body is another: of both it cannot be right.
func signedAlike(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	first := map[string]int{}
	told := map[string]bool{}
	for i := range r.Received {
		if said := signature(&r.Received[i]); said != "" {
			told[said] = true
		}
	}
	for _, i := range run.Heard() {
		w := &r.Received[i]
		said := signature(w)
		before, known := first[said]
		if !known || said == "" {
			first[said] = i
			continue
		}
		was := &r.Received[before]
		if len(told) < 2 || w.Reprinted || was.Reprinted || len(w.Header) < unshown.WholeHead || bytes.Equal(w.Body, was.Body) || !oneEvent(w.Body, was.Body) {
			continue // what a file has struck out looks alike, too
		}
		list = append(list, Fault{
			Side: Service, Heard: i + 1, Clause: "event.signature", Webhooks: []int{before + 1, i + 1},
			What: fmt.Sprintf("its signature is that of webhook %d, and its body is another: one digest cannot be of both", before+1),
			Fix:  "report it to the service, with this case, unless something before the receiver changes bodies: it seems to make the body anew when it delivers again, and to keep the signature; a receiver is right to refuse it",
		}.placed(r))
	}
	return list
}

// byItself are the faults that a recording shows by itself, and no refusal or difference does.
func (in *Input) byItself() []Fault {
	r, run := in.Recording, in.Run
	return slices.Concat(redelivered(r, run), overtook(r, run), doneAgain(in), signedAlike(r, run), switchedOff(r), overLimit(r), anothersLinks(r, run), unfiltered(r), unmasked(r))
}

// redelivered are the events that were delivered more than once. A receiver has to take each time, and to act once: where
// its log tells that it acted again, it is at fault; where nothing tells what it did, it cannot be told.
func redelivered(r *recording.Recording, run *play.Run) []Fault {
	first := map[string]int{}
	var list []Fault
	told := map[string]int{}
	for _, i := range run.Heard() {
		w := &r.Received[i]
		key := w.Says()
		before, again := first[key]
		if key == "" || w.Signature == recording.Wrong || w.Signature == recording.Missing {
			continue
		}
		if !again || (r.Received[before].TurnedDown() || awayAt(&r.Received[before])) && !w.Did(recording.DidAgain) {
			first[key] = i
			continue
		}
		if at, known := told[key]; known {
			list[at].Webhooks = append(list[at].Webhooks, i+1)
		} else if !w.Did(recording.PassedOver) && !w.Denied() {
			told[key] = len(list)
			list = append(list, cameAgain(r, before, i))
		}
	}
	return list
}

// awayAt says whether something before the receiver answered for it, since it was away.
func awayAt(w *recording.Received) bool { return w.Status == 502 || w.Status == 503 }

// once is what a receiver has to do with an event.
const once = "keep the event's key (event, id, status, timestamp) with what was done, under a unique index, in one transaction; answer 2xx as soon as it is stored, also when it comes again, and do nothing then"

// patience is how long a delivery waits for an answer. Latitude, retries.
const patience = 15 * time.Second

// cameAgain tells of an event that came again.
func cameAgain(r *recording.Recording, before, i int) Fault {
	w, was := &r.Received[i], &r.Received[before]
	says := compare.Tell(w.Body)
	f := Fault{
		Side: Undecidable, Heard: i + 1, Webhooks: []int{before + 1, i + 1},
		What: fmt.Sprintf("it is webhook %d once more (%s %s of %s): the first ", before+1, says.Name, says.Says, says.About),
	}.placed(r)
	if was.Took >= patience && was.Status != 0 {
		f.Side, f.Clause, f.Also, f.Fix = Partner, "partner.webhook.quick", []string{"partner.webhook.duplicate"}, once
		f.What += fmt.Sprintf("was answered %d after %s only: the service waits for %s, takes for lost what has not come by then, and delivers again", was.Status, was.Took.Round(100*time.Millisecond), patience)
		return f
	}
	f.What += reply(was)
	if was.Status/100 == 3 && w.Status/100 != 2 {
		f.Side, f.Fix = Partner, "register the address at which the receiver answers 2xx itself, to the last slash: an event is taken that is answered with 2xx, a redirect is not followed, and what is not taken is given up after a day or two"
		f.What += "; a redirect is no success"
		return f
	}
	if w.Did(recording.DidAgain) {
		f.Side, f.Clause, f.Fix = Partner, "partner.webhook.duplicate", once
		f.What += fmt.Sprintf("; the receiver's log tells that it did the same both times: \"%s\"", strings.Join(w.Lines(recording.DidAgain), "\", \""))
		return f
	}
	f.What += "; what the receiver did each time is not shown"
	f.Fix = fmt.Sprintf("what the receiver did at webhook %d and at webhook %d (the lines of its log, or the rows that it wrote for %s), to tell whether it acted twice; a receiver has to %s", before+1, i+1, says.About, once)
	return f
}

// reply says what came of a first delivery.
func reply(w *recording.Received) string {
	switch {
	case w.Status == 0 && w.Did(recording.Refused):
		return fmt.Sprintf("was refused (\"%s\"), so that it was sent again, as it has to be", w.Line(recording.Refused))
	case w.Status == 0:
		return "may not have been answered with 2xx, which is not shown; an event is delivered until it is"
	case w.Status >= 300:
		return fmt.Sprintf("was answered %d, so that it was sent again, as it has to be", w.Status)
	default:
		return fmt.Sprintf("was answered %d; a service delivers an event at least once", w.Status)
	}
}
