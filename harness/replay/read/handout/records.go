package handout

import (
	"encoding/csv"
	"encoding/json"
	"iter"
	"strings"
)

// record is a row of a table, an object, or a line; line is where it begins, from 1.
type record struct {
	line int
	text string
	row  bool
}

// records are those of a text.
func records(text string) iter.Seq[record] {
	if comma := separator(text); comma != 0 {
		return rows(text, comma)
	}
	if trimmed := strings.TrimSpace(text); strings.Contains(trimmed, "\n") && strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed)) {
		return objects(text)
	}
	return func(yield func(record) bool) {
		n := 0
		for line := range strings.Lines(text) {
			if n++; !yield(record{line: n, text: line}) {
				return
			}
		}
	}
}

// separator is what stands between the columns of a table, by its head; 0 for what is none.
func separator(text string) rune {
	head, _, _ := strings.Cut(text, "\n")
	if len(head) > mostRecord || strings.ContainsAny(head, "{}[=") {
		return 0
	}
	for _, comma := range []rune{',', ';', '\t'} {
		if strings.Count(head, string(comma)) >= 2 {
			return comma
		}
	}
	return 0
}

// rows are those of a table, in which a cell may hold several lines. What is none of its width is none of its rows.
func rows(text string, comma rune) iter.Seq[record] {
	return func(yield func(record) bool) {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = comma, -1, true, true
		width := 0
		for {
			row, err := r.Read()
			if err != nil {
				return
			}
			line, _ := r.FieldPos(0)
			if width == 0 {
				width = len(row)
			}
			if len(row) == width && !yield(record{line: line, text: strings.Join(row, "\n"), row: true}) {
				return
			}
		}
	}
}

// objects are those of a list.
func objects(text string) iter.Seq[record] {
	return func(yield func(record) bool) {
		d := json.NewDecoder(strings.NewReader(text))
		_, _ = d.Token() // the bracket
		line, counted := 1, 0
		for d.More() {
			var raw json.RawMessage
			if d.Decode(&raw) != nil {
				return
			}
			from := int(d.InputOffset()) - len(raw)
			line, counted = line+strings.Count(text[counted:from], "\n"), from
			if !yield(record{line: line, text: string(raw), row: true}) {
				return
			}
		}
	}
}
