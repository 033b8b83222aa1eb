package drive

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"paysandbox/harness/check"
	"paysandbox/harness/journey/timeline"
	"paysandbox/harness/verdict"
)

// Paint colours a part of an account: "title", "pass" or "fail". It gives the
// text back as it is to be written.
type Paint func(part, text string) string

// Plain colours nothing.
func Plain(_, text string) string { return text }

// Account writes one journey for people: its title and story, the timeline, and
// the verdict with the clauses that were seen to hold.
func Account(w io.Writer, d *Driven, paint Paint) error {
	_, err := fmt.Fprintf(w, "%s\n%s\n\n", paint("title", fmt.Sprintf("%s (%s)", strings.ToUpper(d.Title), d.Name)), fill(d.Story, ""))
	if err != nil {
		return err
	}
	if err := timeline.Write(w, d.Meta, d.Entries); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n\n", verdictText(d, paint))
	return err
}

// verdictText is the verdict line with what belongs to it.
func verdictText(d *Driven, paint Paint) string {
	held, named := d.Held(), len(d.Played.Clauses)
	clauses := fmt.Sprintf("%d of the %d clauses that it names were seen to hold", len(held), named)
	switch {
	case named == 1 && len(held) == 0:
		clauses = "the clause that it names was not seen to hold"
	case named == 1 && len(held) == 1:
		clauses = "the clause that it names holds"
	case named == 2 && len(held) == 2:
		clauses = "both clauses that it names hold"
	case len(held) == named:
		clauses = fmt.Sprintf("all %d clauses that it names hold", named)
	}
	if len(held) > 0 {
		clauses += ": " + strings.Join(held, ", ")
	}
	for i := range d.Clauses {
		if r := &d.Clauses[i]; r.Word == verdict.NotApplicable && slices.Contains(d.Played.Clauses, r.Check) {
			clauses += "; " + r.Check + " does not apply" + why(r)
		}
	}
	if d.Verdict == verdict.Pass {
		return paint("pass", "  PASS") + "  " + fill(clauses, "        ")
	}
	text := paint("fail", "  "+strings.ToUpper(string(d.Verdict))) + "\n"
	for _, p := range d.Problems {
		text += "    - " + p + "\n"
	}
	return text + "    " + fill(clauses, "      ")
}

// why is the reason of a judgement, where there is one.
func why(r *check.Result) string {
	for i := range r.Judgements {
		if v := &r.Judgements[i]; v.Word == r.Word && v.Received != "" {
			return ": " + v.Received
		}
	}
	return ""
}

// page is the width of an account, in characters.
const page = 80

// fill breaks a text into lines, each after the first behind an indent. The first
// begins as far from the edge.
func fill(text, indent string) string {
	var b strings.Builder
	at := len(indent)
	for i, word := range strings.Fields(text) {
		wide := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+wide > page:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += wide
	}
	return b.String()
}
