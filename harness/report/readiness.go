package report

import "slices"

// Readiness answers whether an integration is ready for production.
type Readiness struct {
	// Ready is true when nothing blocks production access and nothing that has to
	// be seen is missing.
	Ready bool `json:"ready"`
	// Sentence is the verdict for a person who reads nothing else.
	Sentence string `json:"sentence"`
	// Blocking are the ids of the clauses of level MUST that were broken, in the
	// order of the report.
	Blocking []string `json:"blocking,omitempty"`
	// Missing is what was not seen, the clauses of level MUST first.
	Missing []Missing `json:"missing,omitempty"`
	// Attempts are how often each trouble or opportunity was given so far, in the
	// order of the catalogue.
	Attempts []Attempt `json:"attempts,omitempty"`
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

// Digest identifies a text.
type Digest struct {
	// Name is tape, plan, service clauses or integration clauses.
	Name string `json:"name"`
	// SHA256 is lower-case hex.
	SHA256 string `json:"sha256"`
}

// clone copies the readiness with every text struck.
func (r *Readiness) clone(strike func(string) string) *Readiness {
	if r == nil {
		return nil
	}
	c := *r
	c.Sentence = strike(r.Sentence)
	c.Blocking, c.Attempts, c.Digests = slices.Clone(r.Blocking), slices.Clone(r.Attempts), slices.Clone(r.Digests)
	c.Missing = slices.Clone(r.Missing)
	return &c
}
