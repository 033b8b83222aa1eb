package read

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/table"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/trail"
)

// numbered is a line behind its number, as editors and pages show code.
var numbered = trail.Pattern(`^[ \t]{0,6}([0-9]{1,4})(?:[ \t|:.]|$)[ \t]?(.*)$`)

// unnumbered is a text in which the lines of an object or a list stand without their numbers: they begin
// at 1, where it begins, and count on.
func unnumbered(said []byte) []byte {
	var out bytes.Buffer
	next := 0
	for line := range bytes.Lines(said) {
		found := numbered().FindSubmatch(bytes.TrimRight(line[:min(len(line), 64<<10)], "\r\n"))
		n, rest := 0, []byte(nil)
		if found != nil {
			n, _ = strconv.Atoi(string(found[1]))
			rest = bytes.TrimSpace(found[2])
		}
		switch {
		case n == 1 && (bytes.HasPrefix(rest, []byte("{")) || bytes.Equal(rest, []byte("["))), next > 0 && n == next:
			next = n + 1
			out.Write(append(found[2:3:3][0], '\n'))
		default:
			next = 0
			out.Write(line)
		}
	}
	return out.Bytes()
}

var (
	// count is a line that tells how many bytes follow, as sniffers show a connection.
	count = trail.Pattern(`(?m)^\t?([0-9]{1,8})\r?\n`)
	// boxed is a line of a box that is drawn around a body, and its head, whose arrow says the way.
	boxed   = trail.Pattern(`^\s*[│|] ?(.*)$`)
	boxHead = trail.Pattern(`^\s*(?:┌ *([↑↓])|- ([v^]) .*\* [0-9.]+k?B$)`)
)

// uncounted is a text without the counts that stand before as many bytes; line ends may have lost a byte.
func uncounted(said []byte) []byte {
	var out bytes.Buffer
	from := 0
	for {
		at := count().FindSubmatchIndex(said[from:])
		if at == nil {
			break
		}
		n, _ := strconv.Atoi(string(said[from+at[2] : from+at[3]]))
		begin := from + at[1]
		body := said[begin:min(len(said), begin+n)]
		if short := bytes.Count(body, []byte("\n")) - bytes.Count(body, []byte("\r\n")); short > 0 && !ends(said, begin+len(body)) {
			for k := len(body); k > 0 && k >= len(body)-short; k-- { // each line end was two bytes
				if ends(said, begin+k) && k+bytes.Count(said[begin:begin+k], []byte("\n")) == n {
					body = said[begin : begin+k]
				}
			}
		}
		if n == 0 || !ends(said, begin+len(body)) {
			out.Write(said[from:begin])
			from = begin
			continue
		}
		out.Write(said[from : from+at[0]])
		out.Write(append(bytes.TrimSuffix(body, []byte("\n")), '\n'))
		from = min(len(said), begin+len(body)+1)
	}
	out.Write(said[from:])
	return out.Bytes()
}

// ends says whether a line ends at a place, or the text.
func ends(said []byte, at int) bool { return at >= len(said) || said[at] == '\n' }

// unboxed is a text without the boxes that are drawn around bodies, whose long lines are broken there.
func unboxed(said []byte) []byte {
	if !bytes.Contains(said, []byte("│")) && !bytes.Contains(said, []byte("* utf8 *")) {
		return said
	}
	var out bytes.Buffer
	var box []string
	in := false // the signs of a box without lines stand in other texts, too
	flush := func() {
		widest := 0
		for _, line := range box {
			widest = max(widest, len([]rune(line)))
		}
		for i, line := range box {
			out.WriteString(line)
			if i == len(box)-1 || len([]rune(line)) < widest {
				out.WriteByte('\n')
			}
		}
		box = nil
	}
	for line := range strings.Lines(string(said)) {
		line = strings.TrimRight(line, "\r\n")
		if inside := boxed().FindStringSubmatch(line); inside != nil && (in || strings.Contains(line, "│")) {
			box = append(box, inside[1])
			continue
		}
		flush()
		switch head := boxHead().FindStringSubmatch(line); {
		case head != nil:
			out.WriteString(map[string]string{"↑": "Request", "↓": "Response", "^": "Request", "v": "Response"}[head[1]+head[2]] + " body:\n")
			in = true
		case in && strings.TrimSpace(line) == "-" || strings.TrimSpace(line) == "└":
			in = false
		default:
			out.WriteString(line + "\n")
		}
	}
	flush()
	return out.Bytes()
}

// ruled is the line beneath the names of a table's columns.
var ruled = trail.Pattern(`^\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?[ \t]*)?$`)

