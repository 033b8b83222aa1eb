package commands

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Printing are the curl commands of a script that print their answers, with the pipes behind them, as they stand in it but for the variables that the script sets to
// plain values, and for what it is given, and whether they stand in a loop. It is none of a script of which that cannot be told: which
// makes some calls and not others, or other ones each time.
func Printing(text string, given []string) (calls []string, loops bool) {
	if len(text) > MaxScript || nesting(text) > maxNesting {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, false
	}
	p := printing{text: text, values: map[string]string{}}
	for i, word := range given {
		p.values[strconv.Itoa(i+1)] = word
	}
	syntax.Walk(file, p.node)
	if p.unsure || p.inLoop > 0 && p.inLoop != len(p.calls) {
		return nil, false
	}
	return p.calls, p.inLoop > 0
}

type printing struct {
	text   string
	values map[string]string
	loops  []*syntax.WhileClause
	calls  []string
	inLoop int
	unsure bool
	pipes  []*syntax.BinaryCmd
}

// node takes a part of a script; what a command's output is put into is none that prints.
func (p *printing) node(node syntax.Node) bool {
	switch n := node.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return false
	case *syntax.IfClause, *syntax.CaseClause, *syntax.FuncDecl, *syntax.ForClause:
		p.unsure = p.unsure || strings.Contains(p.of(n), "curl")
	case *syntax.WhileClause:
		p.loops = append(p.loops, n)
	case *syntax.BinaryCmd:
		p.pair(n)
	case *syntax.Stmt:
		p.unsure = p.unsure || (n.Background || p.kept(n)) && p.calling(n)
	case *syntax.Assign:
		p.assign(n)
	case *syntax.CallExpr:
		p.call(n)
	}
	return true
}

// pair takes two commands, of which a pipe prints what the second does.
func (p *printing) pair(n *syntax.BinaryCmd) {
	if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
		p.pipes = append(p.pipes, n)
		return
	}
	p.unsure = p.unsure || p.calling(n.Y)
}

// of is what a part of a script is written as.
func (p *printing) of(n syntax.Node) string { return p.text[n.Pos().Offset():n.End().Offset()] }

func (p *printing) calling(s *syntax.Stmt) bool { return strings.Contains(p.of(s), "curl") }

// kept says whether what a command prints goes to a file.
func (p *printing) kept(s *syntax.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool {
		return (r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrAll || r.Op == syntax.AppAll) && (r.N == nil || r.N.Value == "1")
	})
}

// assign remembers a plain value, and forgets one that a program gives.
func (p *printing) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	delete(p.values, a.Name.Value)
	if a.Value == nil || a.Append || a.Array != nil {
		return
	}
	if value := strings.Trim(p.of(a.Value), `"'`); len(value) <= maxValue && !strings.ContainsAny(value, "$`\"'\\ \n") {
		p.values[a.Name.Value] = value
	}
}

// filled is a command as it is written, with the values of the variables that are known.
func (p *printing) filled(n *syntax.CallExpr) string {
	var b strings.Builder
	from := n.Args[0].Pos().Offset()
	syntax.Walk(n, func(node syntax.Node) bool {
		v, is := node.(*syntax.ParamExp)
		if !is || v.Param == nil || strings.Trim(p.of(v), "${}") != v.Param.Value {
			return true
		}
		if value, known := p.values[v.Param.Value]; known && v.Pos().Offset() >= from {
			b.WriteString(p.text[from:v.Pos().Offset()] + value)
			from = v.End().Offset()
		}
		return false
	})
	return b.String() + p.text[from:n.End().Offset()]
}

// behind is what stands behind a command in its pipe.
func (p *printing) behind(n *syntax.CallExpr) string {
	for _, pipe := range p.pipes { // the outermost first
		if pipe.Pos().Offset() <= n.Pos().Offset() && n.End().Offset() <= pipe.End().Offset() {
			return p.text[n.End().Offset():pipe.End().Offset()]
		}
	}
	return ""
}

// call takes a command, if it is one of curl.
func (p *printing) call(n *syntax.CallExpr) {
	if len(n.Args) == 0 || programOf(n.Args[0].Lit()) != "curl" {
		return
	}
	p.calls = append(p.calls, p.filled(n)+p.behind(n))
	for _, loop := range p.loops {
		if loop.Pos().Offset() <= n.Pos().Offset() && n.End().Offset() <= loop.End().Offset() {
			p.inLoop++
			return
		}
	}
}
