package format

import (
	"slices"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// pageReadiness is the readiness as the page shows it.
type pageReadiness struct {
	Verdict, Detail string
	// Covers says what the verdict is about.
	Covers          string
	Ready, Long     bool
	Blocking, Other []pageBlock
	// Until is the day by which what is broken on condition is to be mended, Broken says
	// that a requirement is broken which does not block.
	Until        string
	Broken       bool
	NotShown     []pageBlock
	ToShow       string
	Warnings     []pageWarning
	Invisible    []report.Invisible
	Needed, Rest pageMissings
	Means        []string
	Attempts     []pageAttempt
	Armed, Met   string
}

// pageBlock is a clause that blocks production access, or needs attention for
// something else. Held says whether the page has the clause.
type pageBlock struct {
	report.ClauseResult
	Held  bool
	First *report.Evidence
	More  int
	// Accepted is the word for a failure that somebody answers for.
	Accepted string
	Link     linker
}

// pageMissing is a clause without evidence.
type pageMissing struct {
	report.Missing
	Title, SoFar string
	Held         bool
}

// pageMissings is a table of them; Tried says whether any was tried.
type pageMissings struct {
	List  []pageMissing
	Tried bool
}

// pageAttempt is how often one opportunity was given.
type pageAttempt struct {
	report.Attempt
	Title string
	Held  bool
}

// pageWarning is a warning with the calls that received it.
type pageWarning struct {
	report.Warning
	Calls string
	Link  linker
}

// longest is the number of letters of the longest verdict in large type.
const longest = 60

// verdictAndDetail splits a headline into a verdict that fits large type and what
// is said besides.
func verdictAndDetail(headline string) (verdict, detail string) {
	at := len(headline)
	for _, end := range []string{": ", ". ", ", but "} {
		if i := strings.Index(headline, end); i > 0 {
			at = min(at, i)
		}
	}
	if at == len(headline) || at > longest {
		return headline, ""
	}
	return headline[:at], words.Sentence(headline[at+2:])
}

// readinessOf is what the page shows of an integration; nil for the service.
func readinessOf(r readiness.View) *pageReadiness {
	if r.Readiness == nil {
		return nil
	}
	armed, met := r.Tries()
	p := &pageReadiness{Ready: r.Readiness.Ready, Armed: words.Times(armed), Met: words.Times(met)}
	p.Verdict, p.Detail = verdictAndDetail(report.Titled(r.Headline(), r.Clauses))
	p.Covers = r.Covers()
	p.Long = len(p.Verdict) > longest
	blocking, others := r.Blocking()
	p.Blocking, p.Other = blocksOf(r, blocking), blocksOf(r, others)
	if r.Readiness.Ready {
		p.Until = r.Readiness.ConditionalUntil
	}
	p.Broken = slices.ContainsFunc(others, func(c report.ClauseResult) bool { return c.Level == "MUST" && c.Verdict == verdict.Fail })
	p.NotShown, p.ToShow, p.Invisible = blocksOf(r, r.NotShown()), readiness.ToShow, r.Readiness.Invisible
	for _, w := range r.Readiness.Warnings {
		p.Warnings = append(p.Warnings, pageWarning{w, readiness.WarningEntries(w), linksIn(r)})
	}
	must, rest := r.Needed()
	p.Needed, p.Rest, p.Means = missingsOf(r, must), missingsOf(r, rest), r.Means()
	for _, a := range r.Readiness.Attempts {
		c := r.Clause(a.Clause)
		p.Attempts = append(p.Attempts, pageAttempt{a, c.Title, c.Verdict != ""})
	}
	return p
}

// blocksOf shows what was seen of each clause first.
func blocksOf(r readiness.View, list []report.ClauseResult) []pageBlock {
	var blocks []pageBlock
	for _, c := range list {
		b := pageBlock{ClauseResult: c, Held: c.Verdict != "", Accepted: r.Accepted(), Link: linksIn(r)}
		if len(c.Evidence) > 0 {
			e := c.Evidence[0]
			b.First = &report.Evidence{Entries: e.Entries, MoreEntries: e.MoreEntries, Expected: words.FirstLine(e.Expected), Received: words.FirstLine(e.Received), Hint: e.Hint}
			b.More = len(c.Evidence) - 1 + c.MoreEvidence
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func missingsOf(r readiness.View, list []report.Missing) pageMissings {
	var out pageMissings
	for _, m := range list {
		c := r.Clause(m.Clause)
		m.Exercise = words.Sentence(readiness.Advice(m))
		soFar := r.SoFar(m)
		out.List = append(out.List, pageMissing{m, c.Title, soFar, c.Verdict != ""})
		out.Tried = out.Tried || soFar != ""
	}
	return out
}
