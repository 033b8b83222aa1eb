package control_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
)

const someID = "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e"

// filled puts values in the places of a path's parameters.
func filled(path string) string {
	return strings.NewReplacer("{i}", "default", "{id}", someID, "{event}", "approve", "{entity}", someID, "{seq}", "1").Replace(path)
}

// TestEveryRouteAndMethod walks the table: each path answers its methods and
// tells them to everyone else.
func TestEveryRouteAndMethod(t *testing.T) {
	t.Parallel()
	s := start(t)
	admits := map[string][]string{}
	for _, op := range s.control.Operations() {
		path := filled(op.Path)
		admits[path] = append(admits[path], op.Method)
		if op.Method == http.MethodGet {
			admits[path] = append(admits[path], http.MethodHead)
		}
	}
	require.NotEmpty(t, admits)
	for path, methods := range admits {
		slices.Sort(methods)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "ODD"} {
			for _, slash := range []string{"", "/"} {
				got := s.ask(method, path+slash, nil)
				if !slices.Contains(methods, method) {
					require.Equal(t, http.StatusMethodNotAllowed, got.Code, "%s %s", method, path)
					require.Equal(t, strings.Join(slices.Compact(methods), ", "), got.Header().Get("Allow"))
					continue
				}
				require.NotEqual(t, http.StatusMethodNotAllowed, got.Code, "%s %s", method, path)
				require.NotContains(t, got.Body.String(), "no call has the path", "%s %s", method, path)
				require.Nil(t, got.Header()["Date"], "the wall clock has no place in an answer")
			}
		}
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/_sandbox/ready", "/_sandbox/integrations", at("/clock"), at("/webhooks"), at("/messages"), at("/tape")} {
		get, head := s.ask(http.MethodGet, path, nil), s.ask(http.MethodHead, path, nil)
		require.Equal(t, http.StatusOK, get.Code, path)
		require.Equal(t, get.Header(), head.Header(), path)
		if path != at("/tape") { // its header line is written before the method is looked at
			require.Empty(t, head.Body.Bytes(), path)
		}
	}
}

func TestUnknownPathsNameTheNearest(t *testing.T) {
	t.Parallel()
	s := start(t)
	tests := map[string]string{
		"/_sandbox/integration":                            "GET /_sandbox/integrations",
		at("/clok/advance"):                                "POST /_sandbox/integrations/{i}/clock/advance",
		at("/payments/" + someID):                          "",
		at("//clock"):                                      "",
		"/_sandbox":                                        "",
		"/_sandbox/integrations//clock":                    "",
		"/_sandbox/ready/" + strings.Repeat("x", 5000):     "",
		at("/companies/" + someID + "/kyb/" + "%ff%2F%00"): "",
	}
	for path, near := range tests {
		p := s.ask(http.MethodPost, path, nil).problem(http.StatusNotFound)
		require.Contains(t, p.Detail, "no call has the path")
		require.Less(t, len(p.Detail), 500)
		if near != "" {
			got := s.ask(near[:strings.Index(near, " ")], path, nil).problem(http.StatusNotFound)
			require.Contains(t, got.Detail, "the nearest is "+near)
		}
	}
}

// TestToken: without the token nothing is told, not even what exists.
func TestToken(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *control.Options, _ *integration.Options) { o.Token = "right-token" })
	s.ask(http.MethodGet, "/_sandbox/ready", nil).ok(nil)
	var bodies []string
	for _, header := range []string{"", "Bearer wrong", "right-token", "Basic right-token", "Bearer", "Bearer right-token2", "bearer  right-token"} {
		for _, path := range []string{"/_sandbox/integrations", at("/clock"), "/_sandbox/integrations/nobody/clock", "/_sandbox/nothing", "/_sandbox/openapi.json", "/_sandbox/docs"} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				got := s.ask(method, path, nil, "Authorization", header)
				p := got.problem(http.StatusUnauthorized)
				require.Equal(t, "Bearer", got.Header().Get("WWW-Authenticate"))
				require.NotContains(t, got.Body.String(), "right-token")
				bodies = append(bodies, strings.ReplaceAll(got.Body.String(), p.Instance, "PATH"))
			}
		}
	}
	require.Len(t, slices.Compact(bodies), 1)
	s.ask(http.MethodPost, "/_sandbox/ready", nil).problem(http.StatusUnauthorized)
	for _, header := range []string{"Bearer right-token", "bearer right-token"} {
		s.ask(http.MethodGet, at("/clock"), nil, "Authorization", header).ok(nil)
		s.ask(http.MethodGet, "/_sandbox/nothing", nil, "Authorization", header).problem(http.StatusNotFound)
	}
	require.Empty(t, s.entries(), "no refused caller is on a tape")
}

