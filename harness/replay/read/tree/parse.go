package tree

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"strings"

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

// parse gives the values that a file holds.
func parse(data []byte) ([]any, error) {
	trimmed := bytes.TrimSpace(data)
	switch {
	case len(trimmed) == 0 || len(trimmed) > maxTree:
		return nil, errNoTree
	case trimmed[0] == '{' || trimmed[0] == '[':
		return parseJSON(trimmed)
	case trimmed[0] == '<':
		return parseXML(trimmed)
	default:
		return parseYAML(trimmed)
	}
}

func parseJSON(data []byte) ([]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var list []any
	for len(list) < source.MaxEntries {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
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
// or a service that keeps logs has them.
func Texts(data []byte) []byte {
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(bytes.TrimSpace(data)))
	for {
		token, err := d.Token()
		if err != nil {
			return out.Bytes()
		}
		if s, ok := token.(string); ok && strings.ContainsAny(s, " \n") {
			out.WriteString(html.UnescapeString(s) + "\n")
		}
	}
}
