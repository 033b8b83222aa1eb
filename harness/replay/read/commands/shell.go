package commands

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// Shell reads the curl commands of a shell script, or of a few lines copied from one.
// The script is not run: its variables are those that it sets to plain values; the rest
// stays open, as ${name}. A line that the shell's grammar refuses is listed, and the
// reading goes on behind it.
func Shell(f *source.File, v source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "curl")
	s := &script{part: p, values: v.With(nil), lists: map[string][]string{}, functions: map[string]*syntax.Stmt{}}
	text := strings.ReplaceAll(string(f.Text()), "\r\n", "\n")
	if len(text) > MaxScript || nesting(text) > maxNesting {
		return nil, &source.Error{
			File: f.Name, Format: "curl", Fix: "give it in parts",
			Err: fmt.Errorf("it is larger than %d bytes, or its brackets nest deeper than %d", MaxScript, maxNesting),
		}
	}
	s.given(v.Run(f.Name), f.Name, text)
	from := 0 // lines before what is left
	for range maxBroken {
		rest := afterLines(text, from)
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(0)).Parse(strings.NewReader(rest), "")
		if err == nil {
			s.walk(file, from)
			return p, s.none(f)
		}
		var broken syntax.ParseError
		line := 1
		if errors.As(err, &broken) {
			line = max(1, int(broken.Pos.Line()))
		}
		s.readUntil(rest, from, line)
		p.Skip(p.Line(from+line), "the shell cannot read this line: "+broken.Text)
		if from += line; from > strings.Count(text, "\n") {
			return p, s.none(f)
		}
	}
	p.Skip(p.Line(from), "what stands from this line on: too much before it could not be read")
	return p, s.none(f)
}

// none is the error for a file without any curl command.
func (s *script) none(f *source.File) error {
	if s.found || len(s.part.Skipped) > 0 && len(s.part.Exchanges) > 0 {
		return nil
	}
	return &source.Error{File: f.Name, Format: "curl", Err: errors.New("it has no curl command"), Expected: "lines that begin with curl"}
}

// afterLines is a text without its first lines.
func afterLines(text string, n int) string {
	for range n {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// readUntil reads what stands before a line that cannot be read.
func (s *script) readUntil(text string, from, line int) {
	before := strings.Join(strings.SplitN(text, "\n", line)[:line-1], "\n")
	if file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(before), ""); err == nil {
		s.walk(file, from)
	}
}

// The bounds of a script, and of what its variables can make of one command. MaxScript is how long one is read, in bytes.
const (
	maxVariables = 256
	maxValue     = 4096
	MaxScript    = 1 << 18
	maxBroken    = 50 // times that the reading goes on behind a broken line
)

// maxNesting is how deep brackets may nest. The grammar is read by functions that call
// themselves, some with many kilobytes a level.
const maxNesting = 1_000

// nesting is how deep the brackets of a text nest, wherever they stand.
func nesting(text string) (deepest int) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// runs says whether a word holds the output of a program.
func runs(w *syntax.Word) (found bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// call reads a command, if it is one of curl.
func (s *script) call(call *syntax.CallExpr, input *syntax.Redirect, from int) {
	if len(call.Args) == 0 {
		return
	}
	if s.called(call, input, from) {
		return
	}
	at := slices.IndexFunc(call.Args[:min(len(call.Args), 4)], func(word *syntax.Word) bool { // behind time, sudo, a prompt
		return isCurl(word.Lit())
	})
	if at < 0 {
		return
	}
	s.found = true
	c := command{line: from + int(call.Pos().Line()), values: s.values}
	if count(call) > maxVariables {
		s.part.Skip(s.part.Line(c.line), fmt.Sprintf("the curl line has more than %d variables", maxVariables))
		return
	}
	for _, word := range call.Args[at+1:] {
		if list, ok := s.many(word); ok {
			c.words = append(c.words, list...)
			continue
		}
		text, err := s.literal(word)
		switch {
		case err != nil:
			s.part.Skip(s.part.Line(c.line), "a word of the curl line cannot be read")
		case isBareVariable(word) && !strings.Contains(text, openMark):
			c.words = append(c.words, strings.Fields(text)...)
		default:
			c.words = append(c.words, closed(text))
		}
	}
	if programOf(call.Args[at].Lit()) == "wget" {
		c.words = fromWgetWords(c.words)
	}
	if c.input, c.hasInput = s.fed.text, s.fed.given; input != nil {
		c.input, c.hasInput = s.input(input)
	}
	addCurl(s.part, c)
}

// count is how many variables and outputs of programs stand in a command.
func count(call *syntax.CallExpr) (n int) {
	syntax.Walk(call, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
			n++
		}
		return true
	})
	return n
}

