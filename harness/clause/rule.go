package clause

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed rules.yaml
var rulesText []byte

// Rule is what any tape is held to: it stands for clauses of the service catalogue.
type Rule struct {
	// ID is permanent and dotted, for example money.refund.
	ID ID `yaml:"id"`
	// Title is the rule in one sentence.
	Title string `yaml:"title"`
	// Clauses are the ids of the clauses that it stands for; none for what the sandbox
	// owes its own tape.
	Clauses []string `yaml:"clauses"`
	// Hint says how to mend what breaks the rule, and Hints what is judged in other ways.
	Hint  string            `yaml:"hint"`
	Hints map[string]string `yaml:"hints"`
}

// rules are read when they are first asked for. The file is embedded: one that does not
// hold is a programmer's mistake, and panics.
var rules = sync.OnceValue(func() []Rule {
	var list []Rule
	if err := yaml.Load(rulesText, &list, yaml.WithKnownFields()); err != nil {
		panic(fmt.Sprintf("the rules for any tape: %v", err))
	}
	return list
})

// Rules lists what any tape is held to. The caller owns the rules.
func Rules() []Rule {
	list := slices.Clone(rules())
	for i := range list {
		list[i].Clauses, list[i].Hints = slices.Clone(list[i].Clauses), maps.Clone(list[i].Hints)
	}
	return list
}
