package kernel

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Masked stands for a secret in everything that leaves.
const Masked = `"••••"`

// Rule is the requirement that a check answers for.
type Rule struct {
	// Clause is its permanent id, and Source the authority behind it.
	Clause string
	Source Source
	// Expected and Fix are written for the engineer who mends the request.
	Expected, Fix string
}

// maxFindings bounds how many problems one answer spells out.
const maxFindings = 100

// Check collects every problem of one request.
type Check struct {
	core     *Core
	findings []Finding
	refused  bool
	// code is the kind of refusal where all of its findings are of that kind, and
	// coded how many are; Invalid goes before.
	code  Code
	coded int
}

// Check starts with what reading the request has shown already.
func (c *Core) Check(noted []Finding) Check {
	check := Check{core: c}
	for _, f := range noted {
		check.Add(f)
	}
	return check
}

// Add keeps a finding. A member that could not be read is not judged twice.
func (c *Check) Add(f Finding) {
	for i := range c.findings {
		if !c.findings[i].Advisory && covers(c.findings[i].Pointer, f.Pointer) {
			return
		}
	}
	if f.Advisory && c.core.strict {
		f.Advisory = false
	}
	c.refused = c.refused || !f.Advisory
	if len(c.findings) >= maxFindings && f.Pointer != "" {
		return
	}
	c.findings = append(c.findings, f)
}

// covers says whether what is wrong at a pointer explains what is wrong at
// another: the same member, or one inside it.
func covers(outer, inner string) bool {
	return outer != "" && strings.HasPrefix(inner, outer) && (len(inner) == len(outer) || inner[len(outer)] == '/')
}

// Refuse notes a broken rule that refuses the request.
func (c *Check) Refuse(pointer, received string, r Rule) {
	c.Add(Finding{Pointer: pointer, Clause: r.Clause, Source: r.Source, Received: received, Expected: r.Expected, Fix: r.Fix})
}

// RefuseAs notes a broken rule that alone would be another kind of refusal than
// Invalid; beside other problems it is one of them.
func (c *Check) RefuseAs(code Code, pointer, received string, r Rule) {
	n := len(c.findings)
	c.Refuse(pointer, received, r)
	c.code = code
	c.coded += len(c.findings) - n
}

// Advise notes a broken rule that refuses the request only under --strict.
func (c *Check) Advise(pointer, received string, r Rule) {
	c.Add(Finding{
		Pointer: pointer, Clause: r.Clause, Source: r.Source, Received: received,
		Expected: r.Expected, Fix: r.Fix, Advisory: true,
	})
}

// Advise keeps findings of the input in hand that refuse nobody, whatever the
// strictness.
func (c *Core) Advise(findings ...Finding) {
	c.advisories = append(c.advisories, findings...)
	c.Record(Record{Kind: RecordFindings, Findings: findings})
}

// Found says whether something at one of the pointers refuses the request already.
func (c *Check) Found(pointers ...string) bool {
	return slices.ContainsFunc(c.findings, func(f Finding) bool { return !f.Advisory && slices.Contains(pointers, f.Pointer) })
}

// Err ends the check: one error with everything, or nil. What did not refuse
// the request is kept as advice.
func (c *Check) Err(what string) error {
	if !c.refused {
		if len(c.findings) > 0 {
			c.core.Advise(c.findings...)
		}
		return nil
	}
	n := 0
	for i := range c.findings {
		if !c.findings[i].Advisory {
			n++
		}
	}
	code := Invalid
	if c.coded == n {
		code = c.code
	}
	return &Error{Code: code, Detail: what + " was refused: " + Plural(n, "problem") + " found, nothing was changed", Findings: c.findings}
}

// Refused says whether anything has refused the request so far.
func (c *Check) Refused() bool { return c.refused }

// Stop ends the check because of something else: a refusal tells what was found
// besides, in reading the request too.
func (c *Check) Stop(err error) error {
	var refusal *Error
	if len(c.findings) == 0 || !errors.As(err, &refusal) {
		return err
	}
	told := *refusal
	told.Findings = slices.Concat(c.findings, refusal.Findings)
	return &told
}

// Plural counts things: "1 problem", "2 problems".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Quote shows a received text as JSON would, cut at 80 runes.
func Quote(s string) string {
	runes := 0
	for at := range s {
		if runes++; runes > 80 {
			return strconv.Quote(s[:at] + "…")
		}
	}
	return strconv.Quote(s)
}

// Given is what was received, or "" when nothing was.
func Given(s string) string {
	if s == "" {
		return ""
	}
	return Quote(s)
}

// SameName reports whether value is a name of ASCII letters, in whatever case: a long s
// or the sign for kelvin is no s and no k.
func SameName(value, name string) bool {
	return len(value) == len(name) && strings.EqualFold(value, name)
}

// OneOf reports whether value is one of the names, whatever its case, and gives
// the name as it is documented.
func OneOf(value string, names []string) (string, bool) {
	for _, n := range names {
		if SameName(value, n) {
			return n, true
		}
	}
	return value, false
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
