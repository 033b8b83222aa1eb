// Package table reads tables: those of calls, as spreadsheets, databases and tickets show them, and those in
// which services that keep logs export what a search has found. It judges nothing.
package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
)

// columns are the names that people give to the columns of a table of calls, in small
// letters, by what a JSON line calls them.
var columns = map[string][]string{
	"headers":       {"request headers", "request_headers", "requestheaders", "headers"},
	"answerHeaders": {"response headers", "response_headers", "responseheaders"},
	"time":          {"time", "timestamp", "date", "zeit", "datum", "heure", "fecha", "hora"},
	"method":        {"method", "verb", "methode", "méthode", "método", "metodo"},
	"url":           {"url", "uri", "path", "endpoint", "adresse", "address", "pfad"},
	"body":          {"request", "body", "request body", "payload", "anfrage", "requête", "petición", "request_body", "sent"},
	"status":        {"status", "code", "status code", "http status", "statut", "estado", "status_code", "response_code", "response code", "responsecode", "http_code", "http_status", "return_code"},
	"answer":        {"response", "answer", "content", "response body", "antwort", "réponse", "respuesta", "response_body", "received", "got"},
}

// Is says whether the first line of a text names the columns of a table of calls.
func Is(text []byte) bool {
	head, _, ok := bytes.Cut(text, []byte("\n"))
	if !ok || len(head) >= 4096 {
		return false
	}
	_, polls := pollOf(row(head))
	_, keeps := isInbox(text)
	_, gave := refundsOf(text)
	return polls || keeps || gave || len(named(row(head))) >= 3
}

// IsMarkdown says whether a text has a table of Markdown whose columns are those of calls.
func IsMarkdown(text []byte) bool { return markdown(text) != nil }

// mostAbove is how many lines may stand above a table of Markdown.
const mostAbove = 100

// markdown are the tables of Markdown in a text whose columns are those of calls, and of the first such table, as comma
// separated values on the same lines; nil for none. Beneath the columns' names stands a rule: in the marks of trackers a
// row follows, and there what was sent stands below the table.
func markdown(text []byte) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	n, within := 0, false
	var first, head []string
	for line := range bytes.Lines(text) {
		n++
		cells, values := cellsOf(line), []string(nil)
		switch {
		case within && cells != nil:
			values = cells
		case isRule(cells, len(head)) && first == nil:
			within, first, values = true, head, head
		case isRule(cells, len(head)) && slices.Equal(first, head):
			within = true
		case first == nil && n > mostAbove:
			return nil
		default:
			within = false
		}
		if values == nil {
			out.WriteByte('\n')
		} else {
			_ = w.Write(values) // into memory
			w.Flush()
		}
		if head = nil; len(named(cells)) >= 3 {
			head = cells
		}
	}
	if first == nil {
		return nil
	}
	return out.Bytes()
}

// isRule says whether cells are the rule beneath as many names of columns.
func isRule(cells []string, names int) bool {
	return names > 0 && len(cells) == names && !slices.ContainsFunc(cells, func(cell string) bool {
		return !strings.Contains(cell, "-") || strings.Trim(cell, ":-") != ""
	})
}

// cellsOf are the cells of a line of such a table, nil for another line.
func cellsOf(line []byte) []string {
	text := strings.TrimSpace(string(line))
	if len(text) < 3 || text[0] != '|' || text[len(text)-1] != '|' || len(text) > 1<<20 {
		return nil
	}
	cells := strings.Split(text[1:len(text)-1], "|")
	for i := range cells {
		cells[i] = strings.Trim(cells[i], " `\t")
	}
	return cells
}

// row reads the line that names the columns.
func row(head []byte) []string {
	list, _ := reader(head).Read() // a line that is none names nothing
	return list
}

// reader reads lines whose values stand between the mark that the first line has most of.
func reader(text []byte) *csv.Reader {
	head, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	for _, mark := range []rune{';', '\t'} {
		if bytes.Count(head, []byte(string(mark))) > bytes.Count(head, []byte(string(r.Comma))) {
			r.Comma = mark
		}
	}
	return r
}

// columnName is a column's name in small letters, without what stands before it where attributes are exported: @http.method,
// http.request.method, url.path.
func columnName(name string) string {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "@")
	name = strings.TrimPrefix(name, "http.")
	switch name {
	case "request.method", "response.status_code", "url.path", "url_details.path":
		return name[strings.IndexByte(name, '.')+1:]
	case "url.full", "url.original":
		return "url"
	}
	return name
}

