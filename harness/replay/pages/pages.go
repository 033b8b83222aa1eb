// Package pages finds what is wrong with the pages of a report, whatever stands on them: rows that a page repeats of one before it. It
// judges nobody.
package pages

import (
	"net/url"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Repeated is a page that has rows of one before it.
type Repeated struct {
	// First and Second are the calls, from 0: the second asks for what follows the first, or what follows that.
	First, Second int
	// Rows are how many, and ID the first of them.
	Rows int
	ID   string
	// Stays says that it tells the cursor once more by which it was asked for: no page is behind it.
	Stays bool
}

// Of are the pages that repeat rows, each once.
func Of(r *recording.Recording) (list []Repeated) {
	follows := map[string]int{} // the cursor of the next page, and which call was told it
	on := map[int]map[string]int{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		rows, next := shown(x)
		if len(rows) == 0 {
			continue
		}
		seen := map[string]int{}
		if before, known := follows[cursor(x)]; known {
			for id, n := range on[before] {
				seen[id] = n
			}
			if again := repeated(rows, seen); again.Rows > 1 || again.Rows == 1 && (x.Page == nil || trail.IsUUID(again.ID)) { // of an id's beginning one is no proof
				again.Second, again.Stays = i, next == cursor(x)
				list = append(list, again)
			}
		}
		for _, id := range rows {
			if _, before := seen[id]; !before && id != "" {
				seen[id] = i
			}
		}
		on[i] = seen
		if next != "" {
			follows[next] = i
		}
	}
	return list
}

// shown are the ids of the rows of a page, in small letters, and the cursor of the next, of its answer or of what the log tells of it.
func shown(x *recording.Exchange) (rows []string, next string) {
	switch {
	case !strings.HasSuffix(strings.ToLower(x.Path), "/transaction/report"):
	case x.Answer.Known == recording.Whole:
		told := trail.ReadBody(x.Answer.Body)
		for _, row := range told.List("transactions") {
			rows = append(rows, strings.ToLower(row.Text("externalTransferId")))
		}
		next = told.Text("nextCursor")
	case x.Page != nil:
		for _, id := range x.Page.Rows {
			rows = append(rows, strings.ToLower(id))
		}
		next = x.Page.Next
	}
	return rows, next
}

// cursor is the one by which a call asks for a page, a sign that no answer tells for none.
func cursor(x *recording.Exchange) string {
	query, _ := url.ParseQuery(x.Query)
	for name, values := range query {
		if strings.EqualFold(name, "cursor") && len(values) == 1 && values[0] != "" {
			return values[0]
		}
	}
	return "\x00"
}

// repeated counts the rows of a page that pages before it had.
func repeated(rows []string, seen map[string]int) (again Repeated) {
	for _, id := range rows {
		if n, before := seen[id]; before && !recording.Struck(id) {
			if again.Rows++; again.Rows == 1 {
				again.First, again.ID = n, id
			}
		}
	}
	return again
}
