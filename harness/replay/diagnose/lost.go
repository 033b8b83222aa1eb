package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/again"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/missing"
	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/rerun"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// open are the payments and refunds whose answer never came, and of which the recording does not show what became: it
// shows no look at them, or a call that may be the same once more without what both have sent.
func open(r *recording.Recording, run *play.Run, known []Fault) []Fault {
	var list []Fault
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N < 0 || !trail.OperationNamed(a.Operation).Pays() || r.Exchanges[a.N].Answer.Known != recording.NeverArrived {
			continue
		}
		x := &r.Exchanges[a.N]
		f := Fault{Side: Undecidable, N: a.N, Operation: a.Operation, Calls: []int{a.N + 1}}.placed(r)
		again := slices.IndexFunc(r.Exchanges[a.N+1:], func(later recording.Exchange) bool { return later.Method == x.Method && later.Path == x.Path })
		unseen := again >= 0 && (len(x.Body) == 0 || len(r.Exchanges[a.N+1+again].Body) == 0)
		until := len(r.Exchanges)
		if unseen {
			until = a.N + 1 + again // a look after it comes too late
		}
		if outcomes.Learnt(r, run, a.N, until) {
			continue
		}
		switch n := a.N + 1 + again; {
		case again < 0:
			f.What = noAnswer(x) + ", and the recording does not show whether it was carried out"
			f.Fix = "what the report, or the state of what it names, says of it now (nothing is to be paid again before that is known)"
		case unseen:
			f.Calls = append(f.Calls, n+1)
			f.What = noAnswer(x) + fmt.Sprintf(", and call %d may be the same once more: the recording does not show what they sent", n+1)
			f.Fix = fmt.Sprintf("the bodies that calls %d and %d sent, and their Idempotency-Key", a.N+1, n+1)
		case slices.ContainsFunc(known, func(f Fault) bool { return f.Side == Partner && slices.Contains(f.Calls, a.N+1) }): // the clauses tell
			continue
		default:
			f.What = noAnswer(x) + ", and the recording does not show whether it was carried out"
			f.What += forTheSame(x, &r.Exchanges[n], n)
			f.Fix = "what the report, or the state of what it names, says of it now (nothing is to be paid again before that is known)"
		}
		list = append(list, f)
	}
	return list
}

// goesOn is how many lines a log goes on for at least behind a page of a report, for the next to be missing.
const goesOn = 3

// firstPages are the reports whose next page was never asked for, as their logs show by what they tell instead.
func firstPages(r *recording.Recording, run *play.Run, known []Fault) []Fault {
	var list []Fault
	for s := range run.Script.Steps {
		call := run.Script.Steps[s].Call
		if call == nil || call.N < 0 || r.Exchanges[call.N].GoesOn < goesOn && !asksOnce(r, call.N) {
			continue
		}
		x := &r.Exchanges[call.N]
		const clause = "partner.paging.complete"
		if slices.ContainsFunc(known, func(f Fault) bool { return f.Clause == clause && f.N == call.N }) {
			continue
		}
		why := "the log goes on behind it without one"
		if x.AsksOnce {
			why = "the script that makes it asks for no page but the first"
		}
		list = append(list, Fault{
			Side: Partner, N: call.N, Calls: []int{call.N + 1}, Clause: clause,
			What: "its answer says that there is more (hasMore is true), and no call asks for it: " + why,
			Fix:  "call again with nextCursor as cursor until hasMore is false",
		}.placed(r))
	}
	return list
}

// asksOnce says whether a page of a report is not the last, no other is asked for, and the script that asks for it asks for none.
func asksOnce(r *recording.Recording, n int) bool {
	more, _ := trail.ReadBody(r.Exchanges[n].Answer.Body).Get("hasMore").(bool)
	return more && r.Exchanges[n].AsksOnce && !slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		return strings.Contains(strings.ToLower(x.Query), "cursor=")
	})
}

// paidAgain are the calls that were made again with the key of one whose answer was lost, and were answered with another payment than
// that which the lost one is known to have made: the key was not honoured. An event may have told of the first before.
func paidAgain(r *recording.Recording, run *play.Run, known []Fault) []Fault {
	var list []Fault
	for s := range run.Script.Steps {
		lost := run.Script.Steps[s].Call
		if lost == nil || lost.N < 0 || len(lost.Stands) == 0 || lost.Stands[0].Type != correlate.Payment || r.Exchanges[lost.N].Answer.Known != recording.NeverArrived {
			continue
		}
		for i := lost.N + 1; i < len(r.Exchanges); i++ {
			x := &r.Exchanges[i]
			other := trail.ReadBody(x.Answer.Body).Text("paymentRequestId")
			if !outcomes.Repeats(&r.Exchanges[lost.N], x) || other == "" || strings.EqualFold(other, lost.Stands[0].Text) {
				continue
			}
			const clause = "partner.outcome.resolved"
			if !slices.ContainsFunc(known, func(f Fault) bool { return f.Clause == clause && slices.Contains(f.Calls, i+1) }) {
				list = append(list, Fault{
					Side: Partner, N: i, Calls: []int{lost.N + 1, i + 1}, Clause: clause,
					What: fmt.Sprintf("the answer to call %d was lost, and the call was made again with its key, which is not honoured, and has paid twice", lost.N+1),
					Fix:  "look at the report before a call whose answer is lost is made again: nobody has published that keys are honoured",
				}.placed(r))
			}
			break
		}
	}
	return list
}

