package diagnose

import (
	"bytes"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Explain classes the differences that a clause explains: what the service took or
// refused, answered or told, and ought not to have.
func Explain(r *recording.Recording, run *play.Run, list []compare.Difference) {
	usual := slices.ContainsFunc(r.Exchanges, sentUsual)
	before, taken := earlier(run), adopted(r, run)
	for i := range list {
		d := &list[i]
		switch {
		case d.Class != compare.Unexplained:
		case before.gave(r, d), before.counts(r, run, d):
			d.Class, d.Assumed = compare.Nobody, true
		case taken.has(r, d): // it may be another one's
		case usual && strings.HasPrefix(d.Where, "/"): // what was sent is not known
			d.Class = compare.Nobody
		case d.N < 0:
			event(d, r)
		case d.Where == "status":
			statuses(d, r, run.Of(d.N))
		case unlisted(r, run, d):
			d.Class, d.Clause = compare.Service, trail.OperationNamed(d.Operation).Clause
		case !smaller(run) && extra(run.Of(d.N), d):
			d.Class, d.Choice = compare.Choice, oneMore
		case ofPeople(d), standIn(run, d):
			d.Class = compare.Nobody
		case before.moved(list, d):
		case before.goesOn(r, d):
			d.Class, d.Assumed = compare.Nobody, true
		default:
			member(d)
		}
	}
	misread(r, list)
}

// sentUsual says whether a call that was served was played with usual values, since what it sent is not shown.
func sentUsual(x recording.Exchange) bool {
	return (x.BodyMissing || correlate.Shortened(x.Body)) && x.Answer.Status < 300
}

// misread takes back that the service took what it has to refuse, where it would have done so with most of what it was sent:
// then the files show something else than what was sent.
func misread(r *recording.Recording, list []compare.Difference) {
	served := 0
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; x.Answer.Status/100 == 2 && len(x.Body) > 0 && !x.BodyMissing {
			served++
		}
	}
	var taken []*compare.Difference
	for i := range list {
		if d := &list[i]; d.N >= 0 && d.Where == "status" && d.Class == compare.Service && strings.HasPrefix(d.Recorded, "2") && d.Replayed == "400" {
			taken = append(taken, d)
		}
	}
	if len(taken) > 2 && 2*len(taken) > served {
		for _, d := range taken {
			d.Class, d.Clause = compare.Unexplained, ""
		}
	}
}

// ofPeople says whether a value is what a payer has written on the service's pages, or shows that a bank has refused a
// card, or has not.
func ofPeople(d *compare.Difference) bool {
	return strings.HasSuffix(d.Where, "/senderName") || strings.HasSuffix(d.Where, "/chargedAmount") && (d.Recorded == "0") != (d.Replayed == "0")
}

// standIn says whether the replay shows what was made up for something from before the recording.
func standIn(run *play.Run, d *compare.Difference) bool {
	if d.N < 0 || len(d.Replayed) < 4 || !strings.HasPrefix(d.Where, "/") {
		return false
	}
	made := trail.Quote(d.Replayed)
	return slices.ContainsFunc(run.Script.Steps, func(s play.Step) bool {
		return s.Call != nil && s.Call.N == play.Prelude && bytes.Contains(s.Call.Exchange.Body, made)
	})
}

// oneMore is the choice of a service whose answers have members that nothing describes: who reads
// them has to pass over these.
const oneMore = "extra-response-fields=one"

// smaller says whether bodies were made smaller: then answers lack what they asked for.
func smaller(run *play.Run) bool {
	return slices.ContainsFunc(run.Script.Steps, func(s play.Step) bool { return s.Call != nil && s.Call.Smaller })
}

// extra says whether a recorded answer has a member that the replay's has nowhere, in an object that both have.
func extra(a *play.Answered, d *compare.Difference) bool {
	if a == nil || d.Recorded == "" || d.Replayed != "" || !strings.HasPrefix(d.Where, "/") {
		return false
	}
	deepest := "/"
	correlate.Walk(a.Body, func(path []string, _ any) {
		at := correlate.Pointer(path) + "/"
		for i := range len(at) {
			if at[i] == '/' && i+1 > len(deepest) && strings.HasPrefix(d.Where, at[:i+1]) {
				deepest = at[:i+1]
			}
		}
	})
	name, _, _ := strings.Cut(strings.TrimPrefix(d.Where, deepest), "/")
	return len(a.Body) > 0 && a.Body[0] == '{' && strings.Trim(name, "0123456789") != "" && !bytes.Contains(a.Body, []byte(`"`+name+`"`))
}

// unlisted says whether a list lacks a thing that an earlier call of the recording has made.
func unlisted(r *recording.Recording, run *play.Run, d *compare.Difference) bool {
	a := run.Of(d.N)
	parts := strings.SplitN(d.Where, "/", 4)
	if d.Recorded != "" || a == nil || len(parts) < 4 || !strings.HasPrefix(d.Operation, "list") {
		return false
	}
	lacks := false
	recorded := bytes.ToLower(r.Exchanges[d.N].Answer.Body)
	correlate.Walk(a.Body, func(path []string, v any) {
		text, _ := v.(string)
		id, known := run.Links.Recorded(text)
		if id = strings.ToLower(id); known && len(path) > 2 && path[0] == parts[1] && path[1] == parts[2] && !bytes.Contains(recorded, []byte(id)) {
			lacks = lacks || slices.ContainsFunc(r.Exchanges[:d.N], func(x recording.Exchange) bool { return bytes.Contains(bytes.ToLower(x.Answer.Body), []byte(id)) })
		}
	})
	return lacks
}

