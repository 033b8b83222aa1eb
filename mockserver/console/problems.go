package console

import (
	"net/http"
	"net/url"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// problemRow is a group with the addresses that it leads to.
type problemRow struct {
	feed.Group
	// All leads to its entries.
	All string
}

// problemsPage is what the screen Problems shows.
type problemsPage struct {
	feed.Problems
	Rows []problemRow
	// Clause is set when the problems of one clause are shown.
	Clause string
	// Quiet says that nothing has happened at all.
	Quiet bool
}

// problems shows what went wrong, by what it has in common.
func (v *visit) problems() { v.problemsOf("") }

// clause shows what went wrong with one clause.
func (v *visit) clause() { v.problemsOf(unescaped(v.r.PathValue("clause"))) }

func (v *visit) problemsOf(clause string) {
	title := "Problems"
	if clause != "" {
		title = "Clause " + clause
	}
	v.open("problems", title)
	p := problemsPage{Problems: v.allProblems(), Clause: clause}
	_, last := v.from.Bounds()
	p.Quiet = last == 0
	for _, g := range p.Groups {
		if clause != "" && g.Clause != clause {
			continue
		}
		q := feed.Query{Operation: g.Operation, Client: g.Client, Clause: g.Clause, Outcome: g.Outcome}
		if g.Kind == "delivery" {
			q = feed.Query{Kinds: []tape.Kind{tape.KindAttempt}, Outcome: feed.Bad, Text: g.Last.Badge}
		}
		if g.Kind == "warning" {
			q = feed.Query{Kinds: []tape.Kind{tape.KindFinding}, Clause: g.Clause}
		}
		p.Rows = append(p.Rows, problemRow{g, v.root() + "/live?" + q.Values().Encode()})
	}
	v.show(http.StatusOK, "problems", &p)
}

// allProblems are those of an integration, or of a file.
func (v *visit) allProblems() feed.Problems {
	if v.on != nil {
		return v.console.problems.of(v.console.opts.Registry, v.on)
	}
	s := feed.NewSorter()
	for _, e := range v.from.Read(tape.Filter{}) {
		s.Add(&e)
	}
	return s.Problems()
}

// ClauseAddress is where the console shows a clause of an integration's tape.
func ClauseAddress(integration, clause string) string {
	return Prefix + "/" + url.PathEscape(integration) + "/clauses/" + url.PathEscape(clause)
}
