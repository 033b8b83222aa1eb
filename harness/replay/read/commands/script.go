package commands

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// script is what is known while a script is read.
type script struct {
	part   *source.Part
	values source.Variables
	// lists are the arrays, and under "@" what a function was called with.
	lists     map[string][]string
	functions map[string]*syntax.Stmt
	// fed is what a function that is being read is given as input.
	fed struct {
		text  string
		given bool
	}
	deep  int // functions and loops around what is read
	found bool
}

// The bounds of what functions and loops may make of a script.
const (
	maxTimes = 100
	maxDeep  = 8
)

// walk reads a script from top to bottom: a function where it is called, a loop over plain words once for each.
func (s *script) walk(file *syntax.File, from int) {
	called := map[string]bool{}
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			called[call.Args[0].Lit()] = true
		}
		return true
	})
	s.read(file, from, called)
}

// read reads what stands in a part of a script.
func (s *script) read(part syntax.Node, from int, called map[string]bool) {
	inputs := map[*syntax.CallExpr]*syntax.Redirect{}
	syntax.Walk(part, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Stmt:
			if call, ok := n.Cmd.(*syntax.CallExpr); ok {
				for _, r := range n.Redirs {
					if r.Hdoc != nil || r.Op == syntax.WordHdoc {
						inputs[call] = r
					}
				}
			}
		case *syntax.FuncDecl:
			return !s.declared(n, called)
		case *syntax.ForClause:
			if s.unrolled(n, from, called) {
				return false
			}
			s.part.Skip(s.part.Line(from+int(n.Pos().Line())), "a loop: its commands were read once")
		case *syntax.WhileClause:
			s.part.Skip(s.part.Line(from+int(n.Pos().Line())), "a loop: its commands were read once")
		case *syntax.Assign:
			s.assign(n)
		case *syntax.CallExpr:
			s.call(n, inputs[n], from)
		}
		return true
	})
}

// ordinary are the programs that scripts call besides curl.
const ordinary = " curl wget jq echo printf cat sleep export read set unset source . cd exit return shift local eval test [ [[ true false : base64 openssl date uuidgen python python3 node " +
	"sed awk grep egrep tr cut head tail sort uniq wc tee xargs time sudo env mkdir rm mktemp trap wait exec command type declare readonly typeset seq tput clear pwd ls pushd popd "

// IsScript says whether a text is a script and nothing else: the shell can read all of it, and its commands are programs that
// scripts call, and functions of its own. What a terminal shows, or a person thinks, is none.
func IsScript(content []byte) bool {
	said := strings.ReplaceAll(string(content), "\r\n", "\n")
	if len(said) > MaxScript || nesting(said) > maxNesting {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(said), "")
	if err != nil {
		return false
	}
	own, all, curls := map[string]bool{}, true, false
	syntax.Walk(file, func(node syntax.Node) bool {
		if f, ok := node.(*syntax.FuncDecl); ok && f.Name != nil {
			own[f.Name.Value] = true
		}
		return true
	})
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			name := call.Args[0].Lit()
			curls = curls || isCurl(name)
			all = all && (isCurl(name) || own[name] || name != "" && strings.Contains(ordinary, " "+name+" "))
		}
		return all
	})
	return all && curls
}

// declared keeps a function that is called, to be read where it is. Of one in curl's place
// a call says all that curl is told.
func (s *script) declared(f *syntax.FuncDecl, called map[string]bool) bool {
	if f.Name == nil || !called[f.Name.Value] {
		return false
	}
	if !isCurl(f.Name.Value) {
		s.functions[f.Name.Value] = f.Body
	}
	return true
}

// unrolled reads a loop over words whose values are known once for each of them.
func (s *script) unrolled(loop *syntax.ForClause, from int, called map[string]bool) bool {
	words, ok := loop.Loop.(*syntax.WordIter)
	if !ok || loop.Select || s.deep >= maxDeep {
		return false
	}
	var values []string
	for _, word := range words.Items {
		list, many := s.many(word)
		if text, err := s.literal(word); !many && err == nil {
			if list = []string{text}; isBareVariable(word) {
				list = strings.Fields(text)
			}
		}
		values = append(values, list...)
	}
	if len(values) == 0 || len(values) > maxTimes || slices.ContainsFunc(values, func(v string) bool { return strings.ContainsAny(v, openMark+"*{$") }) {
		return false
	}
	s.deep++
	for _, value := range values {
		s.values[words.Name.Value] = value
		for _, stmt := range loop.Do {
			s.read(stmt, from, called)
		}
	}
	s.deep--
	return true
}

