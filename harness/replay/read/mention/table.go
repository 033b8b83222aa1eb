package mention

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// columns are those of a table in which each row is a webhook, its members in columns of their own: hook.Event, hook.Data.PaymentId.
type columns struct {
	// members are the service's names of members, "" for a column that is none; at and status are the columns of the time and of what the
	// receiver answered, -1 for none.
	members    []string
	at, status int
}

// table takes the webhooks of a table, where a file is one.
func table(f *source.File, p *source.Part) {
	r := csv.NewReader(strings.NewReader(string(f.Text())))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, err := r.Read()
	c := columnsOf(head)
	if err != nil || c == nil {
		return
	}
	for rows := 0; rows < mostLines && !p.Full(p.Line(1)); rows++ {
		row, err := r.Read()
		if err != nil {
			return
		}
		line, _ := r.FieldPos(0)
		if w := c.webhook(row); w.Body != nil {
			w.Place, w.Reprinted, w.Mentioned = p.Line(line), true, true
			p.Received = append(p.Received, w)
		}
	}
}

// columnsOf are the columns by a table's head; nil where none has the event, what it is about, or its status.
func columnsOf(head []string) *columns {
	prefix, told := "", false
	for _, name := range head {
		if before, own := strings.CutSuffix(strings.TrimSpace(name), "Event"); own && (before == "" || strings.HasSuffix(before, ".")) {
			prefix, told = before, true
		}
	}
	c, found := &columns{make([]string, len(head)), -1, -1}, map[string]bool{}
	for i, name := range head {
		name = strings.TrimSpace(name)
		if own, within := strings.CutPrefix(name, prefix); within {
			c.members[i] = memberNamed(strings.TrimPrefix(own, "Data."))
		}
		if found[c.members[i]] = true; c.members[i] == "" {
			c.beside(i, strings.ToLower(name))
		}
	}
	if !told || !found["Status"] || !found["PaymentId"] && !found["CompanyId"] {
		return nil
	}
	return c
}

// memberNamed is a name of a member of an event or its Data, "" for any other.
func memberNamed(name string) string {
	if slices.Contains([]string{"Event", "Live", "PaymentId", "CompanyId", "RegistrationId", "Amount", "Currency", "Status", "Timestamp", "AccountNumberMasked"}, name) {
		return name
	}
	return ""
}

// beside takes a column that is no member for that of the time, or of what the receiver answered.
func (c *columns) beside(i int, name string) {
	if c.at < 0 && (strings.HasSuffix(name, "time") || strings.HasSuffix(name, "timestamp") || name == "date") {
		c.at = i
	}
	if c.status < 0 && (strings.HasSuffix(name, "status_code") || strings.HasSuffix(name, "statuscode")) {
		c.status = i
	}
}

// webhook is the one of a row; without a body where the row has none.
func (c *columns) webhook(row []string) (w recording.Received) {
	event, data := map[string]any{}, map[string]any{}
	for i, cell := range row[:min(len(row), len(c.members))] {
		if cell = strings.TrimSpace(cell); cell != "" && cell != "-" && !strings.EqualFold(cell, "(null)") {
			put(event, data, c.members[i], cell)
		}
	}
	about, _ := data["PaymentId"].(string)
	if company, _ := data["CompanyId"].(string); about == "" {
		about = company
	}
	if said, _ := event["Event"].(string); statuses[said] == nil || !trail.IsUUID(about) || data["Status"] == nil {
		return w
	}
	if c.at >= 0 && c.at < len(row) {
		w.At, _ = moment.Of(row[c.at])
	}
	if c.status >= 0 && c.status < len(row) {
		w.Status, _ = strconv.Atoi(row[c.status])
	}
	event["Data"] = data
	w.Body = trail.Quote(event)
	return w
}

// put puts what a cell says in its place.
func put(event, data map[string]any, member, cell string) {
	switch member {
	case "":
	case "Event":
		event[member] = cell
	case "Live":
		event[member] = strings.EqualFold(cell, "true")
	case "Amount": // which a browser shows with a sign between thousands
		if cents, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "", "'", "", " ", "").Replace(cell), 10, 64); err == nil {
			data[member] = cents
		}
	default:
		data[member] = cell
	}
}
