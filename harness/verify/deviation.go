package verify

import (
	"errors"
	"fmt"
	"io"
	"time"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/clause"
)

// Deviation is a clause whose failure is expected, for a while.
type Deviation struct {
	// Clause is the clause's id.
	Clause string `yaml:"clause"`
	// Owner answers for it, and Reason says why it is let be.
	Owner  string `yaml:"owner"`
	Reason string `yaml:"reason"`
	// Expires is the last day, as YYYY-MM-DD, UTC.
	Expires string `yaml:"expires"`
}

// ReadDeviations reads a list of deviations from YAML. An empty file has none.
// The error wraps ErrConfig.
func ReadDeviations(from io.Reader) ([]Deviation, error) {
	loader, err := yaml.NewLoader(from, yaml.WithKnownFields())
	if err != nil {
		return nil, fmt.Errorf("%w: read the deviations: %w", ErrConfig, err)
	}
	var list []Deviation
	if err := loader.Load(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: the deviations are not a list of clause, owner, reason and expires: %w", ErrConfig, err)
	}
	return list, checkDeviations(list)
}

// checkDeviations asks of each a known clause, an owner, a reason and a day.
func checkDeviations(list []Deviation) error {
	seen := map[string]bool{}
	for _, d := range list {
		c, known := clause.Lookup(d.Clause)
		_, err := time.Parse(time.DateOnly, d.Expires)
		switch {
		case !known || c.ID != d.Clause:
			return fmt.Errorf("%w: a deviation names the clause %q, which there is not (`paysandbox clauses` lists them)", ErrConfig, d.Clause)
		case seen[d.Clause]:
			return fmt.Errorf("%w: %s has two deviations", ErrConfig, d.Clause)
		case d.Owner == "" || d.Reason == "":
			return fmt.Errorf("%w: the deviation of %s needs an owner and a reason", ErrConfig, d.Clause)
		case err != nil:
			return fmt.Errorf("%w: the deviation of %s expires on %q: give a day such as \"2027-01-31\", in quotes", ErrConfig, d.Clause, d.Expires)
		}
		seen[d.Clause] = true
	}
	return nil
}

// expired says whether the last day is over.
func (d *Deviation) expired(now time.Time) bool {
	return now.UTC().Format(time.DateOnly) > d.Expires
}

// overdue tells of the deviations that have expired.
func overdue(list []Deviation, now time.Time) []string {
	var notes []string
	for _, d := range list {
		if d.expired(now) {
			notes = append(notes, fmt.Sprintf("The deviation of %s expired after %s and excuses nothing; %s answers for it.", d.Clause, d.Expires, d.Owner))
		}
	}
	return notes
}
