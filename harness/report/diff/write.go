package diff

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// Format is the name and version of a difference's JSON document, its first
// member.
const Format = "paysandbox-report-diff/1"

// Formats lists the names that [Write] knows.
func Formats() []string { return []string{"text", "markdown", "json"} }

// Write writes a difference in a format, one of [Formats]. The error wraps
// ErrFormat when there is no such format, otherwise it is the writer's.
func Write(format string, d *Diff, w io.Writer) error {
	switch format {
	case "text":
		return writeAll(w, diffText(d))
	case "markdown":
		return writeAll(w, diffMarkdown(d))
	case "json":
		return words.WriteJSON(struct {
			Format string `json:"format"`
			*Diff
		}{Format, d}, w)
	default:
		return fmt.Errorf("%w %q is not known: there are %s", report.ErrFormat, format, strings.Join(Formats(), ", "))
	}
}

// writeAll writes a text without what a terminal would take for commands.
func writeAll(w io.Writer, text string) error {
	_, err := io.WriteString(w, words.Harmless(text))
	return err
}

// diffPart is one of the lists with its title.
type diffPart struct {
	title, sign string
	changes     []Change
}

// parts are the lists, what somebody has to act on first.
func (d *Diff) parts() []diffPart {
	return []diffPart{
		{"regressed", "❌", d.Regressed},
		{"still failing", "❌", d.Failing},
		{"no longer judged", "➖", d.NoLonger},
		{"newly applicable", "🆕", d.Newly},
		{"fixed", "✅", d.Fixed},
	}
}

// Summary is the difference in one line of numbers.
func (d *Diff) Summary() string {
	var counts []string
	for _, p := range d.parts() {
		counts = append(counts, fmt.Sprintf("%d %s", len(p.changes), p.title))
	}
	return strings.Join(counts, ", ") + fmt.Sprintf(", %d as before", d.Same)
}

// Names names the clauses of a few of many changes, in one harmless line.
func Names(list []Change) string {
	const few = 5
	var ids []string
	for _, c := range list[:min(len(list), few)] {
		ids = append(ids, words.Clip(c.Clause))
	}
	text := strings.Join(ids, ", ")
	if more := len(list) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// move is the way from one verdict to the other.
func (c *Change) move() string {
	return cmp.Or(c.Was.Label(), "not there") + " → " + cmp.Or(c.Is.Label(), "not there")
}

// diffText is the difference for a terminal, the numbers last.
func diffText(d *Diff) string {
	var b strings.Builder
	for _, p := range d.parts() {
		if len(p.changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s (%d)\n", p.title, len(p.changes))
		for _, c := range p.changes {
			fmt.Fprintf(&b, "  %s  %s  %s\n", c.Clause, c.Level, c.move())
			b.WriteString(words.Indent(c.Title, "      "))
			b.WriteString(words.Indent(c.Why, "      "))
			b.WriteString(words.Indent(words.After("known deviation: ", c.Deviation), "      "))
		}
		b.WriteByte('\n')
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	fmt.Fprintf(&b, "was: %s\nis:  %s\n\n%s\n", d.Old.Headline, d.New.Headline, d.Summary())
	return b.String()
}

// maxHeadline is the number of bytes of a headline that a job summary shows, and
// maxChanges the number of changes of a kind that a job summary lists, if it is
// not longer than fullOfChanges bytes before.
const (
	maxHeadline   = 1500
	maxChanges    = 200
	fullOfChanges = 800 << 10
)

// title is the difference in a few words.
func (d *Diff) title() string {
	regressed, lost := len(d.Regressed), len(d.Lost())
	switch {
	case regressed > 0:
		return "❌ " + words.Plural(regressed, "clause", "clauses") + " regressed"
	case lost > 0:
		return "⚠️ Nothing regressed, but " + words.Plural(lost, "requirement has", "requirements have") + " no evidence any more"
	default:
		return "✅ Nothing regressed"
	}
}

// diffMarkdown is the difference for a job summary, the numbers first.
func diffMarkdown(d *Diff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s.\n\n", d.title(), words.Sentence(d.Summary()))
	fmt.Fprintf(&b, "| | %s |\n| --- | --- |\n| was | %s |\n| is | %s |\n", d.New.Report,
		words.Prose(words.Shortened(d.Old.Headline, maxHeadline)), words.Prose(words.Shortened(d.New.Headline, maxHeadline)))
	for _, p := range d.parts() {
		if len(p.changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s %s\n\n| Clause | Level | Verdict | |\n| --- | --- | --- | --- |\n", p.sign, words.Sentence(p.title))
		for i, c := range p.changes {
			if i == maxChanges || b.Len() > fullOfChanges {
				fmt.Fprintf(&b, "\nAnd %s more.\n", words.Plural(len(p.changes)-i, "clause", "clauses"))
				break
			}
			why := c.Why
			if c.Deviation != "" {
				why = "known deviation: " + c.Deviation
			}
			fmt.Fprintf(&b, "| %s<br>%s | %s | %s | %s |\n", words.Prose(words.Clip(c.Clause)), words.Prose(c.Title), words.Prose(words.Clip(c.Level)), c.move(), words.Prose(why))
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "\n- %s", words.Prose(n))
	}
	if len(d.Notes) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
