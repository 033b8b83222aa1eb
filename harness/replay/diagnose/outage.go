package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/redirect"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unheard"
	"paysandbox/harness/trail"
)

// away tells of the calls that the service answered with 429 or 503, or never, which says nothing of the caller but how it went on:
// each operation once, with what became of the same call made again.
func (in *Input) away() []notable {
	var list []notable
	all := in.Recording.Exchanges
	told := map[string]bool{}
	for i := range all {
		first := &all[i]
		name := fmt.Sprint(first.Answer.Status, first.Answer.Known, first.Method, first.Path)
		if !unserved(first) && !in.unheard(i) || told[name] {
			continue
		}
		told[name] = true
		calls, after := in.unaskedAlike(i)
		n := notable{says: unasked(first, calls)}
		wait, early := in.hurried(i)
		if early > 0 {
			n.says += fmt.Sprintf("; %d more calls to it came within the %s that it had asked to wait", early, wait)
		}
		switch {
		case early > 0:
			n.do = "after a 429 wait in all workers for as many seconds as Retry-After says, then make the calls again, with a longer pause each time"
		case after > 0:
			n.says += fmt.Sprintf("; made again, it went well (call %d)", after)
			n.do = "it was right to make the call again"
		default:
			n.says += "; it was not made again with success"
			n.do = "make the call again later, after as many seconds as Retry-After says, with a longer pause each time"
			if first.Answer.Known == recording.NeverArrived {
				n.do = "make the call again later, with a longer pause each time"
			}
		}
		list = append(list, n)
	}
	return list
}

// unaskedAlike are the numbers of the calls that fared as one did, and that of the same call made again with success, 0 for none.
func (in *Input) unaskedAlike(i int) (calls []string, after int) {
	all := in.Recording.Exchanges
	first := &all[i]
	for n := i; n < len(all); n++ {
		x := &all[n]
		switch same := x.Method == first.Method && x.Path == first.Path; {
		case !same:
		case (unserved(x) || in.unheard(n)) && x.Answer.Status == first.Answer.Status:
			calls = append(calls, fmt.Sprint(n+1))
		case after == 0 && x.Answer.Status/100 == 2 && bytes.Equal(x.Body, first.Body):
			after = n + 1
		}
	}
	return calls, after
}

// hurried is how long the answer to a call asked to wait, and how many more calls to the same address were refused alike within
// that time: whether they were the same call is not shown where their bodies are not.
func (in *Input) hurried(i int) (wait time.Duration, early int) {
	all := in.Recording.Exchanges
	text, _ := trail.Header(all[i].Answer.Header, "Retry-After")
	seconds, _ := strconv.Atoi(text)
	wait = time.Duration(min(max(seconds, 0), 86400)) * time.Second
	for n := i + 1; n < len(all) && !all[i].Begin.IsZero() && all[n].Begin.Sub(all[i].Begin) < wait; n++ {
		if x := &all[n]; x.Method == all[i].Method && x.Path == all[i].Path && x.Answer.Status == all[i].Answer.Status && !x.Begin.IsZero() {
			early++
		}
	}
	return wait, early
}

// stormed says whether calls came within the time that an answer had asked to wait, of which no file shows whether they were the
// same again.
func (in *Input) stormed() bool {
	for i := range in.Recording.Exchanges {
		if x := &in.Recording.Exchanges[i]; unserved(x) && x.BodyMissing {
			if _, early := in.hurried(i); early > 0 {
				return true
			}
		}
	}
	return false
}

// unasked says that a service could not be asked, in some calls of which the first is given.
func unasked(first *recording.Exchange, calls []string) string {
	call := first.Method + " " + first.Path
	switch a := &first.Answer; {
	case a.Known == recording.NeverArrived && a.Status > 0:
		return fmt.Sprintf("the service could not be asked: to %s (%s) it gave no answer, and something before it answered %d in its place", call, numbered(calls), a.Status)
	case a.Known == recording.NeverArrived:
		return fmt.Sprintf("the service could not be asked: to %s no answer came (%s)", call, numbered(calls))
	case a.Status == 429:
		return fmt.Sprintf("the service was asked too often, and said so: %s was answered with 429 (%s)", call, numbered(calls))
	default:
		return fmt.Sprintf("the service was away, and said so: %s was answered with %d (%s)", call, a.Status, numbered(calls))
	}
}

