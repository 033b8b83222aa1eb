package format

import (
	"cmp"
	"embed"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

//go:embed page/report.html page/readiness.html page/report.css page/report.js
var pageFiles embed.FS

// page is what the template sees.
type page struct {
	Report    *report.Report
	Look      verdict.Word
	Because   string
	Notes     []string
	Link      linker
	Readiness *pageReadiness
	Attention string
	Others    []report.ClauseResult
	Started   string
	Areas     []pageArea
	Features  []pageFeature
	Cited     []report.Cited
	Style     template.CSS
	Script    template.JS
}

// pageArea is an area with its clauses.
type pageArea struct {
	report.Area
	Bars    []pageBar
	Words   string
	Clauses []pageClause
	// Folded says that its clauses are shown when they are asked for.
	Folded bool
}

// pageBar is a part of an area's bar.
type pageBar struct {
	report.Count
	From int
}

// pageClause is a clause with its command.
type pageClause struct {
	report.ClauseResult
	Rerun, Exercise string
	// Accepted is the word for a failure that somebody answers for, Word what a person
	// has attested.
	Accepted, Word string
	Pieces         []pagePiece
	Link           linker
}

// pagePiece is a piece of evidence; ID is its place on the page where its entries stand
// with it.
type pagePiece struct {
	report.Evidence
	ID   string
	Link linker
}

// linker writes a text in which the numbers of entries lead to where these stand.
type linker func(text string) template.HTML

// linksTo is a linker to the entries that are cited; their places begin so. Where alone is
// given, any number leads there.
func linksTo(before string, cited []report.Cited, alone string) linker {
	at := make(map[string]string, len(cited))
	for _, c := range cited {
		n := strconv.FormatUint(c.Seq, 10)
		at[n] = before + n
	}
	return func(text string) template.HTML {
		var b strings.Builder
		from := 0
		for _, m := range report.EntryNumbers(text) {
			to := cmp.Or(at[text[m[2]:m[3]]], alone)
			if to == "" {
				continue
			}
			b.WriteString(template.HTMLEscapeString(text[from:m[0]]))
			b.WriteString(`<a href="#` + template.HTMLEscapeString(to) + `">` + text[m[0]:m[1]] + `</a>`)
			from = m[1]
		}
		b.WriteString(template.HTMLEscapeString(text[from:]))
		return template.HTML(b.String()) //nolint:gosec // G203: every part is escaped, or digits
	}
}

// pageFeature is a file with its scenarios.
type pageFeature struct {
	Name, File string
	Scenarios  []report.ScenarioResult
	// Folded says that its scenarios are shown when they are asked for.
	Folded bool
}

// manyLines is how many clauses or scenarios make a page so long that only what is
// in trouble is shown at once.
const manyLines = 100

// pageTemplate is read when the first page is written. The file is embedded: one
// that does not hold is a programmer's mistake, and panics.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.html").Funcs(template.FuncMap{
		"tone": tone, "sentence": words.Sentence, "sign": sign, "entries": report.Evidence.Numbers, "word": verdict.Word.Label,
		"took":   func(d time.Duration) string { return d.Round(time.Millisecond).String() },
		"failed": failed,
		"statusTone": func(s report.Status) string {
			switch s {
			case report.Passed:
				return "good"
			case report.Skipped:
				return "none"
			default:
				return "bad"
			}
		},
	}).ParseFS(pageFiles, "page/report.html", "page/readiness.html"))
})

// writeHTML writes one page that needs nothing else: no asset, no network, and
// no script to be read.
func writeHTML(r readiness.View, w io.Writer) error {
	p := page{
		Report: r.Report, Look: r.Look(), Because: words.Ended(words.Sentence(r.Because())), Notes: r.Remarks(), Link: linksIn(r), Readiness: readinessOf(r), Attention: r.Attention(),
		Started: r.Started.UTC().Format(time.RFC3339),
	}
	_, p.Others = r.Blocking()
	if r.Readiness != nil {
		p.Cited = r.Readiness.Cited
	}
	style, err := pageFiles.ReadFile("page/report.css")
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/report.js")
	if err != nil {
		return err
	}
	p.Style, p.Script = template.CSS(style), template.JS(script) //nolint:gosec // both are embedded files of our own
	for _, a := range r.Areas() {
		p.Areas = append(p.Areas, pageOf(r, a))
	}
	for _, f := range features(r.Scenarios) {
		folded := len(r.Scenarios) > manyLines && !slices.ContainsFunc(f.scenarios, func(s report.ScenarioResult) bool { return failed(s.Status) })
		p.Features = append(p.Features, pageFeature{f.name, f.file, f.scenarios, folded})
	}
	var b strings.Builder
	if err := pageTemplate().Execute(&b, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, words.Harmless(b.String()))
	return err
}

// pageOf is an area as the page shows it, the clauses with the most telling
// verdicts first.
func pageOf(r readiness.View, a report.Area) pageArea {
	out := pageArea{Area: a}
	from := 0
	for _, c := range a.Counts {
		out.Bars = append(out.Bars, pageBar{c, from})
		from += c.N
	}
	out.Words = countWords(a.Counts)
	for _, c := range r.Clauses {
		if c.Area == a.Name {
			rerun := ""
			c.Reason = r.Why(c)
			if r.Readiness == nil {
				rerun = r.Rerun(c.ID)
			}
			p := pageClause{ClauseResult: c, Rerun: rerun, Exercise: words.Sentence(r.Exercise(c.ID)), Accepted: r.Accepted(), Link: linksIn(r)}
			for n, e := range c.Evidence {
				p.Pieces = append(p.Pieces, pieceOf(r, e, c.ID+"-"+strconv.Itoa(n+1)))
			}
			if c.Attested != nil {
				p.Word = readiness.Word(c.Attested)
			}
			out.Clauses = append(out.Clauses, p)
		}
	}
	out.Folded = len(r.Clauses) > manyLines && !slices.ContainsFunc(out.Clauses, func(c pageClause) bool { return c.Verdict.Trouble() })
	slices.SortStableFunc(out.Clauses, func(a, b pageClause) int { return a.Verdict.Rank() - b.Verdict.Rank() })
	return out
}

// linksIn is the linker of what is said about the one tape that was judged.
func linksIn(r readiness.View) linker {
	if r.Readiness == nil {
		return linksTo("", nil, "")
	}
	return linksTo("entry-", r.Readiness.Cited, "")
}

// pieceOf is a piece of evidence at a place of the page. That of a service has a tape of
// its own: its entries stand with it, or its one exchange does.
func pieceOf(r readiness.View, e report.Evidence, id string) pagePiece {
	switch {
	case r.Readiness != nil:
		return pagePiece{e, "", linksIn(r)}
	case len(e.Cited) == 0 && len(e.Entries) == 1 && e.Request != "":
		return pagePiece{e, id, linksTo("", nil, id)}
	default:
		return pagePiece{e, id, linksTo(id+"-", e.Cited, "")}
	}
}

// failed says whether a scenario is shown open.
func failed(s report.Status) bool { return s != report.Passed && s != report.Skipped }

// tone is the class of a verdict's colours.
func tone(v verdict.Word) string { return [...]string{"none", "good", "bad", "note"}[v.Tone()] }

// sign is a verdict's sign; its word stands beside it.
func sign(v verdict.Word) string { return [...]string{"○", "✓", "✗", "!"}[v.Tone()] }
