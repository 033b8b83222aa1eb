package words

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a value as JSON for people.
func WriteJSON(v any, w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
