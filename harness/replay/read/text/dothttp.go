package text

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

var (
	fileVariable = trail.Pattern(`^@([A-Za-z0-9_.-]+)[ \t]*=[ \t]*(.*?)[ \t]*$`)
	requestName  = trail.Pattern(`^(?:#|//)[ \t]*@name[ \t=]+(\S+)`)
	httpRequest  = trail.Pattern(`^(?:(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS)[ \t]+)?(\S.*?)(?:[ \t]+HTTP/[0-9.]+)?[ \t]*$`)
	parts        = trail.Pattern(`(?m)^###`)
	bareAddress  = trail.Pattern(`^(?:https?://|/|\{\{)\S*$`)
)

// HTTPFile reads .http and .rest files, as the clients of VS Code and JetBrains and
// httpyac take them. Variables that the file, an environment or an option says are
// filled in; those of answers and scripts stay open.
func HTTPFile(f *source.File, v source.Variables) (*source.Part, error) {
	h := &httpFile{part: source.NewPart(f, "http"), lines: newLines(f.Text()), values: v.With(nil), parted: parts().Match(f.Text())}
	for h.next < h.lines.count() && !h.part.Full(h.part.Line(h.next+1)) {
		h.section()
	}
	if len(h.part.Exchanges) == 0 {
		return nil, &source.Error{File: f.Name, Format: "http", Err: errors.New("no request stands in it"), Expected: `lines such as "GET https://…"`}
	}
	return h.part, nil
}

type httpFile struct {
	part   *source.Part
	lines  *lines
	next   int
	values source.Variables
	parted bool // its requests stand in parts
}

// section reads up to a request's line, and the request.
func (h *httpFile) section() {
	name, title := "", ""
	for ; h.next < h.lines.count(); h.next++ {
		line := strings.TrimSpace(h.lines.line(h.next))
		set, named := fileVariable().FindStringSubmatch(line), requestName().FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "###"):
			name, title = "", strings.TrimLeft(line, "# ")
		case set != nil:
			h.values[set[1]] = h.values.Fill(set[2])
		case named != nil:
			name = named[1]
		case h.isScript(line):
			h.passScript()
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//"):
		default:
			if !h.under(title) && !h.unsent(title) {
				h.request(line, name)
			}
			return
		}
	}
}

// isScript says whether a line begins a script, or what becomes of an answer.
func (h *httpFile) isScript(line string) bool {
	for _, mark := range []string{"< {%", "> {%", "{{", "?? ", "> ", "<> ", "< "} {
		if strings.HasPrefix(line, mark) && (mark != "{{" || !strings.Contains(line, "}}")) {
			return true
		}
	}
	return false
}

// passScript goes to the script's last line.
func (h *httpFile) passScript() {
	line := strings.TrimSpace(h.lines.line(h.next))
	end := ""
	switch {
	case strings.HasSuffix(line, "{%"):
		end = "%}"
	case line == "{{" || strings.HasPrefix(line, "{{@") || strings.HasPrefix(line, "{{+"):
		end = "}}"
	default:
		return
	}
	for h.next+1 < h.lines.count() && strings.TrimSpace(h.lines.line(h.next)) != end && !strings.HasPrefix(h.lines.line(h.next+1), "###") {
		h.next++
	}
}

// request reads a request from its line on.
func (h *httpFile) request(line, name string) {
	at := h.part.Line(h.next + 1)
	found := httpRequest().FindStringSubmatch(line)
	h.next++
	if found[1] == "" && !bareAddress().MatchString(found[2]) {
		h.part.Skip(at, "the line is no request")
		h.toSeparator()
		return
	}
	x := recording.Exchange{Place: at, Method: found[1], Link: name, Answer: recording.Answer{Known: recording.NotRecorded}}
	if x.Method == "" {
		x.Method = "GET"
	}
	target := found[2]
	for ; h.next < h.lines.count(); h.next++ { // the query may stand on lines of its own
		part := strings.TrimSpace(h.lines.line(h.next))
		if !strings.HasPrefix(part, "?") && !strings.HasPrefix(part, "&") {
			break
		}
		target += part
	}
	h.headers(&x)
	h.body(&x)
	if err := setTarget(&x, h.values.Fill(target)); err != nil {
		h.part.Skip(at, "the request cannot be read: "+err.Error())
		return
	}
	h.part.Call(x)
}

// headers reads the headers, and an Authorization in the short form of these clients.
func (h *httpFile) headers(x *recording.Exchange) {
	for ; h.next < h.lines.count(); h.next++ {
		line := strings.TrimSpace(h.lines.line(h.next))
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "###") || strings.HasPrefix(line, "//") {
			continue
		}
		found := headerLine().FindStringSubmatch(line)
		if found == nil {
			return
		}
		value := h.values.Fill(found[2])
		if words := strings.Fields(value); strings.EqualFold(found[1], "Authorization") && len(words) == 3 && strings.EqualFold(words[0], "basic") {
			value = source.Basic(words[1], words[2])
		}
		x.Header = append(x.Header, tape.Header{Name: found[1], Value: value})
	}
}

