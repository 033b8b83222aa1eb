package httptext

import (
	"errors"
	"strings"

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
	if err := SetTarget(&x, h.values.Fill(target)); err != nil {
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
				h.part.SkipKind(recording.OfCall, h.part.Line(h.next+1), "the request's body stands in a file, which was not given")
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

func (h *httpFile) toSeparator() {
	for h.next < h.lines.count() && !strings.HasPrefix(h.lines.line(h.next), "###") {
		h.next++
	}
}

// notSent is what people write above a request that they keep, and have not made.
var notSent = trail.Pattern(`(?i)(?:\b(?:not|never)[ -](?:yet |been )*(?:sent|called|run|executed|used)|\b(?:unsent|unused)|\b(?:to be sent|send) later)(?: yet)?[ \t]*(?:$|[,.;:!)\]])`)

// unsent leaves out a request whose title says that it was not made.
func (h *httpFile) unsent(title string) bool {
	if !notSent().MatchString(title) {
		return false
	}
	h.part.Skip(h.part.Line(h.next+1), "a request whose title says that it was not sent")
	h.toSeparator()
	return true
}
