package answerfile

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Bounds of what is looked at: bytes of a text in which commands are looked for, commands, and bytes of one.
const (
	mostText     = 1 << 20
	mostCommands = 500
	mostCommand  = 4 << 10
)

var (
	// client is a program that calls, with all of its command.
	client = trail.Pattern(`(?im)(?:^|[\s;&|($` + "`" + `])(?:curl(?:\.exe)?|wget|https?|xh|Invoke-(?:RestMethod|WebRequest)|irm|iwr)[ \t][^\n]*`)
	// goesOn is the end of a line behind which a command goes on.
	goesOn = trail.Pattern("[ \t]*[\\\\`^][ \t]*\r?\n[ \t]*")
	// savedAs is the option, or the sign of the shell, by which a command keeps the answer in a file, and that file's name.
	savedAs = trail.Pattern(`(?:[ \t]-[a-zA-Z]*o[ \t]*|[ \t]--output(?:-document)?[ \t=]+|[ \t]-O[ \t]+|[ \t](?i:-OutFile)[ \t]+|[ \t]1?>>?[ \t]*|\|[ \t]*tee[ \t]+(?:-a[ \t]+)?)("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s;|&<>"'-][^\s;|&<>"']{0,200})`)
	// remoteName is the option by which curl keeps it under the last name of the address.
	remoteName = trail.Pattern(`[ \t](?:-[a-zA-Z]*O[a-zA-Z]*|--remote-name)(?:[ \t]|$)`)
	// variable is what a shell puts a value in the place of.
	variable = trail.Pattern(`\$\{[^{}\n]*\}|\$\([^()\n]*\)|\$\w+|%\w+%|\{\{[^{}\n]*\}\}`)
)

// saving is a command that keeps its answer in a file: the text of it, and the name, in which variables stand for anything.
type saving struct {
	command string
	name    *regexp.Regexp
	// script says that it stands in a file of commands, and once that this asks for no page but the first.
	script, once bool
}

// Saved puts the bodies that commands have kept in files to the calls whose answers are shown without: the command names the file, or its
// length is that which the answer's head tells. What may be of several calls stays where it is.
func Saved(files []source.File, parts []*source.Part) {
	var all []saving
	given := map[recording.Place]bool{}
	for _, p := range parts {
		i := slices.IndexFunc(files, func(f source.File) bool { return f.Name == p.Source().Name })
		if i < 0 || p.Source().Format != recording.Unread {
			continue
		}
		body := bytes.TrimSpace(files[i].Text())
		if len(body) > source.MaxBody || !bytes.HasPrefix(body, []byte("{")) || !json.Valid(body) {
			continue
		}
		if all == nil {
			all = savings(files)
		}
		of, at, by := savedOf(parts, given, all, &files[i], body)
		if of == nil {
			continue
		}
		x := &of.Exchanges[at]
		put(of, x, body)
		x.AsksOnce = by != nil && by.script && by.once
		x.Also, given[x.Place] = append(x.Also, recording.Place{Source: p.Source().Name, Line: 1}), true
		p.Source().Format, p.Skipped = Format, nil
	}
}

// put gives a call the body of its answer, and the status that this tells, or 200, where none is shown.
func put(p *source.Part, x *recording.Exchange, body []byte) {
	if x.Answer.Known == recording.NotRecorded {
		x.Answer.Status = 200
		if code, problem := trail.ReadBody(body).Whole("status"); problem && code >= 400 && code < 600 {
			x.Answer.Status = int(code)
		}
		p.SkipKind(recording.OfCall, x.Place, "the status of an answer, of which only the body is shown: taken as that which the body tells, or 200")
	}
	p.Skipped = slices.DeleteFunc(p.Skipped, func(s recording.Skipped) bool {
		return s.Place == x.Place && s.Kind == recording.AnswerBody
	})
	x.Answer.Known, x.Answer.Body = recording.Whole, body
	x.Answer.Header = source.SetHeader(x.Answer.Header, "Content-Type", "application/json")
}

// savings are the commands of files that keep their answers in files. It is no nil list.
func savings(files []source.File) []saving {
	list := []saving{}
	for i := range files {
		text := string(files[i].Head(mostText))
		if !strings.Contains(text, "/") || !mayCall(text) {
			continue
		}
		script := source.IsScript(files[i].Name)
		low := strings.ToLower(text)
		once := !strings.Contains(low, "cursor") && !strings.Contains(low, "hasmore")
		for _, command := range client().FindAllString(goesOn().ReplaceAllString(text, " "), mostCommands) {
			if len(list) >= mostCommands || len(command) > mostCommand {
				continue
			}
			for _, name := range namesIn(command) {
				list = append(list, saving{command: command, name: name, script: script, once: once})
			}
		}
	}
	return list
}

// mayCall says whether a text has the name of a program that calls: patterns are dear.
func mayCall(text string) bool {
	return slices.ContainsFunc([]string{"curl", "wget", "http ", "https ", "xh ", "Invoke-", "irm ", "iwr "}, func(name string) bool { return strings.Contains(text, name) })
}

