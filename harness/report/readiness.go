package report

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/harness/report/words"
)

// Readiness answers whether an integration is ready for production.
type Readiness struct {
	// Ready is true when nothing blocks production access and nothing that has to
	// be seen is missing.
	Ready bool `json:"ready"`
	// Sentence is the verdict for a person who reads nothing else. Empty:
	// [Report.Headline] makes one.
	Sentence string `json:"sentence"`
	// Subject is what was judged, for example "git 3f2a1c9" or an image's digest; empty
	// for an unnamed build. Environment is where it was seen, and Choices are the knobs
	// that were set otherwise than by default, as "name=value", in order.
	Subject     string   `json:"subject,omitempty"`
	Environment string   `json:"environment,omitempty"`
	Choices     []string `json:"choices,omitempty"`
	// ValidUntil is the last day on which the verdict holds, as YYYY-MM-DD, or the last
	// moment (RFC 3339, UTC) where hours were asked for; empty where nobody has said.
	ValidUntil string `json:"validUntil,omitempty"`
	// Blocking are the ids of the clauses of level MUST that were broken, in the
	// order of the report.
	Blocking []string `json:"blocking,omitempty"`
	// Conditional are the ids of the clauses of level MUST that were broken although
	// nobody but this sandbox has said that they are required: they block nothing until
	// ConditionalUntil, a day as YYYY-MM-DD.
	Conditional      []string `json:"conditional,omitempty"`
	ConditionalUntil string   `json:"conditionalUntil,omitempty"`
	// NotShown are the ids of the clauses of level MUST that came up, and that calls
	// and answers alone do not show: a person has to look, or the application has to
	// tell its state.
	NotShown []string `json:"notShown,omitempty"`
	// Missing is what was not seen, the clauses of level MUST first.
	Missing []Missing `json:"missing,omitempty"`
	// Attempts are how often each trouble or opportunity was given so far, in the
	// order of the catalogue.
	Attempts []Attempt `json:"attempts,omitempty"`
	// Warnings are what the service has warned the application of, the most frequent
	// first.
	Warnings []Warning `json:"warnings,omitempty"`
	// Invisible is what nobody can see from outside, and was not judged.
	Invisible []Invisible `json:"invisible,omitempty"`
	// Before are the runs since the last one that came to ready, the latest last, and
	// BeforeMore the number of those that are not listed; empty where nobody has kept
	// them (--history).
	Before     []Before `json:"before,omitempty"`
	BeforeMore int      `json:"beforeMore,omitempty"`
	// LastReady is when a run was ready before; empty where none was, or nobody knows.
	LastReady string `json:"lastReady,omitempty"`
	// Cited are the entries of the tape that evidence and warnings name, by number.
	Cited []Cited `json:"cited,omitempty"`
	// Digests identify what the verdict rests on: tape, plan, catalogues.
	Digests []Digest `json:"digests,omitempty"`
}

// Missing is a clause without evidence.
type Missing struct {
	// Clause and Level are the clause's.
	Clause string `json:"clause"`
	Level  string `json:"level"`
	// Exercise says how to bring the evidence about.
	Exercise string `json:"exercise"`
	// Journeys are the names of those in which it comes up.
	Journeys []string `json:"journeys,omitempty"`
	// Why says why what was seen was not enough; empty when nothing was.
	Why string `json:"why,omitempty"`
}

