package source

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/recording"
)

const (
	// mostSought is how many bytes are looked through for the lines of a file.
	mostSought = 1 << 29
	// tellingLine is how long a line has to be to be known by its text.
	tellingLine = 8
)

// unmarked is a text without the signs by which texts stand in others.
var unmarked = strings.NewReplacer(`\`, "", `"`, "", "\r", "")

// Relocate puts the lines of a file in the place of those of a text that was made of it and that a part was read from, in which
// a line of the file may stand as many. The same text stands as often in both, and in the same order; where it does not, no
// line is told.
func Relocate(p *Part, made, file string) {
	if made == file || strings.Count(made, "\n") == strings.Count(file, "\n") {
		return
	}
	r := relocation{made: newText(made), file: newText(file), known: map[string][2][]int{}}
	for i := range p.Exchanges {
		r.place(&p.Exchanges[i].Place)
	}
	for i := range p.Received {
		r.place(&p.Received[i].Place)
	}
	for i := range p.Skipped {
		if p.Skipped[i].Place.Line > 1 {
			r.place(&p.Skipped[i].Place)
		}
	}
}

// Located puts the lines of the file that was given in the place of those of the data that was made of it.
func (f *File) Located(p *Part) {
	at := func(place *recording.Place) {
		if place.Line > 0 && place.Line <= len(f.Lines) {
			place.Line = f.Lines[place.Line-1]
		}
	}
	for i := range p.Exchanges {
		at(&p.Exchanges[i].Place)
	}
	for i := range p.Received {
		at(&p.Received[i].Place)
	}
	for i := range p.Skipped {
		at(&p.Skipped[i].Place)
	}
}

type relocation struct {
	made, file text
	// known are the lines in which a text stands, of both.
	known map[string][2][]int
	spent int
}

// text is one with the places at which its lines begin.
type text struct {
	all    string
	starts []int
}

func newText(s string) text {
	t := text{all: unmarked.Replace(s), starts: []int{0}}
	for i := range len(t.all) {
		if t.all[i] == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line is a line, from 0.
func (t *text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	line, _, _ := strings.Cut(t.all[t.starts[n]:], "\n")
	return strings.TrimSpace(line)
}

// with are the lines in which a text stands, as often as it does.
func (t *text) with(s string) (list []int) {
	for from := 0; ; {
		at := strings.Index(t.all[from:], s)
		if at < 0 {
			return list
		}
		line, found := slices.BinarySearch(t.starts, from+at)
		if !found {
			line--
		}
		list, from = append(list, line), from+at+len(s)
	}
}

func (r *relocation) place(at *recording.Place) {
	if at.Line == 0 {
		return
	}
	n := at.Line - 1
	at.Line = 0
	said := ""
	for end := n + 4; n < end; n++ {
		if said = r.made.line(n); len(said) >= tellingLine {
			break
		}
	}
	if len(said) < tellingLine {
		return
	}
	lists, known := r.known[said]
	if !known {
		if r.spent += len(r.made.all) + len(r.file.all); r.spent > mostSought {
			return
		}
		lists = [2][]int{r.made.with(said), r.file.with(said)}
		r.known[said] = lists
	}
	if i := slices.Index(lists[0], n); i >= 0 && len(lists[0]) == len(lists[1]) {
		at.Line = lists[1][i] + 1
	}
}
