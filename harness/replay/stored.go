package replay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// errLink says that a link in case.yaml cannot be followed.
var errLink = errors.New("a link that is added says `type`, `recorded`, and where its value is made: the `call` by its number from 1 and `where`, the JSON pointer in its answer; one with `undone: true` needs the first two alone")

// linked carries out what a person has written in the links of case.yaml: those that are
// undone stand for nothing, and those without a replayed value are added.
func (s *Stored) linked(script *play.Script) error {
	script.World.Undone = nil
	for i := range s.Links {
		if l := &s.Links[i]; l.Undone {
			script.World.Undone = append(script.World.Undone, correlate.Value{Type: l.Type, Text: l.Recorded})
			s.unstand(script, l)
		}
	}
	for i := range s.Links {
		l := &s.Links[i]
		if l.Type == "" || l.Recorded == "" {
			return fmt.Errorf("link %d: %w", i+1, errLink)
		}
		if l.Undone || l.Replayed != "" {
			continue
		}
		at := slices.IndexFunc(script.Steps, func(s play.Step) bool { return s.Call != nil && s.Call.N != play.Prelude && s.Call.N == l.Call-1 })
		if at < 0 || !strings.HasPrefix(l.Where, "/") {
			return fmt.Errorf("link %d, of %s: %w", i+1, l.Recorded, errLink)
		}
		c := script.Steps[at].Call
		c.Stands = append(c.Stands, correlate.Value{Type: l.Type, Text: l.Recorded, Where: l.Where})
	}
	return nil
}

// unstand takes a value away from what the script says itself, unless another link has it.
func (s *Stored) unstand(script *play.Script, gone *correlate.Link) {
	same := func(t correlate.Type, text string) bool {
		return t == gone.Type && strings.EqualFold(text, gone.Recorded)
	}
	if slices.ContainsFunc(s.Links, func(l correlate.Link) bool { return !l.Undone && same(l.Type, l.Recorded) }) {
		return
	}
	drop := func(list []correlate.Value) []correlate.Value {
		return slices.DeleteFunc(list, func(v correlate.Value) bool { return same(v.Type, v.Text) })
	}
	for i := range script.Steps {
		if c := script.Steps[i].Call; c != nil {
			c.Stands = drop(c.Stands)
		}
		if m := script.Steps[i].Move; m != nil {
			m.Stands = drop(m.Stands)
		}
	}
}

// Unmade tells of the added links for which the replay has shown nothing.
func (s *Stored) Unmade(c *Case) []string {
	var list []string
	for _, l := range s.Links {
		made := func(one correlate.Link) bool {
			return one.Type == l.Type && strings.EqualFold(one.Recorded, l.Recorded)
		}
		if !l.Undone && l.Replayed == "" && !slices.ContainsFunc(c.Links, made) {
			list = append(list, fmt.Sprintf("The link of %s %s was not made: the answer of call %d shows nothing at %s", l.Type, l.Recorded, l.Call, l.Where))
		}
	}
	return list
}

// links are those of the case, and those that were undone.
func (c *Case) links() []correlate.Link {
	list := slices.Clone(c.Links)
	for _, v := range c.Script.World.Undone {
		list = append(list, correlate.Link{Type: v.Type, Recorded: v.Text, Undone: true})
	}
	return list
}

// errVersion says that a case was written by another release.
var errVersion = errors.New("make it anew from the partner's files, `paysandbox replay FILE --to case=FOLDER`, or replay it with the release that wrote it")

// Load reads a case's folder, which may come from anybody: only the folder's own files are
// read, and each to a bound.
func Load(folder string) (Stored, *recording.Recording, *play.Script, error) {
	var s Stored
	root, err := os.OpenRoot(folder)
	if err != nil {
		return s, nil, nil, fmt.Errorf("%s: %w: it cannot be opened: %w", folder, errFolder, err)
	}
	defer func() { _ = root.Close() }()
	var r recording.Recording
	var script play.Script
	for _, one := range []struct {
		name string
		read func(text []byte) error
	}{
		{fileCase, func(text []byte) (err error) { s, err = readStored(text); return err }},
		{fileRecording, func(text []byte) error { return readRecording(text, &r) }},
		{fileScript, func(text []byte) error { return readScript(text, &script, &r) }},
		{fileTape, func(text []byte) (err error) { s.entries, err = readEntries(text); return err }},
		{fileCase, func([]byte) error { return s.linked(&script) }},
	} {
		text, err := file(root, one.name)
		if errors.Is(err, fs.ErrNotExist) {
			return s, nil, nil, fmt.Errorf("%s: %w: it has no %s, which each case has", folder, errFolder, one.name)
		}
		if err == nil {
			err = one.read(text)
		}
		if err != nil {
			return s, nil, nil, fmt.Errorf("%s: %w", filepath.Join(folder, one.name), err)
		}
	}
	return s, &r, &script, nil
}

// errFile says what a file of a case may be.
var errFile = errors.New("it is no plain file of at most " + strconv.Itoa(source.MaxFile) + " bytes; give a folder that `paysandbox replay` has written")

// file reads a file of a case. A link could lead anywhere, and a pipe would keep us waiting.
func file(root *os.Root, name string) ([]byte, error) {
	about, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !about.Mode().IsRegular() || about.Size() > source.MaxFile {
		return nil, errFile
	}
	return root.ReadFile(name)
}

