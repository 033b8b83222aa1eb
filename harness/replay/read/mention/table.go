package mention

import (
	"encoding/csv"
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

// dataMembers are the members of an event's Data.
var dataMembers = []string{"PaymentId", "CompanyId", "RegistrationId", "Amount", "Currency", "Status", "Timestamp", "AccountNumberMasked"}

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
	c, found, prefix := &columns{make([]string, len(head)), -1, -1}, map[string]bool{}, ""
	for _, name := range head {
		if before, own := strings.CutSuffix(strings.TrimSpace(name), "Event"); own && (before == "" || strings.HasSuffix(before, ".")) {
			prefix, found["Event"] = before, true
		}
	}
	for i, name := range head {
		name = strings.TrimSpace(name)
		own, within := strings.CutPrefix(name, prefix)
		own = strings.TrimPrefix(own, "Data.")
		switch lower := strings.ToLower(name); {
		case within && (own == "Event" || own == "Live"):
			c.members[i] = own
		case within && known(own):
			c.members[i], found[own] = own, true
		case c.at < 0 && (strings.HasSuffix(lower, "time") || strings.HasSuffix(lower, "timestamp") || lower == "date"):
			c.at = i
		case c.status < 0 && (strings.HasSuffix(lower, "status_code") || strings.HasSuffix(lower, "statuscode")):
			c.status = i
		}
	}
	if !found["Event"] || !found["Status"] || !found["PaymentId"] && !found["CompanyId"] {
		return nil
	}
	return c
}

func known(member string) bool {
	for _, name := range dataMembers {
		if name == member {
			return true
		}
	}
	return false
}

// webhook is the one of a row; without a body where the row has none.
func (c *columns) webhook(row []string) (w recording.Received) {
	event, data := map[string]any{}, map[string]any{}
	for i, cell := range row[:min(len(row), len(c.members))] {
		cell = strings.TrimSpace(cell)
		switch member := c.members[i]; {
		case cell == "" || cell == "-" || strings.EqualFold(cell, "(null)") || member == "":
		case member == "Event":
			event[member] = cell
		case member == "Live":
			event[member] = strings.EqualFold(cell, "true")
		case member == "Amount": // which a browser shows with a sign between thousands
			if cents, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "", "'", "", " ", "").Replace(cell), 10, 64); err == nil {
				data[member] = cents
			}
		default:
			data[member] = cell
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
