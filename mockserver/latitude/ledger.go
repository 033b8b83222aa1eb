package latitude

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"
)

// Evidence says what the default of a knob rests on.
type Evidence string

// The kinds of evidence, strongest first.
const (
	// Specification: the specification says it, or shows it without settling it.
	Specification Evidence = "specification"
	// Docs: the provider published it outside the specification.
	Docs Evidence = "docs"
	// Framework: it is what the web framework does whose names and media types
	// the specification shows.
	Framework Evidence = "framework"
	// Assumed: nobody said.
	Assumed Evidence = "assumed"
)

// Entry is one row of the ledger, written for people.
type Entry struct {
	// Knob is the row's knob, Name its permanent name.
	Knob Knob
	Name string
	// Area is the part of the service: shapes, authentication, companies,
	// payers, payments, plans, events or failures.
	Area string
	// Question is what the specification leaves open.
	Question string
	// Default is the name of the first choice.
	Default string
	// Choices are what the knob can be, default first.
	Choices []Alternative
	// Evidence is what the default rests on; Confidence is "medium" or "low"
	// where the published text is thin, and empty otherwise.
	Evidence   []Evidence
	Confidence string
	// Advisory is true when a request that breaks the rule is accepted with a
	// finding, and refused only by a strict integration.
	Advisory bool
	// Fixed says why there is no alternative; empty when there is one.
	Fixed string
	// Clauses are the ids, or the beginnings of the ids, of the clauses that
	// judge the behaviour; empty where no area is obvious.
	Clauses []string
}

// Others names the choices that are not the default.
func (e *Entry) Others() []string {
	var list []string
	for _, c := range e.Choices[1:] {
		list = append(list, c.Name)
	}
	return list
}

// Alternative is one choice of a ledger row.
type Alternative struct {
	// Choice is the constant, Name its permanent name.
	Choice Choice
	Name   string
	// Meaning says what the sandbox does under the choice.
	Meaning string
	// Held says why Vary does not draw the choice; empty when it does.
	Held string
}

// Ledger returns every row in ledger order. The rows are the caller's.
func Ledger() []Entry {
	entries := slices.Clone(ledger())
	for i, e := range entries {
		entries[i].Choices = slices.Clone(e.Choices)
		entries[i].Evidence = slices.Clone(e.Evidence)
		entries[i].Clauses = slices.Clone(e.Clauses)
	}
	return entries
}

//go:embed ledger/*.yaml
var files embed.FS

// areas are the files of the ledger, in ledger order.
var areas = []string{"shapes", "authentication", "companies", "payers", "payments", "plans", "events", "failures"}

// ledger is read when it is first asked for, so that a server which nobody asks
// pays nothing. The files are embedded: one that does not hold is a programmer's
// mistake, and panics.
var ledger = sync.OnceValue(func() []Entry {
	entries := make([]Entry, 0, knobCount)
	for _, area := range areas {
		rows, err := readArea(area)
		if err != nil {
			panic(err)
		}
		entries = append(entries, rows...)
	}
	if len(entries) != knobCount {
		panic(fmt.Sprintf("latitude ledger has %d rows for %d knobs", len(entries), knobCount))
	}
	for i, e := range entries {
		if int(e.Knob) != i {
			panic(fmt.Sprintf("latitude ledger: row %d is %s and not %s", i, e.Name, table[i].name))
		}
	}
	return entries
})

// describe returns a knob's row without cloning it.
func describe(k Knob) Entry { return ledger()[k] }

// entryText is a row as the files write it.
type entryText struct {
	Knob       string            `yaml:"knob"`
	Question   string            `yaml:"question"`
	Choices    map[string]string `yaml:"choices"`
	Held       map[string]string `yaml:"held"`
	Evidence   []Evidence        `yaml:"evidence"`
	Confidence string            `yaml:"confidence"`
	Advisory   bool              `yaml:"advisory"`
	Fixed      string            `yaml:"fixed"`
	Clauses    []string          `yaml:"clauses"`
}

func readArea(area string) ([]Entry, error) {
	path := "ledger/" + area + ".yaml"
	text, err := files.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the latitude ledger: %w", err)
	}
	var rows []entryText
	if err := yaml.Load(text, &rows, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	entries := make([]Entry, 0, len(rows))
	for _, r := range rows {
		e, err := r.entry(area)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (t entryText) entry(area string) (Entry, error) {
	knob, err := Lookup(t.Knob)
	if err != nil {
		return Entry{}, err
	}
	alternatives, err := t.alternatives(knob)
	if err != nil {
		return Entry{}, err
	}
	return Entry{
		Knob: knob, Name: t.Knob, Area: area, Question: t.Question,
		Default: alternatives[0].Name, Choices: alternatives,
		Evidence: t.Evidence, Confidence: t.Confidence,
		Advisory: t.Advisory, Fixed: t.Fixed, Clauses: t.Clauses,
	}, nil
}

// alternatives joins the meanings of a row to the choices of the table, and
// refuses a choice that stands in one of them alone.
func (t entryText) alternatives(k Knob) ([]Alternative, error) {
	choices := k.Choices()
	if len(t.Choices) != len(choices) {
		return nil, fmt.Errorf("%s: %d choices are described and %d exist", k, len(t.Choices), len(choices))
	}
	alternatives := make([]Alternative, 0, len(choices))
	held := 0
	for _, c := range choices {
		a := Alternative{Choice: c, Name: c.Name(), Meaning: t.Choices[c.Name()], Held: t.Held[c.Name()]}
		if a.Meaning == "" || (a.Held == "") != c.Drawn() {
			return nil, fmt.Errorf("%s: its meaning, or whether it is drawn, is not described", c)
		}
		if a.Held != "" {
			held++
		}
		alternatives = append(alternatives, a)
	}
	if held != len(t.Held) {
		return nil, fmt.Errorf("%s: a choice that does not exist is held", k)
	}
	return alternatives, nil
}
