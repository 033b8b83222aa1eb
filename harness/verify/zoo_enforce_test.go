package verify_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// unenforced does not know a rule: what is refused for it alone is accepted, and
// neither a refusal nor an advice speaks of it.
func unenforced(clause string) spoiler {
	return func(next http.Handler, k *keeper) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/_sandbox") {
				next.ServeHTTP(w, r)
				return
			}
			k.through(next, w, r, nil, func(x *exchange) { x.forget(clause) })
		})
	}
}

// forget takes what a clause has to say out of the answer.
func (x *exchange) forget(clause string) {
	if warning := x.header.Get("Sandbox-Warning"); warning != "" {
		parts := slices.DeleteFunc(strings.Split(warning, ", "), func(p string) bool { return p == clause || strings.HasPrefix(p, clause+" ") })
		x.header.Set("Sandbox-Warning", strings.Join(parts, ", "))
		if len(parts) == 0 {
			x.header.Del("Sandbox-Warning")
		}
	}
	findings, _ := x.got("findings").([]any)
	if x.ok() || len(findings) == 0 {
		return
	}
	left := slices.DeleteFunc(slices.Clone(findings), func(f any) bool { return reached(f, "clause") == clause })
	switch {
	case len(left) == 0:
		x.grant()
	case len(left) < len(findings):
		x.change("findings", left)
	}
}

// unenforcedClauses reads which clauses have the mutant that does not enforce
// them.
func unenforcedClauses(tb testing.TB) []string {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "zoo", "unenforced.yaml"))
	require.NoError(tb, err)
	var byArea map[string][]string
	require.NoError(tb, yaml.Unmarshal(raw, &byArea))
	var list []string
	for _, area := range slices.Sorted(maps.Keys(byArea)) {
		list = append(list, byArea[area]...)
	}
	return list
}

// samplesOf reads from the service's description what its operations answer.
func samplesOf(tb testing.TB, good http.Handler) []sample {
	tb.Helper()
	answered := httptest.NewRecorder()
	good.ServeHTTP(answered, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	document := decoded(answered.Body.Bytes())
	paths, _ := reached(document, "paths").(map[string]any)
	examples, _ := reached(document, "components.examples").(map[string]any)
	var list []sample
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		operations, _ := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			id, _ := reached(operations[method], "operationId").(string)
			s := sample{fits: pattern(strings.ToUpper(method) + " " + placeholder.ReplaceAllString(path, "*"))}
			if v := reached(examples[id+"Response"], "value"); v != nil {
				s.body = string(encoded(v))
			}
			list = append(list, s)
		}
	}
	require.NotEmpty(tb, list)
	return list
}

var placeholder = regexp.MustCompile(`\{[^}]+\}`)
