package text

import (
	"bytes"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// Bounds of the scripts that a terminal shows: how many, lines of one, how long a command in one is, and how often all are run and
// answered.
const (
	mostScripts = 16
	mostLines   = 200
	mostCommand = 8 << 10
	mostRuns    = 200
	mostAnswers = 2000
)

var (
	// showsScript is a prompt with a command that shows a file, and its name.
	showsScript = trail.Pattern(`^([^\n]{0,80}?[$#%>❯] ?)(?:cat|bat -p)[ \t]+(?:\./)?([\w-][\w./-]{0,99})[ \t]*$`)
	// runsScript is one that runs it, with what it is given.
	runsScript = trail.Pattern(`^([^\n]{0,80}?[$#%>❯] ?)(?:time )?(?:\./|(?:ba|da|z|k)?sh[ \t]+(?:\./)?|(?:source|\.)[ \t]+(?:\./)?)([\w-][\w./-]{0,99})((?:[ \t]+[\w.@:/+-]{1,100}){0,9})[ \t]*(?:(?:2>&1[ \t]*)?\|[ \t]*tee[ \t]+(?:-a[ \t]+)?\S+)?[ \t]*$`)
	// alters is a command that may change a file.
	alters = trail.Pattern(`(?:\b(?:vim?|nvim|nano|emacs|code|subl|ed|mv|cp|sed|perl|tee|patch|git|curl|wget)\b|>)`)
	// answersAt is how an answer begins that is shown with its head, and objectAt one without; or what curl says where none came.
	answersAt = trail.Pattern(`^(?:HTTP/[0-9.]+ [2-5][0-9]{2}\b|curl: \((?:[3-9]|28|35|52|55|56)\))`)
	objectAt  = trail.Pattern(`^(?:[{\[]\s*(?:["{}\[\]]|\r?$)|curl: \((?:[3-9]|28|35|52|55|56)\))`)
)

// shown is a script that a terminal shows, with the lines that it stands on, from the first to before the last.
type shown struct {
	prompt, text string
	from, to     int
	used         bool
}

// unfolded is a text in which a terminal shows scripts and runs them: each answer that a run prints stands below the command that it
// answers, and the scripts are left out. The lines are those of the text, from 1, that stand where the new ones do; nil where nothing was
// changed.
func unfolded(text string, f *source.File) (made string, lines []int) {
	if !strings.Contains(text, "curl") || strings.Contains(text, `\r\n`) || strings.Count(text, "\n") != bytes.Count(f.Text(), []byte("\n")) {
		return text, nil // its lines are not those of the file
	}
	u := unfolding{list: strings.Split(text, "\n"), scripts: map[string]*shown{}, before: map[int]string{}}
	u.look()
	if !slices.ContainsFunc(u.all, func(s *shown) bool { return s.used }) {
		return text, nil
	}
	gone := map[int]bool{}
	for _, s := range u.all {
		for n := s.from; n < s.to && s.used; n++ {
			gone[n] = true
		}
	}
	var b strings.Builder
	for n, line := range u.list {
		if command := u.before[n]; command != "" {
			b.WriteString(command + "\n")
			for range 1 + strings.Count(command, "\n") {
				lines = append(lines, n+1)
			}
		}
		if gone[n] {
			line = ""
		}
		b.WriteString(line + "\n")
		lines = append(lines, n+1)
	}
	return strings.TrimSuffix(b.String(), "\n"), lines
}

// unfolding is what is known while a text is unfolded: its lines, the scripts by their names, and the commands that belong before lines.
type unfolding struct {
	list    []string
	scripts map[string]*shown
	all     []*shown
	before  map[int]string
	runs    int
}

// look goes through the lines.
func (u *unfolding) look() {
	for n := 0; n < len(u.list); n++ {
		line := strings.TrimRight(u.list[n], "\r")
		if len(line) > 300 {
			continue
		}
		if found := showsScript().FindStringSubmatch(line); found != nil && len(u.all) < mostScripts {
			end := u.until(n+1, found[1])
			s := &shown{prompt: found[1], from: n + 1, to: end, text: strings.Join(u.list[n+1:end], "\n")}
			u.scripts[found[2]], u.all = s, append(u.all, s)
			n = end - 1
			continue
		}
		found := runsScript().FindStringSubmatch(line)
		if found == nil {
			u.altered(line)
			continue
		}
		if s := u.scripts[found[2]]; s != nil && s.prompt == found[1] {
			u.run(s, strings.Fields(found[3]), n+1, u.until(n+1, s.prompt))
		}
	}
}

// altered forgets the scripts that a command may have changed.
func (u *unfolding) altered(line string) {
	for name, s := range u.scripts {
		if strings.HasPrefix(line, s.prompt) && strings.Contains(line, name) && alters().MatchString(line) {
			delete(u.scripts, name)
		}
	}
}

// until is the next line at a prompt, or the end of the text.
func (u *unfolding) until(n int, prompt string) int {
	for ; n < len(u.list); n++ {
		if strings.HasPrefix(u.list[n], prompt) || u.list[n] == strings.TrimRight(prompt, " ") {
			break
		}
	}
	return n
}

// run puts the commands of a script before the answers that a run has printed, in turn. Of a script that makes its calls once there are
// as many answers as calls.
func (u *unfolding) run(s *shown, given []string, from, to int) {
	if u.runs++; u.runs > mostRuns || s.to-s.from > mostLines {
		return
	}
	if slices.ContainsFunc(u.list[from:to], func(line string) bool { return traced().MatchString(line) }) {
		s.used = true // its shell tells the calls itself
		return
	}
	calls, loops := commands.Printing(s.text, given)
	if len(calls) == 0 || slices.ContainsFunc(calls, func(call string) bool { return len(call) > mostCommand }) {
		return
	}
	begins := objectAt
	if !slices.ContainsFunc(calls, func(call string) bool { return !printsHead().MatchString(call) }) {
		begins = answersAt
	}
	var at []int
	for n := from; n < to && len(u.before)+len(at) < mostAnswers; n++ {
		if begins().MatchString(u.list[n]) && !strings.Contains(u.list[n], "Connection established") { // by a proxy
			at = append(at, n)
		}
	}
	if len(at) == 0 || !loops && len(at) != len(calls) {
		return
	}
	s.used = true
	for i, n := range at {
		u.before[n] = s.prompt + calls[i%len(calls)]
	}
}

// traced is a call that a shell tells before it makes it.
var traced = trail.Pattern(`^\++ (?:\S*/)?curl `)

// printsHead is a command that prints the heads of answers, too.
var printsHead = trail.Pattern(`(?:^|\s)(?:-[a-zA-Z]*i[a-zA-Z]*|--include|--show-headers)(?:\s|$)`)

// place puts the lines of a file in the place of those of the text that was made of it.
func (p *pasted) place(lines []int, f *source.File) {
	if lines == nil {
		source.Relocate(p.part, p.marks.text, string(f.Text()))
		return
	}
	made := source.File{Lines: lines}
	made.Located(p.part)
}
