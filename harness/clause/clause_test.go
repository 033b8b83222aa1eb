package clause_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/clause"
	"paysandbox/mockserver/latitude"
)

// schema compiles the schema of the service catalogue.
func schema(tb testing.TB) *jsonschema.Schema {
	tb.Helper()
	return compiled(tb, "service.schema.json")
}

func compiled(tb testing.TB, file string) *jsonschema.Schema {
	tb.Helper()
	s, err := jsonschema.NewCompiler().Compile(file)
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
	require.Equal(t, text, clause.Text())
}

func TestIntegrationCatalogueFitsItsSchema(t *testing.T) {
	t.Parallel()
	s := compiled(t, "integration.schema.json")
	var doc []any
	require.NoError(t, yaml.Load(clause.IntegrationText(), &doc))
	require.NoError(t, s.Validate(doc))
	first, ok := doc[0].(map[string]any)
	require.True(t, ok)
	for member, broken := range map[string]any{
		"id": "token.reuse", "level": "WILL", "area": "companies", "exercise": "", "title": "no capital",
		"source": map[string]any{"kind": "assumed"}, "colour": "red",
	} {
		good, there := first[member]
		first[member] = broken
		require.Error(t, s.Validate(doc), member)
		if first[member] = good; !there {
			delete(first, member)
		}
	}
	require.NoError(t, s.Validate(doc))
}

// The two catalogues can be told apart by the ids; the knobs that a clause names
// exist; and what is said of idempotency keys is assumed, for nobody has said it: advice,
// but for what loses money where they are honoured.
func TestIntegrationCatalogue(t *testing.T) {
	t.Parallel()
	for _, c := range clause.Integration() {
		require.True(t, strings.HasPrefix(string(c.ID), clause.IntegrationPrefix), c.ID)
		if c.Source.Knob != "" {
			_, err := latitude.Lookup(c.Source.Knob)
			require.NoError(t, err, c.ID)
		}
		if strings.HasPrefix(string(c.ID), "partner.idempotency.") {
			require.Equal(t, clause.Assumed, c.Source.Kind, c.ID)
			must := slices.Contains([]clause.ID{"partner.idempotency.same-key", "partner.idempotency.fresh-key"}, c.ID) // they lose money
			require.Equal(t, must, c.Level == clause.Must && c.WhereMet, c.ID)
		}
	}
	for _, c := range clause.Catalogue() {
		require.False(t, strings.HasPrefix(string(c.ID), clause.IntegrationPrefix), c.ID)
	}
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
	require.NotEmpty(t, clause.Catalogue())
	require.NotEmpty(t, clause.Integration())
	for _, c := range append(clause.Catalogue(), clause.Integration()...) {
		found, ok := clause.Lookup(string(c.ID))
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
