package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// maxAbout bounds what a warning is said to be about.
const maxAbout = 3

// Warning says in words what the header Sandbox-Warning of an answer tells: it names clauses
// with the members of the request that they are about. Why stands in the finding that
// follows the call.
func Warning(header string) string {
	var about []string
	n := 0
	for part := range strings.SplitSeq(header, ", ") {
		if more, found := strings.CutSuffix(part, " more on the tape"); found {
			others, _ := strconv.Atoi(more)
			n += others
			continue
		}
		n++
		if _, where, found := strings.Cut(part, " "); found && where != "" && len(about) < maxAbout {
			about = append(about, strings.TrimPrefix(where, "/"))
		}
	}
	said := "accepted, with a warning"
	if n > 1 {
		said = "accepted, with " + strconv.Itoa(n) + " warnings"
	}
	if len(about) == 0 {
		return said
	}
	if n > len(about) {
		about = append(about, "more")
	}
	if last := len(about) - 1; last > 0 {
		about[last-1] += " and " + about[last]
		about = about[:last]
	}
	return said + " about " + strings.Join(about, ", ")
}

// lookAfter is among how many entries behind a call its findings are looked for: what a call
// brings about stands right behind it.
const lookAfter = 50

// WithWarnings adds to a list, newest first, the findings that its calls were accepted with,
// up to an entry or 0 for all: they are filed under the call alone.
func WithWarnings(t Tape, rows []Row, upTo uint64) []Row {
	for _, row := range rows {
		if row.Outcome != Warned || row.Kind != tape.KindExchange.String() {
			continue
		}
		for _, e := range t.Read(tape.Filter{Since: row.Seq, Limit: lookAfter}) {
			if e.Cause == row.Seq && len(e.Findings) > 0 && (upTo == 0 || e.Seq <= upTo) {
				rows = append(rows, RowOf(&e))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Seq, a.Seq) })
	return rows
}
