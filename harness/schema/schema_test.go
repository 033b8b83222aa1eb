package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/schema"
)

const pets = `{
	"paths": {"/pet/{id}": {"parameters": [{"$ref": "#/components/parameters/id"}]}},
	"components": {
		"parameters": {"id": {"$ref": "#/components/parameters/any"}, "any": {"name": "id"}, "loop": {"$ref": "#/components/parameters/loop"}},
		"schemas": {
			"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "chip": {"type": "string", "format": "uuid"}}},
			"Any": {"type": "object", "properties": {}, "additionalProperties": true}
		}
	}
}`

func read(t *testing.T, raw string) *schema.Document {
	t.Helper()
	d, err := schema.Read([]byte(raw))
	require.NoError(t, err)
	return d
}

func TestPointers(t *testing.T) {
	t.Parallel()
	d := read(t, pets)
	first := "/paths/" + schema.Escape("/pet/{id}") + "/parameters/0"
	require.Equal(t, "/paths/~1pet~1{id}/parameters/0", first)
	require.Equal(t, "/components/parameters/any", d.Resolve(first))
	require.Equal(t, map[string]any{"name": "id"}, d.Object(first))
	require.Equal(t, "/components/parameters/loop", d.Resolve("/components/parameters/loop"), "a circle comes to an end")
	require.Equal(t, []string{"components", "paths"}, schema.Children(d.Node("")))
	require.Equal(t, []string{"0"}, schema.Children(d.Node("/paths/~1pet~1{id}/parameters")))
	for _, nowhere := range []string{"/x", "/paths/~1pet~1{id}/parameters/1", "/paths/~1pet~1{id}/parameters/-1", "/components/parameters/any/name/x"} {
		require.Nil(t, d.Node(nowhere), nowhere)
		require.Nil(t, d.Object(nowhere), nowhere)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	d := read(t, pets)
	require.NoError(t, d.Compile())
	for _, c := range []struct {
		name, value string
		want        []string
	}{
		{"Pet", `{"name":"Rex"}`, nil},
		{"Pet", `{"name":1,"chip":"7"}`, []string{"/chip '7' is not valid uuid: must have 5 elements", "/name got number, want string"}},
		{"Pet", `{"name":"Rex","tail":1}`, []string{"additional properties 'tail' not allowed"}},
		{"Any", `{"tail":1}`, nil},
	} {
		value, err := schema.Value([]byte(c.value))
		require.NoError(t, err)
		require.Equal(t, c.want, d.Judge("/components/schemas/"+c.name, value), c.value)
	}
	require.Len(t, d.Judge("/components/schemas/Cat", nil), 1, "a schema that is not there")
}

func TestWhatIsNoDocument(t *testing.T) {
	t.Parallel()
	_, err := schema.Read([]byte("{"))
	require.ErrorContains(t, err, "read the OpenAPI description")
	_, err = schema.Read([]byte("{} {}"))
	require.ErrorContains(t, err, "something follows")
	for _, bad := range []string{
		`{"type":7}`, `{"type":"text"}`, `7`, `{"properties":{"a":{"type":7}}}`, `{"anyOf":[{"type":7}]}`, `{"items":{"type":7}}`,
		`{"$ref":"#/nowhere"}`, `{"pattern":"("}`, `{"multipleOf":3}`,
	} {
		d := read(t, `{"components":{"schemas":{"A":`+bad+`}}}`)
		require.ErrorContains(t, d.Compile(), "/components/schemas/A", bad)
		require.Len(t, d.Judge("/components/schemas/A", "x"), 1, bad)
	}
	circle := read(t, `{"components":{"schemas":{"A":{"$ref":"#/components/schemas/A"}}}}`)
	require.Equal(t, []string{"the references of its schema go round in a circle"}, circle.Judge("/components/schemas/A", "x"))
}
