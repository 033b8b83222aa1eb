package world

import (
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// rule is the requirement that a check answers for.
type rule kernel.Rule

// check collects every problem of one request about payments.
type check struct {
	kernel.Check
	w *World
}

// check starts with what reading the request has shown already.
func (w *World) check(noted []kernel.Finding) check { return check{Check: w.core.Check(noted), w: w} }

// refuse notes a broken rule that refuses the request.
func (c *check) refuse(pointer, received string, r rule) { c.Refuse(pointer, received, kernel.Rule(r)) }

// refuseAs notes a broken rule that alone would be another kind of refusal.
func (c *check) refuseAs(code kernel.Code, pointer, received string, r rule) {
	c.RefuseAs(code, pointer, received, kernel.Rule(r))
}

// advise notes a broken rule that refuses the request only under --strict.
func (c *check) advise(pointer, received string, r rule) { c.Advise(pointer, received, kernel.Rule(r)) }

// taught completes a rule with what the test data knows of a wrong name: what is
// accepted, and what is nearest.
func taught(r rule, err error) rule {
	var unknown *fixtures.UnknownError
	if errors.As(err, &unknown) {
		r.Expected, r.Fix = unknown.Expected, "nearest: "+strings.Join(unknown.Nearest, ", ")
	}
	return r
}

// required refuses a missing text.
func (c *check) required(pointer, value string, r rule) {
	if value == "" {
		c.refuse(pointer, "", r)
	}
}

// wanted advises on a text that the documentation calls required, and that is missing
// or blank: what requires a text takes blanks for none.
func (c *check) wanted(pointer, value string, r rule) {
	switch {
	case value == "":
		c.advise(pointer, "", r)
	case blank(value):
		c.advise(pointer, kernel.Quote(value), r)
	}
}

// blank says whether a text holds nothing but white space, or nothing at all.
func blank(value string) bool { return strings.TrimSpace(value) == "" }

// named refuses a name or reference that is missing or blank.
func (c *check) named(pointer, value string, r rule) {
	if c.required(pointer, value, r); value != "" && blank(value) {
		c.refuse(pointer, kernel.Quote(value), r)
	}
}

// email refuses what is not an e-mail address, missing ones included.
func (c *check) email(pointer, value string, r rule) {
	if !validEmail(value) {
		c.refuse(pointer, kernel.Given(value), r)
	}
}

// phone refuses what is not a telephone number that exists, missing ones included.
func (c *check) phone(pointer, value string, r rule) {
	if !c.w.validPhone(value) {
		c.refuse(pointer, kernel.Given(value), r)
	}
}

// international advises on a telephone number that is valid at home alone, or has an
// extension, which no text message reaches.
func (c *check) international(pointer, value string, r rule) {
	if c.w.validPhone(value) && (value[0] != '+' || strings.ContainsAny(value, "xX")) {
		c.advise(pointer, kernel.Given(value), r)
	}
}

// date reads an optional date; a bad one is refused.
func (c *check) date(pointer, value string, r rule) time.Time {
	if value == "" {
		return time.Time{}
	}
	d, err := time.Parse(time.DateOnly, value)
	if err != nil || d.Year() < 1800 {
		c.refuse(pointer, kernel.Quote(value), r)
		return time.Time{}
	}
	return d
}

// id reads an optional uuid; a bad one is refused.
func (c *check) id(pointer, value string, r rule) uuid.UUID {
	if value == "" {
		return uuid.Nil
	}
	id, ok := kernel.ParseID(value)
	if !ok {
		if value == uuid.Nil.String() {
			r.Expected += " that names something: the one of zeros alone is a default that was never set"
		}
		c.refuse(pointer, kernel.Quote(value), r)
	}
	return id
}

// is asks for a choice of the latitude ledger.
func (w *World) is(c latitude.Choice) bool { return w.cfg.Settings.Is(c) }

// message tells a person something.
func (w *World) message(entity uuid.UUID, m kernel.Message) {
	w.core.Record(kernel.Record{Kind: kernel.RecordMessage, Entity: entity, Name: m.Template, Message: &m})
}

// invalid is the error of a request with one broken rule.
func invalid(pointer, received string, r rule) *kernel.Error {
	return &kernel.Error{Code: kernel.Invalid, Detail: "the request was refused: 1 problem found, nothing was changed", Findings: []kernel.Finding{
		{Pointer: pointer, Clause: r.Clause, Source: r.Source, Received: received, Expected: r.Expected, Fix: r.Fix},
	}}
}