// statuses says what it means that a call was answered with another status.
func statuses(d *compare.Difference, r *recording.Recording, a *play.Answered) {
	x := &r.Exchanges[d.N]
	switch {
	case a == nil:
	case x.Answer.Status < 300 && a.Status == 400:
		d.Class, d.Clause = accepted(x, a)
	case x.Answer.Status == 400 && a.Status < 300 && !x.BodyMissing:
		d.Class, d.Clause = compare.Service, blamed(x, a.Operation)
	case x.Answer.Status == 404 && a.Status < 300 && shown(r, d.N):
		d.Class, d.Clause = compare.Service, trail.OperationNamed(a.Operation).Clause
	case x.Answer.Status == 401 && a.Status < 300 && infer.TakenLater(r, d.N):
		d.Class, d.Clause = compare.Service, "auth.bearer"
	case x.Answer.Status == 500 || x.Answer.Status == 501:
		d.Class, d.Clause = compare.Service, firstNonEmpty(trail.OperationNamed(a.Operation).Clause, "error.status")
	}
}

// shown says whether an answer before a call has told the id in its path, or a call to the
// same path was served: the service knew it.
func shown(r *recording.Recording, n int) bool {
	x := &r.Exchanges[n]
	id := trail.UUIDs().FindString(strings.ToLower(x.Path))
	return slices.ContainsFunc(r.Exchanges[:n], func(was recording.Exchange) bool {
		return was.Answer.Status >= 200 && was.Answer.Status < 300 && (id != "" && bytes.Contains(bytes.ToLower(was.Answer.Body), []byte(id)) || was.Method == x.Method && was.Path == x.Path)
	})
}

// event says what it means that a webhook tells something else, or never came.
func event(d *compare.Difference, r *recording.Recording) {
	clause := "event.payment"
	if strings.HasPrefix(d.Call, trail.CompanyEvent) {
		clause = "event.company"
	}
	switch {
	case strings.HasSuffix(d.Where, "/Live"): // where it was recorded may have been production
		d.Class = compare.Nobody
	case d.Where == "event" && d.Heard == 0:
		d.Class, d.Clause = compare.Service, "event.delivery.retry"
	case d.Where != "event" && d.Recorded == "" && reprinted(r, d.Heard): // who prints a value may leave members of it out
		d.Class = compare.Nobody
	case d.Where != "event":
		d.Class, d.Clause = compare.Service, clause+".shape"
	}
}

// reprinted says whether nothing shows that a file holds a webhook's body as it came.
func reprinted(r *recording.Recording, n int) bool {
	return n > 0 && n <= len(r.Received) && r.Received[n-1].Reprinted && r.Received[n-1].Signature != recording.Valid
}

// member says what it means that an answer shows another value. A state that comes
// later by itself is a matter of time.
func member(d *compare.Difference) {
	name := d.Where[strings.LastIndexByte(d.Where, '/')+1:]
	switch {
	case strings.EqualFold(name, "status") || strings.EqualFold(name, "transferStatus"):
		for _, machine := range []string{"payment", "company", "registration", "plan", "consent", "card-authorisation", "saved-card-charge"} {
			if infer.Reachable(machine, d.Recorded, d.Replayed) || infer.Reachable(machine, d.Replayed, d.Recorded) {
				d.Class = compare.Nobody
				return
			}
		}
	case strings.HasPrefix(d.Where, "header "):
	case d.Recorded != "" && d.Replayed != "" && trail.OperationNamed(d.Operation).Clause != "":
		d.Class, d.Clause = compare.Service, memberClause(d.Operation, name)
	}
}

// memberClause is the clause about a member of an operation's answer, where there is
// one; else that of the operation.
func memberClause(operation, member string) string {
	words := capital().ReplaceAllString(member, "-$0")
	if c, ok := clause.Lookup(trail.OperationNamed(operation).Clause + "." + words); ok {
		return string(c.ID)
	}
	return trail.OperationNamed(operation).Clause
}

// capital begins a word of a member's name.
var capital = trail.Pattern(`[A-Z]`)

// accepted is what the service took although the specification refuses it. Where a
// thing is only not there, the replay may lack it; and of a body in which something is struck out, what it shows no more.
func accepted(x *recording.Exchange, a *play.Answered) (compare.Class, string) {
	struck, _ := correlate.Struck(x.Body)
	unshown := len(struck) > 0 || correlate.Shortened(x.Body)
	for _, f := range trail.ReadBody(a.Body).List("findings") {
		id := f.Text("clause")
		if pointer := f.Text("pointer"); unshown && !correlate.Has(x.Body, pointer[strings.LastIndexByte(pointer, '/')+1:]) {
			return compare.Nobody, ""
		}
		if f.Text("source") == "spec" && !aboutState(id) {
			return compare.Service, id
		}
	}
	return compare.Unexplained, ""
}

// aboutState says whether a clause is about what was there before, not about the form.
func aboutState(id string) bool {
	for _, end := range []string{"-known", ".company", "-verified", "after-paid", "amount-left", "registered", ".unknown", "-unique", ".registration"} {
		if strings.HasSuffix(id, end) {
			return true
		}
	}
	return false
}

// blamed is the clause of what the service refused without a reason: the one that its
// answer names, else the operation's.
func blamed(x *recording.Exchange, operation string) string {
	for _, f := range trail.ReadBody(x.Answer.Body).List("findings") {
		if id := f.Text("clause"); id != "" {
			return id
		}
	}
	return trail.OperationNamed(operation).Clause
}
