package openapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
)

// handler serves the description of an API that has no choices.
func handler(info openapi.Info, ops []openapi.Operation) *openapi.Site {
	return openapi.Following(info.Base, new(openapi.Kept), func(*http.Request) (openapi.Info, []openapi.Operation, bool) { return info, ops, true })
}

// document is the part of a document that the tests look at.
type document struct {
	OpenAPI string
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]operation
	Tags    []struct{ Name string }

	Security   []map[string][]string
	Components struct {
		Schemas         map[string]schema
		SecuritySchemes map[string]struct{ Scheme, BearerFormat string }
		Responses       map[string]struct {
			Headers map[string]any
			Content map[string]any
		}
	}
}

type operation struct {
	OperationID string
	Description string
	Tags        []string
	Parameters  []struct {
		Name, In string
		Required bool
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]string }
	}
	Responses map[string]struct {
		Ref     string `json:"$ref"`
		Headers map[string]any
		Content map[string]any
	}
	Security []map[string][]string
	Surface  string `json:"x-surface"`
	Clause   string `json:"x-clause"`
	AliasOf  string `json:"x-alias-of"`
}

type schema struct {
	Description          string
	Type                 any
	Format               string
	Minimum              *int
	WriteOnly            bool
	AdditionalProperties any
	Required             []string
	Properties           map[string]schema
}

// partner makes the partner API's document.
func partner(t *testing.T) ([]byte, document, []openapi.Operation) {
	t.Helper()
	ops := api.New(api.Options{}).Operations()
	raw, err := openapi.Document(openapi.Info{Version: "test", Events: api.Events(latitude.Settings{})}, ops)
	require.NoError(t, err)
	var d document
	require.NoError(t, json.Unmarshal(raw, &d))
	return raw, d, ops
}
