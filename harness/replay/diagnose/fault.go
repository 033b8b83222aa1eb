// Package diagnose says where a recording first went wrong, whose side that is, and on
// what evidence: from the checks of both sides, from what was refused, and from what
// differs. It never guesses: what cannot be told is undecidable, with what to ask for.
//
// It makes no calls, and plays nothing.
package diagnose

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/clause"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/kyb"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/taped"
	"paysandbox/harness/replay/tokens"
	"paysandbox/harness/replay/unshown"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Side says whose fault something is.
type Side string

// The sides.
const (
	Partner     Side = "partner"
	Service     Side = "service"
	Choice      Side = "choice"
	Nobody      Side = "nobody"
	Undecidable Side = "undecidable"
)

// Fault is one thing that went wrong.
type Fault struct {
	Side Side `json:"side"`
	// N is the exchange at which it did, from 0, or Heard the webhook, from 1.
	N     int             `json:"n"`
	Heard int             `json:"heard,omitempty"`
	Place recording.Place `json:"place"`
	Call  string          `json:"call"`
	// When is its time as its file tells it, in UTC; zero where none is told.
	When time.Time `json:"when,omitzero"`
	utc  time.Time // the same by the service's clock
	// Clause is what was broken, Also are clauses that say the same of it, Knob is the
	// choice.
	Clause string   `json:"clause,omitempty"`
	Also   []string `json:"also,omitempty"`
	Knob   string   `json:"knob,omitempty"`
	// Operation and Pointer are where, as far as it has a place in a body.
	Operation string `json:"operation,omitempty"`
	Pointer   string `json:"pointer,omitempty"`
	// What says what happened, Fix what to do about it.
	What string `json:"what"`
	Fix  string `json:"fix,omitempty"`
	// Calls and Webhooks are the evidence: exchanges and webhooks, both from 1.
	Calls    []int `json:"calls,omitempty"`
	Webhooks []int `json:"webhooks,omitempty"`
	// refusal says that the recorded answer itself refuses the call for it, renamed that its path is not as it was sent, asked
	// that this is what is asked about, whatever was refused before.
	refusal, renamed, asked bool
}

// partners are the faults of the partner's clauses.
func partners(r *recording.Recording, run *play.Run, t *taped.Tape) []Fault {
	var list []Fault
	for _, result := range check.Judge(trail.New(t.Meta, t.Entries), check.Integration()) {
		for i := range result.Judgements {
			j := &result.Judgements[i]
			if j.Word != verdict.Fail || unshown.Clause(r, result.Check) {
				continue
			}
			f := Fault{Side: Partner, Clause: result.Check, What: "expected " + j.Expected + ", received " + j.Received, Fix: j.Hint}
			if f.at(r, t, j.Entries) && (result.Check != "partner.token.refresh" || !tokens.Recovered(r, f.N) && !served(r, &f)) && judgeable(r, &f) {
				list = append(list, f.forged(r))
			}
		}
	}
	list = slices.DeleteFunc(list, func(f Fault) bool { // whether the receiver took it is not told
		return f.Heard > 0 && r.Received[f.Heard-1].Signature == recording.Wrong && r.Received[f.Heard-1].Status == 0 && !r.Received[f.Heard-1].Did(recording.Refused)
	})
	return slices.Concat(list, turnedAway(r, run), keptOn(r, run), handedOver(r, run), takenForPaid(r), dollars(r, run), elsewhere(r), misdirected(r), firstPages(r, run, list), paidAgain(r, run, list), leftUnsigned(r, run), unschemed(r), writtenOtherwise(r), signedTwice(r, run), signedAsBefore(r, run), setBack(r, run), mixedUp(r, run))
}

// served says whether the service took all calls of a fault: a token that opened them had
// not expired by its clock, whatever that of the file shows.
func served(r *recording.Recording, f *Fault) bool {
	return !slices.ContainsFunc(f.Calls, func(n int) bool {
		a := &r.Exchanges[n-1].Answer
		return a.Known == recording.NotRecorded || a.Status == 0 || a.Status == 401
	})
}

