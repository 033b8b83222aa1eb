package world

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// masked stands for a secret in everything that leaves the world.
const masked = `"••••"`

// rule is the clause that a check answers for.
type rule struct {
	clause string
	source kernel.Source
	// expected and fix are written for the engineer who mends the request.
	expected, fix string
}

// check collects every problem of one request.
type check struct {
	w        *World
	findings []kernel.Finding
	refused  bool
	// collides makes the refusal a Conflict where the ledger says so.
	collides bool
	// unknown makes it a NotFound where the ledger says so.
	unknown bool
}

// maxFindings bounds how many problems one answer spells out.
const maxFindings = 100

// check starts with what reading the request has shown already.
func (w *World) check() check {
	c := check{w: w}
	for _, f := range w.noted {
		c.add(f)
	}
	w.noted = nil
	return c
}

// add keeps a finding. A member that could not be read is not judged twice.
func (c *check) add(f kernel.Finding) {
	for i := range c.findings {
		if !c.findings[i].Advisory && covers(c.findings[i].Pointer, f.Pointer) {
			return
		}
	}
	if f.Advisory && c.w.cfg.Strict {
		f.Advisory = false
	}
	c.refused = c.refused || !f.Advisory
	if len(c.findings) >= maxFindings && f.Pointer != "" {
		return
	}
	c.findings = append(c.findings, f)
}

// taught completes a rule with what the test data knows of a wrong name: what is
// accepted, and what is nearest.
func taught(r rule, err error) rule {
	var unknown *fixtures.UnknownError
	if errors.As(err, &unknown) {
		r.expected, r.fix = unknown.Expected, "nearest: "+strings.Join(unknown.Nearest, ", ")
	}
	return r
}

// covers says whether what is wrong at a pointer explains what is wrong at
// another: the same member, or one inside it.
func covers(outer, inner string) bool {
	return outer != "" && strings.HasPrefix(inner, outer) && (len(inner) == len(outer) || inner[len(outer)] == '/')
}

// refuse notes a broken rule that refuses the request.
func (c *check) refuse(pointer, received string, r rule) {
	c.add(kernel.Finding{Pointer: pointer, Clause: r.clause, Source: r.source, Received: received, Expected: r.expected, Fix: r.fix})
}

// advise notes a broken rule that refuses the request only under --strict.
func (c *check) advise(pointer, received string, r rule) {
	c.add(kernel.Finding{
		Pointer: pointer, Clause: r.clause, Source: r.source, Received: received,
		Expected: r.expected, Fix: r.fix, Advisory: true,
	})
}

// err ends the check: one error with everything, or nil. What did not refuse
// the request is left with the world as advice.
func (c *check) err(what string) error {
	if !c.refused {
		if len(c.findings) > 0 {
			c.w.advisory = append(c.w.advisory, c.findings...)
			c.w.record(Record{Kind: RecordFindings, Findings: c.findings})
		}
		return nil
	}
	n := 0
	for i := range c.findings {
		if !c.findings[i].Advisory {
			n++
		}
	}
	code := kernel.Invalid
	switch {
	case c.collides:
		code = kernel.Conflict
	case c.unknown:
		code = kernel.NotFound
	}
	return &kernel.Error{Code: code, Detail: what + " was refused: " + plural(n, "problem") + " found, nothing was changed", Findings: c.findings}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// quote shows a received text as JSON would, cut at 80 runes.
func quote(s string) string {
	if utf8.RuneCountInString(s) > 80 {
		s = string([]rune(s)[:80]) + "…"
	}
	return strconv.Quote(s)
}

// required refuses a missing text.
func (c *check) required(pointer, value string, r rule) {
	if value == "" {
		c.refuse(pointer, "", r)
	}
}

// wanted advises on a text that the documentation calls required.
func (c *check) wanted(pointer, value string, r rule) {
	if value == "" {
		c.advise(pointer, "", r)
	}
}

// email refuses what is not an e-mail address, missing ones included.
func (c *check) email(pointer, value string, r rule) {
	if !validEmail(value) {
		c.refuse(pointer, given(value), r)
	}
}

// phone refuses what is not a possible telephone number, missing ones included.
func (c *check) phone(pointer, value string, r rule) {
	if !possiblePhone(value) {
		c.refuse(pointer, given(value), r)
	}
}

// given is what was received, or "" when nothing was.
func given(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}

// date reads an optional date; a bad one is refused.
func (c *check) date(pointer, value string, r rule) time.Time {
	if value == "" {
		return time.Time{}
	}
	d, err := time.Parse(time.DateOnly, value)
	if err != nil || d.Year() < 1800 {
		c.refuse(pointer, quote(value), r)
		return time.Time{}
	}
	return d
}

// id reads an optional uuid; a bad one is refused.
func (c *check) id(pointer, value string, r rule) uuid.UUID {
	if value == "" {
		return uuid.Nil
	}
	id, ok := ParseID(value)
	if !ok {
		c.refuse(pointer, quote(value), r)
	}
	return id
}

// ParseID reads a uuid in its usual form of 36 characters, in either case. The
// uuid of zeros names nothing and is none.
func ParseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil && id != uuid.Nil
}

// oneOf reports whether value is one of the names, whatever its case, and gives
// the name as it is documented.
func oneOf(value string, names []string) (string, bool) {
	for _, n := range names {
		if strings.EqualFold(n, value) {
			return n, true
		}
	}
	return value, false
}

// is asks for a choice of the latitude ledger.
func (w *World) is(c latitude.Choice) bool { return w.cfg.Settings.Is(c) }
