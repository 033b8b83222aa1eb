package play

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// pages turn the sandbox's pages of a report into those of the recording: how many rows a page holds is the service's own affair, and
// where its pages hold fewer, each row is shown on the page on which it was recorded. Pages that hold more stay as they are.
type pages struct {
	behind map[string]*behind
	// sent is the cursor that the sandbox was asked with, "" for none, query what it was asked for besides.
	sent, query string
	// on is the page that is being asked for, nil for one of which nothing is known.
	on *behind
}

// behind is what stands behind a page of the recording, by the cursor that it tells.
type behind struct {
	// rest are rows that the sandbox has shown on its own page already; skip are how many stand before them there.
	rest []json.RawMessage
	skip int
	// again is the cursor of that page, "" for the first, next that of the one behind it, "" for none; query is what they are asked with.
	again, next, query string
	// turned says that the next one is asked for.
	turned bool
}

// ask lets a call ask for the page of the sandbox that has the rows.
func (p *pages) ask(c *Call, operation string, r *http.Request) {
	if p.on = nil; trail.OperationNamed(operation).Reads != trail.Report {
		return
	}
	p.query = without(r.URL.RawQuery)
	if b := p.behind[cursorOf(c.Exchange.Query)]; b != nil && b.query == p.query {
		p.on = b
		b.turned = b.next != "" && len(b.rest) < len(readReport(c.Exchange.Answer.Body).rows)
		cursor := b.again
		if b.turned {
			cursor = b.next
		}
		r.URL.RawQuery = p.query
		if cursor != "" {
			r.URL.RawQuery = strings.TrimPrefix(p.query+"&cursor="+url.QueryEscape(cursor), "&")
		}
	}
	p.sent = cursorOf(r.URL.RawQuery)
}

// cut gives what the sandbox has answered as the page that was recorded.
func (p *pages) cut(c *Call, a *Answered) []byte {
	want := &c.Exchange.Answer
	if trail.OperationNamed(a.Operation).Reads != trail.Report || a.Status != http.StatusOK || want.Status != a.Status || want.Known != recording.Whole {
		return a.Body
	}
	was, is := readReport(want.Body), readReport(a.Body)
	if was.members == nil || is.members == nil || was.shortened() {
		return a.Body
	}
	rows := is.rows
	switch {
	case p.on == nil:
	case p.on.turned:
		rows = append(p.on.rest[:len(p.on.rest):len(p.on.rest)], rows...)
	default:
		rows = rows[min(p.on.skip, len(rows)):]
	}
	if n := len(was.rows); was.next != "" && n > 0 && n < len(rows) {
		if p.behind == nil {
			p.behind = map[string]*behind{}
		}
		p.behind[was.next] = &behind{rest: rows[n:], skip: len(is.rows) - len(rows[n:]), again: p.sent, next: is.next, query: p.query}
		return is.with(rows[:n], was.next)
	}
	if delete(p.behind, was.next); p.on == nil {
		return a.Body
	}
	return is.with(rows, is.next)
}

// report is a page of a report as it stands in an answer, with no members where it is none.
type report struct {
	members map[string]json.RawMessage
	rows    []json.RawMessage
	next    string
}

func readReport(body []byte) (r report) {
	if json.Unmarshal(body, &r.members) != nil || json.Unmarshal(r.members[r.name("transactions")], &r.rows) != nil {
		return report{}
	}
	if b := trail.ReadBody(body); b.Get("hasMore") == true && !recording.Struck(b.Text("nextCursor")) {
		r.next = b.Text("nextCursor")
	}
	return r
}

// shortened says whether rows of a page are left out: how many it has is not known then.
func (r *report) shortened() bool {
	return slices.ContainsFunc(r.rows, func(row json.RawMessage) bool {
		var said string
		return json.Unmarshal(row, &said) == nil && recording.Shortened(said)
	})
}

// name is how a page writes the name of a member.
func (r *report) name(member string) string {
	for name := range r.members {
		if strings.EqualFold(name, member) {
			return name
		}
	}
	return member
}

// with is the page with other rows, which goes on by a cursor, "" for not at all.
func (r *report) with(rows []json.RawMessage, next string) []byte {
	r.members[r.name("transactions")], r.members[r.name("hasMore")], r.members[r.name("nextCursor")] = trail.Quote(rows), trail.Quote(next != ""), trail.Quote(next)
	if next == "" {
		r.members[r.name("nextCursor")] = json.RawMessage("null")
	}
	return trail.Quote(r.members)
}

// cursorOf is the cursor that a query names, "" for none.
func cursorOf(query string) string {
	values, _ := url.ParseQuery(query)
	for name, list := range values {
		if strings.EqualFold(name, "cursor") && len(list) == 1 {
			return list[0]
		}
	}
	return ""
}

// without is a query without its cursor.
func without(query string) string {
	var kept []string
	for _, arg := range strings.Split(query, "&") {
		if name, _, _ := strings.Cut(arg, "="); !strings.EqualFold(name, "cursor") && arg != "" {
			kept = append(kept, arg)
		}
	}
	return strings.Join(kept, "&")
}
