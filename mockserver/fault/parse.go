package fault

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/spelling"
)

// Header is the request header that asks for a fault for one call, and the
// response header that says which one was applied.
const Header = "Sandbox-Fault"

// None in the request header asks that the call meets no armed fault, and is not counted by
// any: it is somebody else's than that of whom they are armed for.
const None = "none"

// maxHeader is the longest header that is read, in bytes.
const maxHeader = 512

// Parse reads the effects that a Sandbox-Fault header asks for: names with
// their values, set apart by semicolons or commas, for example
// "status=503; retry-after=30". Each effect may be named once, in lower case.
// The error is an *Error with all problems.
func Parse(header string) (Effect, error) {
	if len(header) > maxHeader {
		return Effect{}, &Error{[]Problem{{
			Received: strconv.Itoa(len(header)) + " bytes", Expected: "at most 512 bytes", Fix: "ask for each effect once",
		}}}
	}
	var p parser
	for part := range strings.FieldsFuncSeq(header, func(r rune) bool { return r == ';' || r == ',' }) {
		if text := strings.Trim(part, " \t"); text != "" {
			p.part(text)
		}
	}
	if len(p.problems) == 0 {
		p.problems = p.effect.Validate()
	}
	if len(p.problems) > 0 {
		return Effect{}, &Error{p.problems}
	}
	return p.effect, nil
}

// parser collects the effects of one header.
type parser struct {
	effect   Effect
	seen     []string
	problems []Problem
}

// part reads one effect.
func (p *parser) part(text string) {
	name, value, valued := strings.Cut(text, "=")
	if !p.once(name, text) {
		return
	}
	ok := true
	switch e := &p.effect; name {
	case nameStatus:
		e.Status, ok = whole(value, 400, 599)
	case nameRetryAfter:
		e.RetryAfter, ok = whole(value, 1, MaxRetryAfter)
	case nameLatency:
		e.Latency, ok = ParseWait(value)
	case nameSlowBody:
		e.SlowBody, ok = ParseWait(value)
	case nameCut:
		e.Cut, ok = CutPoint(word(value, valued, string(CutStart))), !valued || value != ""
	case nameDrop:
		e.CommitThenDrop, ok = true, !valued
	case nameRevoked:
		e.Revoke, ok = Revocation(word(value, valued, string(RevokeCall))), !valued || value != ""
	}
	if !ok {
		p.problems = append(p.problems, bad(name, text, example(name)))
	}
}

// once says whether a name is an effect's and comes for the first time.
func (p *parser) once(name, text string) bool {
	known := false
	for _, n := range Names() {
		known = known || n == name
	}
	if !known {
		p.problems = append(p.problems, Problem{
			Received: shown(text), Expected: "one of " + strings.Join(Names(), ", "), Fix: "nearest: " + spelling.Nearest(name, Names()),
		})
		return false
	}
	for _, n := range p.seen {
		if n == name {
			p.problems = append(p.problems, Problem{Effect: name, Received: shown(text), Expected: name + " once", Fix: "leave one of them out"})
			return false
		}
	}
	p.seen = append(p.seen, name)
	return true
}

// example says how an effect is written.
func example(name string) string {
	switch name {
	case nameStatus:
		return "status= and " + wantStatus
	case nameRetryAfter:
		return "retry-after= and " + wantRetryAfter
	case nameCut:
		return "cut-connection alone, or with =" + wantCut
	case nameDrop:
		return "commit-then-drop without a value"
	case nameRevoked:
		return "token-revoked alone, or with =" + wantRevoked
	default:
		return name + "= and " + wantWait
	}
}

// word is an effect's value, or what its bare name stands for.
func word(value string, valued bool, bare string) string {
	if valued {
		return value
	}
	return bare
}

// whole reads a plain decimal number within bounds.
func whole(text string, least, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= least && n <= most && text[0] != '+' && text[0] != '0'
}

// ParseWait reads a duration such as 250ms or 2s, above 0 and at most MaxWait.
func ParseWait(text string) (time.Duration, bool) {
	if len(text) > 32 {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0 && d <= MaxWait
}
