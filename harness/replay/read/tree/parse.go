package tree

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// maxTree is the largest file that is read as a tree, in bytes: the tree is larger still.
const maxTree = 64 << 20

var errNoTree = errors.New("it is no JSON, YAML or XML")

// Is says whether a text begins as structured files do.
func Is(text []byte) bool {
	begin := bytes.TrimSpace(text[:min(len(text), 4096)])
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[' || begin[0] == '<' || yamlBegins().Match(begin))
}

var yamlBegins = trail.Pattern(`\A(?:---|(?:#[^\n]*\n)*(?:[A-Za-z_]+:[ \t]*\r?\n[ \t]*(?:- |[A-Za-z_]+:)|(?:[a-z_]+:[^\n]*\n){2}))`)

// parse gives the values that a file holds, and the lines where they begin: of JSON of which each stands on lines of its own.
func parse(data []byte) (list []any, lines []int, err error) {
	trimmed := bytes.TrimSpace(data)
	switch {
	case len(trimmed) == 0 || len(trimmed) > maxTree:
		return nil, nil, errNoTree
	case trimmed[0] == '{' || trimmed[0] == '[':
		before, _, _ := bytes.Cut(data, trimmed[:1])
		return parseJSON(trimmed, 1+bytes.Count(before, []byte("\n")))
	case trimmed[0] == '<':
		list, err = parseXML(trimmed)
	default:
		list, err = parseYAML(trimmed)
	}
	return list, nil, err
}

// parseJSON reads values that follow each other, the first of them in a line.
func parseJSON(data []byte, line int) (list []any, lines []int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	from := int64(0)
	for len(list) < source.MaxEntries {
		var v any
		if err = d.Decode(&v); err != nil {
			break
		}
		list, lines = append(list, v), append(lines, line)
		ends := d.InputOffset()
		rest := data[ends:]
		next := int64(len(rest) - len(bytes.TrimLeft(rest, " \t\r\n")))
		line += bytes.Count(data[from:ends+next], []byte("\n"))
		from = ends + next
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(list) == 1 || len(slices.Compact(slices.Clone(lines))) < len(lines) {
		lines = nil
	}
	return list, lines, err
}

// parseYAML reads documents that are objects or lists; any text is YAML else.
func parseYAML(data []byte) ([]any, error) {
	if len(data) > 4<<20 || !bytes.Contains(data, []byte(": ")) && !bytes.Contains(data, []byte(":\n")) {
		return nil, errNoTree
	}
	var v any
	if err := yaml.Load(data, &v); err != nil {
		return nil, err
	}
	switch v.(type) {
	case map[string]any, []any:
		return []any{v}, nil
	}
	return nil, errNoTree
}

// parseXML makes an object of each element: its attributes and children by name, and its
// text under "".
func parseXML(data []byte) ([]any, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	open := []*element{{values: map[string]any{}}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, values: map[string]any{}}
			for _, a := range token.Attr {
				e.values[a.Name.Local] = a.Value
			}
			if open = append(open, e); len(open) > source.MaxNesting {
				return nil, errNoTree
			}
		case xml.CharData:
			top.text.Write(token)
		case xml.EndElement:
			if len(open) == 1 {
				return nil, errNoTree
			}
			open = open[:len(open)-1]
			add(open[len(open)-1].values, top.name, top.value())
		}
	}
	if len(open) != 1 || len(open[0].values) == 0 {
		return nil, errNoTree
	}
	return []any{open[0].values}, nil
}

// element is one that has begun.
type element struct {
	name   string
	text   strings.Builder
	values map[string]any
}

// value is what an element holds: its text alone, or an object.
func (e *element) value() any {
	text := strings.TrimSpace(e.text.String())
	if len(e.values) == 0 || text != "" && e.values["base64"] != nil {
		return text
	}
	if delete(e.values, "class"); len(e.values) == 0 { // a class says how the text was held
		return text
	}
	if text != "" {
		e.values[""] = text
	}
	return e.values
}

// add adds a value under a name; several of the name are a list.
func add(values map[string]any, name string, v any) {
	switch was := values[name].(type) {
	case nil:
		values[name] = v
	case []any:
		values[name] = append(was, v)
	default:
		values[name] = []any{was, v}
	}
}

// Texts are the texts that stand in JSON or lines of it, one behind another, as a chat's export
// or a service that keeps logs has them, those of an object behind the moment that it tells.
func Texts(data []byte) []byte {
	open, deep := []*spoken{{}}, 0
	d := json.NewDecoder(bytes.NewReader(bytes.TrimSpace(data)))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			for len(open) > 1 {
				open = closed(open)
			}
			return open[0].texts.Bytes()
		}
		in := open[len(open)-1]
		switch token := token.(type) {
		case json.Delim:
			switch begins := token == '{' || token == '['; {
			case begins && len(open) > source.MaxNesting:
				deep++
			case begins:
				open = append(open, &spoken{object: token == '{'})
			case deep > 0:
				deep--
			default:
				open = closed(open)
			}
			in.key = ""
		case string:
			in.text(token)
		case json.Number:
			in.told(token.String())
			in.key = ""
		default:
			in.key = ""
		}
	}
}

// fences puts what chats put around code on lines of its own.
var fences = strings.NewReplacer("```\n", "```\n", "\n```", "\n```", "```", "\n```\n")

// spoken are the texts of an object or a list that is not at its end.
type spoken struct {
	texts  bytes.Buffer
	at     time.Time
	object bool
	key    string // whose value comes next; "" for none
}

// text takes a key, or a value.
func (s *spoken) text(said string) {
	if s.object && s.key == "" {
		s.key = said + "\x00" // none is empty
		return
	}
	s.told(said)
	s.key = ""
	if strings.ContainsAny(said, " \n") {
		s.texts.WriteString(fences.Replace(html.UnescapeString(said)) + "\n")
	}
}

// told takes the moment that a chat's message has.
func (s *spoken) told(value string) {
	switch strings.TrimSuffix(s.key, "\x00") {
	case "ts", "created_at", "createdAt", "createdDateTime", "sent_at":
		s.at = moment(value)
	}
}

// closed puts the texts of what ends into what it stands in.
func closed(open []*spoken) []*spoken {
	last, into := open[len(open)-1], open[len(open)-2]
	if last.texts.Len() > 0 && !last.at.IsZero() {
		into.texts.WriteString(last.at.UTC().Round(time.Millisecond).Format(time.RFC3339Nano) + "\n")
	}
	into.texts.Write(last.texts.Bytes())
	return open[:len(open)-1]
}
