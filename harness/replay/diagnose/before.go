package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// ids are recorded ids, in lower case, of what was there before a recording, or is only taken for something, and which of its
// exchanges, webhooks and rows were seen to be about one.
type ids struct{ set, seen map[string]bool }

// adopted are the payments that no answer has made and that are taken for others, where one that no file shows may have made them.
func adopted(r *recording.Recording, run *play.Run) ids {
	set := map[string]bool{}
	for i := range run.Answers {
		if a := &run.Answers[i]; a.N >= 0 && r.Exchanges[a.N].Answer.Known != recording.Whole && trail.OperationNamed(a.Operation).Charges {
			for _, l := range run.Links.All() {
				if l.Where == infer.Adopted {
					set[strings.ToLower(l.Recorded)] = true
				}
			}
			break
		}
	}
	return ids{set, map[string]bool{}}
}

// earlier are those that a script's own beginning stands in for.
func earlier(run *play.Run) ids {
	set := map[string]bool{}
	for i := range run.Script.Steps {
		s := &run.Script.Steps[i]
		var stands []correlate.Value
		switch {
		case s.Call != nil && s.Call.N == play.Prelude:
			stands = s.Call.Stands
		case s.Move != nil:
			stands = s.Move.Stands
		}
		for _, v := range stands {
			if v.Type != correlate.Token {
				set[strings.ToLower(v.Text)] = true
			}
		}
	}
	return ids{set, map[string]bool{}}
}

// gave says whether something from before the recording, of which the replay shows nothing
// in a place, was stood in for without: the recording shows there what it was made with.
func (before ids) gave(r *recording.Recording, d *compare.Difference) bool {
	if !strings.HasPrefix(d.Where, "/") || !slices.Contains([]string{"", "null", "false", "0"}, d.Replayed) || d.Recorded == "" || len(before.set) == 0 {
		return false
	}
	name := strings.ToLower(d.Where[strings.LastIndexByte(d.Where, '/')+1:])
	if strings.HasSuffix(name, "status") || name == "hasmore" || name == "nextcursor" {
		return false
	}
	return before.has(r, d)
}

// has says whether a difference is about one of them.
func (before ids) has(r *recording.Recording, d *compare.Difference) bool {
	if len(before.set) == 0 {
		return false
	}
	place := fmt.Sprint(d.N, "/", d.Heard, row(d.Where))
	yes, known := before.seen[place]
	if !known {
		yes = slices.ContainsFunc(about(r, d), func(id string) bool { return before.set[id] })
		before.seen[place] = yes
	}
	return yes
}

// about are the ids that a difference is about: those in the call's path, in its body, and in the
// row of a list, or in the webhook.
func about(r *recording.Recording, d *compare.Difference) []string {
	var list []string
	note := func(body []byte, under string) {
		correlate.Walk(body, func(path []string, v any) {
			if text, _ := v.(string); text != "" && strings.HasPrefix(correlate.Pointer(path), under) {
				list = append(list, strings.ToLower(text))
			}
		})
	}
	if d.N < 0 {
		if d.Heard > 0 {
			note(r.Received[d.Heard-1].Body, "/")
		}
		return list
	}
	x := &r.Exchanges[d.N]
	list = append(list, strings.Split(strings.ToLower(x.Path), "/")...)
	note(x.Body, "/")
	note(x.Answer.Body, row(d.Where))
	return list
}

// row is the pointer of the element of a list in which a pointer is, "/" for none.
func row(where string) string {
	if parts := strings.SplitN(where, "/", 4); len(parts) == 4 && parts[2] != "" && strings.Trim(parts[2], "0123456789") == "" {
		return "/" + parts[1] + "/" + parts[2] + "/"
	}
	return "/"
}

// moved says whether a list (all of it, where one of both is no JSON) that shows things from before the recording has other rows than the
// replay's, or in another order: then its rows cannot be compared, nor whether it goes on.
func (before ids) moved(all []compare.Difference, d *compare.Difference) bool {
	if len(before.set) == 0 || !strings.HasPrefix(d.Operation, "list") && !strings.HasPrefix(d.Operation, "report") {
		return false
	}
	return d.Where == "" || slices.ContainsFunc(all, func(other compare.Difference) bool {
		at := row(other.Where)
		if other.N != d.N || at == "/" || row(d.Where) != "/" && row(d.Where) != at {
			return false
		}
		name := strings.ToLower(other.Where[strings.LastIndexByte(other.Where, '/')+1:])
		return other.Replayed == "" || other.Recorded == "" || name == "id" || strings.HasSuffix(name, "requestid") || strings.HasSuffix(name, "transferid")
	})
}

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

// verification is how long the verification of a company takes at most, by the specification.
const verification = 24 * time.Hour

