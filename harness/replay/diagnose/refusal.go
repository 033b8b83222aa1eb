package diagnose

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/made"
	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/refused"
	"paysandbox/harness/trail"
)

// refusals are the calls that recording and replay refuse alike: the partner has sent
// what the service need not take.
func refusals(r *recording.Recording, run *play.Run) []Fault {
	var list []Fault
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N == play.Prelude || a.Status < 400 {
			continue
		}
		if run.Script.Steps[a.Step].Call.Fault != "" {
			if f := keptToken(r, a.N); f != nil {
				list = append(list, *f)
			}
			continue
		}
		x := &r.Exchanges[a.N]
		if alone := x.Answer.Known == recording.NotRecorded; !alone && x.Answer.Status != a.Status || alone && !outcomes.Certain(a) {
			continue
		}
		f := Fault{Side: Partner, N: a.N, Operation: a.Operation, Calls: []int{a.N + 1}, refusal: true}.placed(r)
		if f.refused(r, run, a) {
			f.anothers(x)
			list = append(list, f)
		}
	}
	return list
}

// anothers says of a call that names what is another client's that its token is the trouble.
func (f *Fault) anothers(x *recording.Exchange) {
	if x.Elsewhere != "" && f.Side == Partner && explain.AboutState(f.Clause) {
		f.What += "; " + x.Elsewhere
		f.Fix = "get the token with the client id of the integration whose it is, and send that one: each integration sees what is its own alone"
	}
}

// wrong says what is wrong at a place of what was sent.
func wrong(pointer, received, expected string) string {
	if pointer == "" && received == "absent" {
		return "the request has no " + expected
	}
	if rest, unread := strings.CutPrefix(received, "it "); unread && pointer == "" { // what is no JSON
		return fmt.Sprintf("its body %s, expected %s", rest, expected)
	}
	if pointer == "" && strings.Contains(received, " at byte offset ") {
		return fmt.Sprintf("in its body %s, expected %s", received, expected)
	}
	return fmt.Sprintf("%s is %s, expected %s", cmp.Or(pointer, "the request"), received, expected)
}

// unknown are the clauses about what is not there, by the kind of operation.
var unknown = map[string]string{
	"payment": "payment.status.unknown", "refund": "payment.refund.path", "registration": "user.status.unknown", "company": "company.status.unknown",
	"plan": "plan.unknown", "consent": "consent.unknown", "debit-authorisation": "user.debit-auth.unknown-payer",
}

// refused says what was wrong with a call, and whether that is a fault at all.
func (f *Fault) refused(r *recording.Recording, run *play.Run, a *play.Answered) bool {
	b := trail.ReadBody(a.Body)
	f.What = fmt.Sprintf("%s: %s", f.turnedDown(r, a.Status), b.Text("detail"))
	for i, one := range namedFirst(b.List("findings"), r.Exchanges[f.N].Answer.Body) {
		if advisory, _ := one.Get("advisory").(bool); advisory {
			continue
		}
		if f.Clause == "" {
			f.Clause, f.Pointer, f.Fix = one.Text("clause"), one.Text("pointer"), inCents(one)
			f.What = fmt.Sprintf("%s: %s", f.turnedDown(r, a.Status), wrong(f.Pointer, received(one, i)+f.standIn(r), expected(run, f.Call, one)))
		} else {
			f.Also = append(f.Also, one.Text("clause"))
		}
	}
	if f.Clause != "" {
		return true
	}
	switch a.Status {
	case 401:
		return f.unauthorised(r, run, a)
	case 404:
		if a.Operation == "" && asset(f.Call) {
			return false
		}
		f.Clause, f.Fix = "error.unknown-path", "call the paths of the endpoint reference"
		if a.Operation != "" {
			f.Clause, f.Fix = cmp.Or(unknown[trail.OperationNamed(a.Operation).Kind], "error.unknown-ids"), "send the id that the creating call has answered"
		}
		f.perhapsUnmade(r, trail.OperationNamed(a.Operation).Kind)
		if a.Operation != "" && !made.Begun(run, a) {
			*f = unmade(f, a.Status)
		}
	case 405:
		f.Clause, f.Fix = "error.method", "use the method of the endpoint reference"
	case 415:
		f.Clause, f.Fix = "request.media-type", "send application/json"
	case 413:
		f.Clause, f.Fix = "request.size", "send less"
	default: // what a state does not admit is nobody's fault by itself
		return f.toldBefore(r, b)
	}
	return true
}