// untabled is a text in which the rows of tables stand as their values, each on a line, objects behind the
// names of their columns; nil where no row of one names an operation.
func untabled(said []byte) []byte {
	if !bytes.Contains(said, []byte("--|")) && !bytes.Contains(said, []byte("-- |")) {
		return nil
	}
	var out bytes.Buffer
	var names []string
	before, found := "", false
	for line := range strings.Lines(string(said)) {
		plain := strings.TrimSpace(line)
		row := cellsOf(plain)
		switch {
		case ruled().MatchString(plain):
			names = cellsOf(before)
			if head := bytes.LastIndexByte(bytes.TrimRight(out.Bytes(), "\r\n"), '\n') + 1; len(names) > 2 {
				out.Truncate(head) // their names say nothing of what is in the first row
			}
		case len(names) > 2 && len(row) == len(names):
			found = found || text.NamesOperation([]byte(plain))
			for i, value := range row {
				out.WriteString(named(names[i], value) + "\n")
			}
		default:
			names = nil
			out.WriteString(line)
		}
		before = plain
	}
	if !found {
		return nil
	}
	return out.Bytes()
}

// cellsOf are the values of a table's row.
func cellsOf(row string) (list []string) {
	for _, value := range strings.Split(strings.Trim(row, "|"), "|") {
		list = append(list, strings.Trim(strings.TrimSpace(value), "`"))
	}
	return list
}

// named is a value with what its column says of it.
func named(column, value string) string {
	switch {
	case strings.HasPrefix(value, "{"):
		return column + ": " + value
	case len(value) == 3 && strings.Trim(value, "0123456789") == "":
		return "status " + value
	case value == "-" || value == "—":
		return ""
	}
	return value
}

// fields is what the fields of a server's log are called, by the members of a JSON line.
var fields = map[string]string{
	"cs-method": "method", "cs-uri-stem": "path", "cs-uri-query": "query", "sc-status": "status", "cs(host)": "host", "cs-host": "host", "x-host-header": "host",
	"date": "date", "time": "time", "cs(user-agent)": "agent",
}

// extended is a log in the extended form of W3C, which says what its fields are, as JSON lines; nil for any other text.
func extended(said []byte) []byte {
	if !bytes.HasPrefix(said, []byte("#")) || !bytes.Contains(said[:min(len(said), 4096)], []byte("#Fields:")) {
		return nil
	}
	var out bytes.Buffer
	var names []string
	for line := range strings.Lines(string(said)) {
		if after, ok := strings.CutPrefix(line, "#Fields:"); ok {
			names = strings.Fields(strings.ToLower(after))
			continue
		}
		values, row := strings.Fields(line), map[string]string{}
		if strings.HasPrefix(line, "#") || len(values) != len(names) {
			continue
		}
		for i, name := range names {
			if values[i] != "-" {
				row[fields[name]] = values[i]
			}
		}
		raw, _ := json.Marshal(lineOf(row)) //nolint:errchkjson // texts alone
		out.Write(append(raw, '\n'))
	}
	if out.Len() == 0 || !text.NamesOperation(out.Bytes()) && table.Is(said) {
		return nil
	}
	return out.Bytes()
}

// lineOf is a row of such a log, as a JSON line has it.
func lineOf(row map[string]string) map[string]any {
	url := row["path"]
	if row["host"] != "" {
		url = "https://" + row["host"] + url
	}
	if row["query"] != "" {
		url += "?" + row["query"]
	}
	member := map[string]any{"time": row["date"] + "T" + row["time"] + "Z", "method": row["method"], "url": url, "status": row["status"]}
	headers := map[string]string{}
	if row["agent"] != "" {
		headers["User-Agent"] = strings.NewReplacer("%20", " ", "+", " ").Replace(row["agent"])
	}
	if strings.Trim(row["status"], "0") == "" {
		delete(member, "status")
		member["answer"] = nil
	}
	if row["method"] == "POST" {
		member["bodyMissing"], headers["Content-Type"] = true, "application/json"
	}
	member["headers"] = headers
	return member
}

// labelled is a line as Loki's logcli prints it: when it was written, the labels of its stream, and the line.
var labelled = trail.Pattern(`^(\d{4}-\d\d-\d\d[T ][0-9:.,]+(?:Z|[+-]\d\d:?\d\d)?)\s+\{(?:[A-Za-z_]\w*="(?:[^"\\]|\\.)*"(?:,\s*)?)*\}\s+(.*)$`)

// unlabelled is a log as the program wrote it, of what logcli prints, with an empty line for each that is logcli's own: a line that
// is an object, or begins with a moment, says itself when it was written. Any other file is none.
func unlabelled(said []byte) []byte {
	if !bytes.Contains(said, []byte(`="`)) {
		return nil
	}
	var out bytes.Buffer
	others, streams := 0, 0
	for line := range strings.Lines(string(said)) {
		part := labelled().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case part == nil:
			others++
		case strings.HasPrefix(part[2], "{"), atBegin().MatchString(part[2]):
			out.WriteString(part[2])
			streams++
		default:
			out.WriteString(part[1] + " " + part[2])
			streams++
		}
		out.WriteByte('\n')
	}
	if streams <= others {
		return nil
	}
	return out.Bytes()
}
