package clause

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// IntegrationPrefix begins the ids of what a partner's integration owes.
const IntegrationPrefix = "partner."

// ID is the permanent, dotted name of a clause.
type ID string

// Level says how binding a clause is.
type Level string

// The levels, most binding first. A clause of the specification is mostly a
// MUST, one that the provider published elsewhere a SHOULD, and one that is
// assumed a MAY.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// Kind says where a clause comes from.
type Kind string

// The kinds of sources, strongest first.
const (
	// Spec: the specification says so.
	Spec Kind = "spec"
	// Docs: the provider published it outside the specification.
	Docs Kind = "docs"
	// Assumed: nobody said; the sandbox chose.
	Assumed Kind = "assumed"
)

// Surface says which part of the API a clause is about.
type Surface string

// The surfaces: the specification's operations, those that the provider
// documented elsewhere, and the sandbox's own.
const (
	SpecSurface Surface = "spec"
	DocsSurface Surface = "docs"
	Provisional Surface = "provisional"
)

// Clause is one testable requirement.
type Clause struct {
	// ID is permanent and dotted, for example company.create.zip. Findings and
	// the tags of scenarios name it.
	ID ID `yaml:"id"`
	// Title is the requirement in one sentence.
	Title string `yaml:"title"`
	// Level is MUST, SHOULD or MAY.
	Level Level `yaml:"level"`
	// WhereMet says that the level is meant of what is broken: not to have come across the
	// clause, or to leave it open, keeps nobody from production; only in the integration
	// catalogue.
	WhereMet bool `yaml:"whereMet"`
	// Area is the part of the service, for example companies.
	Area string `yaml:"area"`
	// Source says who requires it.
	Source Source `yaml:"source"`
	// Applies says where it can be judged.
	Applies Applies `yaml:"applies"`
	// Exercise says what has to happen for the clause to be judged; only in the
	// integration catalogue.
	Exercise string `yaml:"exercise"`
	// Hint says how to mend an integration that breaks the clause, and Hints do so for what
	// is judged in other ways, each by the name that the check gives to the way; only in
	// the integration catalogue.
	Hint  string            `yaml:"hint"`
	Hints map[string]string `yaml:"hints"`
	// Judged counts the ways in which it has been judged, from 1 on: it is raised when the
	// check comes to other verdicts; only in the integration catalogue. 0 is 1.
	Judged int `yaml:"judged"`
	// Untested says why no scenario judges it; empty for a clause that one does.
	Untested string `yaml:"untested"`
}

// Source is where a clause comes from.
type Source struct {
	// Kind is spec, docs or assumed.
	Kind Kind `yaml:"kind"`
	// At is the section and row of the specification, or the section of the
	// provider's facts; empty for what is assumed.
	At string `yaml:"at"`
	// Knob is the row of the latitude ledger that chooses the details; always
	// there for what is assumed.
	Knob string `yaml:"knob"`
}

// Text says in one line who requires a clause, for example "assumed: knob
// list-order".
func (s *Source) Text() string {
	switch {
	case s.At != "":
		return string(s.Kind) + ": " + s.At
	case s.Knob != "":
		return string(s.Kind) + ": knob " + s.Knob
	default:
		return string(s.Kind)
	}
}

// Applies is where a clause can be judged.
type Applies struct {
	// Operations are the ids of the operations; empty means that it is not tied
	// to any.
	Operations []string `yaml:"operations"`
	// Environment is sandbox or rehearsal, empty for both.
	Environment string `yaml:"environment"`
	// Surface is the part of the API.
	Surface Surface `yaml:"surface"`
}

// Basis identifies what the clause says and how it is judged, as twelve hex digits: a
// verdict that was given on another basis has to be given again.
func (c *Clause) Basis() string {
	text := fmt.Sprintf("%s\n%s\n%s\n%+v\n%+v\n%s\n%d\n", c.ID, c.Title, c.Level, c.Source, c.Applies, c.Exercise, max(c.Judged, 1))
	if c.WhereMet {
		text += "where met\n"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// OnlyWhereMet says whether a clause is required of those alone who come across it.
func OnlyWhereMet(id string) bool {
	c, known := Lookup(id)
	return known && c.WhereMet
}

// HintFor is the hint for a way of breaking the clause, empty for the usual one. A way
// that has none is a programmer's mistake, and panics.
func (c *Clause) HintFor(way string) string {
	if way == "" {
		return c.Hint
	}
	hint, ok := c.Hints[way]
	if !ok {
		panic("clause " + string(c.ID) + " has no hint " + way)
	}
	return hint
}

// Within says whether the clause is a prefix's own or stands below it:
// company.create.zip is within company and company.create, but not within
// company.cre.
func (c *Clause) Within(prefix string) bool {
	return string(c.ID) == prefix || strings.HasPrefix(string(c.ID), prefix+".")
}