// unknownHere are the calls that were refused for something from before the recording: the replay, which does not have
// it, says only that it is not there.
func unknownHere(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N < 0 || a.Status != 404 || a.Operation == "" || r.Exchanges[a.N].Answer.Status != 400 || explain.Shown(r, run, a.N) {
			continue
		}
		x := &r.Exchanges[a.N]
		f := Fault{N: a.N, Operation: a.Operation, Calls: []int{a.N + 1}, refusal: true}.placed(r)
		list = append(list, unmade(&f, x.Answer.Status))
	}
	return list
}

// unmade says of a call that was refused that the recording does not show what it is about.
func unmade(f *Fault, status int) Fault {
	u := *f
	u.Side, u.Clause = Undecidable, ""
	u.What = fmt.Sprintf("%s was refused with %d, and the recording does not show the call that made what it names", f.Call, status)
	u.Fix = "the call that made what it names, with its answer, and what was done with it since"
	return u
}

// expected is what a finding expects. A number that comes of a stand-in for what was there before is nobody's.
func expected(run *play.Run, call string, finding trail.Body) string {
	text, id := finding.Text("expected"), trail.UUIDs().FindString(strings.ToLower(call))
	if before, _, found := strings.Cut(text, ", which is "); found && explain.FromBefore(run, id) {
		return before
	}
	return text
}

// unknownOutcome names the payment of which the caller did not know whether it was made, when another was.
func (in *Input) unknownOutcome(f *Fault) {
	if f.Clause != "partner.outcome.resolved" || len(f.Calls) < 2 {
		return
	}
	n := f.Calls[0] - 1
	a := in.Run.Of(n)
	if a == nil || in.Recording.Exchanges[n].Answer.Status/100 == 2 && in.Recording.Exchanges[n].Answer.Known != recording.NeverArrived {
		return
	}
	if trail.OperationNamed(a.Operation).Refunds {
		f.What += in.refundedBoth(n, f.Calls[1]-1)
		return
	}
	id := trail.ReadBody(a.Body).Text("paymentRequestId")
	if was, known := in.Run.Links.Recorded(id); known && in.Recording.Exchanges[n].Answer.Known == recording.NeverArrived {
		f.What += fmt.Sprintf("; call %d had made the payment %s", n+1, was)
		return
	}
	f.What += fmt.Sprintf("; the files do not show whether call %d made a payment", n+1)
}

// refundedBoth says of a refund to which no answer came, and of the same once more, whether an answer behind them shows as much refunded
// as both together: an earlier one that no file shows may be in it.
func (in *Input) refundedBoth(lost, again int) string {
	all := in.Recording.Exchanges
	id := strings.ToLower(trail.UUIDs().FindString(strings.ToLower(all[lost].Path + "?" + all[lost].Query)))
	one, told := trail.ReadBody(all[lost].Body).Whole("amount")
	other, told2 := trail.ReadBody(all[again].Body).Whole("amount")
	for n := again + 1; n < len(all) && told && told2; n++ {
		for _, row := range trail.ReadBody(all[n].Answer.Body).List("transactions") {
			if refunded, shown := row.Whole("refundedAmount"); shown && refunded >= one+other && strings.EqualFold(row.Text("paymentRequestId"), id) {
				return fmt.Sprintf("; call %d shows that %d were refunded by then, as much as both together: that no answer came to call %d does not say that it was not carried out", n+1, refunded, lost+1)
			}
		}
	}
	return fmt.Sprintf("; the files do not show whether call %d was carried out", lost+1)
}

// doneAgain are the calls that moved money, and that were made once more, with the same bytes and no key, within seconds of their success.
func doneAgain(in *Input) []Fault {
	var list []Fault
	told := map[int]bool{}
	for i := range in.Run.Answers {
		a := &in.Run.Answers[i]
		if a.N < 0 || told[a.N] || !trail.OperationNamed(a.Operation).Pays() {
			continue
		}
		s := again.Same(in.Recording, a.N)
		for _, n := range s {
			told[n] = true
		}
		if len(s) > 1 {
			list = append(list, twice(in.Recording, s, a.Operation))
		}
	}
	return list
}

