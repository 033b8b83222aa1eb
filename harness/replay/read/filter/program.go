package filter

import (
	"strconv"
	"strings"

	"paysandbox/harness/trail"
)

// The bounds of a program that is read, in bytes, and of how deep its parts nest.
const (
	mostProgram = 4 << 10
	deepest     = 32
)

// part is a part of a jq program, as far as it can be told what it was given from what it printed.
type part struct {
	kind kind
	// name is that of a member, or a text.
	name string
	// parts are the steps of a path, the entries of an object by their names, or what is put together.
	parts []part
}

// kind says what a part is.
type kind int

const (
	unknown kind = iota // of which nothing can be told
	member              // .name
	each                // []
	some                // select(…), del(…): it prints what it is given, or less
	steps               // one behind the other
	object              // {name: …}
	entry               // of an object
	list                // […]
	joined              // texts, put together by +
	text                // "…"
	several             // …, …
)

// reader reads a program.
type reader struct {
	words []string
	deep  int
}

// token is a word of a program, or a text in it.
var token = trail.Pattern(`^(?:"(?:[^"\\]|\\.)*"|\.?[A-Za-z_@$][A-Za-z0-9_]*|[0-9]+|\.\.|[<>=!/]=|//|.)`)

// programOf reads a program; a part of it that is not known here is unknown.
func programOf(program string) part {
	r := &reader{}
	for rest := strings.TrimSpace(program); rest != "" && len(program) <= mostProgram; {
		word := token().FindString(rest)
		if word == "" {
			return part{}
		}
		r.words, rest = append(r.words, word), strings.TrimSpace(rest[len(word):])
	}
	p := r.piped()
	if len(r.words) > 0 {
		return part{}
	}
	return p
}

// next is the word that comes, "" for none.
func (r *reader) next() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

// takes says whether a word comes, and goes behind it.
func (r *reader) takes(word string) bool {
	if r.next() != word {
		return false
	}
	r.words = r.words[1:]
	return true
}

// piped reads parts of which each is given what the one before it prints.
func (r *reader) piped() part { return r.between("|", steps, r.several) }

// several reads parts with commas between them.
func (r *reader) several() part { return r.between(",", several, r.sum) }

// sum reads what is put together.
func (r *reader) sum() part { return r.between("+", joined, r.term) }

// between reads parts with a sign between them.
func (r *reader) between(sign string, k kind, read func() part) part {
	if r.deep++; r.deep > deepest {
		r.words = nil
		return part{}
	}
	defer func() { r.deep-- }()
	all := []part{read()}
	for r.takes(sign) {
		all = append(all, read())
	}
	if len(all) == 1 {
		return all[0]
	}
	return part{kind: k, parts: all}
}

// closers are the signs that close what others open.
var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// pass goes behind what a sign has opened.
func (r *reader) pass() {
	for open := []string{closers[r.next()]}; len(open) > 0; {
		if r.words = r.words[1:]; len(r.words) == 0 {
			return
		}
		if closer := closers[r.next()]; closer != "" {
			open = append(open, closer)
		} else if r.next() == open[len(open)-1] {
			open = open[:len(open)-1]
		}
	}
	r.words = r.words[1:]
}

// term reads one part, with what stands behind it. Behind one that is compared, or calculated with, nothing is known.
func (r *reader) term() part {
	p := r.single()
	known := p.kind != unknown
	for w := r.next(); w != "" && !strings.Contains(",|+)]}", w); w = r.next() {
		known = false
		if closers[w] != "" {
			r.pass()
			continue
		}
		r.words = r.words[1:]
	}
	if !known {
		return part{}
	}
	return p
}

// single reads a path, a text, or what stands in brackets.
func (r *reader) single() part {
	w := r.next()
	switch {
	case w == "(":
		r.words = r.words[1:]
		p := r.piped()
		if !r.takes(")") {
			r.words = nil
		}
		return p
	case w == "[":
		r.words = r.words[1:]
		p := part{kind: list, parts: []part{r.piped()}}
		if !r.takes("]") {
			r.words = nil
		}
		return p
	case w == "{":
		return r.object()
	case w == "select" || w == "del":
		return r.called()
	case w == "map":
		r.words = r.words[1:]
		return part{kind: list, parts: []part{{kind: steps, parts: []part{{kind: each}, r.single()}}}}
	case strings.HasPrefix(w, `"`) && !strings.Contains(w, `\(`):
		r.words = r.words[1:]
		said, err := strconv.Unquote(w)
		if err != nil {
			return part{}
		}
		return part{kind: text, name: said}
	case strings.HasPrefix(w, ".") && w != "..":
		return r.path()
	default:
		return part{}
	}
}

// called reads a function that leaves out what it is told to.
func (r *reader) called() part {
	if r.words = r.words[1:]; r.next() != "(" {
		return part{}
	}
	r.pass()
	return part{kind: some}
}

// path reads the steps of a path.
func (r *reader) path() part {
	p := part{kind: steps}
	for {
		w := r.next()
		switch {
		case w == ".":
			r.words = r.words[1:]
			if next := r.next(); strings.HasPrefix(next, `"`) {
				r.words = r.words[1:]
				p.parts = append(p.parts, part{kind: member, name: strings.Trim(next, `"`)})
			}
		case strings.HasPrefix(w, ".") && w != "..":
			r.words = r.words[1:]
			p.parts = append(p.parts, part{kind: member, name: w[1:]})
		case w == "?":
			r.words = r.words[1:]
		case w == "[" && len(r.words) > 1 && r.words[1] == "]":
			r.words = r.words[2:]
			p.parts = append(p.parts, part{kind: each})
		case w == "[" && len(r.words) > 2 && r.words[2] == "]" && strings.HasPrefix(r.words[1], `"`):
			p.parts = append(p.parts, part{kind: member, name: strings.Trim(r.words[1], `"`)})
			r.words = r.words[3:]
		default:
			return p
		}
	}
}

// object reads an object that is made: a name alone stands for the member of that name.
func (r *reader) object() part {
	r.words = r.words[1:]
	p := part{kind: object}
	for !r.takes("}") {
		name := strings.Trim(r.next(), `"`)
		if len(r.words) < 2 || strings.ContainsAny(name, ".$@\\(){}[]") || name == "" {
			r.words = nil
			return part{}
		}
		r.words = r.words[1:]
		one := entryNamed(name)
		if r.takes(":") {
			one.parts = []part{r.between("|", steps, r.sum)}
		}
		p.parts = append(p.parts, one)
		r.takes(",")
	}
	return p
}

// entryNamed is an entry of an object that takes the member of its name.
func entryNamed(name string) part {
	return part{kind: entry, name: name, parts: []part{{kind: steps, parts: []part{{kind: member, name: name}}}}}
}
