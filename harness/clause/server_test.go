package clause_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
)

// beyond are the prefixes of findings that no partner's call can bring about:
// the control API, what people type on hosted pages, and faults that were asked
// for.
var beyond = []string{"control.", "hosted.", "sandbox."}

// TestServerCitesTheCatalogue reads the sources of the server for every clause
// id that a finding can have. Each of them is in the catalogue.
func TestServerCitesTheCatalogue(t *testing.T) {
	t.Parallel()
	cited := map[string]string{}
	for _, dir := range []string{"world", "wire", "api"} {
		root := path.Join("..", "..", "mockserver", dir)
		entries, err := fs.ReadDir(os.DirFS(root), ".")
		require.NoError(t, err)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
				citations(t, path.Join(root, e.Name()), cited)
			}
		}
	}
	require.Greater(t, len(cited), 100)
	for id, at := range cited {
		if slices.ContainsFunc(beyond, func(prefix string) bool { return strings.HasPrefix(id, prefix) }) {
			continue
		}
		_, ok := clause.Lookup(id)
		require.True(t, ok, "%s cites %s, which the catalogue does not have", at, id)
	}
}

// citations collects the clause ids of one file.
func citations(tb testing.TB, name string, into map[string]string) {
	tb.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, 0)
	require.NoError(tb, err)
	ast.Inspect(file, func(n ast.Node) bool {
		for _, id := range idsOf(n) {
			into[id] = set.Position(n.Pos()).String()
		}
		return true
	})
}

// places and addresses are the rules that are made for a prefix.
var (
	places    = []string{"location-id", "location-id-known", "company-id", "company-id-known", "company-reference-known", "company-same", "company"}
	addresses = []string{"street", "city", "state", "zip"}
)

// idsOf gives the clause ids that a node of the syntax tree names: rule{"id", …},
// Clause: "id", strictBody = "id", clauseX = "id", and the rules made for a
// prefix.
func idsOf(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if name, ok := n.Type.(*ast.Ident); ok && name.Name == "rule" && len(n.Elts) > 0 {
			return literal(n.Elts[0])
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Clause" {
			return literal(n.Value)
		}
	case *ast.ValueSpec:
		if len(n.Values) == 1 && strings.HasPrefix(n.Names[0].Name, "clause") {
			return literal(n.Values[0])
		}
	case *ast.AssignStmt:
		if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && sel.Sel.Name == "strictBody" {
			return literal(n.Rhs[0])
		}
	case *ast.CallExpr:
		return made(n)
	}
	return nil
}

// made gives the ids of placeRulesFor("prefix") and rulesFor("prefix"). The
// surfaces on which a place can be named differ: those rules alone count whose
// ids the catalogue could have.
func made(call *ast.CallExpr) []string {
	name, ok := call.Fun.(*ast.Ident)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	var suffixes []string
	switch name.Name {
	case "rulesFor":
		suffixes = addresses
	case "placeRulesFor":
		suffixes = places
	}
	var ids []string
	for _, prefix := range literal(call.Args[0]) {
		for _, suffix := range suffixes {
			if id := prefix + "." + suffix; !unreachable[id] {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// unreachable are rules that are made for an operation whose body has no such
// member.
var unreachable = map[string]bool{
	"payment.card-auth.company-id": true, "payment.card-auth.company-id-known": true,
	"payment.card-auth.company-reference-known": true, "payment.card-auth.company-same": true,
	"payment.saved-card.company-id": true, "payment.saved-card.company-id-known": true,
	"payment.saved-card.company-reference-known": true, "payment.saved-card.company-same": true,
	"plan.create.location-id": true, "plan.create.location-id-known": true,
	"card-payment.location-id": true, "card-payment.location-id-known": true,
}

// literal gives a text that is written out, when it has the form of an id.
func literal(e ast.Expr) []string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil || !strings.Contains(text, ".") && !strings.Contains(text, "-") {
		return nil
	}
	return []string{text}
}
