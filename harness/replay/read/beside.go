package read

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// readAll reads each file as what it is. Files of variables are read first: they fill
// the others. A file in which no call stands is told where others have some: they may name it
// as a body or an answer.
func readAll(files []source.File, o Options) ([]*source.Part, error) {
	variables, formats, unknown, err := formatsOf(files, o)
	if err != nil {
		return nil, err
	}
	var none error // of a file that may be one, rather than of what only stands beside it, the first
	first := 0
	var parts []*source.Part
	for i, f := range formats {
		if f == nil {
			parts = append(parts, unread(&files[i]))
			continue
		}
		if f.read == nil {
			parts = append(parts, source.NewPart(&files[i], f.name))
			continue
		}
		p, err := f.read(&files[i], variables)
		if loose := f.loose && o.Formats[files[i].Name] == ""; loose {
			p, err = orElse(&files[i], variables, p, err)
			if err == nil && showsNone(p) {
				err = &source.Error{File: files[i].Name, Format: f.name, Err: errors.New("no call stands in it"), Expected: "requests, with what was answered, or webhooks"}
			}
			if err != nil && (len(files) > 1 || namesOperation(files[i].Text())) {
				if none == nil || prose(files[first].Text()) { // a mail is not what should have been read
					none, first = err, i
				}
				p, err = unread(&files[i]), nil
			}
		}
		if err != nil {
			return nil, err
		}
		files[i].Located(p)
		parts = append(parts, p)
	}
	return parts, tellUnread(parts, files, cmp.Or(none, unknown))
}

// formatsOf are the formats of files, nil for one in no known form beside others, and the variables that files say.
func formatsOf(files []source.File, o Options) (variables source.Variables, formats []*format, none, err error) {
	variables, formats = source.Variables{}.With(o.Variables), make([]*format, len(files))
	scripts := slices.ContainsFunc(files, func(f source.File) bool { return source.IsScript(f.Name) })
	for i := range files {
		f, err := formatOf(&files[i], o.Formats[files[i].Name])
		if len(files[i].Data) <= maxBeside {
			if variables.SetShown(files[i].Text()); len(files) > 1 {
				variables.SetBeside(files[i].Name, files[i].Text())
				if scripts { // patterns are dear
					variables.SetRuns(files[i].Name, files[i].Text())
				}
			}
		}
		if err != nil && (len(files) == 1 || o.Formats[files[i].Name] != "") {
			return nil, nil, nil, err
		}
		if none = cmp.Or(none, err); err != nil {
			continue
		}
		if formats[i] = f; f.variables != nil {
			more, err := f.variables(&files[i])
			if err != nil {
				return nil, nil, nil, err
			}
			variables = more.With(variables)
		}
	}
	return variables, formats, none, nil
}

// showsNone says whether a file shows no call and no webhook, and is not the scrubbed recording of files that show none.
func showsNone(p *source.Part) bool {
	return len(p.Exchanges)+len(p.Received) == 0 && p.Besides == nil
}

// maxBeside is the largest file that others may name as a body, in bytes.
const maxBeside = 1 << 20

// unread is the part of a file in which no call stands.
func unread(f *source.File) *source.Part { return source.NewPart(f, recording.Unread) }

// tellUnread tells of the files without a call which of them are bodies of others' calls; none is
// the error where all are without.
func tellUnread(parts []*source.Part, files []source.File, none error) error {
	bodies := map[string]bool{}
	some := false
	for _, p := range parts {
		some = some || len(p.Exchanges)+len(p.Received)+len(p.Source().Arrivals) > 0
		for i := range p.Exchanges {
			x := &p.Exchanges[i]
			bodies[pressed(x.Body)], bodies[pressed(x.Answer.Body)] = true, true
		}
	}
	if !some && !slices.ContainsFunc(files, func(f source.File) bool { return namesOperation(f.Text()) }) {
		return none
	}
	for i, p := range parts {
		if p.Source().Format != recording.Unread {
			continue
		}
		switch {
		case len(files[i].Text()) == 0:
			p.Skip(p.Line(1), "the whole file: it is empty")
		case bodies[pressed(files[i].Text())]:
			p.Source().Format = "body"
		case prose(files[i].Text()):
			p.Source().Format = recording.Words
			p.Skip(p.Line(1), "the whole file: words that somebody wrote, and no call")
		case !some && none != nil && namesOperation(files[i].Text()):
			p.Skip(p.Line(1), "the whole file: operations are named, and of no call is shown what was sent or answered")
		default:
			p.Skip(p.Line(1), "the whole file: no call stands in it")
		}
	}
	return nil
}