// placed is a fault with the call or the webhook that it is about, and where that stands.
func (f Fault) placed(r *recording.Recording) Fault {
	if f.Heard > 0 {
		f.N, f.Place, f.Call = play.Prelude, r.Received[f.Heard-1].Place, fmt.Sprintf("webhook %d", f.Heard)
		return f
	}
	x := &r.Exchanges[f.N]
	f.Place, f.Call = x.Place, x.Method+" "+x.Path
	return f
}

// at puts a fault where its evidence ends, and says whether that is in the recording.
func (f *Fault) at(r *recording.Recording, t *taped.Tape, entries []uint64) bool {
	f.N = play.Prelude
	for _, seq := range entries {
		if n, ok := t.Calls[seq]; ok {
			f.Calls = append(f.Calls, n+1)
		}
		if n, ok := t.Heard[seq]; ok {
			f.Webhooks = append(f.Webhooks, n)
		}
	}
	switch {
	case len(f.Calls) > 0:
		f.N = slices.Max(f.Calls) - 1
	case len(f.Webhooks) > 0:
		f.Heard = slices.Max(f.Webhooks)
	default:
		return false
	}
	*f = f.placed(r)
	return true
}

// visible are the checks of the service that a recording shows enough for: others are
// about the sandbox's own tape, or about headers that tools leave out.
var visible = []string{"wire.conform", "idempotency", "money.charge", "money.refund"}

// services are the clauses of the service that the recorded answers break, and the
// replay's do not.
func services(r *recording.Recording, run *play.Run, t, bare *taped.Tape, document *service.Document) []Fault {
	checks := slices.DeleteFunc(check.Service(service.Options{Document: document}), func(c check.Check) bool {
		return !slices.Contains(visible, c.ID)
	})
	known := map[string]bool{}
	for _, result := range check.Judge(trail.New(bare.Meta, bare.Entries), checks) {
		for _, j := range result.Judgements {
			if j.Word == verdict.Fail {
				known[result.Check+j.Clause] = true
			}
		}
	}
	var list []Fault
	for _, result := range check.Judge(trail.New(t.Meta, t.Entries), checks) {
		for i := range result.Judgements {
			j := &result.Judgements[i]
			id := cmp.Or(slices.Concat([]string{j.Clause}, result.Clauses)...)
			if j.Word != verdict.Fail || known[result.Check+j.Clause] || nobodys(id, j.Received) {
				continue
			}
			f := Fault{Side: Service, Clause: id, What: "expected " + j.Expected + ", received " + j.Received, Fix: "report it to the service, with this case"}
			if f.at(r, t, j.Entries) && f.shown(r, j.Received) && (f.Calls == nil || operated(run, f.N)) && (!strings.HasPrefix(result.Check, "money.") || f.sent(r)) {
				list = append(list, f.ofOperation(run))
			}
		}
	}
	return list
}

// operated says whether a call was to an operation: of what answers to any other path nothing is owed.
func operated(run *play.Run, n int) bool {
	a := run.Of(n)
	return a == nil || a.Operation != "" || a.Status == 405
}

// shown says whether a recording shows the answer that is at fault as it was. A member that nothing describes
// is a choice.
func (f *Fault) shown(r *recording.Recording, received string) bool {
	if strings.Contains(received, "additional properties") {
		f.Side, f.Clause, f.Knob, f.Fix = Choice, "", explain.OneMore, "pass over the members that nothing describes"
	}
	if f.Calls == nil {
		return true
	}
	if f.Clause == "error.status" { // which statuses else a refusal may have nobody has said
		return r.Exchanges[f.N].Answer.Status/100 != 4
	}
	if slices.ContainsFunc(f.Calls, func(n int) bool { return r.Exchanges[n-1].Answer.Known == recording.NotRecorded }) { // the replay's stands there
		return false
	}
	if f.spelled(r, received) {
		f.Side, f.Clause, f.Knob, f.Fix = Choice, "", namesPascal, "read the names of members whatever their case"
	}
	if _, missing, _ := strings.Cut(received, "missing properties "); strings.Count(missing, "', '")+1 >= excerpted {
		return false
	}
	a := &r.Exchanges[f.N].Answer
	return a.Known != recording.WithoutBody && !correlate.Shortened(a.Body) && (!strings.Contains(received, "a body that is no JSON") || !cut(a))
}

