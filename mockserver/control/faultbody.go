package control

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/spelling"
)

// leastFor is the shortest that a fault may go on.
const leastFor = time.Second

// maxFaultCount bounds count and nth of a fault.
const maxFaultCount = 1_000_000

// ownFault is the id that stands for a fault asked for by header.
const ownFault = "header"

// effectMembers are the names of effects in a body, in the order of
// fault.Names.
func effectMembers() []string {
	return []string{"status", "retryAfter", "latency", "slowBody", "cutConnection", "commitThenDrop", "tokenRevoked"}
}

// faultJudge reads the body that arms a fault and collects what is wrong.
type faultJudge struct {
	api      []openapi.Operation
	findings []kernel.Finding
}

// armed is a fault to arm, and how long it is to go on; 0 is for as long as calls come.
type armed struct {
	fault.Fault
	long time.Duration
}

// judgeFault reads the body before the world is asked, and leaves the fault for
// armFault.
func judgeFault(x *exchange, body any) error {
	j := &faultJudge{api: x.control.opts.API, findings: slices.DeleteFunc(x.Call.Findings, func(f kernel.Finding) bool { return f.Advisory })}
	x.Call.Findings = nil
	for i := range j.findings {
		nameMembers(&j.findings[i])
	}
	f := j.fault(door.As[NewFault](body))
	if len(j.findings) > 0 {
		return badBody(j.findings)
	}
	x.memo = f
	return nil
}

// nameMembers adds to the finding about an unknown member which ones there are.
func nameMembers(f *kernel.Finding) {
	if f.Clause != options.UnknownClause {
		return
	}
	names := []string{"name", "match", "effect", "count", "for"}
	switch {
	case strings.HasPrefix(f.Pointer, "/effect/"):
		names = effectMembers()
	case strings.HasPrefix(f.Pointer, "/match/"):
		names = []string{"operation", "method", "entity", "nth"}
	}
	f.Expected = "one of " + joined(names)
}

func (j *faultJudge) refuse(pointer, received, expected, fix string) {
	j.findings = append(j.findings, wrong(pointer, "control.fault", received, expected, fix))
}

func (j *faultJudge) fault(req *NewFault) armed {
	f := armed{Fault: fault.Fault{ID: req.Name, Count: 1}, long: j.long(req.For)}
	if req.Name != "" && !faultName(req.Name) {
		j.refuse("/name", quoted(req.Name), "at most 64 letters, digits, dots, hyphens and underscores, and not "+ownFault, "choose another name")
	}
	if f.long > 0 {
		f.Count = 0
	}
	if req.Count != nil {
		f.Count = j.whole("/count", req.Count, 0, maxFaultCount)
	}
	before := len(j.findings)
	switch {
	case req.Effect != nil:
		f.Effect = j.effect(req.Effect)
	case !slices.ContainsFunc(j.findings, func(f kernel.Finding) bool { return f.Pointer == "/effect" }):
		j.refuse("/effect", "", "an object with at least one of "+joined(effectMembers()), `send for example {"effect":{"status":503}}`)
	}
	if req.Match != nil {
		f.Match = j.match(req.Match)
	}
	if open := j.operation(f.Match.Operation); open != nil && open.Open && f.Effect.Revoke != "" && len(j.findings) == before {
		j.refuse("/effect/tokenRevoked", quoted(string(f.Effect.Revoke)), "an operation that needs a token", open.ID+" needs none: choose another operation, or another effect")
	}
	return f
}

// long reads how long a fault is to go on; 0 when nothing says so.
func (j *faultJudge) long(text string) time.Duration {
	d, ok := parseSpan(text)
	if text != "" && (!ok || d < leastFor || d > fault.MaxFor) {
		j.refuse("/for", quoted(text), "a duration from 1s to 366d with units d, h, m, s, by the sandbox's clock", "send for example 90s, 1h or 2d; leave it out when calls alone are to end the fault")
		return 0
	}
	return d
}

