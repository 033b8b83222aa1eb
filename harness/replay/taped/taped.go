// Package taped makes a tape of a recording: what a replay did, with the answers and webhooks that were recorded.
package taped

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Tape is the tape of a recording: what the replay's world did, with the answers that
// were recorded, in the world's ids, and with the webhooks that were received.
type Tape struct {
	Meta    tape.Meta
	Entries []tape.Entry
	// Calls are the exchanges of the recording, and Heard the webhooks from 1, by the
	// numbers of their entries.
	Calls map[uint64]int
	Heard map[uint64]int
}

// Saved is the tape that a recording was read from: nothing has to be composed.
func Saved(meta tape.Meta, entries []tape.Entry, r *recording.Recording) *Tape {
	t := &Tape{Meta: meta, Entries: entries, Calls: map[uint64]int{}, Heard: map[uint64]int{}}
	for n := range r.Exchanges {
		t.Calls[uint64(r.Exchanges[n].Place.Entry)] = n //nolint:gosec // G115: numbers of entries are not negative
	}
	for n := range r.Received {
		t.Heard[uint64(r.Received[n].Place.Entry)] = n + 1 //nolint:gosec // G115: as above
	}
	return t
}

// item is an entry on its way to the tape.
type item struct {
	entry tape.Entry
	call  int
	heard int
}

// Of composes the tape of a recording. Without answers it is what the replay itself
// shows of the same calls.
func Of(r *recording.Recording, run *play.Run, answers bool) Tape {
	t := Tape{Meta: run.Meta, Calls: map[uint64]int{}, Heard: map[uint64]int{}}
	t.Meta.Clock, t.Meta.First, t.Meta.Dropped = "real", 1, 0
	items := recorded(r, run, answers)
	if answers {
		items = append(items, attempts(r, run)...)
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.entry.At, b.entry.At) })
	numbers := map[uint64]uint64{}
	for i := range items {
		e := items[i].entry
		was := e.Seq
		e.Seq = uint64(i) + 1
		numbers[was] = e.Seq
		if e.Cause = numbers[e.Cause]; e.Cause >= e.Seq {
			e.Cause = 0
		}
		if items[i].call >= 0 {
			t.Calls[e.Seq] = items[i].call
		}
		if items[i].heard > 0 {
			t.Heard[e.Seq] = items[i].heard
		}
		t.Entries = append(t.Entries, e)
	}
	return t
}

// recorded are the entries of the replay that are the recording's: without moves of
// the clock, and without calls that it does not have.
func recorded(r *recording.Recording, run *play.Run, answers bool) []item {
	calls := map[uint64]*play.Answered{}
	for i := range run.Answers {
		calls[run.Answers[i].Seq] = &run.Answers[i]
	}
	whole := typed(r)
	var items []item
	for i := range run.Entries {
		e := run.Entries[i]
		n := play.Prelude
		if a := calls[e.Seq]; a != nil && e.Exchange != nil {
			if n = a.N; n == play.Prelude {
				continue
			}
			if answers {
				e.Exchange = answered(e.Exchange, &r.Exchanges[n], run, whole[r.Exchanges[n].Place.Source])
			}
		}
		if e.Kind == tape.KindClock || e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == "advanceClock" {
			continue
		}
		if n == play.Prelude && trail.Playing(&e) {
			inferred := *e.Exchange
			inferred.Operation = "" // people did it, by all that is known: nobody was played
			e.Exchange = &inferred
		}
		items = append(items, item{entry: e, call: n})
	}
	return items
}

// typed are the files in which some answer with a body shows its media type in a whole head: they hold the headers as
// they were. A media type alone is one that a logger, or its reader, has chosen to tell.
func typed(r *recording.Recording) map[string]bool {
	files := map[string]bool{}
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; len(x.Answer.Body) > 0 && source.Header(x.Answer.Header, "Content-Type") != "" && x.Answer.WholeHead() {
			files[x.Place.Source] = true
		}
	}
	return files
}

