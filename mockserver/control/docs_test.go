package control_test

import (
	"encoding/json"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/mockserver/openapi"
)

// TestTypesAreDescribed holds the texts to the types of requests and answers, both ways:
// each type and each member has one, and each text is some member's.
func TestTypesAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("descriptions.yaml")
	require.NoError(t, err)
	var texts map[string]map[string]string
	require.NoError(t, yaml.Unmarshal(text, &texts))
	c := start(t).control
	raw, err := openapi.Document(c.Info(), c.Operations())
	require.NoError(t, err)
	type described struct{ Description string }
	var d struct {
		Components struct {
			Schemas map[string]struct {
				described
				Properties map[string]described
			}
		}
	}
	require.NoError(t, json.Unmarshal(raw, &d))
	common, used := texts["*"], map[string]map[string]string{"*": {}}
	for name, schema := range d.Components.Schemas {
		used[name] = map[string]string{}
		members := map[string]described{"": schema.described}
		maps.Copy(members, schema.Properties)
		for member, p := range members {
			assert.NotEmpty(t, p.Description, "%s %s", name, member)
			if own, ok := texts[name][member]; ok {
				require.Equal(t, own, p.Description, "%s %s", name, member)
				used[name][member] = own
			} else if p.Description == common[member] {
				used["*"][member] = common[member]
			}
		}
	}
	require.Equal(t, texts, used)
}
