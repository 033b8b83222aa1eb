package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// mayHaveHeard says whether a webhook may have told before a call that a company is verified: no file
// shows webhooks, no later answer says that it still is not, and more than a minute passed since it was made.
func mayHaveHeard(r *recording.Recording, n int) bool {
	if len(r.Received) > 0 || slices.ContainsFunc(r.Exchanges[n:], func(x recording.Exchange) bool { return bytes.Contains(x.Answer.Body, []byte(`"Unverified"`)) }) {
		return false
	}
	return !slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return x.Answer.Status < 300 && strings.Contains(strings.ToLower(x.Path), "company/create") && r.Exchanges[n].Begin.Sub(x.Begin) <= time.Minute
	})
}

// answered names, where a call was refused for an id, the earlier call whose answer has one of the kind.
func (in *Input) answered(f *Fault) {
	if f.Side == Partner && f.Clause == "partner.company.verified-first" {
		f.Fix += "; a verification takes up to 24 hours, in the sandbox alone no time"
	}
	if f.Side != Partner || !f.refusal || f.N < 0 || f.Fix == "" || in.Recording.Exchanges[f.N].Elsewhere != "" {
		return
	}
	kind := f.wants(in.Recording.Exchanges[f.N].Answer.Status)
	if !slices.Contains([]correlate.Type{correlate.Company, correlate.Location, correlate.Registration, correlate.Payment, correlate.Plan, correlate.Consent, correlate.Card}, kind) {
		return
	}
	if told := in.idsBefore(f.N, kind); len(told) > 0 && len(told) <= mostIDs {
		f.Fix += ": " + strings.Join(told, ", or ")
	}
}

// idsBefore are the ids of a type that the answers before a call have, and that it has not sent itself.
func (in *Input) idsBefore(n int, kind correlate.Type) (told []string) {
	seen := strings.ToLower(in.Recording.Exchanges[n].Path + string(in.Recording.Exchanges[n].Body))
	for i := range in.Recording.Exchanges[:n] {
		x, a := &in.Recording.Exchanges[i], in.Run.Of(i)
		if x.Answer.Status/100 != 2 || a == nil {
			continue
		}
		for _, v := range correlate.InBody(a.Operation, x.Answer.Body) {
			if id := strings.ToLower(v.Text); v.Type == kind && !strings.Contains(seen, id) {
				name, _, _ := strings.Cut(strings.TrimPrefix(v.Where, "/"), "/")
				told, seen = append(told, fmt.Sprintf("%s in call %d's answer, %s", name, i+1, v.Text)), seen+" "+id
			}
		}
	}
	return told
}

// wants is the type of the id that a call was refused for: of the member, of the first that it lacks, or, where it names what is not
// there, of its operation.
func (f *Fault) wants(status int) correlate.Type {
	switch lacks := lacksID().FindStringSubmatch(f.What); {
	case f.Pointer != "":
		return correlate.TypeAt(f.Operation, f.Pointer)
	case lacks != nil:
		return correlate.TypeAt(f.Operation, "/"+lacks[1])
	case status == 404:
		return correlate.Type(trail.OperationNamed(f.Operation).Kind)
	default:
		return ""
	}
}

// lacksID is what is said of a request that has none of some members, the first of which is an id.
var lacksID = trail.Pattern(`the request has no ([a-z]+Id)\b`)

// mostIDs is how many ids are named where one of them is what a call lacks.
const mostIDs = 3

// byItself tells, of a consent that is over, by which call of the partner it is.
func (f *Fault) byItself(r *recording.Recording, machine string) {
	if machine != "consent" {
		return
	}
	f.Fix = "a consent that was declined after it was given is revoked for good: ask the payer for a new one"
	for n := f.N - 1; n >= 0; n-- {
		if x, again := &r.Exchanges[n], &r.Exchanges[f.N]; x.Method == again.Method && strings.EqualFold(x.Path, again.Path) && x.Answer.Status/100 == 2 {
			f.Calls = append([]int{n + 1}, f.Calls...)
			f.What += fmt.Sprintf("; call %d, the same, has ended it", n+1)
			return
		}
	}
}
