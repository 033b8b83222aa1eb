// Package dart reads the logs of clients in Dart, as Flutter applications write them.
package dart

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// dioHead begins each part of what Flutter's client dio prints, behind what the console puts before its lines.
var dioHead = trail.Pattern(`^(.*?)\*\*\* (Request|Response|Dio(?:Error|Exception)[^*]*) \*\*\*:?\s*$`)

// dioPart is one part: its members, headers and the text at its end.
type dioPart struct {
	kind    string
	place   recording.Place
	members map[string]string
	header  []tape.Header
	body    []string
}

// Dio reads what the log of Flutter's client dio shows: requests, answers and errors, by their addresses. Of
// requests without their data the bodies are missing.
func Dio(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "dio")
	var open []*recording.Exchange
	var all []*recording.Exchange
	for _, part := range dioParts(p, unboxed(string(f.Text()))) {
		address := part.members["uri"]
		if part.kind == "Request" {
			x := &recording.Exchange{Place: part.place, Method: strings.ToUpper(part.members["method"]), Header: part.header}
			if source.SetAddress(x, address) != nil || x.Method == "" {
				p.Skip(part.place, "a request without its method or its address")
				continue
			}
			x.Body = dartBody(strings.Join(part.body, "\n"))
			x.BodyMissing = x.Body == nil && x.Method == "POST"
			all, open = append(all, x), append(open, x)
			continue
		}
		for i, x := range open {
			if asked := (recording.Exchange{}); source.SetAddress(&asked, address) == nil && asked.Path == x.Path && asked.Query == x.Query {
				x.Answer = part.answer()
				open = append(open[:i:i], open[i+1:]...)
				break
			}
		}
	}
	for _, x := range all {
		p.Call(*x)
	}
	if len(all) == 0 {
		return nil, &source.Error{File: f.Name, Format: "dio", Err: errors.New("no request stands in it"), Expected: "*** Request *** with uri and method"}
	}
	return p, nil
}

// answer is what an answer, or an error, tells of it.
func (d *dioPart) answer() recording.Answer {
	a := recording.Answer{Header: d.header, Known: recording.WithoutBody}
	if a.Status, _ = strconv.Atoi(d.members["statusCode"]); a.Status == 0 {
		return recording.Answer{Known: recording.NeverArrived}
	}
	if text := strings.Join(d.body, "\n"); json.Valid([]byte(text)) {
		a.Body, a.Known = []byte(text), recording.Whole
	} else if body := dartBody(text); body != nil {
		a.Body, a.Known = body, recording.Whole
	}
	return a
}

// dioParts are the parts of a log.
func dioParts(p *source.Part, text string) []*dioPart {
	var list []*dioPart
	var now *dioPart
	prefix, under, n := 0, "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if head := dioHead().FindStringSubmatch(line); head != nil {
			prefix, under = len(head[1]), ""
			now = &dioPart{kind: strings.TrimSpace(head[2]), place: p.Line(n), members: map[string]string{}}
			list = append(list, now)
			continue
		}
		if line = line[min(prefix, len(line)):]; now == nil {
			continue
		}
		if under = now.line(line, under); under == "end" {
			now = nil
		}
	}
	return list
}

// line takes a line of a part that stands under a heading, and gives that under which the next stands.
func (d *dioPart) line(line, under string) string {
	name, value, named := strings.Cut(line, ":")
	switch {
	case strings.TrimSpace(line) == "":
		if under == "body" && len(d.body) > 0 {
			return "end"
		}
	case line == "data:" || line == "Response Text:":
		return "body"
	case line == "headers:":
		return "headers"
	case under == "body":
		d.body = append(d.body, line)
	case named && under == "headers" && strings.HasPrefix(line, " "):
		d.header = append(d.header, tape.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	case named:
		if d.members[name] == "" {
			d.members[name] = strings.TrimSpace(value)
		}
		return ""
	}
	return under
}

// boxHeads begin the parts of the boxes that pretty_dio_logger draws.
var boxHeads = trail.Pattern(`^.*╔╣ (Request|Response|Dio(?:Error|Exception)) ║(?: ([A-Z]{3,}))?(?:.*Status: ([0-9]{3}))?`)

// unboxed is a log of dio without the boxes that its pretty form draws around the parts, a line for each line.
func unboxed(text string) string {
	if !strings.Contains(text, "╔╣") {
		return text
	}
	var out strings.Builder
	body, open := false, false // in a body, and in one whose members stand on lines of their own
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r ")
		_, rest, _ := strings.Cut(line, "║")
		member := ""
		if _, m, ok := strings.Cut(line, "╟ "); ok {
			member = m
		}
		head := boxHeads().FindStringSubmatch(line)
		switch {
		case head != nil:
			body = false
			out.WriteString(boxed(head))
		case strings.Contains(line, "╔"):
			body = strings.Contains(line, "╔ Body")
			out.WriteString(map[bool]string{true: "data:", false: "headers:"}[body])
		case strings.Contains(line, "╚"):
			out.WriteString(map[bool]string{true: "}"}[open])
			body, open = false, false
		case member != "" && body:
			out.WriteString(map[bool]string{false: "{", true: ", "}[open] + member)
			open = true
		case member != "":
			out.WriteString(" " + member)
		case body:
			out.WriteString(strings.TrimPrefix(rest, "    "))
		case strings.HasPrefix(strings.TrimSpace(rest), "http"):
			out.WriteString("uri: " + strings.TrimSpace(rest))
		}
		if !open {
			out.WriteString("\n")
		}
	}
	return out.String()
}

// boxed is the head of a box as dio writes it without one.
func boxed(head []string) string {
	if head[2]+head[3] == "" {
		return "*** " + head[1] + " ***"
	}
	return "*** " + head[1] + " ***\nmethod: " + head[2] + "\nstatusCode: " + head[3]
}