// Warning is advice that answers of the service have given: what was sent was
// accepted, and is not as it should be.
type Warning struct {
	// Clause and Title are those of the service's clause, and Pointer the JSON pointer to the
	// member, with * for the places in lists; it may be empty.
	Clause  string `json:"clause"`
	Title   string `json:"title,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	// Expected is what would have been right, Fix how to put it right.
	Expected string `json:"expected,omitempty"`
	Fix      string `json:"fix,omitempty"`
	// Count is how many calls were answered so, Entries are the first of them.
	Count   int      `json:"count"`
	Entries []uint64 `json:"entries,omitempty"`
}

// Invisible is a requirement that traffic cannot show.
type Invisible struct {
	// Title is the requirement in one sentence.
	Title string `json:"title"`
	// Instead says who has to look where, or which journey shows it.
	Instead string `json:"instead"`
}

// Attempt is how often the harness gave an integration the opportunity to show
// what a clause asks for.
type Attempt struct {
	// Clause is the clause's id.
	Clause string `json:"clause"`
	// Armed counts the times that trouble was armed or sent for it, Met those in
	// which traffic met it.
	Armed int `json:"armed"`
	Met   int `json:"met"`
}

// Before is a run that was made earlier.
type Before struct {
	// At is when it was judged, in RFC 3339, UTC; Subject is the build, SHA256 the tape's.
	At      string `json:"at"`
	Subject string `json:"subject,omitempty"`
	SHA256  string `json:"sha256"`
	// Ready is what it came to, ExitCode how it ended.
	Ready    bool `json:"ready"`
	ExitCode int  `json:"exitCode"`
}

// Digest identifies a text.
type Digest struct {
	// Name is tape, plan, service clauses or integration clauses.
	Name string `json:"name"`
	// SHA256 is lower-case hex.
	SHA256 string `json:"sha256"`
}

// Title is the kind of the report: about a partner's integration, about partner
// journeys, or about the service.
func (r *Report) Title() string {
	switch {
	case r.Readiness != nil:
		return "Integration readiness"
	case r.Kind == KindJourneys:
		return "Partner journeys"
	default:
		return "Service acceptance"
	}
}

// headline is the verdict in one line, without its full stop.
func (r *Readiness) headline() string {
	switch {
	case r.Sentence != "":
		return strings.TrimSuffix(words.OneLine(r.Sentence), ".")
	case r.Ready:
		return "Ready for production"
	case len(r.Blocking) > 0:
		return "Not ready for production: " + words.Plural(len(r.Blocking), "clause blocks it", "clauses block it")
	default:
		return "Not ready for production: too little evidence"
	}
}

// clone copies the readiness with every text struck.
func (r *Readiness) clone(strike func(string) string) *Readiness {
	if r == nil {
		return nil
	}
	c := *r
	c.Sentence, c.Subject, c.Choices = strike(r.Sentence), strike(r.Subject), slices.Clone(r.Choices)
	c.Blocking, c.Attempts = slices.Clone(r.Blocking), slices.Clone(r.Attempts)
	c.Missing, c.Digests = slices.Clone(r.Missing), slices.Clone(r.Digests)
	c.Conditional, c.Before = slices.Clone(r.Conditional), slices.Clone(r.Before)
	for i := range c.Before {
		c.Before[i].Subject = strike(c.Before[i].Subject)
	}
	c.NotShown, c.Invisible, c.Warnings = slices.Clone(r.NotShown), slices.Clone(r.Invisible), slices.Clone(r.Warnings)
	for i := range c.Warnings {
		w := &c.Warnings[i]
		w.Pointer, w.Expected, w.Fix, w.Entries = strike(w.Pointer), strike(w.Expected), strike(w.Fix), slices.Clone(w.Entries)
	}
	for i := range c.Missing {
		c.Missing[i].Journeys = slices.Clone(c.Missing[i].Journeys)
		c.Missing[i].Exercise = strike(c.Missing[i].Exercise)
		c.Missing[i].Why = strike(c.Missing[i].Why)
	}
	c.Cited = strikeCited(r.Cited, strike)
	for i := range c.Digests {
		c.Digests[i].Name = strike(c.Digests[i].Name)
	}
	return &c
}

// Titled is a text for who knows no ids: each clause that it names is called by its title.
func Titled(text string, clauses []ClauseResult) string {
	named := make([]*ClauseResult, 0, len(clauses))
	for i := range clauses {
		if c := &clauses[i]; c.ID != "" && c.Title != "" {
			named = append(named, c)
		}
	}
	// of two ids that begin alike the longer one is looked for first
	slices.SortStableFunc(named, func(a, b *ClauseResult) int { return cmp.Compare(len(b.ID), len(a.ID)) })
	words := make([]string, 0, 2*len(named))
	for _, c := range named {
		words = append(words, c.ID, "“"+c.Title+"”")
	}
	return strings.NewReplacer(words...).Replace(text)
}
