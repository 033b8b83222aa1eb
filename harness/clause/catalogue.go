package clause

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed service.yaml
var serviceText []byte

//go:embed service.schema.json
var schemaText []byte

// Schema is the JSON Schema of the catalogue's file.
func Schema() []byte { return slices.Clone(schemaText) }

// Source text of the catalogue, as it is embedded.
func text() []byte { return serviceText }

// service is read when it is first asked for. The file is embedded: one that
// does not hold is a programmer's mistake, and panics.
var service = sync.OnceValue(func() []Clause {
	var list []Clause
	if err := yaml.Load(text(), &list, yaml.WithKnownFields()); err != nil {
		panic(fmt.Sprintf("clause catalogue: %v", err))
	}
	return list
})

// byID finds clauses by their ids.
var byID = sync.OnceValue(func() map[string]int {
	index := make(map[string]int, len(service()))
	for i, c := range service() {
		if _, twice := index[c.ID]; twice {
			panic("clause catalogue: " + c.ID + " stands twice")
		}
		index[c.ID] = i
	}
	return index
})

// Catalogue lists what the service owes its partners, area by area. The caller
// owns the clauses.
func Catalogue() []Clause {
	list := slices.Clone(service())
	for i := range list {
		list[i].Applies.Operations = slices.Clone(list[i].Applies.Operations)
	}
	return list
}

// Lookup finds a clause by its id, whatever the case of its letters.
func Lookup(id string) (Clause, bool) {
	i, ok := byID()[strings.ToLower(strings.TrimSpace(id))]
	if !ok {
		return Clause{}, false
	}
	c := service()[i]
	c.Applies.Operations = slices.Clone(c.Applies.Operations)
	return c, true
}