func TestReadyUntilStopped(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.ask(http.MethodGet, "/_sandbox/ready", nil)
	got.ok(nil)
	require.JSONEq(t, `{"status":"ready","version":"v9.9.9"}`, got.Body.String())
	s.control.Stop()
	s.control.Stop()
	s.ask(http.MethodGet, "/_sandbox/ready", nil).problem(http.StatusServiceUnavailable)
}

// TestBadBodies sends what is no JSON object of this API to a call that changes
// a world and to one that does not.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	s := start(t, rehearsal)
	c := s.people()
	tests := map[string]struct {
		body, media string
		status      int
		taped       bool
	}{
		"no media type":    {`{}`, "", http.StatusUnsupportedMediaType, false},
		"not JSON":         {`{}`, "text/html", http.StatusUnsupportedMediaType, false},
		"too large":        {`{"outcome":"` + strings.Repeat("x", control.MaxBody) + `"}`, "application/json", http.StatusRequestEntityTooLarge, false},
		"empty":            {``, "application/json", http.StatusBadRequest, true},
		"truncated":        {`{"outcome":"ver`, "application/json", http.StatusBadRequest, true},
		"an array":         {`[]`, "application/json", http.StatusBadRequest, true},
		"not UTF-8":        {"{\"outcome\":\"\xff\"}", "application/json", http.StatusBadRequest, true},
		"a member twice":   {`{"outcome":"verified","outcome":"rejected"}`, "application/json", http.StatusBadRequest, true},
		"an unknown one":   {`{"outcome":"verified","more":1}`, "application/json", http.StatusBadRequest, true},
		"deep":             {`{"outcome":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "application/json", http.StatusBadRequest, true},
		"two values":       {`{"outcome":"verified"} {}`, "application/json", http.StatusBadRequest, true},
		"null for an enum": {`{"outcome":null}`, "application/json", http.StatusBadRequest, true},
	}
	for name, tc := range tests {
		before := len(s.entries())
		p := s.ask(http.MethodPost, at("/companies/"+c.company+"/kyb"), tc.body, "Content-Type", tc.media).problem(tc.status)
		require.NotEmpty(t, p.Findings, name)
		require.Equal(t, tc.taped, len(s.entries()) > before, name)
		s.ask(http.MethodPost, at("/clock/advance"), tc.body, "Content-Type", tc.media).problem(tc.status)
	}
	for _, e := range s.entries(tape.KindTransition) {
		require.NotEqual(t, "Verified", e.Transition.To)
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	s := start(t)
	doc, err := openapi.Document(s.control.Info(), s.control.Operations())
	require.NoError(t, err)
	seen := map[string]bool{}
	tags := []string{}
	for _, tag := range s.control.Info().Tags {
		tags = append(tags, tag.Name)
	}
	for _, op := range s.control.Operations() {
		require.Contains(t, string(doc), `"operationId": "`+op.ID+`"`)
		require.False(t, seen[op.ID], op.ID)
		seen[op.ID] = true
		require.Contains(t, tags, op.Tag, op.ID)
		require.NotEmpty(t, op.Summary)
		require.Equal(t, op.Method == http.MethodPost, op.Repeat != "", "%s: repeats says what comes of the same POST sent again", op.ID)
		if op.ID == "setProfile" {
			for _, word := range append(delivery.ProfileNames(), "next", "forStatus") {
				require.Contains(t, op.Description, word)
			}
		}
		require.Equal(t, op.ID == "ready", op.Open)
		if !op.Open {
			require.Contains(t, op.Errors, http.StatusUnauthorized)
		}
	}
	for _, path := range []string{"/openapi.json", "/openapi.yaml", "/docs"} {
		require.Equal(t, http.StatusOK, s.ask(http.MethodGet, "/_sandbox"+path, nil).Code, path)
	}
}