// inCents is how a finding is mended: of an amount that is none in cents it names the number.
func inCents(one trail.Body) string {
	fix, got := one.Text("fix"), strings.Trim(one.Text("received"), `"$ `)
	found := amounts().FindStringSubmatch(got)
	switch {
	case found == nil || !strings.EqualFold(one.Text("pointer"), "/amount"):
		return fix
	case found[2] == "" && !strings.HasPrefix(one.Text("received"), `"`):
		return fix // it is a number, and what is wrong is how much
	case found[2] == "":
		return fmt.Sprintf("%s: here the number %s, without quotation marks", fix, found[1])
	case found[2] == "0":
		return fmt.Sprintf("%s: here %s if cents are meant, and %s00 if dollars are", fix, found[1], found[1])
	default:
		return fmt.Sprintf("%s: %s dollars are %s cents", fix, got, strings.TrimLeft(found[1]+(found[2] + "0")[:2], "0"))
	}
}

// amounts are whole numbers, and dollars with one or two digits behind the point.
var amounts = trail.Pattern(`^([0-9]{1,9})(?:\.([0-9]{1,2}))?$`)

// namedFirst are findings, those first whose member the recorded answer names.
func namedFirst(list []trail.Body, answer []byte) []trail.Body {
	said := trail.ReadBody(answer).Object("errors")
	named := func(one trail.Body) bool {
		pointer := one.Text("pointer")
		for name := range said {
			if name != "" && strings.EqualFold(name[strings.LastIndexAny(name, "./$")+1:], pointer[strings.LastIndexByte(pointer, '/')+1:]) {
				return true
			}
		}
		return false
	}
	slices.SortStableFunc(list, func(a, b trail.Body) int { return -cmp.Compare(btoi(named(a)), btoi(named(b))) })
	return list
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// perhapsUnmade takes the blame from a call that names a company which an earlier one may have been to make.
func (f *Fault) perhapsUnmade(r *recording.Recording, kind string) {
	if n := made.PerhapsBy(r, f.N, kind); n >= 0 {
		f.Side, f.Clause, f.Calls = Undecidable, "", []int{n + 1, f.N + 1}
		f.What += fmt.Sprintf("; call %d, which may have been to make it, was refused, and what it sent is not shown", n+1)
		f.Fix = fmt.Sprintf("what call %d sent, and what it was answered", n+1)
	}
}

// tooLate are the clauses about what a state does not admit, by the machine.
var tooLate = map[string]string{"payment": "payment.cancel.refused", "plan": "plan.status.partner", "consent": "consent.decline.refused"}

// toldBefore says whether a call was refused for a state that the recording has told its
// maker before: it is no race then.
func (f *Fault) toldBefore(r *recording.Recording, b trail.Body) bool {
	id, state := strings.ToLower(trail.UUIDs().FindString(strings.ToLower(f.Call))), b.Text("state")
	if f.Clause = tooLate[b.Text("machine")]; f.Clause == "" || id == "" {
		return false
	}
	for n := f.N - 1; n >= 0; n-- {
		x := &r.Exchanges[n]
		if strings.Contains(strings.ToLower(x.Path), id) && strings.EqualFold(trail.ReadBody(x.Answer.Body).Text("status"), state) {
			f.Calls = []int{n + 1, f.N + 1}
			f.What += fmt.Sprintf(", which call %d had told", n+1)
			f.Fix = "ask only for what the state admits that was told last; a paid payment is refunded"
			f.byItself(r, b.Text("machine"))
			f.canceledBy(r, id, state)
			return true
		}
	}
	for i := range r.Received {
		w, b := &r.Received[i], trail.ReadBody(r.Received[i].Body).Object("Data")
		if w.Status >= 300 || w.Signature == recording.Wrong {
			continue // its receiver did not take it
		}
		at := w.At
		if at.IsZero() {
			at = source.Time(b.Text("Timestamp"))
		}
		if before := r.Exchanges[f.N].Begin; at.IsZero() || before.Sub(at) < 2*time.Second {
			continue // it may have crossed the call
		}
		if bytes.Contains(bytes.ToLower(w.Body), []byte(id)) && strings.EqualFold(b.Text("Status"), state) {
			f.Webhooks = []int{i + 1}
			f.What += fmt.Sprintf(", which webhook %d had told", i+1)
			f.Fix = "ask only for what the state admits that was told last; a paid payment is refunded"
			f.canceledBy(r, id, state)
			return true
		}
	}
	return false
}

// asset says whether a browser asks for such a path by itself, such as /favicon.ico.
func asset(call string) bool {
	path, get := strings.CutPrefix(call, "GET ")
	return get && strings.Contains(path[strings.LastIndexByte(path, '/')+1:], ".")
}

func received(b trail.Body, _ int) string { return cmp.Or(b.Text("received"), "absent") }

// there are the things that are there although the calls which were to make them were refused, and the faults without the refusals of
// what was there for that reason alone.
func (in *Input) there(known []Fault) []Fault {
	r := in.Recording
	operation := func(n int) string {
		if a := in.Run.Of(n); a != nil {
			return a.Operation
		}
		return ""
	}
	for _, t := range refused.There(r, operation) {
		x, shows := &r.Exchanges[t.Call], t.Seen[0]
		f := Fault{Side: Service, N: t.Call, Operation: operation(t.Call), Clause: "error.unchanged", Calls: []int{t.Call + 1}}.placed(r)
		if t.Kind == "company" {
			f.Clause = "company.create.nothing-on-failure"
		}
		not := fmt.Sprintf("call %d did not", t.Before+1)
		if t.Before == t.Call {
			not = fmt.Sprintf("the refusal names what was wrong and says nothing of a name that is taken, as that of call %d does", t.Again[0]+1)
		} else if t.Before >= 0 {
			f.Calls = []int{t.Before + 1, t.Call + 1}
		}
		for _, n := range slices.Concat(t.Again, t.Seen) {
			f.Calls = append(f.Calls, n+1)
		}
		slices.Sort(f.Calls)
		f.What = fmt.Sprintf("%s was refused with %d, and %s is there all the same: call %d shows it, %s, and no call that is shown has made it: a refused call leaves nothing behind", f.Call, x.Answer.Status, t.What, shows+1, not)
		f.Fix = "that the call was refused is right where it was wrong, that it left something behind is the service's: do not send it again, and have the service say with which data it stands there, and mend or remove it; report it to the service, with this case"
		if a := in.Run.Of(t.Call); a != nil {
			if m, at, value := refused.Stored(r, &t, a.Body); at != "" {
				f.What += fmt.Sprintf("; call %d shows %s %q of it, which call %d has sent, and which a call that is taken cannot store", m+1, at, value, t.Call+1)
				t.Doubt = ""
			}
		}
		if t.Doubt != "" {
			f.Side, f.N, f.Operation, f.Clause, f.asked = Undecidable, shows, operation(shows), "", len(t.Again) > 0
			f = f.placed(r)
			f.What = fmt.Sprintf("it shows that %s is there, although call %d, which was to make it, was refused with %d; whether it came of that call cannot be told: %s", t.What, t.Call+1, x.Answer.Status, t.Doubt)
			f.Fix = fmt.Sprintf("when and by which call %s was made, as the service has it, and all calls of this integration between the last look that does not show it and call %d", t.What, shows+1)
		}
		known = slices.DeleteFunc(known, func(k Fault) bool { return k.refusal && slices.Contains(t.Again, k.N) })
		known = append(known, f)
	}
	return known
}