// isBareVariable says whether a word is a variable without quotes, which the shell
// splits into words.
func isBareVariable(word *syntax.Word) bool {
	if len(word.Parts) != 1 {
		return false
	}
	_, ok := word.Parts[0].(*syntax.ParamExp)
	return ok
}

func isCurl(word string) bool { return programOf(word) == "curl" || programOf(word) == "wget" }

func programOf(word string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}

// wgetOptions are those of wget that make a call what it is, as curl names them.
var wgetOptions = map[string]string{
	"--method": "--request", "--body-data": "--data-raw", "--post-data": "--data-raw", "--body-file": "--upload-file", "--post-file": "--upload-file",
	"-U": "--user-agent", "-O": "--output", "--output-document": "--output", "-o": "--output", "--output-file": "--output", "-t": "--retry", "-T": "--max-time",
}

// fromWgetWords are the words of a wget command as curl takes them.
func fromWgetWords(words []string) []string {
	var out []string
	for _, word := range words {
		name, value, has := strings.Cut(word, "=")
		switch to := wgetOptions[name]; {
		case quietly().MatchString(word): // where the answer goes, as -qO-
		case to != "" && has:
			out = append(out, to+"="+value)
		case to != "" && strings.HasPrefix(word, "-"):
			out = append(out, to)
		default:
			out = append(out, word)
		}
	}
	return out
}

// quietly are wget's short options in one word that say nothing of the call.
var quietly = trail.Pattern(`^-[qnvS]*O-$|^-(?:[qvS]|nv)+$`)

// input is what a here-document or a here-string gives to a command.
func (s *script) input(r *syntax.Redirect) (text string, ok bool) {
	if r.Hdoc != nil {
		text, err := expand.Document(s.config(), r.Hdoc)
		return closed(text), err == nil
	}
	text, err := s.literal(r.Word)
	return closed(text) + "\n", err == nil
}

// config expands words by what the script says alone.
func (s *script) config() *expand.Config {
	return &expand.Config{
		Env: environment{s.values, s.lists},
		CmdSubst: func(w io.Writer, _ *syntax.CmdSubst) error {
			_, err := io.WriteString(w, openMark+"output"+closeMark)
			return err
		},
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return openMark + "output" + closeMark, nil },
	}
}

// literal is a word as the shell takes it. The library leaves the backslashes in that stand outside of quotes, as in 'it'\\”s'.
func (s *script) literal(word *syntax.Word) (string, error) {
	if word == nil {
		return "", nil
	}
	plain := *word
	plain.Parts = slices.Clone(word.Parts)
	for i, part := range plain.Parts {
		if said, ok := part.(*syntax.Lit); ok && strings.Contains(said.Value, `\`) {
			one := *said
			one.Value = escaped().ReplaceAllString(said.Value, "$1")
			plain.Parts[i] = &one
		}
	}
	return expand.Literal(s.config(), &plain)
}

// escaped is a sign behind a backslash; one behind which the line ends is none.
var escaped = trail.Pattern(`\\(?:\r?\n|([\s\S]))`)

// openMark and closeMark stand around an open variable's name while words are expanded,
// so that a pattern is not seen in it.
const openMark, closeMark = "\x01", "\x02"

// closed writes open variables as the shell does.
func closed(text string) string {
	return strings.NewReplacer(openMark, "${", closeMark, "}").Replace(text)
}
