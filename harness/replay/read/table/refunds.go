package table

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// paid is a column that names a payment by its id.
var paid = trail.Pattern(`(?i)^payment[ _-]?(?:request[ _-]?)?id$`)

// refunds says in which columns a table has the refunds that a program has asked for: when, of which payment, how much, and the status of
// HTTP that it was answered; and for what, -1 for none.
type refunds struct{ at, of, amount, code, says int }

// refundsOf finds them in a text; false for any other. A call that asks for a payment learns its id from the answer, so that a refusal
// has none, and no two have the same: what has an amount, a status of HTTP and an id that was known before is a refund.
func refundsOf(text []byte) (t refunds, ok bool) {
	r := reader(text[:min(len(text), 1<<16)])
	head, _ := r.Read() // a line that is none names nothing
	find := func(is func(name string) bool) int {
		return slices.IndexFunc(head, func(name string) bool { return is(columnName(name)) })
	}
	p, _ := pollOf(head)
	t = refunds{
		at: p.at, of: find(paid().MatchString), amount: find(func(name string) bool { return strings.HasPrefix(name, "amount") }),
		code: p.code, says: find(func(name string) bool { return name == "description" }),
	}
	if min(t.at, t.of, t.amount, t.code) < 0 || named(head) != nil {
		return t, false
	}
	known := map[string]bool{}
	for range source.MaxEntries {
		values, err := r.Read()
		if err != nil {
			break
		}
		if member := t.member(values); member != nil {
			status, _ := strconv.Atoi(values[t.code])
			ok = ok || known[values[t.of]] || status >= 400 && status < 500
			known[values[t.of]] = true
		}
	}
	return t, ok
}

// member is what a row says, by the members of a JSON line; nil where it tells no refund.
func (t refunds) member(values []string) map[string]any {
	if len(values) <= max(t.at, t.of, t.amount, t.code, t.says) || !trail.IsUUID(values[t.of]) {
		return nil
	}
	amount, err := strconv.ParseInt(values[t.amount], 10, 64)
	status, unknown := strconv.Atoi(values[t.code])
	if err != nil || unknown != nil || status < 200 || status > 599 {
		return nil
	}
	body := map[string]any{"amount": amount}
	if t.says >= 0 && !isNull(values[t.says]) {
		body["description"] = values[t.says]
	}
	return map[string]any{"time": values[t.at], "method": "POST", "url": "/Payment/Refund/" + values[t.of], "body": body, "status": status}
}

// add adds the refund of a row.
func (t refunds) add(p *source.Part, line int, values []string) {
	member := t.member(values)
	if member == nil {
		p.Skip(p.Line(line), "a row that tells no refund with its amount and its status")
		return
	}
	raw, _ := json.Marshal(member) //nolint:errchkjson // texts and numbers
	record.AddLine(p, p.Line(line), raw)
}