// called reads the function that a command calls, with what it is called with.
func (s *script) called(call *syntax.CallExpr, input *syntax.Redirect, from int) bool {
	body := s.functions[call.Args[0].Lit()]
	if body == nil || s.deep >= maxDeep || len(s.part.Exchanges) > maxTimes*maxDeep {
		return false
	}
	var args []string
	for _, word := range call.Args[1:] {
		list, many := s.many(word)
		if text, err := s.literal(word); !many && err == nil {
			list = []string{text}
		}
		args = append(args, list...)
	}
	fed, before, values := s.fed, s.lists["@"], s.values
	if input != nil {
		s.fed.text, s.fed.given = s.input(input)
	}
	s.lists["@"], s.values = args, values.With(nil)
	for i, arg := range args {
		s.values[strconv.Itoa(i+1)] = arg
	}
	s.deep++
	s.read(body, from, nil)
	s.deep--
	s.fed, s.lists["@"], s.values = fed, before, values
	return true
}

// moving are what changes the parameters of a script while it runs.
var moving = trail.Pattern(`\bshift\b|\bset +--|\bgetopts\b`)

// given sets what a script was run with, as a command line shows it that another file has: words that are known as they stand.
func (s *script) given(line, name, text string) {
	if line == "" || moving().MatchString(text) || nesting(line) > maxNesting {
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return
	}
	outside, done := &script{lists: map[string][]string{}}, false
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok || done {
			return !done
		}
		at := slices.IndexFunc(call.Args, func(w *syntax.Word) bool { return path.Base(w.Lit()) == path.Base(strings.ReplaceAll(name, `\`, "/")) })
		for i := range call.Args[at+1:] {
			if word := call.Args[at+1+i]; at >= 0 && !runs(word) {
				if value, err := outside.literal(word); err == nil && !strings.Contains(value, openMark) && len(value) <= maxValue {
					s.values[strconv.Itoa(i+1)] = value
				}
			}
		}
		done = at >= 0
		return !done
	})
}

// many are the words that an array stands for, as "${name[@]}" or "$@".
func (s *script) many(word *syntax.Word) (list []string, ok bool) {
	if len(word.Parts) != 1 {
		return nil, false
	}
	part := word.Parts[0]
	if quoted, is := part.(*syntax.DblQuoted); is && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	param, is := part.(*syntax.ParamExp)
	if !is || param.Param == nil {
		return nil, false
	}
	name := param.Param.Value
	if index, is := param.Index.(*syntax.Word); is && (index.Lit() == "@" || index.Lit() == "*") {
		list, ok = s.lists[name]
	} else if name == "@" || name == "*" {
		list, ok = s.lists["@"]
	}
	words := make([]string, len(list))
	for i := range list {
		words[i] = closed(list[i])
	}
	return words, ok
}

// assign remembers a variable's value, unless a program gives it.
func (s *script) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	delete(s.values, name)
	if a.Array != nil {
		if !a.Append {
			s.lists[name] = nil
		}
		for _, one := range a.Array.Elems {
			if value, err := s.literal(one.Value); err == nil && len(s.lists[name]) < maxVariables {
				s.lists[name] = append(s.lists[name], value)
			}
		}
		return
	}
	if a.Value == nil || a.Append || runs(a.Value) {
		return
	}
	if value, err := s.literal(a.Value); err == nil && len(value) <= maxValue {
		s.values[name] = value
	}
}

// environment gives the script's variables; one that is not known is open.
type environment struct {
	values source.Variables
	lists  map[string][]string
}

// Get gives a variable.
func (e environment) Get(name string) expand.Variable {
	value, ok := e.values[name]
	list, many := e.lists[name]
	switch {
	case ok:
	case many:
		return expand.Variable{Set: true, Kind: expand.Indexed, List: list}
	case name == "IFS":
		value = " \t\n"
	default:
		value = openMark + name + closeMark
	}
	return expand.Variable{Set: true, Kind: expand.String, Str: value}
}

// Each gives none: what is not named is not used.
func (e environment) Each(func(string, expand.Variable) bool) {}