// named are the columns that are known, by their members; none without a method and an
// address.
func named(head []string) map[string]int {
	found := map[string]int{}
	for i, name := range head {
		for _, member := range slices.Sorted(maps.Keys(columns)) {
			was, taken := found[member]
			better := taken && member == "status" && ofHTTP(name) && !ofHTTP(head[was]) // the other is how grave a line of the log is
			if (!taken || better) && slices.Contains(columns[member], columnName(name)) {
				found[member] = i
			}
		}
	}
	for i, name := range head {
		member := ofColumn(name)
		if _, taken := found[member]; member != "" && !taken && !slices.Contains(slices.Collect(maps.Values(found)), i) {
			found[member] = i
		}
	}
	_, method := found["method"]
	if _, address := found["url"]; !method || !address {
		return nil
	}
	return found
}

// ofHTTP says whether the name of a column is that of a status of HTTP and of nothing else.
func ofHTTP(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "http") || strings.Contains(name, "code")
}

// ofColumn is the member that a column's name tells of in words, as "Response Payload" and "Timestamp
// (UTC)"; "" for none.
func ofColumn(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), "(")
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
	}
	switch content := has("body", "payload", "content", "data", "json"); {
	case has("type", "length", "size", "bytes", "header", "method", "url", "uri", "path"):
		return ""
	case content && has("response", "reply", "answer", "received"):
		return "answer"
	case content && has("request", "sent"):
		return "body"
	case has("timestamp"), strings.HasSuffix(name, "_at"), strings.HasSuffix(name, " at"):
		return "time"
	case has("status"):
		return "status"
	}
	return ""
}

// mostColumns bounds the values of a row: a row is read whole, and a short text can hold a
// great many empty ones.
const mostColumns = 10_000

var errWide = errors.New("a row has more than 10,000 values")

// wide says whether a line of a text has more marks between values than a row may have.
func wide(text []byte, mark rune) bool {
	for line := range bytes.Lines(text) {
		if bytes.Count(line, []byte(string(mark))) > mostColumns {
			return true
		}
	}
	return false
}

// plainTable is a table without the marks of Markdown.
func plainTable(text []byte) []byte {
	if marked := markdown(text); marked != nil {
		return marked
	}
	return text
}

// add adds a row: a webhook, or what a JSON line with its values would be.
func (l *layout) add(p *source.Part, line int, values []string) {
	if hook := l.heard(values); hook != nil {
		hook.Place = p.Line(line)
		p.Received = append(p.Received, *hook)
		return
	}
	addMember(p, line, l.member(values))
}

// addMember adds what a JSON line with these members would be, nothing for none.
func addMember(p *source.Part, line int, member map[string]any) {
	if member == nil {
		return
	}
	raw, _ := json.Marshal(member) //nolint:errchkjson // texts alone
	record.AddLine(p, p.Line(line), raw)
}

// Read reads a table of calls, as spreadsheets and databases export them: each row is what
// a JSON line with its values would be.
func Read(f *source.File, _ source.Variables) (*source.Part, error) {
	text := plainTable(f.Text())
	p, r := source.NewPart(f, "table"), reader(text)
	if wide(text, r.Comma) {
		return nil, &source.Error{File: f.Name, Format: "table", Err: errWide, Expected: "rows of as many values as the first names columns"}
	}
	head, err := r.Read()
	at := layout{named(head), answered(head), hostColumn(head)}
	asked, polls := pollOf(head)
	polls = polls && at.columns == nil
	in, keeps := isInbox(text)
	back, gave := refundsOf(text)
	for err == nil && (at.columns != nil || polls || keeps || gave) {
		var values []string
		if values, err = r.Read(); err != nil {
			break
		}
		line, _ := r.FieldPos(0)
		if p.Full(p.Line(line)) {
			break
		}
		switch {
		case keeps:
			in.add(p, line, values)
		case gave:
			back.add(p, line, values)
		case polls:
			addMember(p, line, asked.member(head, values))
		default:
			at.add(p, line, values)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &source.Error{File: f.Name, Format: "table", Err: err, Expected: "rows of values, the first of which names the columns"}
	}
	return p, record.None(f, p)
}
