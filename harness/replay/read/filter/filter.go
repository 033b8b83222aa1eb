package filter

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// Filter is what stands behind a call, and prints what of its answer is shown.
type Filter struct {
	program part
	// opaque says that it is a program of which nothing is known, loose that its name is not known: what it prints may be all.
	opaque, loose bool
}

// Of is the filter behind the call of a command; nil where all of the answer is printed.
func Of(command string) *Filter {
	all := stages(command)
	return filterOf(all[min(1, len(all)):], false)
}

// Traced is the filter that a shell tells, which prints each command of a pipe on a line of its own; nil where there is none. The
// lines are those above the call's, and those below it.
func Traced(above, below []string) *Filter {
	var list []string
	for i := len(above) - 1; i >= 0 && isTraced(above[i]); i-- {
		list = append([]string{above[i][2:]}, list...)
	}
	for i := 0; i < len(below) && isTraced(below[i]); i++ {
		one := below[i][2:]
		for quoteOpen(one) && i+1 < len(below) && len(one) < mostProgram {
			i++
			one += "\n" + below[i]
		}
		list = append(list, one)
	}
	return filterOf(list, true)
}

// isTraced says whether a line tells of a program that filters, or that hands on what it is given.
func isTraced(line string) bool {
	if !strings.HasPrefix(line, "+ ") {
		return false
	}
	name := programIn(line[2:])
	return name == "jq" || opaque().MatchString(name) || name == "tee" || name == "cat"
}

var (
	// passes is a program that prints what it is given, as it is or laid out anew, and opaque one that prints what it is told to.
	passes = trail.Pattern(`(?i)^(?:tee|cat|less|more|most|head|tail|ts|tr|sed|grep|egrep|json_pp|bat|batcat|nl|sort|pbcopy|xclip|clip|tee-object|out-\w+|write-\w+|format-list|fl|convertto-json|convertfrom-json|where-object|where|\?|stdbuf|unbuffer|iconv|json_reformat|jsonlint|prettyjson|pygmentize)$`)
	opaque = trail.Pattern(`(?i)^(?:python[0-9.]*|py|node|deno|bun|perl|ruby|php|g?awk|mawk|cut|column|paste|xargs|fx|gron|yq|mlr|dasel|jello|jp|jmespath|foreach-object|foreach|%|ft|format-table|measure-object|measure|group-object|group)$`)
	// formats is a program that lays JSON out anew, and does no more.
	formats = trail.Pattern(`(?:-m ?json\.tool|json\.dumps\(\s*json\.loads?\(\s*sys\.stdin(?:\.read\(\))?\s*\)\s*(?:,\s*(?:indent|sort_keys|ensure_ascii)\s*=\s*\w+\s*)*\))`)
	// selects are the names of members that PowerShell's Select-Object keeps, or of the one whose value it takes.
	selects = trail.Pattern(`(?i)^(?:select|select-object)(?:\s+-property)?\s+(\w+(?:\s*,\s*\w+)*)\s*$`)
	expands = trail.Pattern(`(?i)^(?:select|select-object)\s+-expand\w*\s+(\w+)\s*$`)
)

// filterOf is the filter that the programs of a pipe are, one behind the other; nil where they hand on all.
func filterOf(list []string, traced bool) *Filter {
	f := Filter{program: part{kind: steps}}
	for _, one := range list {
		name := programIn(one)
		switch {
		case name == "jq":
			f.opaque = !f.jq(one) || f.opaque
		case selects().MatchString(one):
			kept := part{kind: object}
			for _, member := range strings.Split(selects().FindStringSubmatch(one)[1], ",") {
				kept.parts = append(kept.parts, entryNamed(strings.TrimSpace(member)))
			}
			f.program.parts = append(f.program.parts, kept)
		case expands().MatchString(one):
			f.program.parts = append(f.program.parts, part{kind: member, name: expands().FindStringSubmatch(one)[1]})
		case passes().MatchString(name), formats().MatchString(one), traced && !opaque().MatchString(name):
		case opaque().MatchString(name), strings.HasPrefix(strings.ToLower(name), "select"):
			f.opaque = true
		default:
			f.loose = true
		}
	}
	if !f.opaque && !f.loose && len(f.program.flat(nil)) == 0 {
		return nil
	}
	return &f
}

// taking is how many words options of jq take besides, and unread are those with which what it is given, or its program, is not known.
var (
	taking = map[string]int{"--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2, "--indent": 1, "-L": 1}
	unread = trail.Pattern(`^(?:--(?:from-file|slurp|raw-input|null-input|stream).*|-[A-Za-z]*[fsRn][A-Za-z]*)$`)
)

// jq adds the program of a command of jq, and says whether that is shown.
func (f *Filter) jq(command string) bool {
	all := words(command)
	for i := 1; i < len(all); i++ {
		one := all[i]
		switch {
		case unread().MatchString(one):
			return false
		case strings.HasPrefix(one, "-") && len(one) > 1:
			i += taking[one]
		default:
			p := programOf(one)
			f.program.parts = append(f.program.parts, p)
			return p.kind != unknown
		}
	}
	return true
}

// Answer is an answer, of a call to a path, of which the filter has printed objects, in this order: JSON that says of itself that
// more of it stood there. It is nil where they do not tell what the answer held.
func (f *Filter) Answer(to string, objects [][]byte) []byte {
	var values []any
	for _, one := range objects {
		var value map[string]any
		d := json.NewDecoder(bytes.NewReader(one))
		d.UseNumber()
		if d.Decode(&value) != nil {
			return nil
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return nil
	}
	if f.opaque {
		return source.Beside(to, objects[0])
	}
	made := f.program.answer(values)
	if len(made) < 2 { // what says that there was more
		return nil
	}
	return trail.Quote(made)
}

// programIn is the name of the program that a command of a pipe begins with.
func programIn(command string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	return strings.TrimSuffix(path.Base(name), ".exe")
}

// stages are the commands of the pipe that a line begins with.
func stages(command string) (all []string) {
	from := 0
	for at, sign := range unquoted(command) {
		behind := command[at+1:]
		switch {
		case sign == '|' && !strings.HasPrefix(behind, "|") && (at == 0 || command[at-1] != '|'):
			all, from = append(all, strings.TrimSpace(command[from:at])), at+1
		case sign == ';', sign == '|', sign == '&' && strings.HasPrefix(behind, "&"), sign == '\n' && (at == 0 || !strings.ContainsRune("\\^`|", rune(command[at-1]))) && !strings.HasPrefix(strings.TrimSpace(behind), "|"):
			return append(all, strings.TrimSpace(command[from:at]))
		}
	}
	return append(all, strings.TrimSpace(command[from:]))
}

// words are those of a command, without the quotes around them.
func words(command string) (all []string) {
	from := 0
	for at, sign := range unquoted(command + " ") {
		if sign != ' ' && sign != '\t' && sign != '\n' {
			continue
		}
		if word := command[min(from, len(command)):min(at, len(command))]; word != "" && word != "\\" {
			if quote := word[0]; len(word) > 1 && (quote == '\'' || quote == '"') && word[len(word)-1] == quote {
				if word = word[1 : len(word)-1]; quote == '"' {
					word = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, `$`).Replace(word)
				}
			}
			all = append(all, word)
		}
		from = at + 1
	}
	return all
}

// quoteOpen says whether a text ends within quotes.
func quoteOpen(said string) bool {
	return !slices.ContainsFunc(words(said+"\n\x00"), func(w string) bool { return w == "\x00" })
}
