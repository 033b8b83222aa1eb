package clause

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

var (
	//go:embed service.yaml
	serviceText []byte
	//go:embed integration.yaml
	integrationText []byte
)

// catalogue is one file of clauses.
type catalogue struct {
	list  []Clause
	index map[ID]int
}

// The catalogues are read when they are first asked for. The files are embedded:
// one that does not hold is a programmer's mistake, and panics.
var (
	service     = sync.OnceValue(func() catalogue { return load(serviceText) })
	integration = sync.OnceValue(func() catalogue { return load(integrationText) })
)

func load(text []byte) catalogue {
	var c catalogue
	if err := yaml.Load(text, &c.list, yaml.WithKnownFields()); err != nil {
		panic(fmt.Sprintf("clause catalogue: %v", err))
	}
	c.index = make(map[ID]int, len(c.list))
	for i := range c.list {
		id := c.list[i].ID
		if _, twice := c.index[id]; twice {
			panic("clause catalogue: " + string(id) + " stands twice")
		}
		c.index[id] = i
	}
	return c
}

// all copies the clauses.
func (c catalogue) all() []Clause {
	list := slices.Clone(c.list)
	for i := range list {
		list[i].Applies.Operations, list[i].Hints = slices.Clone(list[i].Applies.Operations), maps.Clone(list[i].Hints)
	}
	return list
}

// Catalogue lists what the service owes its partners, area by area. The caller
// owns the clauses.
func Catalogue() []Clause { return service().all() }

// Integration lists what a partner's integration owes the service, area by area.
// Their ids begin with "partner.". The caller owns the clauses.
func Integration() []Clause { return integration().all() }

// Lookup finds a clause of either catalogue by its id, whatever the case of its
// letters.
func Lookup(id string) (Clause, bool) {
	id = strings.ToLower(strings.TrimSpace(id))
	from := service()
	if strings.HasPrefix(id, IntegrationPrefix) {
		from = integration()
	}
	i, ok := from.index[ID(id)]
	if !ok {
		return Clause{}, false
	}
	c := from.list[i]
	c.Applies.Operations, c.Hints = slices.Clone(c.Applies.Operations), maps.Clone(c.Hints)
	return c, true
}

// Title is a clause's title; "" where there is no such clause.
func Title(id string) string {
	c, _ := Lookup(id)
	return c.Title
}

// Text is the service catalogue's file as it is embedded, for digests.
func Text() []byte { return slices.Clone(serviceText) }

// IntegrationText is the integration catalogue's file as it is embedded, for
// digests.
func IntegrationText() []byte { return slices.Clone(integrationText) }
