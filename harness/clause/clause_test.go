package clause_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/clause"
	"paysandbox/mockserver/latitude"
)

// schema compiles the schema of the catalogue.
func schema(tb testing.TB) *jsonschema.Schema {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(clause.Schema()))
	require.NoError(tb, err)
	c := jsonschema.NewCompiler()
	require.NoError(tb, c.AddResource("service.schema.json", doc))
	s, err := c.Compile("service.schema.json")
	require.NoError(tb, err)
	return s
}

func TestCatalogueFitsItsSchema(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("service.yaml")
	require.NoError(t, err)
	var doc any
	require.NoError(t, yaml.Load(text, &doc))
	require.NoError(t, schema(t).Validate(doc))
}

func TestSchemaRefusesWhatIsNoClause(t *testing.T) {
	t.Parallel()
	const good = `{id: a.b, title: A clause that holds, level: MUST, area: wire, source: {kind: spec, at: Here}, applies: {surface: spec}}`
	require.NoError(t, valid(t, good))
	for _, change := range [][2]string{
		{"id: a.b", "id: AB"},
		{"level: MUST", "level: WILL"},
		{"area: wire", "area: else"},
		{"kind: spec", "kind: hearsay"},
		{"kind: spec, at: Here", "kind: assumed"},
		{", at: Here", ""},
		{"surface: spec", "surface: all"},
		{"title: A", "colour: A"},
	} {
		broken := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, broken)
		require.Error(t, valid(t, broken), broken)
	}
}

func valid(tb testing.TB, text string) error {
	tb.Helper()
	var doc any
	require.NoError(tb, yaml.Load([]byte("["+text+"]"), &doc))
	return schema(tb).Validate(doc)
}

func TestLookup(t *testing.T) {
	t.Parallel()
	list := clause.Catalogue()
	require.Greater(t, len(list), 180)
	for _, c := range list {
		found, ok := clause.Lookup(c.ID)
		require.True(t, ok, c.ID)
		require.Equal(t, c, found)
	}
	_, ok := clause.Lookup("company.create.nothing")
	require.False(t, ok)
	found, ok := clause.Lookup(" Company.Create.ZIP ")
	require.True(t, ok)
	require.True(t, found.Within("company.create"))
	require.False(t, found.Within("company.cre"))
}

func TestCatalogueBelongsToTheCaller(t *testing.T) {
	t.Parallel()
	list := clause.Catalogue()
	list[0].ID, list[0].Applies.Operations[0] = "spoilt", "spoilt"
	require.NotEqual(t, list[0], clause.Catalogue()[0])
	require.NotEqual(t, "spoilt", clause.Catalogue()[0].Applies.Operations[0])
}

// The ledger and the catalogue name each other: every knob has a clause that it
// decides, every knob that a clause names exists, and the clauses that a row of
// the ledger points to are there.
func TestKnobsAndClausesAgree(t *testing.T) {
	t.Parallel()
	decided := map[string]bool{}
	for _, c := range clause.Catalogue() {
		if c.Source.Knob == "" {
			require.NotEqual(t, clause.Assumed, c.Source.Kind, "%s is assumed and names no knob", c.ID)
			continue
		}
		_, err := latitude.Lookup(c.Source.Knob)
		require.NoError(t, err, c.ID)
		decided[c.Source.Knob] = true
	}
	for _, row := range latitude.Ledger() {
		require.True(t, decided[row.Name], "no clause is decided by the knob %s", row.Name)
		for _, prefix := range row.Clauses {
			require.True(t, within(prefix), "the ledger's row %s points to %s, where no clause is", row.Name, prefix)
		}
	}
}

func within(prefix string) bool {
	for _, c := range clause.Catalogue() {
		if c.Within(prefix) {
			return true
		}
	}
	return false
}