// unheard says whether no answer came to a call that pays nothing: of one that pays, the clauses tell how it has to go on.
func (in *Input) unheard(n int) bool {
	a := in.Run.Of(n)
	return in.Recording.Exchanges[n].Answer.Known == recording.NeverArrived && a != nil && !trail.OperationNamed(a.Operation).Pays()
}

// outage says, where no call of the recording was answered but that the service cannot be asked, from when to when: "" where one was,
// or where it was asked too often.
func (in *Input) outage() string {
	all := in.Recording.Exchanges
	for i := range all {
		if a := &all[i].Answer; a.Known == recording.NotRecorded || a.Known != recording.NeverArrived && a.Status != 503 {
			return ""
		}
	}
	text := map[bool]string{true: "your one call", false: fmt.Sprintf("all your %d calls", len(all))}[len(all) == 1]
	if len(all) == 0 || all[0].Begin.IsZero() {
		return text
	}
	first, last := in.Recording.Told(all[0].Begin, all[0].Place), in.Recording.Told(all[len(all)-1].Begin, all[len(all)-1].Place)
	return text + ", from " + first.Format("2006-01-02 15:04:05") + " to " + last.Format("2006-01-02 15:04:05 UTC")
}

// unserved says whether the service itself has answered that it cannot be asked now.
func unserved(x *recording.Exchange) bool {
	return (x.Answer.Status == 429 || x.Answer.Status == 503) && x.Answer.Known != recording.NeverArrived
}

// numbered names calls by their numbers.
func numbered(calls []string) string {
	calls = slices.Compact(calls)
	if len(calls) == 1 {
		return "call " + calls[0]
	}
	if len(calls) > 5 {
		return fmt.Sprintf("calls %s and %d more", strings.Join(calls[:4], ", "), len(calls)-4)
	}
	return "calls " + strings.Join(calls, ", ")
}

// unaskable gives the side, and what to tell the partner, of a recording in which nothing went wrong but that the service could not be
// asked.
func (in *Input) unaskable(do string) (side, tell string) {
	side, tell = "nobody's: no rule is broken, but the service could not be asked", "Tell the partner so, and: "+do+"."
	if slices.ContainsFunc(in.Recording.Exchanges, func(x recording.Exchange) bool { return unserved(&x) }) {
		side += ", and said so"
	}
	out := in.outage()
	if out == "" {
		return side, tell
	}
	whose, besides := "the service's to mend", ""
	if slices.ContainsFunc(in.Recording.Exchanges, func(x recording.Exchange) bool {
		return x.Answer.Known == recording.NeverArrived && x.Answer.Status == 0
	}) {
		whose, besides = "to be mended by the service, or by who runs the way to it", " (whether other callers were answered then tells which)"
	}
	return side + "; it is " + whose, "Tell the partner: you have broken no rule; the service could not be asked in " + out + ". That is " + whose + besides + ": report it there, with these times. Until then: " + do + "."
}

// limits are the limits of requests in a second that the ledger of choices has, the smallest first, and rateLimit their knob.
var limits = []int{10, 100}

const rateLimit = "rate-limit"

// Unseen says whether a fault is a choice which no answer shows that differs. That the service limits requests: each 429 is played as it
// came, and no world is made under the choice, for it would limit what is played before the recording, too, all at one time. And what
// it does as the sandbox does, where the partner took it for something else.
func (f *Fault) Unseen() bool {
	return f.Side == Choice && (strings.HasPrefix(f.Knob, rateLimit+"=") || slices.Contains([]string{nothingAdded, ofDefault, toDefault}, f.Knob))
}

// Chooses says whether a fault is that choice, NAME=VALUE: one that the sandbox would make, too, is only told. It is none of no fault.
func (f *Fault) Chooses(knob string) bool { return f != nil && f.Knob == knob }

// nothingAdded is the choice of a service that adds nothing to the address that payers come back to.
const nothingAdded = "registration-redirect=none"

