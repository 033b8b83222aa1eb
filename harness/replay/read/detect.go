package read

import (
	"bytes"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
)

// format is a form that files have.
type format struct {
	name string
	// is says whether a file's text looks like it. The first format that says so is taken.
	is func(text []byte) bool
	// read reads a file's calls; variables reads what it says to fill in others. One is nil.
	read      func(f *source.File, v source.Variables) (*source.Part, error)
	variables func(f *source.File) (source.Variables, error)
}

// formats are the formats, the surest signs first.
func formats() []format {
	return []format{
		{name: "tape", is: firstLine(`{"tape":`), read: record.Tape},
		{name: "har", is: object(`"log"`, `"entries"`), read: record.HAR},
	}
}

// sample is how much of a file its form is guessed from.
const sample = 64 << 10

func begin(text []byte) []byte { return bytes.TrimSpace(text[:min(len(text), sample)]) }

// firstLine is a sign that stands at the very beginning.
func firstLine(sign string) func([]byte) bool {
	return func(text []byte) bool {
		return bytes.HasPrefix(bytes.ReplaceAll(begin(text[:min(len(text), 256)]), []byte(" "), nil), []byte(sign))
	}
}

// object is a JSON object in whose text all of these stand.
func object(signs ...string) func([]byte) bool {
	return func(text []byte) bool {
		if !bytes.HasPrefix(begin(text), []byte("{")) {
			return false
		}
		for _, sign := range signs {
			if !bytes.Contains(text, []byte(sign)) {
				return false
			}
		}
		return true
	}
}
