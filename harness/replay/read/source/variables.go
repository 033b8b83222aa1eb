package source

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"paysandbox/harness/trail"
)

// Variables are values by the names that a file uses for them.
type Variables map[string]string

// Fill replaces {{name}} by its value, also in values. A name without a value stays as
// it is, so that equal ones stay equal.
func (v Variables) Fill(text string) string {
	budget := MaxAddress
	return v.fill(text, 0, &budget)
}

func (v Variables) fill(text string, depth int, budget *int) string {
	if depth > 8 || !strings.Contains(text, "{{") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return b.String() + "{{" + rest
		}
		value, known := v[strings.TrimSpace(name)]
		if known && *budget > len(value) {
			*budget -= len(value)
			b.WriteString(v.fill(value, depth+1, budget))
		} else {
			b.WriteString("{{" + name + "}}")
		}
		text = after
	}
}

// With is a copy with more values, which come before those that were there.
func (v Variables) With(more Variables) Variables {
	all := make(Variables, len(v)+len(more))
	for name, value := range v {
		all[name] = value
	}
	for name, value := range more {
		all[name] = value
	}
	return all
}

// SetBeside adds the content of a file that was given beside others, by its name.
func (v Variables) SetBeside(name string, content []byte) { v["@"+base(name)] = string(content) }

// shows is a command at whose end a file's content follows, as a terminal prints it, or takes it.
var shows = trail.Pattern(`(?m)^(?:[^\n]{0,80}?[$#%>❯] ?)?(?:cat|type|Get-Content|bat -p|jq \.) +(?:> *)?([\w./\\-]{1,100}\.json)(?: *<<-? *["']?\w+["']?)?[ \t]*\r?\n`)

// ShowsFile says whether a line is a command at whose end a file's content follows: what that is belongs to no call.
func ShowsFile(line string) bool { return shows().MatchString(line + "\n") }

// mostShown is how many files' contents are taken of one text, and mostContent how long each may be.
const (
	mostShown   = 32
	mostContent = 64 << 10
)

// SetShown adds the contents of files that a terminal shows before commands that name them: JSON objects. One that may have been
// changed in between, or is shown with two contents, is not known.
func (v Variables) SetShown(text []byte) {
	if !bytes.Contains(text, []byte(".json")) { // patterns are dear
		return
	}
	contents := map[string]json.RawMessage{}
	for _, at := range shows().FindAllSubmatchIndex(text, mostShown) {
		name, rest := base(string(text[at[2]:at[3]])), text[at[1]:min(len(text), at[1]+mostContent)]
		var object json.RawMessage
		if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{")) || json.NewDecoder(bytes.NewReader(rest)).Decode(&object) != nil {
			object = nil
		}
		if was, before := contents[name]; before && !bytes.Equal(was, object) {
			object = nil
		}
		contents[name] = object
	}
	for name, object := range contents {
		if _, given := v.Beside(name); object != nil && !given && !changed(text, name) {
			v.SetBeside(name, object)
		}
	}
}

// changed says whether a text has a command that may change a file.
func changed(text []byte, name string) bool {
	return regexp.MustCompile(`(?m)(?:\b(?:vim?|nvim|nano|emacs|code|subl|ed|mv|cp|sed|perl|tee|notepad)\b[^\n]*[ /]|>[ \t]*)` + regexp.QuoteMeta(name) + `[ \t;&|]*\r?$`).Match(text)
}

// Beside is the content of a file that another one names, wherever that has it, if it was given beside.
func (v Variables) Beside(name string) (content string, given bool) {
	content, given = v["@"+base(name)]
	return content, given
}

// ran is a command line behind a prompt, or told of by a shell, that runs a script.
var ran = trail.Pattern(`(?m)^(?:\+|[^\n]{0,80}?(?:[$%❯]|[^\s#>][#>])) +((?:time +)?(?:(?:ba|da|k|z)?sh +(?:-[a-z]+ +)*)?(?:[\w.~/-]{0,100}/)?([\w.-]{1,80}\.(?:sh|bash|zsh))(?: [^\r\n]*)?)\r?$`)

// mostRuns is how many command lines are taken of one text, and longestRun how long each may be.
const mostRuns, longestRun = 64, 1 << 10

// IsScript says whether a file's name is that of a script of the shell.
func IsScript(name string) bool {
	return strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".bash") || strings.HasSuffix(name, ".zsh")
}

// SetRuns adds the command lines by which a text shows that scripts were run, each by its script. One that was run in two ways is not
// known, for it is read once; nor is what a script says itself of how it is run.
func (v Variables) SetRuns(name string, text []byte) {
	for _, found := range ran().FindAllSubmatch(text, mostRuns) {
		line, script := string(found[1]), string(found[2])
		if was, known := v["!"+script]; known && was != line || len(line) > longestRun {
			line = ""
		}
		if script != base(name) {
			v["!"+script] = line
		}
	}
}

// Run is the command line by which a script was run, "" where that is not known.
func (v Variables) Run(name string) string { return v["!"+base(name)] }

func base(name string) string { return name[strings.LastIndexAny(name, `/\`)+1:] }

var (
	inBraces = trail.Pattern(`\{\{((?:[^}]|\}[^}])*)\}\}`)
	wordsOf  = trail.Pattern(`[A-Za-z0-9_]+`)
)

// Template is a text as it is, but for one that n8n takes for a template since it begins with "=": what stands in its
// braces are variables then, named by their words. Nothing is evaluated.
func Template(text string) string {
	if !strings.HasPrefix(text, "=") || !strings.Contains(text, "{{") || !strings.Contains(text, "}}") {
		return text
	}
	return inBraces().ReplaceAllStringFunc(text[1:], Open)
}

// Open is a variable without a value, named by the words of a text.
func Open(text string) string {
	return "{{" + strings.Join(wordsOf().FindAllString(text, -1), ".") + "}}"
}
