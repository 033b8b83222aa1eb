package diagnose

import (
	"fmt"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// redelivered are the events that were delivered more than once. A receiver has to take each time, and to act once: where
// its log tells that it acted again, it is at fault; where nothing tells what it did, it cannot be told.
func redelivered(r *recording.Recording, run *play.Run) []Fault {
	first := map[string]int{}
	var list []Fault
	told := map[string]int{}
	for _, i := range heard(run) {
		w := &r.Received[i]
		key := w.Says()
		before, again := first[key]
		if key == "" || w.Signature == recording.Wrong || w.Signature == recording.Missing {
			continue
		}
		if !again {
			first[key] = i
			continue
		}
		if at, known := told[key]; known {
			list[at].Webhooks = append(list[at].Webhooks, i+1)
		} else if !w.PassedOver {
			told[key] = len(list)
			list = append(list, cameAgain(r, before, i))
		}
	}
	return list
}

// once is what a receiver has to do with an event.
const once = "keep the event's key (event, id, status, timestamp) with what was done, under a unique index, in one transaction; answer 2xx as soon as it is stored, also when it comes again, and do nothing then"

// cameAgain tells of an event that came again.
func cameAgain(r *recording.Recording, before, i int) Fault {
	w, was := &r.Received[i], &r.Received[before]
	says := compare.Tell(w.Body)
	f := Fault{
		Side: Undecidable, N: play.Prelude, Heard: i + 1, Place: w.Place, Call: fmt.Sprintf("webhook %d", i+1), Webhooks: []int{before + 1, i + 1},
		What: fmt.Sprintf("it is webhook %d once more (%s %s of %s): the first %s", before+1, says.Name, says.Says, says.About, reply(was)),
	}
	if len(w.Did) > 0 {
		f.Side, f.Clause, f.Fix = Partner, "partner.webhook.duplicate", once
		f.What += fmt.Sprintf("; the receiver's log tells that it did the same both times: \"%s\"", strings.Join(w.Did, "\", \""))
		return f
	}
	f.What += "; what the receiver did each time is not shown"
	f.Fix = fmt.Sprintf("what the receiver did at webhook %d and at webhook %d (the lines of its log, or the rows that it wrote for %s), to tell whether it acted twice; a receiver has to %s", before+1, i+1, says.About, once)
	return f
}

// reply says what came of a first delivery.
func reply(w *recording.Received) string {
	switch {
	case w.Status == 0:
		return "may not have been answered with 2xx, which is not shown; an event is delivered until it is"
	case w.Status >= 300:
		return fmt.Sprintf("was answered %d, so that it was sent again, as it has to be", w.Status)
	default:
		return fmt.Sprintf("was answered %d; a service delivers an event at least once", w.Status)
	}
}
