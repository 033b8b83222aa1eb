package replay

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/compare"
)

// How much of bodies a timeline holds, in bytes: of each, and of all of a case.
const (
	mostOfBody   = 4 << 10
	mostOfBodies = 256 << 10
)

// Body is a body as a timeline shows it, laid out over lines.
type Body struct {
	// Name says whose it is.
	Name  string
	Lines []BodyLine
	// Left is how many bytes of it are not shown.
	Left int
}

// BodyLine is a line of a body; Class is that of the difference which shows there, "" for none.
type BodyLine struct {
	Text  string
	Class compare.Class
}

// bodies lays out what a call has sent, and how it was answered in the files and here. room is what may still be shown.
func bodies(h *Happening, room *int, sent, recorded, replayed []byte) (list []Body) {
	here, differ := "Answered here", h.Differences
	if plain := slices.DeleteFunc(slices.Clone(differ), func(d compare.Difference) bool { return d.Class == compare.Choice }); len(plain) < len(differ) {
		here, differ = "Answered here, once it was chosen alike", plain
	}
	for _, one := range []struct {
		name string
		body []byte
		list []compare.Difference
	}{{"Sent", sent, nil}, {"Answered in the files", recorded, h.Differences}, {here, replayed, differ}} {
		if len(one.body) > 0 {
			list = append(list, laidOut(one.name, one.body, one.list, min(*room, mostOfBody)))
			*room -= min(*room, mostOfBody, len(one.body))
		}
	}
	return list
}

// laidOut lays a body out, as much of it as may be shown.
func laidOut(name string, body []byte, differ []compare.Difference, most int) Body {
	b := Body{Name: name}
	var text bytes.Buffer
	if len(body) > 1<<20 || json.Indent(&text, body, "", "  ") != nil {
		text.Reset()
		text.Write(body[:min(len(body), most)])
		b.Left = len(body) - text.Len()
	}
	classes := map[string]compare.Class{}
	for i := range differ {
		classes[differ[i].Where] = differ[i].Class
	}
	at, shown := pointers{}, 0
	for line := range strings.Lines(strings.ToValidUTF8(text.String(), "\uFFFD")) {
		line = strings.TrimRight(line, "\r\n")
		if shown+len(line) > most {
			break
		}
		shown += len(line)
		b.Lines = append(b.Lines, BodyLine{line, classes[at.of(strings.TrimSpace(line))]})
	}
	b.Left += max(0, text.Len()-shown-len(b.Lines))
	return b
}

// pointers goes through indented JSON, a line at a time: what it stands in, outermost first.
type pointers struct{ within []level }

type level struct {
	name string // "" for the members of a list
	list bool
	next int // the number of a list's next element
}

// of is the pointer of what a line shows.
func (p *pointers) of(line string) string {
	if line == "" || line[0] == '}' || line[0] == ']' {
		if n := len(p.within); n > 0 {
			p.within = p.within[:n-1]
		}
		return "-" // no pointer
	}
	name := ""
	if n := len(p.within); n > 0 && p.within[n-1].list {
		name = strconv.Itoa(p.within[n-1].next)
		p.within[n-1].next++
	} else if n > 0 {
		d := json.NewDecoder(strings.NewReader(line))
		_ = d.Decode(&name) // a member begins with its name
	}
	pointer := ""
	for i := range p.within[min(1, len(p.within)):] {
		pointer += "/" + p.within[i+1].name
	}
	if len(p.within) > 0 {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	if last := line[len(line)-1]; last == '{' || last == '[' {
		p.within = append(p.within, level{name: name, list: last == '['})
	}
	return pointer
}
