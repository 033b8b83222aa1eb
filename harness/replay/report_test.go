package replay_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
)

// TestReportsFitTheirSchema: what machines read is as the schema says, of cases with and
// without a fault; and a report that is not so is refused.
func TestReportsFitTheirSchema(t *testing.T) {
	sampling.NotRaced(t, "TestCallsThatMet and TestMinimiseNoise do the same with it")
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(replay.Schema()))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("schema.json", doc))
	schema, err := compiler.Compile("schema.json")
	require.NoError(t, err)
	fits := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		return schema.Validate(doc)
	}
	s := sandbox(t)
	for _, name := range []string{"service-500/session.har", "choice-list-order/session.har", "innocent-tape/session.tape"} {
		files, err := filepath.Glob("../../fixtures/reports/" + strings.Replace(name, "session.tape", "*.tape", 1))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		text, err := json.Marshal(made(t, s, files[:1], read.Options{}).Report(nil))
		require.NoError(t, err)
		require.NoError(t, fits(string(text)), name)
		require.Error(t, fits(strings.Replace(string(text), `"version":1`, `"version":"one"`, 1)), name)
		require.Error(t, fits(strings.Replace(string(text), `"side":"`, `"side":"the `, 1)), name)
	}
}
