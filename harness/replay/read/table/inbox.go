package table

import (
	"bytes"
	"encoding/json"
	"slices"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// inbox is a table in which a receiver keeps its webhooks: the event stands in one column, and its headers as an object in another.
// at and status are the columns of when it came and of what it was answered, -1 for none.
type inbox struct{ body, headers, at, status int }

// inboxOf is such a table by its first row; false for any other.
func inboxOf(head, first []string) (in inbox, ok bool) {
	in = inbox{-1, -1, -1, -1}
	for i, value := range first[:min(len(first), len(head))] {
		name := columnName(head[i])
		switch {
		case source.IsEvent([]byte(value)):
			in.body = i
		case signed(value):
			in.headers = i
		case in.at < 0 && (ofColumn(name) == "time" || slices.Contains(columns["time"], name)):
			in.at = i
		case in.status < 0 && (slices.Contains(columns["status"], name) || name == "answered"):
			in.status = i
		}
	}
	return in, in.body >= 0 && in.headers >= 0
}

// isInbox says so of the beginning of a text.
func isInbox(text []byte) (in inbox, ok bool) {
	r := reader(text[:min(len(text), 1<<16)])
	head, _ := r.Read() // a line that is none names nothing
	first, _ := r.Read()
	return inboxOf(head, first)
}

// signed says whether a value is an object of headers, a webhook's signature among them.
func signed(value string) bool {
	var header map[string]json.RawMessage
	_ = json.Unmarshal([]byte(value), &header) // what is none has none
	for name := range header {
		if bytes.EqualFold([]byte(name), []byte(trail.SignatureHeader)) {
			return true
		}
	}
	return false
}

// add adds the webhook of a row. Databases that know JSON lay it out anew.
func (in inbox) add(p *source.Part, line int, values []string) {
	cell := func(i int) string {
		if i < 0 || i >= len(values) {
			return ""
		}
		return values[i]
	}
	body, header := cell(in.body), cell(in.headers)
	if !source.IsEvent([]byte(body)) || !json.Valid([]byte(header)) {
		p.Skip(p.Line(line), "a row without an event")
		return
	}
	raw, _ := json.Marshal(map[string]any{"webhook": true, "time": cell(in.at), "status": cell(in.status), "headers": json.RawMessage(header), "body": body}) //nolint:errchkjson // texts, and JSON that is valid
	before := len(p.Received)
	record.AddLine(p, p.Line(line), raw)
	var compact bytes.Buffer
	if len(p.Received) > before && json.Compact(&compact, []byte(body)) == nil {
		p.Received[before].Reprinted = compact.String() != body
	}
}
