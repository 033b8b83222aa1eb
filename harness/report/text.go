package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// feature is a file with its scenarios.
type feature struct {
	file, name string
	scenarios  []ScenarioResult
}

// features groups scenarios, which are ordered by file.
func features(scenarios []ScenarioResult) []feature {
	var list []feature
	for _, s := range scenarios {
		if len(list) == 0 || list[len(list)-1].file != s.File {
			list = append(list, feature{file: s.File, name: orText(s.Feature, s.File)})
		}
		last := &list[len(list)-1]
		last.scenarios = append(last.scenarios, s)
	}
	return list
}

// stepLines are the steps with how they ended, one a line.
func stepLines(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%-9s %s %s\n", s.Status, s.Keyword, s.Text)
	}
	return b.String()
}

// evidenceText is the evidence of a clause as plain lines. Only the first piece has
// the exchange: those after it mostly repeat it, and are named by their entries.
func evidenceText(c ClauseResult) string {
	var b strings.Builder
	for i, e := range c.Evidence {
		fmt.Fprintf(&b, "evidence %d%s\n", i+1, joined(", tape ", e.numbers()))
		for k, part := range [][2]string{
			{"expected", e.Expected}, {"received", e.Received}, {"hint", e.Hint}, {"request", e.Request}, {"response", e.Response},
		} {
			if part[1] != "" && (i == 0 || k < 2) {
				fmt.Fprintf(&b, "  %s: %s\n", part[0], strings.ReplaceAll(part[1], "\n", "\n    "))
			}
		}
	}
	if c.MoreEvidence > 0 {
		fmt.Fprintf(&b, "and %s more\n", plural(c.MoreEvidence, "piece", "pieces"))
	}
	return b.String()
}

// clauseMessage is a clause's trouble in one line.
func clauseMessage(c ClauseResult) string {
	if len(c.Evidence) > 0 && c.Evidence[0].Expected != "" {
		e := c.Evidence[0]
		return firstLine(c.Title + ": expected " + firstLine(e.Expected) + ", received " + firstLine(orText(e.Received, "nothing")))
	}
	return firstLine(c.Title + joined(": ", c.Reason))
}

// numbers is what a piece of evidence rests on: tape entries as text.
func (e Evidence) numbers() string {
	var b strings.Builder
	for i, n := range e.Entries {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d", n)
	}
	if e.MoreEntries > 0 {
		fmt.Fprintf(&b, " and %d more", e.MoreEntries)
	}
	return b.String()
}

// firstLine is a text up to its first line's end, and not endless.
func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if runes := []rune(line); len(runes) > 200 {
		line, more = string(runes[:200]), true
	}
	if more {
		line += " …"
	}
	return line
}

// oneLine is a text without line ends, and no space twice.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// orText is the text, or another one where it is empty.
func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// sentence is a text with a capital letter in front.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 || first == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// ended is a sentence with its full stop.
func ended(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?)") {
		return s
	}
	return s + "."
}

// joined is the text behind a lead, or nothing where the text is empty.
func joined(lead, s string) string {
	if s == "" {
		return ""
	}
	return lead + s
}
