package openapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/conform"
	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func TestDocumentIsSound(t *testing.T) {
	t.Parallel()
	raw, d, _ := partner(t)
	require.NoError(t, conform.Check(raw))
	require.Equal(t, "3.1.0", d.OpenAPI)
	require.Equal(t, "v0.4.11+paysandbox.test", d.Info.Version)
	require.NotContains(t, string(raw), `"nullable"`)
	require.Equal(t, "JWT", d.Components.SecuritySchemes["bearerAuth"].BearerFormat)
	require.Equal(t, []map[string][]string{{"bearerAuth": {}}}, d.Security)
}

// The ids in a list have the format that a single one has.
func TestLocationIDsAreUUIDs(t *testing.T) {
	t.Parallel()
	raw, _, _ := partner(t)
	var d struct {
		Components struct {
			Schemas struct {
				CompanyCreated struct {
					Properties struct {
						LocationIDs struct{ Items struct{ Type, Format string } } `json:"locationIds"`
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(raw, &d))
	items := d.Components.Schemas.CompanyCreated.Properties.LocationIDs.Items
	require.Equal(t, []string{"string", "uuid"}, []string{items.Type, items.Format})
}

func TestDocumentIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first, _, ops := partner(t)
	for range 3 {
		again, err := openapi.Document(openapi.Info{Version: "test", Events: api.Events(latitude.Settings{})}, ops)
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
}

// TestRoutesAndDocumentAgree compares the route table and the document, both ways.
func TestRoutesAndDocumentAgree(t *testing.T) {
	t.Parallel()
	_, d, ops := partner(t)
	documented := 0
	for _, item := range d.Paths {
		documented += len(item)
	}
	require.Equal(t, len(ops), documented, "the document has operations that the table has not")
	var tags []string
	for _, tag := range d.Tags {
		tags = append(tags, tag.Name)
	}
	for i := range ops {
		t.Run(ops[i].ID, func(t *testing.T) {
			t.Parallel()
			got, ok := d.Paths[ops[i].Path][strings.ToLower(ops[i].Method)]
			require.True(t, ok, "the document lacks %s %s", ops[i].Method, ops[i].Path)
			agree(t, &ops[i], &got)
			require.Contains(t, tags, ops[i].Tag, "the tags stand in partner.go")
		})
	}
}

func agree(t *testing.T, want *openapi.Operation, got *operation) {
	t.Helper()
	require.Equal(t, []string{want.ID, string(want.Surface), want.Clause, want.AliasOf, want.Tag},
		[]string{got.OperationID, got.Surface, got.Clause, got.AliasOf, got.Tags[0]})
	statuses := []string{"200", "default"}
	for _, s := range want.Errors {
		statuses = append(statuses, strconv.Itoa(s))
	}
	for status := range got.Responses {
		require.Contains(t, statuses, status)
	}
	require.Len(t, got.Responses, len(statuses))
	require.Equal(t, want.Response == nil, len(got.Responses["200"].Content) == 0)
	require.Equal(t, want.Open, got.Security != nil)
	for _, p := range want.Params {
		require.True(t, slices.ContainsFunc(got.Parameters, func(g struct {
			Name, In string
			Required bool
		},
		) bool {
			return g.Name == p.Name && g.In == p.In && g.Required == p.Required
		}), "parameter %s", p.Name)
	}
	require.Len(t, got.Parameters, len(want.Params))
	if want.Request == nil {
		require.Nil(t, got.RequestBody)
		return
	}
	require.True(t, got.RequestBody.Required)
	require.Contains(t, got.RequestBody.Content, "application/json")
	require.Contains(t, got.RequestBody.Content, "text/json")
	require.Contains(t, got.RequestBody.Content, "application/*+json")
}

// TestEveryEventIsDescribed compares what machines send with what is described.
func TestEveryEventIsDescribed(t *testing.T) {
	t.Parallel()
	var described []string
	for _, e := range api.Events(latitude.Settings{}) {
		described = append(described, e.Name)
	}
	require.ElementsMatch(t, world.EventNames(), described, "what the machines send, and api.Events")
}

// TestPathParametersAreDeclared compares templates and parameters.
func TestPathParametersAreDeclared(t *testing.T) {
	t.Parallel()
	_, _, ops := partner(t)
	for i := range ops {
		declared := 0
		for _, p := range ops[i].Params {
			if p.In == "path" {
				declared++
				require.Contains(t, ops[i].Path, "{"+p.Name+"}", ops[i].ID)
			}
		}
		require.Equal(t, strings.Count(ops[i].Path, "{"), declared, ops[i].ID)
	}
}

// TestDescriptionsAndTypesAgree compares the texts and the types, both ways.
func TestDescriptionsAndTypesAgree(t *testing.T) {
	t.Parallel()
	_, d, _ := partner(t)
	var texts map[string]map[string]string
	require.NoError(t, yaml.Unmarshal(openapi.PartnerDescriptions(), &texts))
	used := map[string]bool{}
	for name, s := range d.Components.Schemas {
		require.NotEmpty(t, s.Description, "%s: nothing in descriptions.yaml says what it is", name)
		for property, p := range s.Properties {
			require.NotEmpty(t, p.Description, "%s.%s: nothing in descriptions.yaml says what it is, neither under the type nor under \"*\"", name, property)
			used[property] = used[property] || texts[name][property] == ""
		}
	}
	for name, members := range texts {
		for property := range members {
			switch {
			case name == "*":
				require.True(t, used[property], "no type needs the text for every %s", property)
			case property == "":
				require.Contains(t, d.Components.Schemas, name)
			default:
				require.Contains(t, d.Components.Schemas[name].Properties, property, name)
			}
		}
	}
}

// TestTypesReachTheDocument looks at one instance of each thing that tags say.
func TestTypesReachTheDocument(t *testing.T) {
	t.Parallel()
	_, d, _ := partner(t)
	body := func(path string) schema {
		name := strings.TrimPrefix(d.Paths[path]["post"].RequestBody.Content["application/json"].Schema["$ref"], "#/components/schemas/")
		return d.Components.Schemas[name]
	}
	charge, terminal, create := body("/Payment/ChargeSavedCard"), body("/CardPayment"), body("/Payment/Create")
	require.Equal(t, false, charge.AdditionalProperties)
	require.Equal(t, false, terminal.AdditionalProperties)
	require.Nil(t, create.AdditionalProperties)
	require.Equal(t, "int32", charge.Properties["amount"].Format)
	require.Equal(t, "int64", create.Properties["amount"].Format)
	require.Equal(t, 1, *create.Properties["amount"].Minimum)
	require.Equal(t, "integer", create.Properties["amount"].Type, "a pointer in a request is no null")
	require.Equal(t, []any{"string", "null"}, charge.Properties["feePayer"].Type)
	require.Equal(t, []any{"object", "null"}, create.Properties["metadata"].Type, "null is as good as absent")
	require.Equal(t, []any{"string", "null"}, d.Components.Schemas["UserStatus"].Properties["accountMask"].Type)
	require.Equal(t, "email", d.Components.Schemas["Owner"].Properties["emailAddress"].Format)
	require.Equal(t, "date", d.Components.Schemas["Owner"].Properties["dateOfBirth"].Format)
	require.True(t, d.Components.Schemas["Owner"].Properties["ssn"].WriteOnly)
	require.False(t, d.Components.Schemas["Owner"].Properties["name"].WriteOnly)
	require.Contains(t, d.Components.Schemas["Owner"].Required, "ssn")
}

// TestHeadersStandWhereTheyApply looks at the headers of some answers.
func TestHeadersStandWhereTheyApply(t *testing.T) {
	t.Parallel()
	_, d, _ := partner(t)
	create := d.Paths["/Payment/Create"]["post"].Responses["200"].Headers
	require.NotContains(t, create, "Idempotent-Replayed", "keys are ignored by default")
	require.Contains(t, create, "Sandbox-Exchange")
	require.NotContains(t, create, "Sandbox-Surface")
	require.Contains(t, d.Paths["/Transaction/Report"]["get"].Responses["200"].Headers, "Sandbox-Surface")
	require.NotContains(t, d.Paths["/Company/List"]["get"].Responses["200"].Headers, "Idempotent-Replayed")
	require.Contains(t, d.Components.Responses["Unauthorized"].Headers, "WWW-Authenticate")
	require.NotContains(t, d.Components.Responses["NotFound"].Headers, "WWW-Authenticate")
	require.Contains(t, d.Components.Responses["NotFound"].Content, "application/problem+json")
}

func TestDocumentRefusesWrongTables(t *testing.T) {
	t.Parallel()
	op := openapi.Operation{ID: "a", Method: http.MethodGet, Path: "/a", Tag: "A"}
	tests := map[string]struct {
		ops  []openapi.Operation
		want string
	}{
		"one path and method twice": {[]openapi.Operation{op, op}, "a second operation for GET"},
		"no method":                 {[]openapi.Operation{{ID: "a", Method: "FETCH", Path: "/a"}}, "FETCH is not a method"},
		"an answer without a name":  {[]openapi.Operation{{ID: "a", Method: http.MethodGet, Path: "/a", Response: []string{}}}, "no named struct"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openapi.Document(openapi.Info{}, tc.ops)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestAnotherAPI describes an API that is not the partner's.
func TestAnotherAPI(t *testing.T) {
	t.Parallel()
	type Item struct {
		Name string `json:"name" required:"true" description:"what it is called" example:"first"`
		Any  string `json:"any" wire:"raw" example:"{\"a\":1}"`
	}
	info := openapi.Info{Version: "v1", Base: "/_sandbox", Title: "Control", Tags: []openapi.Tag{{Name: "Items", Description: "Things."}}}
	raw, err := openapi.Document(info, []openapi.Operation{{
		ID: "addItem", Method: http.MethodPost, Path: "/_sandbox/items", Tag: "Items", Summary: "Add an item",
		Request: Item{}, Response: Item{}, Success: http.StatusCreated, Media: []string{"application/jsonl"}, Errors: []int{http.StatusConflict},
	}})
	require.NoError(t, err)
	require.NoError(t, conform.Check(raw))
	var d document
	require.NoError(t, json.Unmarshal(raw, &d))
	require.Equal(t, "v1", d.Info.Version)
	require.Empty(t, d.Security)
	add := d.Paths["/_sandbox/items"]["post"]
	require.Contains(t, add.Responses["201"].Content, "application/jsonl")
	require.Contains(t, add.Responses, "409")
	require.Equal(t, "what it is called", d.Components.Schemas["Item"].Properties["name"].Description)
}

// TestOrderIsThatOfTheDeclaration looks at what a page offers first.
func TestOrderIsThatOfTheDeclaration(t *testing.T) {
	t.Parallel()
	raw, _, _ := partner(t)
	text := string(raw)
	inOrder := func(names ...string) {
		at := 0
		for _, name := range names {
			next := strings.Index(text[at:], name)
			require.GreaterOrEqual(t, next, 0, "%s in %v", name, names)
			at += next
		}
	}
	inOrder(`"/Authentication/Token"`, `"/Company/Create"`, `"/User/Register"`)
	require.Less(t, strings.Index(text, `"application/json"`), strings.Index(text, `"text/json"`))
	require.Less(t, strings.Index(text, `"text/json"`), strings.Index(text, `"application/*+json"`))
	inOrder(`"NewPayment": {`, `"amount": {`, `"locationId": {`, `"attachment": {`, `"oneTimePayment": {`)
}