// IsCase says whether a folder is that of a case, which may lack a file.
func IsCase(folder string) bool {
	has := func(name string) bool {
		info, err := os.Lstat(filepath.Join(folder, name))
		return err == nil && !info.IsDir()
	}
	return has(fileCase) || has(fileRecording) && has(fileScript)
}

// readStored reads case.yaml. Another version has other members, so it is looked at first.
func readStored(text []byte) (s Stored, err error) {
	var only struct {
		Case int `yaml:"case"`
	}
	if err := yaml.Load(text, &only); err != nil {
		return s, inYAML(err)
	}
	if only.Case != version {
		return s, fmt.Errorf("the case is of version %d, this release reads version %d: %w", only.Case, version, errVersion)
	}
	if err = yaml.Load(text, &s, yaml.WithKnownFields()); err != nil {
		return s, inYAML(err)
	}
	if s.Side == "" || len(s.Sources) == 0 || len(s.Lines) == 0 || !bytes.HasSuffix(text, []byte("\n")) {
		return s, fmt.Errorf("line %d: %w", bytes.Count(text, []byte("\n"))+1, errShort)
	}
	return s, nil
}

// errShort says that case.yaml ends too early. What stands last in it are the lines of the diagnosis.
var errShort = errors.New("the file ends before all is told (`sources`, `side`, then the links, and last the lines of the `diagnosis`, with a newline): it was cut off; copy it again")

// goType is how the reader of YAML speaks of our types.
var goType = trail.Pattern(` (?:in type|into) [][*a-zA-Z]*[.a-zA-Z]+`)

// inYAML is what is wrong with YAML, in words of the file.
func inYAML(err error) error {
	return fmt.Errorf("%s: write it as `paysandbox replay FILE --to case=FOLDER` does, or copy it again", goType().ReplaceAllString(err.Error(), ""))
}

// readRecording reads recording.json.
func readRecording(text []byte, r *recording.Recording) error {
	if err := inJSON(text, json.Unmarshal(text, r)); err != nil {
		return err
	}
	if len(r.Sources) == 0 {
		return fmt.Errorf("it names no `sources`: %w", errAgain)
	}
	return nil
}

// readScript reads script.json, whose steps are about what the recording has.
func readScript(text []byte, script *play.Script, r *recording.Recording) error {
	if err := inJSON(text, json.Unmarshal(text, script)); err != nil {
		return err
	}
	if script.World.Start.IsZero() {
		return fmt.Errorf("it says nothing of its `world`: %w", errAgain)
	}
	for i := range script.Steps {
		s := &script.Steps[i]
		if c := s.Call; c != nil && (c.N < play.Prelude || c.N >= len(r.Exchanges)) {
			return fmt.Errorf("step %d: it is call %d, and %s has %d: %w", i+1, c.N+1, fileRecording, len(r.Exchanges), errAgain)
		}
		if s.Heard < 0 || s.Heard > len(r.Received) {
			return fmt.Errorf("step %d: it is webhook %d, and %s has %d: %w", i+1, s.Heard, fileRecording, len(r.Received), errAgain)
		}
	}
	return nil
}

// readEntries reads replay.tape, which is whole: what it lacks would seem to have changed.
func readEntries(text []byte) ([]tape.Entry, error) {
	meta, entries, err := tape.Read(bytes.NewReader(text))
	switch {
	case err != nil:
		return nil, err
	case meta.Ending == tape.Open:
		return nil, fmt.Errorf("line %d: the line that ends a tape is lacking, it was cut off: %w", bytes.Count(text, []byte("\n"))+1, errAgain)
	case meta.Ending == tape.Changed:
		return nil, fmt.Errorf("its last line says that it had other entries: %w", errAgain)
	default:
		return entries, nil
	}
}

// errAgain says what to do with a damaged file.
var errAgain = errors.New("the file is damaged; copy it again, or make the case anew from the partner's files, `paysandbox replay FILE --to case=FOLDER`")

// inJSON says where JSON is wrong, and what was expected there.
func inJSON(text []byte, err error) error {
	line := func(offset int64) int {
		return bytes.Count(text[:min(int64(len(text)), max(0, offset-1))], []byte("\n")) + 1
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: `%s` is a %s, expected %s: %w", line(kind.Offset), cmp.Or(kind.Field, "the whole file"), kind.Value, kindOf(kind.Type), errAgain)
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(bytes.TrimRight(text, "\n"))):
		return fmt.Errorf("line %d: the file ends before it is whole: %w", line(syntax.Offset), errAgain)
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: it is no JSON, %w: %w", line(syntax.Offset), err, errAgain)
	default: // a moment, of which the reader does not say where
		return fmt.Errorf("%s: %w", cmp.Or(noMoment(text), err.Error()), errAgain)
	}
}

// moment is a member that is one, with what is written there.
var moment = trail.Pattern(`"(at|begin|end|start|time)": *("[^"]*"|[^,}\s]+)`)

// noMoment says where the first member stands that should be a moment and is none.
func noMoment(text []byte) string {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var t time.Time
		if found := moment().FindSubmatch(line); found != nil && json.Unmarshal(found[2], &t) != nil {
			return fmt.Sprintf("line %d: `%s` is no moment such as \"2026-03-02T17:00:00Z\"", n, found[1])
		}
	}
	return ""
}

// kindOf is what JSON calls a kind of value.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Pointer:
		return kindOf(t.Elem())
	default:
		return "a number"
	}
}