// namesPascal is the choice of a service that begins the names of its answers' members with a capital.
const namesPascal = "response-names=pascal"

// spelled says whether the members that an answer is said to lack are there, and begin with a capital.
func (f *Fault) spelled(r *recording.Recording, received string) bool {
	_, missing, found := strings.Cut(received, "missing propert")
	names := quoted().FindAllStringSubmatch(missing, -1)
	return found && len(names) > 0 && !slices.ContainsFunc(names, func(name []string) bool {
		return !bytes.Contains(r.Exchanges[f.N].Answer.Body, []byte(`"`+strings.ToUpper(name[1][:1])+name[1][1:]+`"`))
	})
}

var quoted = trail.Pattern(`'([A-Za-z]\w*)'`)

// excerpted is how many members an object of an answer lacks at least for the file to show an excerpt of it: who logs chooses, and no
// service drops so many.
const excerpted = 5

// nobodys says whether what breaks a clause is nobody's: how a refusal looks, and that something is in no state, of which the recording
// does not show how it began.
func nobodys(id, received string) bool {
	return id == refusalShape || strings.HasSuffix(received, ` is ""`)
}

// refusalShape is the clause of how a refusal's body looks, which the specification does
// not show: another service that shows another breaks nothing.
const refusalShape = "error.body"

// cut says whether an answer may be JSON of which the file shows the beginning alone.
func cut(a *recording.Answer) bool {
	return (bytes.HasPrefix(a.Body, []byte("{")) || bytes.HasPrefix(a.Body, []byte("["))) && source.Header(a.Header, "Content-Length") != strconv.Itoa(len(a.Body))
}

// level is how binding a clause is: what is a MUST stands before advice at one place.
func level(id string) int {
	if c, known := clause.Lookup(id); known && strings.HasPrefix(id, clause.IntegrationPrefix) {
		return slices.Index([]clause.Level{clause.Must, clause.Should, clause.May}, c.Level)
	}
	return 0
}

// bodiless are the clauses that are told without what a call has sent.
var bodiless = []string{"partner.token.", "partner.client.", "partner.polling.", "partner.company.", "partner.webhook.", "partner.privacy.urls"}

// judgeable says whether a fault can be told where answers were not recorded: from the
// form of the calls alone; and where no time was: not what takes time, as a verification.
func judgeable(r *recording.Recording, f *Fault) bool {
	if f.Clause == "partner.client.user-agent" && !slices.ContainsFunc(f.Calls, func(n int) bool { return unshown.Headed(&r.Exchanges[n-1]) }) {
		return false
	}
	if slices.Contains([]string{"partner.token.recover", "partner.token.refresh"}, f.Clause) && tokens.OnlyRead(r, f.N) || f.Clause == "partner.token.reuse" && untimed(r, f) {
		return false
	}
	for _, n := range f.Calls {
		if f.Clause == verifiedFirst && mayBeVerified(r, n-1) {
			return false
		}
		if r.Exchanges[n-1].BodyMissing && !slices.ContainsFunc(bodiless, func(form string) bool { return strings.HasPrefix(f.Clause, form) }) {
			return false
		}
		if r.Exchanges[n-1].Answer.Known != recording.NotRecorded {
			continue
		}
		return slices.ContainsFunc([]string{"partner.amount.", "partner.phone.", "partner.body.", "partner.privacy.", "partner.reference.present"}, func(form string) bool {
			return strings.HasPrefix(f.Clause, form)
		})
	}
	return true
}

// mayBeVerified says whether the company may have been verified when a call was made, and the files do not show it.
func mayBeVerified(r *recording.Recording, n int) bool {
	return (r.Exchanges[n].Begin.IsZero() || unshown.OwnClock(r, n) || kyb.MayHaveHeard(r, n) || kyb.AskedUnseen(r, n)) && !kyb.ToldUnverified(r, n)
}

// untimed says whether nothing tells when some of a fault's calls were made: how far apart they were is not known.
func untimed(r *recording.Recording, f *Fault) bool {
	return slices.ContainsFunc(f.Calls, func(n int) bool { return r.Exchanges[n-1].Begin.IsZero() })
}