// body reads the body up to the next request or to what becomes of the answer, and the answer that stands under it.
func (h *httpFile) body(x *recording.Exchange) {
	var list []string
	for ; h.next < h.lines.count() && !h.apart(list); h.next++ {
		line := h.lines.line(h.next)
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "<> "):
			h.history(x, trimmed)
		case strings.HasPrefix(trimmed, "?? "):
		case strings.HasPrefix(trimmed, "> "), strings.HasPrefix(trimmed, ">>"):
			h.passScript()
		case strings.HasPrefix(trimmed, "< ") || strings.HasPrefix(trimmed, "<@ "):
			content, given := h.values.Beside(strings.TrimSpace(strings.TrimLeft(trimmed, "<@")))
			if x.BodyMissing = !given; given {
				list = append(list, content)
			} else {
				h.part.Skip(h.part.Line(h.next+1), "the request's body stands in a file, which was not given")
			}
		default:
			list = append(list, line)
		}
	}
	list, under := parted(list)
	text := h.values.Fill(strings.TrimSpace(strings.Join(list, "\n")))
	if !x.BodyMissing && text != "" {
		x.Body = []byte(text)
	}
	h.answer(x, under)
}

// apart says whether a line is no more of the body before it: the next part begins, or, behind an answer and where nothing parts
// the requests, the next request.
func (h *httpFile) apart(before []string) bool {
	line := strings.TrimSpace(h.lines.line(h.next))
	if strings.HasPrefix(line, "###") {
		return true
	}
	found := requestLine().FindStringSubmatch(line)
	if found == nil || !bareAddress().MatchString(found[2]) || len(before) > 0 && strings.TrimSpace(before[len(before)-1]) != "" {
		return false
	}
	return !h.parted || slices.ContainsFunc(before, statusLine().MatchString)
}

// under reads an answer in a part of its own, which is that of the request before it; false where none stands there.
func (h *httpFile) under(title string) bool {
	n := len(h.part.Exchanges)
	line := strings.TrimSpace(h.lines.line(h.next))
	if shown := statusLine().MatchString(line); n == 0 || !shown && (title == "" || !heading().MatchString(title) || !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[")) {
		return false
	}
	list := []string{title}
	for ; h.next < h.lines.count() && !h.apart(list); h.next++ {
		list = append(list, h.lines.line(h.next))
	}
	if statusLine().MatchString(line) {
		list = list[1:]
	}
	_, list = parted(append([]string{"# " + list[0]}, list[1:]...))
	h.answer(&h.part.Exchanges[n-1], list)
	return true
}

// answer takes the answer that lines show, of which the file tells no more yet.
func (h *httpFile) answer(x *recording.Exchange, under []string) {
	if a, told := answerOf(under); x.Answer.Known != recording.Whole && a.Known != recording.NotRecorded {
		x.Answer = a
		if !told {
			h.part.Skip(x.Place, "the status of an answer, of which only the body is shown: taken as that which the body tells, or 200")
		}
	}
}

// note is a line of comment.
var note = trail.Pattern(`^\s*(?:#+|//+)\s*(.*?)\s*$`)

// unmarked is a line without the marks of a comment, and whether it had one.
func unmarked(line string) (text string, noted bool) {
	if found := note().FindStringSubmatch(line); found != nil {
		return found[1], true
	}
	bare := strings.TrimSpace(line)
	if strings.HasPrefix(bare, "/*") || strings.HasSuffix(bare, "*/") {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(bare, "/*"), "*/")), false
	}
	return line, false
}

// parted parts a body from what stands under it: the answer that somebody has pasted there, or written into
// comments, without their marks, or comments under JSON that show none.
func parted(list []string) (body, under []string) {
	at := slices.IndexFunc(list, func(line string) bool {
		text, noted := unmarked(line)
		return statusLine().MatchString(strings.TrimSpace(text)) || paneCode().MatchString(text) || noted && text != "" && heading().MatchString(text)
	})
	if at < 0 {
		if at = slices.IndexFunc(list, note().MatchString); at < 0 || !json.Valid([]byte(strings.Join(list[:at], "\n"))) {
			return list, nil
		}
	}
	end := at
	for end > 0 && (note().MatchString(list[end-1]) || strings.Trim(list[end-1], "/* \t\r") == "" || pane().MatchString(list[end-1])) {
		end--
	}
	return list[:end], alike(list[at:])
}

// alike are lines without their marks, as long as they are comments as the second is, or are none as it.
func alike(list []string) (texts []string) {
	comments, known := false, false
	for i, line := range list {
		text, noted := unmarked(line)
		if i > 0 && strings.TrimSpace(text) != "" {
			if known && noted != comments {
				break
			}
			comments, known = noted, true
		}
		texts = append(texts, text)
	}
	return texts
}

// answerFile is how JetBrains' client names the file of an answer: by its time and status.
var answerFile = trail.Pattern(`([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6})(?:-[0-9]+)?\.([1-5][0-9]{2})\.[a-z]+$`)

// history takes the first answer that the client has kept of a request: its status. Its
// body stands in a file of its own, which may be given beside.
func (h *httpFile) history(x *recording.Exchange, line string) {
	found := answerFile().FindStringSubmatch(line)
	if found == nil || x.Answer.Known != recording.NotRecorded {
		return
	}
	if at, err := time.Parse("2006-01-02T150405", found[1]); err == nil {
		x.Begin = at
	}
	x.Answer.Known, x.Answer.Status = recording.WithoutBody, number(found[2])
	if content, given := h.values.Beside(strings.TrimSpace(strings.TrimPrefix(line, "<>"))); given {
		x.Answer.Known, x.Answer.Body = recording.Whole, []byte(strings.TrimSpace(content))
		x.Answer.Header = []tape.Header{{Name: "Content-Type", Value: "application/json"}}
		return
	}
	h.part.Skip(h.part.Line(h.next+1), "the answer's body stands in a file, which was not given")
}

func (h *httpFile) toSeparator() {
	for h.next < h.lines.count() && !strings.HasPrefix(h.lines.line(h.next), "###") {
		h.next++
	}
}