// turnedAway are the payers who came back from the hosted page, and whom the partner's own page turned away.
func (in *Input) turnedAway() []Fault {
	for i := range in.Recording.Exchanges {
		if x := &in.Recording.Exchanges[i]; x.CameBack != "" {
			fate := "was turned away there"
			if redirect.Tested(x.CameBack) {
				fate = "the partner's own test waited for more"
			}
			return []Fault{Fault{
				Side: Choice, N: i, Calls: []int{i + 1}, Knob: nothingAdded,
				What: fmt.Sprintf("the payer came back to its redirectUrl as it was given, with nothing added to it, and %s: %s", fate, x.CameBack),
				Fix:  fmt.Sprintf("that the payer is sent back to the redirectUrl is all that the specification says; the service adds no registrationId to it: put an id of your own into the redirectUrl, or keep the registrationId that call %d answered in the payer's session, and ask for its status when the payer is back", i+1),
			}.placed(in.Recording)}
		}
	}
	return nil
}

// limited tells the choice that calls show which were answered with 429: as many as a limit admits had been served in the second
// before each of them.
func (in *Input) limited() []Fault {
	all := in.Recording.Exchanges
	if in.Saved != nil || in.Run.Script.World.Latitude[rateLimit] != "" || in.stormed() { // it is known, or the calls may be one made again at once
		return nil
	}
	var calls []string
	first := -1
	for i := range all {
		if unserved(&all[i]) && all[i].Answer.Status == 429 {
			if calls = append(calls, fmt.Sprint(i+1)); first < 0 {
				first = i
			}
		}
	}
	at := slices.IndexFunc(limits, func(n int) bool { return first >= 0 && keeps(all, n) })
	if at < 0 {
		return nil
	}
	return []Fault{Fault{
		Side: Choice, N: first, Calls: []int{first + 1}, Knob: fmt.Sprintf("%s=%d/s", rateLimit, limits[at]),
		What: fmt.Sprintf("was answered with 429, and %d calls had been served in the second before it; so it is with all that were answered so (%s)", limits[at], numbered(calls)),
		Fix:  fmt.Sprintf("nothing was wrong with these calls, and it was no outage: the specification shows no limit, and this service serves %d calls in a second; make fewer at once, and after a 429 wait in all workers for as many seconds as Retry-After says, then make the same call again", limits[at]),
	}.placed(in.Recording)}
}

// keeps says whether calls show a limit of so many in a second: before each that was answered with 429 as many were served in the second
// that ended with it, and never twice as many, which is what is served where a second is not begun by the clock.
func keeps(all []recording.Exchange, limit int) bool {
	served, from := 0, 0
	counts := func(x *recording.Exchange) int {
		if x.Answer.Status == 429 || x.Answer.Known == recording.NotRecorded {
			return 0
		}
		return 1
	}
	for i := range all {
		x := &all[i]
		for ; from < i && x.Begin.Sub(all[from].Begin) >= time.Second; from++ {
			served -= counts(&all[from])
		}
		if refused := x.Answer.Status == 429; refused && (x.Begin.IsZero() || served < limit) || served > 2*limit {
			return false
		}
		served += counts(x)
	}
	return true
}

// lost are the calls that move money at once, to which no answer came, and that nothing behind them tells of: whether they were carried
// out nobody can say. A call that was made again, or its payment asked for, is judged by that.
func (in *Input) lost() (list []string) {
	for _, n := range unheard.Of(in.Recording, in.Run) {
		x := &in.Recording.Exchanges[n]
		list = append(list, fmt.Sprintf("what became of call %d, %s %s, to which no answer came: what the service has of it, or the rows of the transaction report from then on (and send it no second time before that is known)", n+1, x.Method, x.Path))
	}
	return list
}

// forTheSame says of a later call that it may be for the same, "" for one that names something else.
func forTheSame(x, later *recording.Exchange, n int) string {
	one, other := trail.ReadBody(x.Body).Text("reference"), trail.ReadBody(later.Body).Text("reference")
	if one != "" && other != "" && one != other {
		return ""
	}
	return fmt.Sprintf(", nor whether call %d is for the same", n+1)
}

// noAnswer says of a call that no answer of the service came to it, and which one somebody between the two sides gave in its place.
func noAnswer(x *recording.Exchange) string {
	if x.Answer.Status < 500 {
		return "no answer came"
	}
	return fmt.Sprintf("no answer of the service came (the %d is not in its form: something on the way, on either side, may have given it)", x.Answer.Status)
}
