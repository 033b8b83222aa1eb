package report

import (
	"fmt"
	"strings"
)

// maxMissing is the number of clauses without evidence that a job summary lists.
const maxMissing = 100

// markdownReadiness writes what blocks production access, what is missing and
// how often it was tried.
func markdownReadiness(b *strings.Builder, r *Report) {
	if r.Readiness == nil {
		return
	}
	blocking, _ := r.blocking()
	markdownTroubles(b, r, "What blocks production access", blocking)
	must, rest := r.needed()
	if len(must) > 0 {
		fmt.Fprintf(b, "\n### What is missing, and how to exercise it\n\n%s", markdownMissing(r, must))
	}
	if len(rest) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s without evidence, which the verdict does not wait for</summary>\n\n%s\n</details>\n",
			plural(len(rest), "more clause", "more clauses"), markdownMissing(r, rest))
	}
	if armed, met := r.Readiness.tries(); armed+met > 0 {
		fmt.Fprintf(b, "\nAttempts so far: tried %s, met by traffic %s.\n", times(armed), times(met))
	}
}

// markdownMissing is a table of clauses without evidence.
func markdownMissing(r *Report, list []Missing) string {
	var b strings.Builder
	b.WriteString("| Clause | How to exercise it | So far |\n| --- | --- | --- |\n")
	for i, m := range list {
		if i == maxMissing {
			fmt.Fprintf(&b, "\nAnd %s more.\n", plural(len(list)-i, "clause", "clauses"))
			break
		}
		title := joined("<br>", prose(firstLine(r.clause(m.Clause).Title)))
		fmt.Fprintf(&b, "| %s%s | %s | %s |\n", prose(m.Clause), title, prose(orText(sentence(firstLine(m.Exercise)), "–")), prose(orText(r.Readiness.soFar(m), "–")))
	}
	return b.String()
}

// markdownDigests writes what the verdict rests on.
func markdownDigests(b *strings.Builder, r *Report) {
	if r.Readiness == nil || len(r.Readiness.Digests) == 0 {
		return
	}
	b.WriteString("\n\n<details><summary>What this verdict rests on</summary>\n\n| | SHA-256 |\n| --- | --- |\n")
	for _, d := range r.Readiness.Digests {
		fmt.Fprintf(b, "| %s | %s |\n", prose(d.Name), prose(d.SHA256))
	}
	b.WriteString("\n</details>\n")
}
