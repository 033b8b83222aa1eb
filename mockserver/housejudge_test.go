package mockserver_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// source is one Go file of the house.
type source struct {
	path, dir string
	test      bool
	lines     int
	ast       *ast.File
}

// judge lists everything in the tree that breaks a rule of the house.
func judge(t *testing.T, tree fs.FS) []string {
	t.Helper()
	sources := readSources(t, tree)
	problems := append(judgeRoot(t, tree), judgeParsers(sources)...)
	documented, files := map[string]bool{}, map[string]int{}
	for _, s := range sources {
		most := maxLines
		if s.test {
			most = maxTestLines
		}
		if s.lines > most && !ast.IsGenerated(s.ast) {
			problems = append(problems, fmt.Sprintf("%s has %d lines, more than %d", s.path, s.lines, most))
		}
		if s.test {
			continue
		}
		files[s.dir]++
		problems = append(problems, judgeImports(s)...)
		problems = append(problems, judgeNames(s)...)
		problems = append(problems, judgeStart(s)...)
		documented[s.dir] = documented[s.dir] || saysWhatItIs(s.ast)
	}
	for _, dir := range slices.Sorted(maps.Keys(documented)) {
		if !documented[dir] {
			problems = append(problems, fmt.Sprintf("package %s has no package comment", dir))
		}
		if files[dir] > maxFiles && !slices.Contains(families, dir) {
			problems = append(problems, fmt.Sprintf("package %s has %d files, more than %d: where is its seam?", dir, files[dir], maxFiles))
		}
	}
	return problems
}

// saysWhatItIs looks for a package comment in the usual form; a command may
// begin as it likes.
func saysWhatItIs(f *ast.File) bool {
	return f.Doc != nil && (f.Name.Name == "main" || strings.HasPrefix(f.Doc.Text(), "Package "+f.Name.Name))
}

func judgeRoot(t *testing.T, tree fs.FS) []string {
	t.Helper()
	entries, err := fs.ReadDir(tree, ".")
	require.NoError(t, err)
	ignored, err := fs.ReadFile(tree, ".gitignore")
	require.NoError(t, err)
	var problems []string
	for _, e := range entries {
		keptOut := slices.ContainsFunc(strings.Fields(string(ignored)), func(pattern string) bool {
			match, err := path.Match(strings.Trim(pattern, "/"), e.Name())
			return err == nil && match
		})
		if !keptOut && !slices.Contains(rootNames, e.Name()) {
			problems = append(problems, e.Name()+" does not belong at the top level")
		}
	}
	return problems
}

// readSources parses every Go file of the module. It does not mind files that
// do not compile: the compiler says that better.
func readSources(t *testing.T, tree fs.FS) []source {
	t.Helper()
	var sources []source
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.ContainsAny(d.Name()[:1], "._") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		sources = append(sources, source{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			lines: strings.Count(strings.TrimSuffix(string(text), "\n"), "\n") + 1, ast: file,
		})
		return nil
	})
	require.NoError(t, err)
	return sources
}

// judgeImports holds one file to the import table.
func judgeImports(s source) []string {
	rows := house()
	at := slices.IndexFunc(rows, func(r row) bool { return covers(r.pkg, s.dir) })
	if at < 0 {
		return []string{s.dir + " is not in the house's plan: give it a row, or put the code where it belongs"}
	}
	var problems []string
	for _, spec := range s.ast.Imports {
		imported := importPath(spec)
		allowed := slices.ContainsFunc(rows[at].may, func(may string) bool { return covers(module+"/"+may, imported) })
		if below(module, imported) && !allowed && !rows[at].anything {
			problems = append(problems, fmt.Sprintf("%s: %s may not import %s", s.path, s.dir, strings.TrimPrefix(imported, module+"/")))
		}
		if from, to := floorOf(module+"/"+s.dir), floorOf(imported); from.family != to.family && to.family != "" && to.height >= from.height {
			problems = append(problems, fmt.Sprintf("%s: harness/%s may not import harness/%s, which does not lie below it", s.path, from.family, to.family))
		}
		impureImport := slices.ContainsFunc(notInWorld, func(not string) bool { return below(not, imported) })
		if slices.Contains(plainValues, s.dir) && impureImport {
			problems = append(problems, fmt.Sprintf("%s: %s imports %s", s.path, s.dir, imported))
		}
	}
	return problems
}

// floor is where a package of harness lies, or what lies below one; its family is empty
// for any other package.
type floor struct {
	family string
	height int
}

func floorOf(pkg string) floor {
	inner, ok := strings.CutPrefix(pkg, module+"/harness/")
	if !ok {
		return floor{height: len(floors)}
	}
	family, _, _ := strings.Cut(inner, "/")
	return floor{family, slices.IndexFunc(floors, func(list []string) bool { return slices.Contains(list, family) })}
}

// judgeNames looks at every name that one file takes from another package.
func judgeNames(s source) []string {
	var problems []string
	imports := map[string]string{}
	for _, spec := range s.ast.Imports {
		name := localName(spec)
		imports[name] = importPath(spec)
		if name == "." {
			problems = append(problems, fmt.Sprintf("%s: dot import of %s", s.path, imports[name]))
		}
	}
	strict := slices.Contains(deterministic, s.dir)
	exempt := slices.ContainsFunc(slices.Collect(maps.Keys(wallClock)), func(dir string) bool { return below(dir, s.dir) })
	ast.Inspect(s.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		// Obj tells a local variable from a package, in a tree that need not compile.
		if !ok || x.Obj != nil || imports[x.Name] == "" {
			return true
		}
		name := imports[x.Name] + "." + sel.Sel.Name
		switch {
		case strict && impure.MatchString(name) && !seeded.MatchString(name):
			problems = append(problems, fmt.Sprintf("%s: %s in a deterministic package", s.path, name))
		case !exempt && readsClock.MatchString(name):
			problems = append(problems, fmt.Sprintf("%s: %s outside %v", s.path, name, slices.Sorted(maps.Keys(wallClock))))
		}
		return true
	})
	return problems
}

// judgeStart looks for expressions that are compiled when a process starts, whatever it
// is asked to do: each takes some 20 µs of every start.
func judgeStart(s source) []string {
	var problems []string
	for _, decl := range s.ast.Decls {
		if _, isFunc := decl.(*ast.FuncDecl); isFunc {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "MustCompile" {
				problems = append(problems, fmt.Sprintf("%s compiles an expression when any command starts: sync.OnceValue", s.path))
			}
			_, later := n.(*ast.FuncLit)
			return !later
		})
	}
	return problems
}

func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// localName is the name under which a file uses an import.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := importPath(spec)
	if versionSuffix.MatchString(path.Base(p)) {
		p = path.Dir(p)
	}
	return path.Base(p)
}

// covers says whether a name of the table, which may end in "/*", means pkg.
func covers(name, pkg string) bool {
	folder, all := strings.CutSuffix(name, "/*")
	return name == pkg || all && pkg != folder && below(folder, pkg)
}

// below says whether pkg is folder or lies in it.
func below(folder, pkg string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}
