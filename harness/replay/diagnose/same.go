package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/replay/again"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Shown says whether a replay of a part of the recording still shows the fault: the same side, clause, operation and place; and
// as the first, but for those that the case has before it.
func (f *Fault) Shown(in *Input, before []Fault) bool {
	if !f.among(in) {
		return false
	}
	d := Of(in)
	if before == nil {
		return d.Fault != nil && f.same(*d.Fault)
	}
	for i := range d.Faults {
		o := &d.Faults[i]
		if f.is(o) {
			return true
		}
		if !slices.ContainsFunc(before, func(b Fault) bool { return b.same(*o) }) {
			return false
		}
	}
	return false
}

// among says of a play, without a whole diagnosis, whether the fault may be among what it shows.
func (f *Fault) among(in *Input) bool {
	if strings.HasPrefix(f.Clause, clause.IntegrationPrefix) || f.Side == Service || f.Side == Choice || f.Heard > 0 && f.Side == Partner {
		return true
	}
	list := slices.Concat(contradicted(in), refusals(in.Recording, in.Run), elsewhere(in.Recording), misdirected(in.Recording))
	if in.Saved == nil {
		list = append(list, in.byItself()...)
	}
	return slices.ContainsFunc(list, f.same)
}

// is says whether another fault is this one: by itself, or by a clause that says the same of it.
func (f *Fault) is(o *Fault) bool {
	return f.same(*o) || o.Side == f.Side && slices.Contains(o.Also, f.Clause)
}

func (f *Fault) same(o Fault) bool {
	return f.Clause == o.Clause && f.Operation == o.Operation && f.Pointer == o.Pointer && (f.Side == o.Side || f.Side == Choice && o.Side != Partner)
}

// Signature is equal for cases of the same cause.
func (f *Fault) Signature() string {
	return strings.Join([]string{string(f.Side), f.Clause, f.Knob, f.Operation, stem(f.Pointer)}, " ")
}

