package control_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/mockserver/openapi"
)

// requestTypes are the types of the control API's request bodies with all that they
// hold: type → property → description, the type's own under "".
func requestTypes(t *testing.T) map[string]map[string]string {
	t.Helper()
	c := start(t).control
	raw, err := openapi.Document(c.Info(), c.Operations())
	require.NoError(t, err)
	var d struct {
		Paths map[string]map[string]struct {
			RequestBody json.RawMessage `json:"requestBody"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(raw, &d))
	types := map[string]map[string]string{}
	var follow func(text json.RawMessage)
	follow = func(text json.RawMessage) {
		for _, ref := range regexp.MustCompile(`"#/components/schemas/(\w+)"`).FindAllSubmatch(text, -1) {
			name := string(ref[1])
			if types[name] != nil {
				continue
			}
			var s struct {
				Description string `json:"description"`
				Properties  map[string]struct {
					Description string `json:"description"`
				} `json:"properties"`
			}
			require.NoError(t, json.Unmarshal(d.Components.Schemas[name], &s))
			types[name] = map[string]string{"": s.Description}
			for property, p := range s.Properties {
				types[name][property] = p.Description
			}
			follow(d.Components.Schemas[name])
		}
	}
	for _, methods := range d.Paths {
		for _, op := range methods {
			follow(op.RequestBody)
		}
	}
	return types
}

// TestRequestsAreDescribed holds the texts to the request bodies, both ways.
func TestRequestsAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("descriptions.yaml")
	require.NoError(t, err)
	var texts map[string]map[string]string
	require.NoError(t, yaml.Unmarshal(text, &texts))
	require.Equal(t, texts, requestTypes(t))
}
