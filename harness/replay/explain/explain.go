// Package explain classes the differences between a recording and its replay that a clause explains, or that what was there before
// the recording does: what the service took or refused, answered or told, and ought not to have. It makes no calls.
package explain

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

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
	usual := unseenOf(r, run)
	before, taken := earlier(run), adopted(r, run)
	accounts := sync.OnceValue(func() accounts { return accountsOf(r) })
	shown := sync.OnceValue(func() map[string]bool { return idsShown(r) })
	calls, answers := callsOf(list), answers{r, run, before, smaller(run), map[string]bool{}}
	for i := range list {
		d := &list[i]
		switch {
		case d.Class != compare.Unexplained:
		case before.gave(r, d), before.counts(r, run, d):
			d.Class, d.Assumed = compare.Nobody, true
		case taken.has(r, d): // it may be another one's
		case ofState(r, run, d): // it may have been so by calls that nobody recorded
			d.Class = compare.Nobody
		case usual.decides(r, d), byCursor(r, d): // what was sent is not known, or what a cursor is
			d.Class = compare.Nobody
		case ofAccount(d) && accounts().one(r, d): // which it is the payer has chosen
			d.Class = compare.Nobody
		case d.N < 0:
			event(d, r, shown)
		case d.Where == "status":
			statuses(d, r, run)
		case before.goesOn(r, d):
			d.Class, d.Assumed = compare.Nobody, true
		default:
			answers.within(list[calls[d.N].from:calls[d.N].to], d)
		}
	}
	misread(r, list)
}

// answers are those of a recording and its replay, in which something differs.
type answers struct {
	r       *recording.Recording
	run     *play.Run
	before  ids
	smaller bool
	// lacking says of rows of lists whether the recorded one lacks what the replay's shows.
	lacking map[string]bool
}

// within classes what differs within an answer; the list has all that differs there.
func (a *answers) within(list []compare.Difference, d *compare.Difference) {
	run, before := a.run, a.before
	switch {
	case a.unlisted(d):
		d.Class, d.Clause = compare.Service, trail.OperationNamed(d.Operation).Clause
	case !a.smaller && extra(run.Of(d.N), d):
		d.Class, d.Choice = compare.Choice, OneMore
	case ofPeople(d), linksAccount(d), standIn(run, d), ofCard(run, d), ofRecipient(list, d):
		d.Class = compare.Nobody
	case before.moved(list, d), ofRows(list, d):
	case ofStatus(list, d):
		d.Class = compare.Nobody
	default:
		member(d)
	}
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
	if charged := []string{"success", "declined", "failed"}; d.Operation == "chargeSavedCard" && d.Where == "/status" {
		return slices.Contains(charged, d.Recorded) && slices.Contains(charged, d.Replayed) && (d.Recorded == "success") != (d.Replayed == "success")
	}
	return strings.HasSuffix(d.Where, "/senderName") || strings.HasSuffix(d.Where, "/chargedAmount") && (d.Recorded == "0") != (d.Replayed == "0")
}

// ofCard says whether it differs in what a card is that the payer has saved, before or on a page, which is only stood in for.
func ofCard(run *play.Run, d *compare.Difference) bool {
	return d.Operation == "listPaymentMethods" && slices.ContainsFunc(run.Script.Steps, func(s play.Step) bool {
		return s.Move != nil && (s.Move.Event == "save-card" || s.Move.Machine == "card-authorisation")
	})
}

// linked is an account as the service shows it.
var linked = trail.Pattern(`^\*+[0-9]{4}$`)

// ofRecipient says whether it is the account of a company: one that its people have linked on a page, or that of another which is only
// stood in for, as its name beside it shows.
func ofRecipient(list []compare.Difference, d *compare.Difference) bool {
	at, ok := strings.CutSuffix(d.Where, "recipientAccount")
	return ok && linked().MatchString(d.Recorded) && (d.Replayed == "null" || linked().MatchString(d.Replayed)) || ok && slices.ContainsFunc(list, func(other compare.Difference) bool {
		return other.N == d.N && other.Where == at+"recipientName" && other.Class == compare.Nobody
	})
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

// OneMore is the choice of a service whose answers have members that nothing describes: who reads
// them has to pass over these.
const OneMore = "extra-response-fields=one"

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

// statuses says what it means that a call was answered with another status.
func statuses(d *compare.Difference, r *recording.Recording, run *play.Run) {
	x, a := &r.Exchanges[d.N], run.Of(d.N)
	switch {
	case a == nil:
	case x.Answer.Status < 300 && a.Status == 400:
		d.Class, d.Clause = accepted(x, a)
	case x.Answer.Status == 500 || x.Answer.Status == 501:
		d.Class, d.Clause = compare.Service, cmp.Or(trail.OperationNamed(a.Operation).Clause, "error.status")
	case a.Status < 300 && wrongly(r, run, d.N, a.Operation):
		d.Class, d.Clause = compare.Service, trail.OperationNamed(a.Operation).Clause
		switch x.Answer.Status {
		case 400:
			d.Clause = blamed(x, a.Operation)
		case 401:
			d.Clause = "auth.bearer"
		}
	}
}

// wrongly says whether the recording shows that a call was refused that ought to have been served, as the replay's was.
func wrongly(r *recording.Recording, run *play.Run, n int, operation string) bool {
	switch x := &r.Exchanges[n]; x.Answer.Status {
	case 400:
		return !x.BodyMissing && (!forState(x, operation) || disproved(r, n, operation))
	case 401:
		return infer.TakenLater(r, n)
	case 404:
		return Shown(r, run, n)
	default:
		return false
	}
}

// Shown says whether an answer before a call has told the id in its path, as one of its kind, or a call to the
// same path was served: the service knew it.
func Shown(r *recording.Recording, run *play.Run, n int) bool {
	x, kind := &r.Exchanges[n], correlate.Type("")
	if a := run.Of(n); a != nil {
		kind = correlate.Type(trail.OperationNamed(a.Operation).Kind)
	}
	id := trail.UUIDs().FindString(strings.ToLower(x.Path))
	told := func(v correlate.Value) bool {
		return id != "" && strings.EqualFold(v.Text, id) && (kind == "" || v.Type == kind)
	}
	for m := range n {
		was, a := &r.Exchanges[m], run.Of(m)
		if was.Answer.Status/100 == 2 && (was.Method == x.Method && was.Path == x.Path || a != nil && slices.ContainsFunc(correlate.InBody(a.Operation, was.Answer.Body), told)) {
			return true
		}
	}
	return false
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
	case d.Operation == "getDebitAuthorisation" && (d.Recorded == "false" || d.Recorded == "0"): // who has switched it off, and where, no call need show
	case d.Recorded != "" && d.Replayed != "" && trail.OperationNamed(d.Operation).Clause != "":
		d.Class, d.Clause = compare.Service, memberClause(d.Operation, name)
	}
}

// ofStatus says whether a member follows from the status beside it, which differs, too.
func ofStatus(list []compare.Difference, d *compare.Difference) bool {
	at := strings.LastIndexByte(d.Where, '/')
	if d.N < 0 || at < 0 || !slices.Contains([]string{"nextduedate", "acceptedpayers", "transferstatus", "transferid", "senderaccount", "paymentmethod"}, strings.ToLower(d.Where[at+1:])) {
		return false
	}
	return slices.ContainsFunc(list, func(other compare.Difference) bool {
		return other.N == d.N && strings.EqualFold(other.Where, d.Where[:at+1]+"status")
	})
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