// faultName says whether a text can stand as a fault's id in a path and a header.
func faultName(s string) bool {
	for i := range len(s) {
		b := s[i]
		letter := 'a' <= b|0x20 && b|0x20 <= 'z'
		if !letter && (b < '0' || b > '9') && strings.IndexByte(".-_", b) < 0 {
			return false
		}
	}
	return len(s) <= 64 && s != ownFault && strings.Trim(s, ".") != ""
}

// whole reads a number within bounds; 0 when it is absent or wrong.
func (j *faultJudge) whole(pointer string, value *int64, least, most int64) int {
	switch {
	case value == nil:
		return 0
	case *value < least || *value > most:
		j.refuse(pointer, strconv.FormatInt(*value, 10),
			"a whole number from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10), "send a number within these bounds")
		return 0
	}
	return int(*value)
}

func (j *faultJudge) effect(req *NewEffect) fault.Effect {
	e := fault.Effect{
		Status:     j.whole("/effect/status", req.Status, 400, 599),
		RetryAfter: j.whole("/effect/retryAfter", req.RetryAfter, 1, fault.MaxRetryAfter),
		Cut:        fault.CutPoint(req.CutConnection), Revoke: fault.Revocation(req.TokenRevoked),
		CommitThenDrop: req.CommitThenDrop != nil && *req.CommitThenDrop,
	}
	for _, wait := range []struct {
		name, text string
	}{{"latency", req.Latency}, {"slowBody", req.SlowBody}} {
		d, ok := fault.ParseWait(wait.text)
		switch {
		case wait.text == "":
		case !ok:
			j.refuse("/effect/"+wait.name, quoted(wait.text), "a duration above 0 and at most 1m", "send for example 250ms or 2s")
		case wait.name == "latency":
			e.Latency = d
		default:
			e.SlowBody = d
		}
	}
	if slices.ContainsFunc(j.findings, func(f kernel.Finding) bool { return strings.HasPrefix(f.Pointer, "/effect") }) {
		return e
	}
	for _, p := range e.Validate() {
		j.refuse(memberOf(p.Effect), p.Received, p.Expected, p.Fix)
	}
	return e
}

// memberOf is the pointer of the member that has an effect's name.
func memberOf(effect string) string {
	if at := slices.Index(fault.Names(), effect); at >= 0 {
		return "/effect/" + effectMembers()[at]
	}
	return "/effect"
}

func (j *faultJudge) match(req *NewMatch) fault.Match {
	m := fault.Match{Operation: req.Operation, Method: req.Method, Entity: req.Entity, Nth: j.whole("/match/nth", req.Nth, 1, maxFaultCount)}
	if m.Operation != "" && j.operation(m.Operation) == nil {
		ids := make([]string, 0, len(j.api))
		for i := range j.api {
			ids = append(ids, j.api[i].ID)
		}
		j.refuse("/match/operation", quoted(m.Operation), "one of "+joined(ids), "nearest: "+spelling.Nearest(m.Operation, ids))
	}
	if legal := j.methods(m.Operation); m.Method != "" && len(legal) > 0 && !slices.Contains(legal, m.Method) {
		j.refuse("/match/method", quoted(m.Method), "one of "+joined(legal), "nearest: "+spelling.Nearest(m.Method, legal))
	}
	if len(m.Entity) > longestText {
		j.refuse("/match/entity", strconv.Itoa(len(m.Entity))+" bytes", "at most 200 bytes", "send the id of one entity")
	}
	return m
}

// operation finds an operation of the partner API, or gives nil.
func (j *faultJudge) operation(id string) *openapi.Operation {
	at := slices.IndexFunc(j.api, func(o openapi.Operation) bool { return o.ID == id })
	if at < 0 {
		return nil
	}
	return &j.api[at]
}

// methods are those that an operation answers in any of its spellings; of every
// operation when none is named.
func (j *faultJudge) methods(operation string) []string {
	var list []string
	for i := range j.api {
		o := &j.api[i]
		if operation != "" && o.ID != operation && o.AliasOf != operation || slices.Contains(list, o.Method) {
			continue
		}
		list = append(list, o.Method)
		if o.Method == http.MethodGet {
			list = append(list, http.MethodHead)
		}
	}
	return list
}
