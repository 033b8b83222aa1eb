package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// Column is the log that stands in one column of a table, as services that keep logs export what a
// search has found: a line for each row, with the row's time before it where the line says none;
// nil for a text that is no such table. places are the lines of
// the table of which each line was made. shows says whether a line is worth it.
func Column(text []byte, shows func([]byte) bool) (log []byte, places []int) {
	head, _, ok := bytes.Cut(text, []byte("\n"))
	if names := row(head); !ok || len(head) > 4096 || len(names) < 2 || Is(text) || strings.ContainsAny(string(head), "{}<>=") {
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
	r := reader(text)
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

// Rows is a table of calls whose columns have names of their own, as text: each value on a line, a body behind the name of its column,
// the oldest row first, and those of each program together that has a name in a column; nil for a text that is none. places are the lines
// of the table of which each line was made.
func Rows(text []byte, shows func([]byte) bool) (log []byte, places []int) {
	head, _, ok := bytes.Cut(text, []byte("\n"))
	names := row(head)
	if !ok || len(head) > 4096 || len(names) < 3 || Is(text) || strings.ContainsAny(string(head), "{}<>=") {
		return nil, nil
	}
	rows := rowsOf(text)
	if len(rows) < 2 {
		return nil, nil
	}
	rows = rows[1:]
	source.OldestFirst(rows, func(r placed) time.Time { return source.Time(timeOf(r.values, -1)) })
	var out bytes.Buffer
	found := false
	for _, r := range together(names, rows) {
		for i, value := range r.values {
			found = found || shows([]byte(value))
			if strings.HasPrefix(strings.TrimSpace(value), "{") {
				value = names[i] + ": " + value
			}
			out.WriteString(value + "\n")
			places = append(places, slices.Repeat([]int{r.line}, 1+strings.Count(value, "\n"))...)
		}
	}
	if !found {
		return nil, nil
	}
	return out.Bytes(), places
}

// workers are columns that name which of several programs wrote a row, those that name a call first.
var workers = []func() *regexp.Regexp{
	trail.Pattern(`(?i)(?:request|trace|correlation|span)[._ ]?id$`), trail.Pattern(`(?i)thread`), trail.Pattern(`(?i)(?:^|[._])(?:pid|process|worker)`),
	trail.Pattern(`(?i)(?:^|[._])(?:pod|container|instance|task)`), trail.Pattern(`(?i)(?:^|[._])(?:host|node)`),
}

// together puts the rows of each program behind one another, by the first of such columns that has two names or more, and fewer than
// there are rows: what programs at work at one time write stands in each other's way.
func together(names []string, rows []placed) []placed {
	for _, is := range workers {
		at := slices.IndexFunc(names, func(name string) bool { return is().MatchString(name) })
		if at < 0 {
			continue
		}
		first := map[string]int{}
		for i, r := range rows {
			if _, known := first[r.values[at]]; !known {
				first[r.values[at]] = i
			}
		}
		if len(first) < 2 || len(first) == len(rows) {
			continue
		}
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, func(a, b placed) int { return cmp.Compare(first[a.values[at]], first[b.values[at]]) })
		return rows
	}
	return rows
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

// inserts is how rows of a table are written as SQL.
var inserts = trail.Pattern(`(?i)\bINSERT[ \t]+INTO\b[^;()]{1,200}(?:\([^()]{0,1000}\))?\s*VALUES\b`)

// Inserted is the log that the rows of a table make which are written as SQL: a line for each row that holds an event, behind its
// other values, its time first; nil for a text without one. places are the lines at which the rows begin.
func Inserted(said []byte) (log []byte, places []int) {
	if !bytes.Contains(bytes.ToLower(said), []byte("insert")) { // patterns are dear
		return nil, nil
	}
	var out bytes.Buffer
	for _, at := range inserts().FindAllIndex(said, source.MaxEntries) {
		for from := at[1]; len(places) < source.MaxEntries; {
			from += len(said[from:]) - len(bytes.TrimLeft(said[from:], ", \t\r\n"))
			values, n := sqlRow(said[from:])
			if n == 0 {
				break
			}
			body := slices.IndexFunc(values, func(value string) bool { return source.IsEvent([]byte(value)) })
			if body >= 0 && !strings.Contains(values[body], "\n") {
				others := slices.Delete(slices.Clone(values), body, body+1)
				out.WriteString(timeOf(values, body) + " " + strings.ReplaceAll(strings.Join(others, " "), "\n", " ") + " " + values[body] + "\n")
				places = append(places, source.LineOf(said, from))
			}
			from += n
		}
	}
	return out.Bytes(), places
}

// sqlRow are the values of a row in brackets, and how many bytes it takes; 0 for what is none.
func sqlRow(said []byte) (values []string, n int) {
	if len(said) == 0 || said[0] != '(' {
		return nil, 0
	}
	for n = 1; n < len(said) && len(values) < mostColumns; n++ {
		value, size := sqlValue(said[n:])
		values = append(values, value)
		if n += size; n < len(said) && said[n] == ')' {
			return values, n + 1
		}
	}
	return nil, 0
}

// unescaped are what MySQL writes for signs that a text cannot have as they are.
var unescaped = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '0': ' '}

// sqlValue is what stands before a comma or a bracket, a text without its quotes, and how many bytes it takes.
func sqlValue(said []byte) (value string, n int) {
	var out strings.Builder
	quoted := false
	for ; n < len(said); n++ {
		c := said[n]
		switch {
		case quoted && c == '\\' && n+1 < len(said):
			n++
			out.WriteByte(cmp.Or(unescaped[said[n]], said[n]))
		case c == '\'' && quoted && n+1 < len(said) && said[n+1] == '\'':
			n++
			out.WriteByte(c)
		case c == '\'':
			quoted = !quoted
		case !quoted && (c == ',' || c == ')'):
			return strings.TrimSpace(out.String()), n
		default:
			out.WriteByte(c)
		}
	}
	return "", n
}
