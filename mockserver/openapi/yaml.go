package openapi

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// YAML writes a JSON document as YAML in block style, its members in the same
// order. Texts that YAML would read as something else, such as dates and
// numbers, stay texts. The error is that of a document that is no JSON.
func YAML(document []byte) ([]byte, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(document, &node); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	plain(&node)
	out, err := yaml.Marshal(&node)
	if err != nil {
		return nil, fmt.Errorf("write the document as YAML: %w", err)
	}
	return out, nil
}

// plain takes the JSON look off a node: the encoder then chooses the style, and
// quotes what needs it. Texts that older readers of YAML take for other things
// keep their quotes.
func plain(n *yaml.Node) {
	quoted := n.Kind == yaml.ScalarNode && n.Tag == "!!str" && ambiguous(n.Value)
	empty := n.Kind != yaml.ScalarNode && len(n.Content) == 0
	if !quoted && !empty {
		n.Style = 0
	}
	for _, c := range n.Content {
		plain(c)
	}
}

// ambiguous says whether a text could be taken for a number, a date, a time or
// a truth value, in whichever version of YAML.
func ambiguous(s string) bool {
	switch s {
	case "", "~", "y", "Y", "n", "N", "on", "On", "ON", "off", "Off", "OFF", "yes", "Yes", "YES", "no", "No", "NO":
		return true
	}
	return s[0] >= '0' && s[0] <= '9' || s[0] == '+' || s[0] == '-' || s[0] == '.' || s[0] == '='
}
