package report

import (
	"embed"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/harness/verdict"
)

//go:embed page/report.html page/readiness.html page/report.css page/report.js
var pageFiles embed.FS

// page is what the template sees.
type page struct {
	Report    *Report
	Look      verdict.Word
	Because   string
	Notes     []string
	Readiness *pageReadiness
	Attention string
	Others    []ClauseResult
	Started   string
	Areas     []pageArea
	Features  []pageFeature
	Style     template.CSS
	Script    template.JS
}

// pageArea is an area with its clauses.
type pageArea struct {
	Area
	Bars    []pageBar
	Words   string
	Clauses []pageClause
}

// pageBar is a part of an area's bar.
type pageBar struct {
	Count
	From int
}

// pageClause is a clause with its command.
type pageClause struct {
	ClauseResult
	Rerun, Exercise string
}

// pageFeature is a file with its scenarios.
type pageFeature struct {
	Name, File string
	Scenarios  []ScenarioResult
}

// pageTemplate is read when the first page is written. The file is embedded: one
// that does not hold is a programmer's mistake, and panics.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.html").Funcs(template.FuncMap{
		"tone": tone, "sign": sign, "entries": Evidence.numbers, "word": verdict.Word.Label,
		"took":   func(d time.Duration) string { return d.Round(time.Millisecond).String() },
		"failed": func(s Status) bool { return s != Passed && s != Skipped },
		"statusTone": func(s Status) string {
			switch s {
			case Passed:
				return "good"
			case Skipped:
				return "none"
			default:
				return "bad"
			}
		},
	}).ParseFS(pageFiles, "page/report.html", "page/readiness.html"))
})

// writeHTML writes one page that needs nothing else: no asset, no network, and
// no script to be read.
func writeHTML(r *Report, w io.Writer) error {
	p := page{
		Report: r, Look: r.look(), Because: ended(sentence(r.because())), Notes: r.notes(), Readiness: readinessOf(r), Attention: r.attention(),
		Started: r.Started.UTC().Format(time.RFC3339),
	}
	_, p.Others = r.blocking()
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
		p.Features = append(p.Features, pageFeature{f.name, f.file, f.scenarios})
	}
	var b strings.Builder
	if err := pageTemplate().Execute(&b, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, harmless(b.String()))
	return err
}

// pageOf is an area as the page shows it, the clauses with the most telling
// verdicts first.
func pageOf(r *Report, a Area) pageArea {
	out := pageArea{Area: a}
	from := 0
	for _, c := range a.Counts {
		out.Bars = append(out.Bars, pageBar{c, from})
		from += c.N
	}
	out.Words = words(a.Counts)
	for _, c := range r.Clauses {
		if c.Area == a.Name {
			rerun := ""
			c.Reason = r.reason(c)
			if r.Readiness == nil {
				rerun = r.Rerun(c.ID)
			}
			out.Clauses = append(out.Clauses, pageClause{c, rerun, sentence(r.Readiness.exercise(c.ID))})
		}
	}
	slices.SortStableFunc(out.Clauses, func(a, b pageClause) int { return a.Verdict.Rank() - b.Verdict.Rank() })
	return out
}

// tone is the class of a verdict's colours.
func tone(v verdict.Word) string {
	switch v {
	case verdict.Pass:
		return "good"
	case verdict.Fail, verdict.HarnessError:
		return "bad"
	case verdict.Warning, verdict.Review, verdict.Inconclusive:
		return "note"
	default:
		return "none"
	}
}

// sign is a verdict's sign; its word stands beside it.
func sign(v verdict.Word) string {
	switch tone(v) {
	case "good":
		return "✓"
	case "bad":
		return "✗"
	case "note":
		return "!"
	default:
		return "○"
	}
}