// stem is a pointer without the places in lists.
func stem(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i := range parts {
		if parts[i] != "" && strings.Trim(parts[i], "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// Different says whether a difference is there again. A call that has another status than it had is refused for something else.
func Different(list []compare.Difference, d *compare.Difference) bool {
	return slices.ContainsFunc(list, func(o compare.Difference) bool {
		return o.Operation == d.Operation && stem(o.Where) == stem(d.Where) && o.N == d.N && o.Heard == d.Heard && (d.Where != "status" || o.Replayed == d.Replayed)
	})
}

// found tells when a fault was, and whether its call's path is as it was sent, for who looks for it in the files.
func (f *Fault) found(r *recording.Recording) {
	switch {
	case f.Heard > 0:
		f.When = r.Received[f.Heard-1].At
	case f.N >= 0 && f.N < len(r.Exchanges):
		f.When, f.renamed = r.Exchanges[f.N].Begin, slices.Contains(r.Exchanges[f.N].StandIns, "path")
	}
	if !f.When.IsZero() {
		f.utc, f.When = f.When.UTC(), r.Told(f.When, f.Place)
	}
}

// time is when a fault was, for who looks for it in its file: a file that tells local times tells another hour than UTC.
func (f *Fault) time() string {
	switch {
	case f.When.IsZero():
		return ""
	case f.utc.Sub(f.When).Abs() < clocksApart:
		return f.When.Format(", 2006-01-02 15:04:05 UTC")
	case f.utc.Day() != f.When.Day():
		return f.When.Format(", 2006-01-02 15:04:05 by its clock, ") + f.utc.Format("2006-01-02 15:04:05 UTC")
	default:
		return f.When.Format(", 2006-01-02 15:04:05 by its clock, ") + f.utc.Format("15:04:05 UTC")
	}
}

// standIn says of the member that a fault is about that its value stands in for what was sent, where it does.
func (f *Fault) standIn(r *recording.Recording) string {
	if f.Pointer == "" || !slices.ContainsFunc(r.Exchanges[f.N].StandIns, func(at string) bool { return strings.EqualFold(at, f.Pointer) }) {
		return ""
	}
	return " (a stand-in in its form; what was sent stands at that place)"
}

// explained leaves out what could not be told of a call, or a webhook, of which something else says what was wrong with it.
func explained(list []Fault) []Fault {
	type place struct{ n, heard int }
	known := map[place]bool{}
	for i := range list {
		if f := &list[i]; (f.Heard > 0 || f.N >= 0) && (f.Side == Partner || f.Side == Service) && !f.manners() {
			known[place{f.N, f.Heard}] = true
		}
	}
	return slices.DeleteFunc(list, func(f Fault) bool { return f.Side == Undecidable && known[place{f.N, f.Heard}] })
}

// rank is how grave a fault is beside others at its place, the gravest 0. That a service took what it was to refuse stands
// behind what was sent.
func (f *Fault) rank() int {
	lenient := f.Side == Service && f.Pointer == "status" && strings.Contains(f.What, "the replay gives 4")
	switch {
	case f.Side == Service && !lenient:
		return 0
	case f.Side == Partner && f.breaks():
		return 1
	case f.Side == Service:
		return 2
	case f.Side == Partner:
		return 3
	case f.Side == Choice:
		return 4
	default:
		return 5
	}
}

// overcome says whether what a call was refused for had been mended by the partner: when the service refused the same call all the
// same, or in the end, where something else went wrong that was not.
func (in *Input) overcome(than, other *Fault) bool {
	if than.Side == Partner && other.N > than.N && other.Heard == 0 && in.mended(than.N) && in.lasting(other) {
		return !other.refusal || other.Clause != than.Clause // where it is the same again, it began there
	}
	if than.Side != Partner || other.Side != Service || other.N <= than.N || !in.refused(other) {
		return false
	}
	was, again, a := &in.Recording.Exchanges[than.N], &in.Recording.Exchanges[other.N], in.Run.Of(other.N)
	return was.Method == again.Method && was.Path == again.Path && a != nil && a.Status/100 == 2
}

// lasting says whether something that went wrong was not mended, and is more than advice.
func (in *Input) lasting(f *Fault) bool {
	if f.refusal && in.mended(f.N) || in.harmless(f) {
		return false
	}
	return f.breaks() || f.Side == Choice || in.hurt(f)
}

// tooEarly says of a call that was refused whether the same call was made again, and went well: nothing was wrong with it but its time.
func (in *Input) tooEarly(f *Fault) bool {
	if !f.refusal || f.Side != Partner || f.Heard > 0 || f.N < 0 || in.Recording.Exchanges[f.N].Answer.Status != 400 {
		return false
	}
	x := &in.Recording.Exchanges[f.N]
	return slices.ContainsFunc(in.Recording.Exchanges[f.N+1:], func(later recording.Exchange) bool {
		return later.Method == x.Method && later.Path == x.Path && later.Query == x.Query && bytes.Equal(later.Body, x.Body) && !later.BodyMissing && later.Answer.Status/100 == 2
	})
}

// harmless says of a refusal that what was asked for stood so already: a payment is canceled that is.
func (in *Input) harmless(f *Fault) bool {
	a := in.Run.Of(f.N)
	return f.refusal && a != nil && trail.OperationNamed(a.Operation).Cancels && trail.ReadBody(a.Body).Text("state") == "Canceled"
}

// takenHere drops what came of the replay's having made a company that the service had refused to make: its reference is free there,
// and taken here.
func (in *Input) takenHere(faults []Fault) []Fault {
	made := map[string]bool{}
	for i := range in.Run.Answers {
		a := &in.Run.Answers[i]
		if a.N < 0 || a.Operation != "createCompany" {
			continue
		}
		x := &in.Recording.Exchanges[a.N]
		ref := strings.ToLower(trail.ReadBody(x.Body).Text("companyReferenceId"))
		if made[ref] && a.Status == 400 && bytes.Contains(a.Body, []byte("company.create.reference-unique")) {
			faults = slices.DeleteFunc(faults, func(f Fault) bool { return f.N == a.N && f.Heard == 0 })
		} else if a.Status/100 == 2 && x.Answer.Status/100 == 4 {
			made[ref] = true
		}
	}
	return faults
}

// merged joins faults of one side at one place: the first names the others' clauses.
func merged(list []Fault) []Fault {
	var kept []Fault
	for _, f := range list {
		if n := len(kept); n > 0 && kept[n-1].Side == f.Side && kept[n-1].N == f.N && kept[n-1].Heard == f.Heard {
			if f.Clause != "" && f.Clause != kept[n-1].Clause && !slices.Contains(kept[n-1].Also, f.Clause) {
				kept[n-1].Also = append(kept[n-1].Also, f.Clause)
			}
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// comparedAsWritten tells of a webhook that its receiver refused although its digest is that of the header: it was written otherwise.
func comparedAsWritten(r *recording.Recording, i int) Fault {
	w := &r.Received[i]
	line, how := w.Line(recording.SameDigest), "without the \"sha256=\" that the header has before it"
	if strings.Contains(line, recording.DigestInBase64) {
		how = "in Base64"
	} else if strings.Contains(line, recording.DigestInCapitals) {
		how = "in capital letters"
	}
	return Fault{
		Side: Partner, Heard: i + 1, Clause: "event.signature", Also: []string{"partner.webhook.raw-bytes"}, Webhooks: []int{i + 1},
		What: fmt.Sprintf("the receiver %s, although its log tells that it had computed the same digest as %s tells: its own was written %s, and the two were compared as they stand: \"%s\"", denial(w), trail.SignatureHeader, how, line),
		Fix:  "the secret and the bytes are right, the comparison is not: the header's value is \"sha256=\" and behind it the digest in small hexadecimal figures; put \"sha256=\" before your own, and compare all of it, in constant time",
	}.placed(r)
}

// madeOfOne are two payments that somebody may have made of one: who did is not shown. It is none where anything else is wrong.
func madeOfOne(r *recording.Recording, known []Fault) []Fault {
	a := again.Payments(r)
	if a == nil || slices.ContainsFunc(known, func(f Fault) bool { return !f.unasked() }) {
		return nil
	}
	n := max(a.First, a.Second)
	return []Fault{Fault{
		Side: Undecidable, N: n, Calls: []int{min(a.First, a.Second) + 1, n + 1}, Webhooks: a.Webhooks,
		What: fmt.Sprintf("the payments %s and %s, of %d each and of one payer, were made within %s, and no file shows a call that makes either: whether the partner has made the call twice, or the service two payments of one call, cannot be told", a.IDs[0], a.IDs[1], a.Amount, max(a.Apart, time.Second)),
		Fix:  fmt.Sprintf("the calls POST /Payment/Create that went out at about %s (of the application's log, or that of a proxy before it), each with its answer's paymentRequestId, and what was made again after a timeout; or both rows of GET /Transaction/Report with their reference", a.Made.UTC().Format("2006-01-02 15:04:05 UTC")),
	}.placed(r)}
}

// differences are the faults that differences come to.
func differences(list []compare.Difference) []Fault {
	var faults []Fault
	for i := range list {
		d := &list[i]
		f := Fault{N: d.N, Heard: d.Heard, Place: d.Place, Call: d.Call, Clause: d.Clause, Knob: d.Choice, Operation: d.Operation, Pointer: d.Where, What: d.Text()}
		if d.N >= 0 {
			f.Calls = []int{d.N + 1}
		} else if d.Heard > 0 {
			f.Webhooks = []int{d.Heard}
		}
		switch d.Class {
		case compare.Choice:
			f.Side, f.Fix = Choice, "the specification leaves this open: do not depend on it; the service chose "+d.Choice+" (replay with --latitude "+d.Choice+" takes it as known)"
		case compare.Service:
			f.Side, f.Fix = Service, "report it to the service, with this case"
		case compare.Unexplained:
			f.Side = Undecidable
		default:
			continue
		}
		faults = append(faults, f)
	}
	return faults
}
