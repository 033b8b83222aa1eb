package mockserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/openapi"
)

// tried is what a player of the documentation's examples reads of a document.
type tried struct {
	Paths map[string]map[string]triedOperation
}

type triedOperation struct {
	OperationID string
	Description string
	Parameters  []struct {
		Name, In string
		Required bool
	}
	Try *openapi.Tried `json:"x-try"`
}

// TestEveryExampleCanBeTried plays each example of both descriptions, each in an
// integration of its own in which nothing is, with the credentials of the page's button:
// as a sandbox is by default, and where nothing is let pass.
func TestEveryExampleCanBeTried(t *testing.T) {
	t.Parallel()
	for environment, integration := range map[string]string{
		"sandbox": "{}",
		"rehearsal": `{"environment":"rehearsal","strict":true,"clock":{"mode":"manual","start":"2041-05-06T07:08:09Z"},
			"latitude":{"collect-unverified":"refused","unknown-body-fields":"refused"}}`,
	} {
		t.Run(environment, func(t *testing.T) {
			t.Parallel()
			everyExample(t, environment, integration)
		})
	}
}

func everyExample(t *testing.T, environment, integration string) {
	t.Helper()
	sandbox := mocktest.Start(t, mocktest.Options{})
	c := &witness{t: t, sandbox: sandbox}
	for _, document := range []string{"/openapi.json", "/_sandbox/openapi.json"} {
		_, raw := c.send(http.MethodGet, document, "")
		var d tried
		require.NoError(t, json.Unmarshal(raw, &d))
		require.NotEmpty(t, d.Paths, document)
		for path, methods := range d.Paths {
			for method, op := range methods {
				t.Run(op.OperationID, func(t *testing.T) {
					require.NotNil(t, op.Try, "nothing in openapi/try.yaml, or control/try.yaml, says how it is tried")
					if op.Try.Cannot != "" {
						require.Contains(t, op.Description, op.Try.Cannot)
						return
					}
					p := newPlayer(t, sandbox, integration)
					for _, s := range op.Try.Steps {
						if s.When == "" || s.When == environment {
							p.step(s)
						}
					}
					p.step(openapi.Step{Method: strings.ToUpper(method), Path: op.address(path), Body: op.Try.Body})
				})
			}
		}
	}
}

// address is a path with the parameters with which the operation is tried.
func (o *triedOperation) address(path string) string {
	query := "?"
	for _, param := range o.Parameters {
		value, given := o.Try.With[param.Name]
		if !given && param.Required {
			value = "{" + param.Name + "}"
		}
		switch {
		case value == "":
		case param.In == "path":
			path = strings.ReplaceAll(path, "{"+param.Name+"}", value)
		default:
			query += param.Name + "=" + value + "&"
		}
	}
	return strings.TrimRight(path+query, "?&")
}

// player plays examples as the page does.
type player struct {
	c    *witness
	kept map[string]string
}

func newPlayer(t *testing.T, sandbox *mocktest.Sandbox, integration string) *player {
	t.Helper()
	c := &witness{t: t, sandbox: sandbox}
	_, made := c.send(http.MethodPost, "/_sandbox/integrations", integration)
	var own struct {
		ID, ClientID, ClientSecret string
		Clock                      struct{ Now string }
	}
	require.NoError(t, json.Unmarshal(made, &own))
	_, granted := c.send(http.MethodPost, "/Authentication/Token", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, own.ClientID, own.ClientSecret))
	var token struct{ AccessToken string }
	require.NoError(t, json.Unmarshal(granted, &token))
	return &player{c: c, kept: map[string]string{
		"i": own.ID, "token": token.AccessToken, "clientId": own.ClientID, "clientSecret": own.ClientSecret,
		"here": sandbox.URL, "today": own.Clock.Now[:10], "new": "1",
	}}
}

var name = regexp.MustCompile(`\{([A-Za-z]+)\}`)

// filled puts what was kept into a text; a name that nothing kept stays.
func (p *player) filled(text string) string {
	return name.ReplaceAllStringFunc(text, func(found string) string {
		if value, known := p.kept[found[1:len(found)-1]]; known {
			return value
		}
		return found
	})
}

// step makes a call, which must be accepted without a warning, and keeps what it says.
func (p *player) step(s openapi.Step) {
	p.c.t.Helper()
	body := ""
	if s.Body != nil && !bytes.Equal(s.Body, []byte("null")) {
		body = p.filled(string(s.Body))
	}
	path := p.filled(s.Path)
	p.c.token = p.kept["token"]
	res, out := p.c.send(s.Method, path, body)
	require.Less(p.c.t, res.StatusCode, 300, "%s %s %s\n%s", s.Method, path, body, out)
	require.Empty(p.c.t, res.Header.Get("Sandbox-Warning"), "%s %s", s.Method, path)
	for name, member := range s.Sent {
		p.kept[name] = at(p.c.t, []byte(body), member)
	}
	for name, member := range s.Keep {
		p.kept[name] = at(p.c.t, out, member)
	}
}

// at is a member of a body, a/0/b for nested ones.
func at(t *testing.T, body []byte, member string) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(body, &value))
	for _, name := range strings.Split(member, "/") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			require.NotEmpty(t, v, "%s of %s", member, body)
			value = v[0]
		}
	}
	require.NotNil(t, value, "%s of %s", member, body)
	return fmt.Sprint(value)
}
