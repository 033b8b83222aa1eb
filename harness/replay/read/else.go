package read

import (
	"bytes"
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/join"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/read/tree"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// orElse is what a reader made of a file, or what another way to read it finds, if that is
// more: a search of its text, a reading as a tree, a search of the texts that stand in the
// tree, or of its text without what mails, terminals and loggers put around it. People paste commands
// together with what they printed, and with what they think. A script is one, whatever
// stands in it.
func orElse(f *source.File, v source.Variables, p *source.Part, err error) (*source.Part, error) {
	content := f.Text()
	if err == nil && isScript(p, content) {
		return p, nil
	}
	if err == nil {
		join.Halves(p)
	}
	b := best{part: p, err: err, known: -1, log: err == nil && p.Source().Format != "jsonl"}
	b.lines = err == nil && !b.log && len(p.Skipped) == 0
	if !b.lines && (err != nil || p.Source().Format != "pasted") { // which was searched already
		b.take(text.Pasted(f, v))
	}
	if tree.Is(content) {
		b.objects(f, v)
	}
	if named := keyed(content); named != nil {
		b.tree(record.JSONLines(&source.File{Name: f.Name, Data: named}, v))
	}
	if !b.lines {
		b.behind(f, v)
		b.plain(f, v)
		b.tidy()
	}
	return b.part, b.err
}

// objects takes what a file of objects shows as a tree, as lines of a logger, and in the texts that stand in it.
func (b *best) objects(f *source.File, v source.Variables) {
	b.tree(tree.Read(f, v))
	if said := tree.Texts(f.Text()); !b.lines && namesOperation(said) {
		b.take(pasted(f, said, v))
	}
	if !b.log {
		return
	}
	if found, err := record.JSONLines(f, v); err == nil && served(found) > 0 {
		b.tree(found, nil)
	}
}

// isScript says whether a file is a script and nothing else.
func isScript(p *source.Part, content []byte) bool {
	return bytes.HasPrefix(content, []byte("#!")) || p.Source().Format == "curl" && commands.IsScript(content)
}

// best is the reading that has found most, or why none could be made.
type best struct {
	part *source.Part
	err  error
	// known is how many calls a tree shows, -1 without one: a search of texts is better where it finds more.
	known int
	// lines says that the file was read as JSON lines each of which is a call, log that it was read as none.
	lines, log bool
}

func (b *best) take(found *source.Part, none error) {
	if none == nil {
		join.Halves(found)
		join.DropNamed(found)
	}
	if none == nil && (b.err != nil || worth(b.part) < worth(found) && served(found) > b.known) {
		b.part, b.err = found, nil
	}
}

// plain takes what a search of the text without its marks finds: surely where calls stand as objects in it.
func (b *best) plain(f *source.File, v source.Variables) {
	plain, calls := plainer(f.Text())
	if plain == nil {
		return
	}
	file := &source.File{Name: f.Name, Data: plain}
	found, none := pasted(f, plain, v)
	if calls && none == nil && b.part != nil && b.part.Source().Format == "pasted" {
		b.part = found
	}
	b.take(found, none)
	if found, none = httptext.Messages(file, v); none == nil {
		source.Relocate(found, string(plain), string(f.Text()))
	}
	b.take(found, none)
}

// pasted searches a text that was made of a file, in which its lines are others.
func pasted(f *source.File, said []byte, v source.Variables) (*source.Part, error) {
	found, err := text.Pasted(&source.File{Name: f.Name, Data: said}, v)
	if err == nil {
		source.Relocate(found, string(said), string(f.Text()))
	}
	return found, err
}

// tree takes what was found in a tree, too, where a search of the text finds no more calls: a tree
// knows what belongs to what.
func (b *best) tree(found *source.Part, none error) {
	b.take(found, none)
	if none == nil {
		b.known = served(found) + beside(found)
	}
	if none == nil && b.part.Source().Format == "pasted" && (served(found) >= served(b.part) || b.known > served(found) && b.known >= different(b.part)) {
		b.part = found
	}
}

// beside counts the calls to the hosts of operations that are none themselves: to paths that are wrong.
func beside(p *source.Part) (n int) {
	hosts := map[string]bool{}
	for i := range p.Exchanges {
		if _, ok := source.BasePath(p.Exchanges[i].Path); ok {
			hosts[p.Exchanges[i].Host] = true
		}
	}
	for i := range p.Exchanges {
		if _, ok := source.BasePath(p.Exchanges[i].Path); !ok && hosts[p.Exchanges[i].Host] {
			n++
		}
	}
	return n
}

// different counts the calls to operations that differ in more than their time.
func different(p *source.Part) int {
	seen := map[string]bool{}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		if _, ok := source.BasePath(x.Path); ok {
			seen[x.Method+" "+x.Path+"?"+x.Query+" "+string(x.Body)] = true
		}
	}
	return len(seen)
}

// served counts the calls to operations.
func served(p *source.Part) (n int) {
	for i := range p.Exchanges {
		if _, ok := source.BasePath(p.Exchanges[i].Path); ok {
			n++
		}
	}
	return n
}

// tidy leaves out what tells of a call once more. Slashes that a logger has put twice are one.
func (b *best) tidy() {
	if b.err == nil {
		oneSlash(b.part)
		join.DropSummaries(b.part)
	}
}

// oneSlash puts one slash in the place of two in the paths of operations.
func oneSlash(p *source.Part) {
	paths := map[string]bool{}
	for i := range p.Exchanges {
		paths[p.Exchanges[i].Path] = true
	}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		one := x.Path
		for strings.Contains(one, "//") {
			one = strings.ReplaceAll(one, "//", "/")
		}
		if _, ok := source.BasePath(one); ok && (x.Answer.Status != 404 || paths[one]) {
			x.Path = one
		}
	}
}

// worth is how much a part shows of calls to the service.
func worth(p *source.Part) (n int) {
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		switch _, ok := source.BasePath(x.Path); {
		case !ok && !isWebhook(x):
			n--
			continue
		case bytes.HasPrefix(x.Body, []byte("{")):
			n++
		}
		if n += 2; x.Answer.Known != recording.NotRecorded {
			n += 2
		}
		n += worthOf(&x.Answer)
	}
	for i := range p.Received {
		if n += 2; source.Header(p.Received[i].Header, trail.SignatureHeader) != "" {
			n++
		}
	}
	return n
}

// worthOf is how much an answer shows besides its status.
func worthOf(a *recording.Answer) int {
	switch {
	case a.Known == recording.NeverArrived: // says all there is
		return 1
	case a.Known != recording.Whole || len(a.Body) > 0 && a.Body[0] == '<':
		return 0
	case len(a.Body) == 0 || strings.IndexByte("{[", a.Body[0]) >= 0 && json.Valid(a.Body):
		return 1
	case isShortened(a.Body), breaksOff(a.Body):
		return 0
	default: // it holds more than a body
		return -1
	}
}