// unverified is a company that the files show as Unverified to their end.
type unverified struct {
	id string
	// made is the call that made it, -1 where none is shown; last is the last that shows its status.
	made, last int
}

// companyStatus is the path of a company's status, by its id or the partner's own reference.
var companyStatus = trail.Pattern(`(?i)^/company/([^/]+)/status$`)

// stillUnverified are those, in the order of their last calls.
func stillUnverified(r *recording.Recording) []unverified {
	var list []unverified
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		found := companyStatus().FindStringSubmatch(x.Path)
		if source.MethodOf(x.Path) != "GET" || found == nil || x.Answer.Status != 200 {
			continue
		}
		u := unverified{strings.ToLower(found[1]), -1, i}
		about := u.id
		if u.made = slices.IndexFunc(r.Exchanges[:i], u.madeBy); u.made >= 0 {
			about = strings.ToLower(trail.ReadBody(r.Exchanges[u.made].Answer.Body).Text("companyId"))
		}
		status := trail.ReadBody(x.Answer.Body).Text("status")
		list = slices.DeleteFunc(list, func(other unverified) bool { return other.id == u.id && status != "" })
		heard := slices.ContainsFunc(r.Received, func(w recording.Received) bool {
			told := compare.Tell(w.Body)
			return told.Name == trail.CompanyEvent && told.About == about && told.Says != "Unverified"
		})
		if status == "Unverified" && !heard {
			list = append(list, u)
		}
	}
	return list
}

// madeBy says whether a call made the company, by its id or the partner's own reference.
func (u unverified) madeBy(x recording.Exchange) bool {
	answer := trail.ReadBody(x.Answer.Body)
	return strings.EqualFold(answer.Text("companyId"), u.id) || answer.Text("companyId") != "" && strings.EqualFold(trail.ReadBody(x.Body).Text("companyReferenceId"), u.id)
}

// age is how old the company was at the last call, and whether the files tell: one clock has told both times.
func (u unverified) age(r *recording.Recording) (time.Duration, bool) {
	if u.made < 0 {
		return 0, false
	}
	made, last := &r.Exchanges[u.made], &r.Exchanges[u.last]
	return last.Begin.Sub(made.Begin), !made.Begin.IsZero() && !last.Begin.IsZero() && made.Place.Source == last.Place.Source
}

// lasting is a time in hours and minutes, or in seconds where it is shorter.
func lasting(d time.Duration) string {
	if d < time.Minute {
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// overdue are the verifications that have taken longer than they may.
func overdue(r *recording.Recording) []Fault {
	var list []Fault
	for _, u := range stillUnverified(r) {
		age, told := u.age(r)
		if !told || age <= verification+time.Minute {
			continue
		}
		x := &r.Exchanges[u.last]
		list = append(list, Fault{
			Side: Service, N: u.last, Place: x.Place, Call: x.Method + " " + x.Path, Clause: "company.kyb.verified", Calls: []int{u.made + 1, u.last + 1},
			What: fmt.Sprintf("the company %s is still Unverified, %s after call %d made it; a verification takes up to 24 hours", u.id, lasting(age), u.made+1),
			Fix:  "report it to the service, with this case; until it is Verified nothing can be collected for the company",
		})
	}
	return list
}

// verifying tells of companies whose verification may go on.
func (in *Input) verifying() []notable {
	var list []notable
	for _, u := range stillUnverified(in.Recording) {
		age, told := u.age(in.Recording)
		n := notable{
			says: fmt.Sprintf("the company %s is Unverified at call %d, the last that shows its status", u.id, u.last+1),
			do:   "that a company stays Unverified for up to 24 hours is usual, outside of the sandbox: wait for COMPANY_VERIFICATION_STATUS_CHANGED, or ask for its status every few minutes; after more than 24 hours it is the service's to look into",
		}
		if told && age <= verification {
			n.says += fmt.Sprintf(", %s after call %d made it: a verification takes up to 24 hours, here until %s", lasting(max(age, 0)), u.made+1, in.Recording.Exchanges[u.made].Begin.Add(verification).UTC().Format("2006-01-02 15:04 UTC"))
		} else {
			n.says += "; when it was made the files do not tell: a verification takes up to 24 hours from then"
		}
		list = append(list, n)
	}
	return list
}

// answered names, where a call was refused for an id, the earlier call whose answer has one of the kind.
func (in *Input) answered(f *Fault) {
	if f.Side == Partner && f.Clause == "partner.company.verified-first" {
		f.Fix += "; a verification takes up to 24 hours, in the sandbox alone no time"
	}
	if f.Side != Partner || !f.refusal || f.N < 0 || f.Fix == "" {
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