// mailHead are lines above a mail, and the addresses within them.
var mailHead = trail.Pattern(`(?m)^(?:From|To|Cc|Date|Subject|Reply-To): .*$|<[^<>\s]+@[^<>\s]+>`)

// usualLine is how long lines are that somebody writes, in bytes.
const usualLine = 120

// wordsIn counts the words of a line that have no sign in them but those of a sentence.
func wordsIn(line []byte) (n int) {
	for _, word := range bytes.Fields(line) {
		word = bytes.Trim(word, `.,;:!?()"'`)
		if len(word) > 0 && !bytes.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }) {
			n++
		}
	}
	return n
}

// prose says whether a text is what somebody wrote: of nine lines of it at most one has what belongs to a log or to code, and they are
// of words.
func prose(text []byte) bool {
	written, other, lines, words := 0, 0, 0, 0
	for line := range bytes.Lines(mailHead().ReplaceAll(text, nil)) {
		if line = bytes.TrimLeft(line, "> \t"); len(bytes.Fields(line)) == 0 {
			continue
		}
		much, said := 1+len(line)/usualLine, wordsIn(line)
		lines, words = lines+1, words+said
		if written += much; said < 10*much && (bytes.ContainsAny(line, "{}<>=|") || bytes.Contains(line, []byte("://"))) { // no paragraph
			other += much
		}
	}
	return other*9 <= written && words >= 2*lines
}

// pressed is a text without its spaces.
func pressed(text []byte) string { return string(bytes.Join(bytes.Fields(text), nil)) }

// markUnshown marks the calls of which the file shows no body although they had one: the service took what it does not
// take without, or the file shows the body of no such call at all.
func markUnshown(p *source.Part) {
	empty, shown := []*recording.Exchange(nil), 0
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		length := source.Header(x.Header, "Content-Length")
		switch {
		case !sends(x):
		case len(x.Body) > 0:
			shown++
		case length == "" || strings.Trim(length, "0") != "":
			empty = append(empty, x)
		}
	}
	markMedia(p)
	for _, x := range empty {
		took := x.Answer.Status >= 200 && x.Answer.Status < 300
		x.BodyMissing = x.BodyMissing || took || shown == 0 && len(empty) > 1 && (x.Answer.Known != recording.NotRecorded || slices.Contains(byLoggers, p.Source().Format))
		if took {
			typeUnshown(x)
		}
	}
}

// sends says whether a call is to an operation that takes a body.
func sends(x *recording.Exchange) bool {
	_, operation := source.BasePath(x.Path)
	return operation && x.Method == "POST" && (source.MethodOf(x.Path) == "POST" || strings.HasSuffix(strings.ToLower(x.Path), "/locations"))
}

// typeUnshown gives a call that was served the media type that a logger which shows some headers has left out.
func typeUnshown(x *recording.Exchange) {
	if source.Header(x.Header, "Content-Type") == "" {
		x.Header = append(x.Header, tape.Header{Name: "Content-Type", Value: "application/json"})
	}
}

// byLoggers are the forms of which the headers are what a logger was told to keep: others show all that was sent.
var byLoggers = []string{"jsonl", "pasted", "tree", "table"}

// allSent is a header that clients send by themselves: a log that shows one shows them as they were.
var allSent = trail.Pattern(`(?i)^(?:host|user-agent|accept|accept-encoding|connection|content-length)$`)

// markMedia gives the calls with a JSON body, of which a logger shows some headers alone, the media type that it has left out:
// the service did not refuse them for theirs. A log that has left out that of a call which was served leaves out all.
func markMedia(p *source.Part) {
	if !slices.Contains(byLoggers, p.Source().Format) {
		return
	}
	bare := func(x *recording.Exchange) bool {
		return bytes.HasPrefix(bytes.TrimSpace(x.Body), []byte("{")) && sends(x) && source.Header(x.Header, "Content-Type") == ""
	}
	leavesOut := slices.ContainsFunc(p.Exchanges, func(x recording.Exchange) bool { return x.Answer.Status/100 == 2 && bare(&x) })
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		answered := x.Answer.Known == recording.Whole || x.Answer.Known == recording.WithoutBody || leavesOut && x.Answer.Known == recording.NeverArrived
		if answered && x.Answer.Status != 415 && bare(x) &&
			(leavesOut || !slices.ContainsFunc(x.Header, func(h tape.Header) bool { return allSent().MatchString(h.Name) })) {
			typeUnshown(x)
		}
	}
}
