// Package made holds which calls of a recording have made what, by the ids that their answers show. It judges nobody.
package made

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Cause is what an event tells of: something that a call has made, or canceled.
type Cause struct {
	// About is its id, in small letters.
	About    string
	Canceled bool
}

// Causes are the first calls that have made, or have canceled, what events may be about.
func Causes(r *recording.Recording, run *play.Run) map[Cause]int {
	first := map[Cause]int{}
	note := func(c Cause, n int) {
		if _, known := first[c]; !known && c.About != "" {
			first[c] = n
		}
	}
	for a, x := range run.Granted(r) {
		o := trail.OperationNamed(a.Operation)
		answer := trail.ReadBody(x.Answer.Body)
		for _, member := range o.Makes {
			note(Cause{strings.ToLower(answer.Text(member)), false}, a.N)
		}
		if o.Cancels {
			for part := range strings.SplitSeq(strings.ToLower(x.Path), "/") {
				note(Cause{part, true}, a.N)
			}
		}
	}
	return first
}

// IDsBefore are the ids of a type that the answers before a call have, and that it has not sent itself.
func IDsBefore(r *recording.Recording, run *play.Run, n int, kind correlate.Type) (told []string) {
	seen := strings.ToLower(r.Exchanges[n].Path + string(r.Exchanges[n].Body))
	for i := range r.Exchanges[:n] {
		x, a := &r.Exchanges[i], run.Of(i)
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

// Begun says whether a recording holds the call that made what a later one names, if
// there was one: it begins with the token, or makes other things of the kind.
func Begun(run *play.Run, a *play.Answered) bool {
	kind := trail.OperationNamed(a.Operation).Kind
	return !trail.UUIDs().MatchString(strings.ToLower(run.Script.Steps[a.Step].Call.Exchange.Path)) || slices.ContainsFunc(run.Answers, func(one play.Answered) bool {
		o := trail.OperationNamed(one.Operation)
		return one.N >= 0 && one.N < a.N && (o.Token || one.Status < 300 && o.Kind == kind && run.Script.Steps[one.Step].Call.Exchange.Method == "POST")
	})
}

// PerhapsBy is the call, before one that names a company by the partner's own reference, that may have been to make it and was
// refused, where what it sent is not shown; else -1.
func PerhapsBy(r *recording.Recording, n int, kind string) int {
	if kind != "company" || trail.IsUUID(namedIn(r.Exchanges[n].Path)) {
		return -1
	}
	return slices.IndexFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		unshown := x.BodyMissing || correlate.Shortened(x.Body) && strings.EqualFold(trail.ReadBody(x.Body).Text("companyReferenceId"), namedIn(r.Exchanges[n].Path))
		return x.Answer.Status >= 400 && unshown && strings.HasSuffix(strings.ToLower(x.Path), "/company/create")
	})
}

// namedIn is the name in a path, before what is asked of it: of /Company/ck-1/Status it is ck-1.
func namedIn(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[max(0, len(parts)-2)]
}

// Link is one in the answer to a call that has made something, which names what another call has made.
type Link struct {
	// Call and Other are these calls, from 0.
	Call, Other int
	Operation   string
	// Own is the id of what the call has made, Named the one in the link, and Pointer where in the answer that stands.
	Own, Named, Pointer string
}

// LinksOfOthers are such links, where both calls are of one operation and the link does not name what its own call has made.
func LinksOfOthers(r *recording.Recording, run *play.Run) []Link {
	type maker struct {
		call      int
		operation string
	}
	makers, order := map[string]maker{}, []string{}
	for a, x := range run.Granted(r) {
		for _, member := range trail.OperationNamed(a.Operation).Makes {
			id := strings.ToLower(trail.ReadBody(x.Answer.Body).Text(member))
			if _, known := makers[id]; !known && id != "" && trail.UUIDs().FindString(id) == id {
				makers[id], order = maker{a.N, a.Operation}, append(order, id)
			}
		}
	}
	var list []Link
	for _, own := range order {
		made := makers[own]
		correlate.Walk(r.Exchanges[made.call].Answer.Body, func(path []string, v any) {
			address, _ := v.(string)
			if address = strings.ToLower(address); !strings.Contains(address, "://") || strings.Contains(address, own) {
				return
			}
			for _, id := range trail.UUIDs().FindAllString(address, -1) {
				if other, known := makers[id]; known && other.call != made.call && other.operation == made.operation {
					list = append(list, Link{made.call, other.call, made.operation, own, id, correlate.Pointer(path)})
					return
				}
			}
		})
	}
	return list
}
