package conform_test

import (
	_ "embed"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/conform"
)

//go:embed testdata/pets.json
var pets string

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		from, to string
		want     []string
	}{
		"a sound document":         {"", "", nil},
		"no JSON":                  {`{`, ``, []string{"load the document"}},
		"a missing title":          {`"title": "Pets", `, ``, []string{"title"}},
		"an undeclared parameter":  {`"name": "petId"`, `"name": "id"`, []string{"petId"}},
		"a reference to nothing":   {`schemas/Pet"}}}`, `schemas/Cat"}}}`, []string{"Cat"}},
		"a schema that is none":    {`"minimum": 0`, `"minimum": "none"`, []string{"minimum"}},
		"a wrong named example":    {`"age": 3`, `"age": -3`, []string{"/paths/~1Pet~1Create/post/requestBody/content/application~1json/examples/canonical: /age"}},
		"a wrong header's example": {`"example": 1`, `"example": "one"`, []string{"/headers/Number/example: "}},
		"two wrong examples": {
			`"examples": ["Rex"]`, `"examples": [1, true]`,
			[]string{"/name/examples/0: got number, want string", "/name/examples/1: got boolean, want string"},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, pets, tc.from)
			err := conform.Check([]byte(strings.Replace(pets, tc.from, tc.to, 1)))
			if tc.want == nil {
				require.NoError(t, err)
			}
			for _, want := range tc.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// exchange is an exchange that keeps to the document but for what a test changes.
type exchange struct {
	method, path, request, response string
	status                          int
	header                          map[string]string
	want                            string
}

func TestExchange(t *testing.T) {
	t.Parallel()
	answer := map[string]string{"Number": "7", "Content-Type": "application/json; charset=utf-8"}
	const rex = `{"name":"Rex","age":null,"friends":[{"name":"Tom"}]}`
	tests := map[string]exchange{
		"a good answer":           {"GET", "/Pet/7", "", rex, 200, answer, ""},
		"other letter case":       {"GET", "/pet/7/?x=1", "", rex, 200, answer, ""},
		"a good head":             {"HEAD", "/Pet/7", "", "", 200, answer, ""},
		"a documented refusal":    {"GET", "/Pet/7", "", "", 404, nil, ""},
		"a fault":                 {"GET", "/Pet/7", "", "", 503, nil, ""},
		"an unknown path":         {"GET", "/Cat/7", "", "", 404, nil, ""},
		"an unknown path, served": {"GET", "/Cat/7", "", "", 200, nil, "no such operation"},
		"an unknown status":       {"GET", "/Pet/7", "", "", 409, nil, "GET /Pet/{petId}: the status 409 is not documented"},
		"a fault without default": {"POST", "/Pet/Create", `{"name":"Rex"}`, "", 503, nil, "503 is not documented"},
		"a missing header":        {"GET", "/Pet/7", "", rex, 200, map[string]string{"Content-Type": "application/json"}, "the header Number is missing"},
		"a wrong header":          {"GET", "/Pet/7", "", rex, 200, map[string]string{"Content-Type": "application/json", "Number": "x"}, "header Number: got string, want integer"},
		"a value not listed":      {"GET", "/Pet/7", "", rex, 200, map[string]string{"Content-Type": "application/json", "Number": "1", "Mood": "bad"}, "header Mood: "},
		"a wrong media type":      {"GET", "/Pet/7", "", rex, 200, map[string]string{"Content-Type": "text/html", "Number": "1"}, `"text/html" is not documented`},
		"no JSON":                 {"GET", "/Pet/7", "", "{", 200, answer, "the body is no JSON"},
		"a member too many":       {"GET", "/Pet/7", "", `{"name":"Rex","tail":1}`, 200, answer, "body: additional properties 'tail' not allowed"},
		"a member too few":        {"GET", "/Pet/7", "", `{}`, 200, answer, "body: missing property 'name'"},
		"a wrong format":          {"GET", "/Pet/7", "", `{"name":"Rex","chip":"7"}`, 200, answer, "body: /chip "},
		"deep down":               {"GET", "/Pet/7", "", `{"name":"Rex","friends":[{"name":1}]}`, 200, answer, "body: /friends/0/name got number, want string"},
		"a body out of place":     {"POST", "/Pet/Create", `{"name":"Rex"}`, "{}", 200, nil, "although none is documented"},
		"an accepted request":     {"POST", "/Pet/Create", `{"Name":"Rex","Chip":null,"FRIENDS":[{"NAME":"Tom"}]}`, "", 200, nil, ""},
		"a wrong request":         {"POST", "/Pet/Create", `{"name":"Rex","age":-1}`, "", 200, nil, "request: /age minimum"},
		"a request with no JSON":  {"POST", "/Pet/Create", `name`, "", 200, nil, "accepted that is no JSON"},
		"a doubtful request":      {"POST", "/Pet/Create", `{"name":"Rex","tail":1}`, "", 200, map[string]string{"Sandbox-Warning": "x"}, ""},
	}
	v, err := conform.NewValidator([]byte(pets))
	require.NoError(t, err)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			for name, value := range tc.header {
				header.Set(name, value)
			}
			err := v.Exchange(tc.method, tc.path, tc.status, header, []byte(tc.request), []byte(tc.response))
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestExchangeListsAllProblems expects them sorted, one a line.
func TestExchangeListsAllProblems(t *testing.T) {
	t.Parallel()
	v, err := conform.NewValidator([]byte(pets))
	require.NoError(t, err)
	err = v.Exchange("GET", "/Pet/7", 200, http.Header{"Content-Type": {"application/json"}}, nil, []byte(`{"name":1,"age":"x"}`))
	require.EqualError(t, err, strings.Join([]string{
		"GET /Pet/{petId} 200: body: /age got string, want null or integer",
		"GET /Pet/{petId} 200: body: /name got number, want string",
		"GET /Pet/{petId} 200: the header Number is missing",
	}, "\n"))
}

func TestNewValidatorRefusesBrokenDocuments(t *testing.T) {
	t.Parallel()
	_, err := conform.NewValidator([]byte("{"))
	require.Error(t, err)
	_, err = conform.NewValidator([]byte(`{"components":{"schemas":{"A":{"type":7}}}}`))
	require.Error(t, err)
}
