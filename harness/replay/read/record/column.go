package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
)

// Column is the log that stands in one column of a table, as services that keep logs export what a
// search has found: a line for each row, with the row's time before it where the line says none;
// nil for a text that is no such table. places are the lines of
// the table of which each line was made. shows says whether a line is worth it.
func Column(text []byte, shows func([]byte) bool) (log []byte, places []int) {
	head, _, ok := bytes.Cut(text, []byte("\n"))
	if names := row(head); !ok || len(head) > 4096 || len(names) < 2 || IsTable(text) || strings.ContainsAny(string(head), "{}<>=") {
		return nil, nil
	}
	rows := rowsOf(text)
	if rows == nil {
		return nil, nil
	}
	at, most := -1, 0
	for i := range rows[0].values {
		n := 0
		for _, r := range rows[1:] {
			if source.IsEvent([]byte(r.values[i])) || shows([]byte(strings.NewReplacer(`"`, " ", `\\`, " ").Replace(r.values[i]))) {
				n++
			}
		}
		if n > most {
			at, most = i, n
		}
	}
	if at < 0 || others(rows[1:], at) > len(rows[1:])/2 {
		return nil, nil
	}
	source.OldestFirst(rows[1:], func(r placed) time.Time { return source.Time(timeOf(r.values, at)) })
	var out bytes.Buffer
	for _, r := range rows[1:] {
		line := timed(r.values, at) + "\n"
		out.WriteString(line)
		places = append(places, slices.Repeat([]int{r.line}, strings.Count(line, "\n"))...)
	}
	return out.Bytes(), places
}

// placed is a row with the line at which it begins.
type placed struct {
	values []string
	line   int
}

// rowsOf are the rows of a table that is even; nil for any other text.
func rowsOf(text []byte) (rows []placed) {
	r := table(text)
	if wide(text, r.Comma) {
		return nil
	}
	for len(rows) <= source.MaxEntries {
		values, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(rows) > 0 && len(values) != len(rows[0].values) {
			return nil
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, placed{values, line})
	}
	return rows
}

// others counts the rows in which other columns hold bodies: the row is the call.
func others(rows []placed, at int) (n int) {
	for _, r := range rows {
		for i, value := range r.values {
			if i != at && strings.HasPrefix(strings.TrimSpace(value), "{") {
				n++
				break
			}
		}
	}
	return n
}

// Rows is a table of calls whose columns have names of their own, as text: each value on a line,
// a body behind the name of its column; nil for a text that is none.
func Rows(text []byte, shows func([]byte) bool) []byte {
	head, _, ok := bytes.Cut(text, []byte("\n"))
	names := row(head)
	if !ok || len(head) > 4096 || len(names) < 3 || IsTable(text) || strings.ContainsAny(string(head), "{}<>=") {
		return nil
	}
	r := table(text)
	if wide(text, r.Comma) {
		return nil
	}
	var out bytes.Buffer
	_, _ = r.Read() // the names
	for found, n := 0, 0; n < source.MaxEntries; n++ {
		values, err := r.Read()
		if errors.Is(err, io.EOF) && found > 0 {
			return out.Bytes()
		}
		if err != nil || len(values) != len(names) {
			return nil
		}
		for i, value := range values {
			if shows([]byte(value)) {
				found++
			}
			if strings.HasPrefix(strings.TrimSpace(value), "{") {
				value = names[i] + ": " + value
			}
			out.WriteString(value + "\n")
		}
	}
	return out.Bytes()
}

// timed is a row's line with its time: among the members of an object, else before it.
func timed(values []string, at int) string {
	line, when := strings.TrimRight(values[at], "\r\n"), timeOf(values, at)
	var members map[string]json.RawMessage
	switch {
	case when == "":
		return line
	case json.Unmarshal([]byte(line), &members) != nil || source.IsEvent([]byte(line)): // whose bytes are signed
		return when + " " + line
	}
	for _, name := range []string{"time", "timestamp", "@timestamp", "ts"} {
		if members[name] != nil {
			return line
		}
	}
	quoted, _ := json.Marshal(when)
	return `{"timestamp":` + string(quoted) + "," + strings.TrimPrefix(strings.TrimSpace(line), "{")
}

// timeOf is the first value of a row that is a time, but for that of one column; "" for none.
func timeOf(values []string, but int) string {
	for i, value := range values {
		if i != but && len(value) < 64 && !source.Time(value).IsZero() {
			return value
		}
	}
	return ""
}