// answered is an exchange of the replay with the answer that was recorded, with all its headers or some.
func answered(x *tape.Exchange, was *recording.Exchange, run *play.Run, whole bool) *tape.Exchange {
	y := *x
	switch was.Answer.Known {
	case recording.NeverArrived:
		y.Response = tape.Response{} // what a gateway says in the service's place tells no outcome either
	case recording.Whole:
		y.Response = tape.Response{Status: was.Answer.Status, Header: headers(x, was, whole), Body: shownAnswer(was, x, run)}
	case recording.WithoutBody:
		if was.Answer.Status != x.Response.Status {
			y.Response = tape.Response{Status: was.Answer.Status, Header: was.Answer.Header}
		}
	default:
	}
	return &y
}

// shownAnswer is the body of a recorded answer, with the replay's values for what its file has struck out. Who strikes a token out by
// hand leaves other members out, too.
func shownAnswer(was *recording.Exchange, x *tape.Exchange, run *play.Run) []byte {
	struck, _ := correlate.Struck(was.Answer.Body)
	switch {
	case len(struck) == 0 || was.Answer.Status != x.Response.Status:
		return run.Links.Body(was.Answer.Body)
	case trail.OperationNamed(x.Operation).Token:
		return x.Response.Body
	default:
		return run.Links.Body(correlate.Unstruck(was.Answer.Body, func(pointer string) (any, bool) { return correlate.At(x.Response.Body, pointer) }))
	}
}

// headers are those of the recorded answer. Of a log that writes none, or some of them, the others are
// the replay's, or else what an answer of its status has.
func headers(x *tape.Exchange, was *recording.Exchange, whole bool) []tape.Header {
	list := slices.Clone(was.Answer.Header)
	if whole && len(list) > 0 {
		return list
	}
	var usual []tape.Header
	switch {
	case was.Answer.Status == x.Response.Status:
		usual = x.Response.Header
	case len(was.Answer.Body) == 0:
	case was.Answer.Status >= 400:
		usual = []tape.Header{{Name: "Content-Type", Value: "application/problem+json"}}
	default:
		usual = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
	}
	for _, h := range usual {
		if _, has := trail.Header(was.Answer.Header, h.Name); !has {
			list = append(list, h)
		}
	}
	return list
}

// endpoint is the partner's, as far as the recording knows it.
const endpoint = "recorded"

// attempts are the webhooks that were received, behind the events that they are.
func attempts(r *recording.Recording, run *play.Run) []item {
	emitted := compare.Emitted(run)
	count := map[string]int{}
	var items []item
	last := int64(0)
	for _, n := range run.Heard() {
		w := &r.Received[n]
		told := compare.Tell(w.Body)
		id, _ := run.Links.Find("", told.About)
		event, at := fmt.Sprintf("recorded-%d", n+1), w.At.UnixNano()
		if w.At.IsZero() {
			at = last
		}
		for i := range emitted {
			if e := &emitted[i]; e.Name == told.Name && strings.EqualFold(e.About, id) && e.Says == told.Says {
				event, at = e.Entry.Event.ID, max(at, e.Entry.At)
				break
			}
		}
		last = at
		count[event]++
		a := &tape.Attempt{
			Delivery: "delivery of " + event, Endpoint: endpoint, Event: event, Number: count[event], URL: w.URL,
			Header: w.Header, Body: run.Links.Body(w.Body), Status: w.Reply(), Profile: profile(w), Reason: "recorded",
		}
		items = append(items, item{call: play.Prelude, heard: n + 1, entry: tape.Entry{
			Seq: 1<<40 + uint64(n), At: at, Kind: tape.KindAttempt, Entities: []string{a.Delivery, event, endpoint}, Attempt: a, //nolint:gosec // G115: a place
		}})
	}
	return items
}

// profile says what is wrong with a webhook.
func profile(w *recording.Received) tape.Profiles {
	switch w.Signature {
	case recording.Otherwise:
		if w.TurnedDown() { // as it has to
			return "altered-signature"
		}
		return ""
	case recording.Wrong:
		return "altered-signature"
	case recording.Missing:
		return "missing-signature"
	default:
		return ""
	}
}
