package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// site is a place in the source where one small change can be made.
type site struct {
	file string
	line int
	// from and to are the bytes that are replaced.
	from, to int
	// text is what stands there instead, with %d for the number of the mutant.
	text string
	// what says what changes, for people.
	what string
}

// String is the place and the change in one line.
func (s site) String() string {
	return fmt.Sprintf("%s:%d: %s", strings.TrimPrefix(s.file, "./"), s.line, s.what)
}

// source is one file that is to be changed.
type source struct {
	path, pkg, dir string
	text           []byte
	sites          []site
}

// read lists the places in every file of some folders, tests left out.
func read(folders []string) ([]*source, error) {
	var list []*source
	for _, dir := range folders {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s holds no Go file: name the folder of a package, for example ./mockserver/world", dir)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			s, err := readFile(path, dir)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

func readFile(path, dir string) (*source, error) {
	text, err := os.ReadFile(path) //nolint:gosec // G304: it is a file of the tree.
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{set: set, source: &source{path: path, pkg: file.Name.Name, dir: dir, text: text}}
	for _, d := range file.Decls {
		if body, ok := d.(*ast.FuncDecl); ok && body.Body != nil && body.Name.Name != "init" {
			ast.Inspect(body.Body, f.visit)
		}
	}
	return f.source, nil
}

// finder collects the places of one file.
type finder struct {
	*source
	set *token.FileSet
}

// visit looks at one node. Constants, types and case labels are left alone: they
// have to be known when the program is compiled.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType, *ast.StructType, *ast.FuncType:
		return false
	case *ast.CaseClause:
		ast.Inspect(&ast.BlockStmt{List: n.Body}, f.visit)
		return false
	case *ast.IfStmt:
		f.add(n.Cond, "mutantFlip(%d, ", n.Cond, ")", "the condition is turned round")
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.ExprStmt:
		f.add(n, "if !mutantOn(%d) { ", n, " }", "the call is left out")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.add(n, "if !mutantOn(%d) { ", n, " }", "the assignment is left out")
		}
	case *ast.ReturnStmt:
		f.answer(n)
	case *ast.ForStmt: // a loop without its condition or its step does not end
		ast.Inspect(n.Body, f.visit)
		return false
	}
	return true
}

// answer turns what a function answers round.
func (f *finder) answer(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
			f.add(r, "mutantFlip(%d, ", r, ")", id.Name+" is turned round")
		}
	}
}

// binary changes an operator; both sides are read once.
func (f *finder) binary(n *ast.BinaryExpr) {
	name := map[token.Token]string{
		token.LSS: "mutantLess", token.LEQ: "mutantLessEqual", token.GTR: "mutantGreater", token.GEQ: "mutantGreaterEqual",
		token.ADD: "mutantAdd", token.SUB: "mutantSub",
	}[n.Op]
	becomes := map[token.Token]string{
		token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.ADD: "-", token.SUB: "+",
	}[n.Op]
	switch {
	case name != "":
		text := name + "(%d, " + f.quote(n.X) + ", " + f.quote(n.Y) + ")"
		f.place(n, text, n.Op.String()+" becomes "+becomes)
	case n.Op == token.LAND:
		f.place(n, "mutantAnd(%d, "+f.quote(n.X)+", func() bool { return "+f.quote(n.Y)+" })", "&& becomes ||")
	case n.Op == token.LOR:
		f.place(n, "mutantOr(%d, "+f.quote(n.X)+", func() bool { return "+f.quote(n.Y)+" })", "|| becomes &&")
	case n.Op == token.EQL, n.Op == token.NEQ:
		f.add(n, "mutantFlip(%d, ", n, ")", n.Op.String()+" is turned round")
	}
}

// literal changes a number or a text.
func (f *finder) literal(n *ast.BasicLit) {
	switch {
	case n.Kind == token.INT:
		f.add(n, "mutantInt(%d, ", n, ")", n.Value+" becomes one more")
	case n.Kind == token.STRING && len(n.Value) > 2:
		f.add(n, "mutantText(%d, ", n, ")", n.Value+" becomes empty")
	}
}

// add puts words before and after a node.
func (f *finder) add(at ast.Node, before string, n ast.Node, after, what string) {
	f.place(at, before+f.quote(n)+after, what)
}

func (f *finder) place(at ast.Node, text, what string) {
	f.sites = append(f.sites, site{
		file: f.path, line: f.set.Position(at.Pos()).Line, from: f.offset(at.Pos()), to: f.offset(at.End()), text: text, what: what,
	})
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

// quote is a node as it stands, safe inside a format.
func (f *finder) quote(n ast.Node) string {
	return strings.ReplaceAll(string(f.text[f.offset(n.Pos()):f.offset(n.End())]), "%", "%%")
}

// changed is the file with the sites of some mutants, by their numbers. Sites that
// overlap were not chosen together.
func (s *source) changed(chosen map[int]site) []byte {
	var numbers []int
	for n, c := range chosen {
		if c.file == s.path {
			numbers = append(numbers, n)
		}
	}
	slices.SortFunc(numbers, func(a, b int) int { return chosen[b].from - chosen[a].from })
	text := slices.Clone(s.text)
	for _, n := range numbers {
		c := chosen[n]
		text = slices.Replace(text, c.from, c.to, []byte(fmt.Sprintf(c.text, n))...)
	}
	return text
}