// namesIn are the names of the files that a command keeps answers in.
func namesIn(command string) (list []*regexp.Regexp) {
	for _, found := range savedAs().FindAllStringSubmatch(command, 4) {
		if name := nameOf(strings.Trim(found[1], `"'`)); name != nil {
			list = append(list, name)
		}
	}
	if remoteName().MatchString(command) {
		for _, word := range strings.Fields(command) {
			if address, _, _ := strings.Cut(strings.Trim(word, `"'`), "?"); strings.Contains(address, "/") && !strings.HasPrefix(word, "-") {
				if name := nameOf(address); name != nil {
					list = append(list, name)
				}
			}
		}
	}
	return list
}

// leastName is how many letters of a name have to stand in it, beside its end, where variables are in it.
const leastName = 4

// nameOf is the pattern of a file's name that a command gives it; nil for one that says too little.
func nameOf(said string) *regexp.Regexp {
	said = said[strings.LastIndexAny(said, `/\`)+1:]
	var b strings.Builder
	from, letters := 0, 0
	for _, at := range append(variable().FindAllStringIndex(said, 8), []int{len(said), len(said)}) {
		literal := said[from:at[0]]
		b.WriteString(regexp.QuoteMeta(literal))
		if from, letters = at[1], letters+len(literal); at[1] > at[0] {
			b.WriteString(`[\w.:+-]{1,80}`)
		}
	}
	bare, _, _ := strings.Cut(said, ".")
	if variable().MatchString(said) && letters-(len(said)-len(bare)) < leastName || letters == 0 {
		return nil
	}
	name, err := regexp.Compile(`^` + b.String() + `$`)
	if err != nil {
		return nil
	}
	return name
}

// savedOf is the one call that a file's body is the answer of, and the command that has kept it, nil where its length alone tells so. Of
// calls without any answer it is only where none is shown with its head.
func savedOf(parts []*source.Part, given map[recording.Place]bool, all []saving, f *source.File, body []byte) (of *source.Part, at int, by *saving) {
	keeping := slices.DeleteFunc(slices.Clone(all), func(s saving) bool { return !s.name.MatchString(f.Name[strings.LastIndexAny(f.Name, `/\`)+1:]) })
	k := kept{a: recording.Answer{Status: 200, Body: body}, lower: bytes.ToLower(body)}
	looked := 0
	for _, known := range []recording.Known{recording.WithoutBody, recording.NotRecorded} {
		for _, p := range parts {
			for n := range p.Exchanges {
				x := &p.Exchanges[n]
				if x.Answer.Known != known || given[x.Place] || x.Answer.Status >= 300 {
					continue
				}
				if looked++; looked > mostCalls {
					return nil, 0, nil
				}
				s := commandOf(keeping, x)
				if !mayHold(f, body, x, s != nil) || !tells(x, &k) {
					continue
				}
				if of != nil {
					return nil, 0, nil
				}
				of, at, by = p, n, s
			}
		}
		if of != nil {
			break
		}
	}
	return of, at, by
}

// mayHold says whether a file may hold the body of a call's answer by its length, which has to tell so where no command names the file.
func mayHold(f *source.File, body []byte, x *recording.Exchange, named bool) bool {
	length := lengthOf(&x.Answer)
	if !named && (length < leastBody || x.Answer.Known != recording.WithoutBody) {
		return false
	}
	return length == 0 || long(f, body, length)
}

// leastBody is how long a body is that is known by its length alone, in bytes: short ones are alike.
const leastBody = 200

// lengthOf is how long the body of an answer is by its head, 0 where that does not tell, or tells how long it was on the way.
func lengthOf(a *recording.Answer) int {
	if source.Header(a.Header, "Content-Encoding") != "" {
		return 0
	}
	n, _ := strconv.Atoi(source.Header(a.Header, "Content-Length")) // what is no number tells none
	return n
}

// long says whether a file is as long as an answer, as it stands or without the spaces that laying it out has put in.
func long(f *source.File, body []byte, length int) bool {
	return len(f.Text()) == length || len(body) == length || len(source.Compact(body)) == length
}

// commandOf is the command that makes a call, nil for none: it has the call's path, in which ids may be variables. One in a file of
// commands stands before others.
func commandOf(list []saving, x *recording.Exchange) *saving {
	var segments []string
	for segment := range strings.SplitSeq(strings.Trim(x.Path, "/"), "/") {
		if strings.ContainsAny(segment, "0123456789{$") {
			segments = append(segments, `[^/\s?"']+`)
			continue
		}
		segments = append(segments, regexp.QuoteMeta(segment))
	}
	path, err := regexp.Compile(`(?i)/` + strings.Join(segments, "/") + `/?(?:[?"'\s]|$)`)
	if err != nil {
		return nil
	}
	var by *saving
	for i := range list {
		if path.MatchString(list[i].command) && (by == nil || list[i].script && !by.script) {
			by = &list[i]
		}
	}
	return by
}
