package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/schema"
)

// TestAttackByADescription: a description comes from whom it describes. It may refer to
// itself in any way, lie in itself as deep as JSON goes, and compare with numbers as long
// as it likes: a judgement comes all the same, and soon.
func TestAttackByADescription(t *testing.T) {
	t.Parallel()
	const a = "/components/schemas/A"
	wrap := func(schema string) string { return `{"components":{"schemas":{"A":` + schema + `}}}` }
	for name, raw := range map[string]string{
		"offers itself":              `{"anyOf":[{"$ref":"#/components/schemas/A"}]}`,
		"offers itself by reference": `{"$ref":"#/components/schemas/A"}`,
		"offers itself twice":        `{"anyOf":[{"$ref":"#/components/schemas/A"},{"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/A"}]}]}`,
		"offers itself ten times":    `{"oneOf":[` + strings.Repeat(`{"$ref":"#/components/schemas/A"},`, 9) + `{"$ref":"#/components/schemas/A"}]}`,
		"lies deep in itself":        strings.Repeat(`{"items":`, 5000) + `{"strange":1}` + strings.Repeat(`}`, 5000),
		"lies deep in its choices":   strings.Repeat(`{"anyOf":[`, 2500) + `{"type":"string"}` + strings.Repeat(`]}`, 2500),
		"has very large bounds":      `{"type":"integer","minimum":1e999999,"maximum":-1e999999}`,
		"has very small bounds":      `{"type":"integer","minimum":1e-999999}`,
		"has words of no number":     `{"enum":["a",-1e999999]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, wrap(raw))
			value, err := schema.Value([]byte(`1e999999`))
			require.NoError(t, err)
			problems := d.Judge(a, value)
			require.Less(t, len(fmt.Sprint(problems)), 8<<10)
			if name != "has very small bounds" {
				require.NotEmpty(t, problems, "%s", raw[:min(len(raw), 80)])
			}
		})
	}
}
