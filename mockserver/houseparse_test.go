package mockserver_test

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// parsing is how a function is named that reads what somebody else has written.
var parsing = regexp.MustCompile(`^(Read|Parse|Decode|Load)([A-Z]\w*)?$`)

// foreign are the types of what it reads.
var foreign = []string{"[]byte", "string", "io.Reader", "io.ReaderAt"}

// ours are functions so named that read nothing of strangers, each with the reason.
var ours = map[string]string{
	"mockserver/openapi/tree.Parse":     "reads the descriptions that are in the binary",
	"mockserver/integration/owed.Read":  "reads a name that this process has written, out of an image that is checked",
	"mockserver/kernel.Decode":          "is what the targets of snapshots, images and batches read with",
	"mockserver/kernel.ParseID":         "is the library's function for a UUID behind a length",
	"harness/report/format.ParseTarget": "reads a flag of the command",
	"harness/verify/given.Read":         "reads what is in the binary",
}

// judgeParsers lists exported functions that read foreign bytes, and that no fuzz target
// calls.
func judgeParsers(sources []source) (problems []string) {
	tests, dirs := map[string][]source{}, map[string]bool{}
	for _, s := range sources {
		dirs[s.dir] = true
		if s.test && s.ast != nil {
			tests[s.dir] = append(tests[s.dir], s)
		}
	}
	tried, needless := map[string]bool{}, maps.Clone(ours)
	for _, list := range tests {
		tries(list, tried)
	}
	for _, name := range parsers(sources) {
		switch {
		case tried[name]:
		case ours[name] == "":
			problems = append(problems, name+" reads foreign bytes, and no fuzz target calls it")
		default:
			delete(needless, name)
		}
	}
	for name := range needless {
		if dirs[name[:strings.LastIndex(name, ".")]] {
			problems = append(problems, name+" needs no exception: it is gone, or a fuzz target calls it")
		}
	}
	return problems
}

// parsers are the exported functions that read foreign bytes, each by its folder and name.
func parsers(sources []source) (list []string) {
	for _, s := range sources {
		if s.test || s.ast == nil {
			continue
		}
		for _, d := range s.ast.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && parsing.MatchString(f.Name.Name) && readsForeign(f) {
				list = append(list, s.dir+"."+f.Name.Name)
			}
		}
	}
	return list
}

func readsForeign(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool { return slices.Contains(foreign, typeName(p.Type)) })
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + typeName(e.Elt)
		}
	}
	return ""
}

// tries notes what the fuzz targets among the tests of a folder call of other packages,
// themselves or through the tests' own functions.
func tries(tests []source, tried map[string]bool) {
	functions, fuzz := map[string]called{}, []string{}
	for _, s := range tests {
		imports := map[string]string{}
		for _, spec := range s.ast.Imports {
			imports[localName(spec)] = strings.TrimPrefix(importPath(spec), module+"/")
		}
		for _, d := range s.ast.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil {
				functions[f.Name.Name] = called{f, imports}
				if strings.HasPrefix(f.Name.Name, "Fuzz") {
					fuzz = append(fuzz, f.Name.Name)
				}
			}
		}
	}
	for n := 0; n < len(fuzz); n++ { // it grows
		f := functions[fuzz[n]]
		ast.Inspect(f.decl, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.SelectorExpr:
				if of, is := x.X.(*ast.Ident); is {
					tried[f.imports[of.Name]+"."+x.Sel.Name] = true
				}
			case *ast.Ident:
				if functions[x.Name].decl != nil && !slices.Contains(fuzz, x.Name) {
					fuzz = append(fuzz, x.Name)
				}
			}
			return true
		})
	}
}

// called is a function of the tests, and what its file imports by the names there.
type called struct {
	decl    *ast.FuncDecl
	imports map[string]string
}

// TestAParserWithoutATargetIsFoundOut: what is named as a parser and takes foreign bytes is
// called by a fuzz target, and no exception is left of one that is gone.
func TestAParserWithoutATargetIsFoundOut(t *testing.T) {
	t.Parallel()
	const head = "// Package tape is.\npackage tape\n"
	tests := map[string]string{
		"func Read(b []byte) {}":                   "mockserver/tape.Read reads foreign bytes",
		"func ParseIt(a, b string) {}":             "mockserver/tape.ParseIt reads foreign bytes",
		`import "io"; func Load(r io.ReaderAt) {}`: "mockserver/tape.Load reads foreign bytes",
		"func Readiness(s string) {}":              "",
		"func Read(n int) {}":                      "",
		"func read(b []byte) {}":                   "",
		"func (t T) Read(b []byte) {}":             "",
		"func DecodeTried(b []byte) {}":            "",
		"func ReadMentioned(b []byte) {}":          "mockserver/tape.ReadMentioned reads foreign bytes",
	}
	for text, want := range tests {
		problems := strings.Join(judge(t, fstest.MapFS{
			".gitignore":           {Data: []byte("/.build/\n")},
			"mockserver/tape/a.go": {Data: []byte(head + text)},
			"mockserver/wire/a_test.go": {Data: []byte(`package wire_test; import "` + module + `/mockserver/tape"
				func FuzzAll(f *testing.F) { f.Fuzz(func(b []byte) { tape.DecodeTried(b) }) }
				func TestAll(t *testing.T) { tape.ReadMentioned(nil) }`)},
		}), "\n")
		require.Equal(t, want != "", problems != "", "%s: %s", text, problems)
		require.Contains(t, problems, want)
	}
}