// twice tells of calls that did the same again. That they were not all meant shows a name that they share, pauses that grow as a
// program's do, or that the last was refused.
func twice(r *recording.Recording, s []int, operation string) Fault {
	first, next, last := &r.Exchanges[s[0]], &r.Exchanges[s[1]], &r.Exchanges[s[len(s)-1]]
	f := Fault{Side: Partner, N: s[1], Operation: operation, Clause: "partner.outcome.resolved", Also: []string{"partner.idempotency.key"}}.placed(r)
	for _, n := range s {
		f.Calls = append(f.Calls, n+1)
	}
	when, fix := fmt.Sprintf("%s after that was answered with %d: what had been done was done again", again.Pause(first, next).Round(10*time.Millisecond), first.Answer.Status), "the status tells the outcome: a 200 is a success, also where its body is empty or is not understood; make a call that moves money again only where no answer came, and look at the report or the state before; nothing in the specification makes a repetition harmless"
	if again.Overlaps(first, next) {
		when, fix = fmt.Sprintf("%s after that had begun, and before its answer: both were carried out", next.Begin.Sub(first.Begin).Round(time.Millisecond)), "let one program alone do a piece of work at a time, as by a lock or a unique row for each payment that is due: nothing in the specification makes a repetition harmless"
	}
	f.What = fmt.Sprintf("it is call %d once more, with the same bytes, %s", s[0]+1, when)
	if more := f.Calls[2:]; len(more) > 0 {
		f.What += "; so again at call " + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(more), "[]")), " and at call ")
	}
	f.Fix = fix
	switch {
	case last.Answer.Status >= 400:
		f.What += fmt.Sprintf(", which alone was refused, with %d", last.Answer.Status)
	case next.RunAgain != "":
		f.What += ", as " + next.RunAgain
		f.Fix = "keep the payment that a call has made before anything else that can fail, and look there before the work is run again; " + f.Fix
		if rerun.Delivered(next.RunAgain) {
			f.Fix = "a queue may deliver a message more than once, and does where its work takes longer than the time for which it is hidden: " + f.Fix
		}
	case again.Named(first.Body) || again.Growing(r, s):
	default:
		f.Side, f.Clause, f.Also = Undecidable, "", nil
		f.What += ", unless as many were meant, which the recording does not show"
		f.Fix = fmt.Sprintf("how many were meant: what the integration's log tells between calls %d and %d", s[0]+1, s[1]+1)
	}
	return f
}

// sent says whether the recording holds what the calls of a fault have sent.
func (f *Fault) sent(r *recording.Recording) bool {
	about := map[string]bool{}
	for _, n := range f.Calls {
		for _, id := range trail.UUIDs().FindAllString(strings.ToLower(r.Exchanges[n-1].Path+"?"+r.Exchanges[n-1].Query), -1) {
			about[id] = true
		}
	}
	return !slices.ContainsFunc(f.Calls, func(n int) bool { return r.Exchanges[n-1].BodyMissing }) &&
		!slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool { // what it is about was made by a call whose body is not shown
			return x.BodyMissing && about[strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"))]
		})
}

// unsent are the events that no file shows, although calls show what they tell: the service's, where all others are shown.
func (in *Input) unsent() []Fault {
	var list []Fault
	for _, e := range missing.Find(in.Recording, in.Run) {
		kind := map[string]string{trail.PaymentEvent: "payment", trail.CompanyEvent: "company"}[e.Name]
		list = append(list, Fault{
			Side: Service, N: e.Call, Clause: "event." + kind, Calls: []int{e.Call + 1}, Webhooks: []int{e.Before, e.Behind},
			What: fmt.Sprintf("it shows that the %s %s is %s, and no event that tells so has come to the receiver, which has got and taken all that are due of others, before and behind it", kind, e.About, e.Says),
			Fix:  fmt.Sprintf("report it to the service, with this case: what it has delivered of %s, when, and what was answered; until then the status call tells the same", e.About),
		}.placed(in.Recording))
	}
	return list
}

// turnedDown says that a call was refused, and rightly; of one whose answer is not shown, that the replay refuses it.
func (f *Fault) turnedDown(r *recording.Recording, status int) string {
	if r.Exchanges[f.N].Answer.Known == recording.NotRecorded {
		return fmt.Sprintf("%s is refused with %d by the replay (its answer is not shown)", f.Call, status)
	}
	return fmt.Sprintf("%s was refused with %d, as it should be", f.Call, status)
}
