package clause

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed invisible.yaml
var invisibleText []byte

// Invisible is a requirement that traffic cannot show.
type Invisible struct {
	// Title is the requirement in one sentence.
	Title string `yaml:"title"`
	// Instead says who has to look where; empty where a journey shows it.
	Instead string `yaml:"instead"`
	// Journey is the name of the journey that shows it, because it says what is meant.
	Journey string `yaml:"journey"`
}

// invisible is read when it is first asked for. The file is embedded: one that does
// not hold is a programmer's mistake, and panics.
var invisible = sync.OnceValue(func() []Invisible {
	var list []Invisible
	if err := yaml.Load(invisibleText, &list, yaml.WithKnownFields()); err != nil {
		panic(fmt.Sprintf("what is invisible: %v", err))
	}
	return list
})

// NotVisible lists what a partner's integration owes and nobody can see from outside.
// The caller owns the list.
func NotVisible() []Invisible { return slices.Clone(invisible()) }
