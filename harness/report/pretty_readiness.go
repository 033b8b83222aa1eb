package report

import (
	"fmt"
	"strings"
)

// prettyReadiness is what blocks production access, what is missing, and what the
// verdict rests on.
func prettyReadiness(b *strings.Builder, r *Report) {
	if r.Readiness == nil {
		return
	}
	if blocking, _ := r.blocking(); len(blocking) > 0 {
		b.WriteString("blocks production access:\n")
		for _, c := range blocking {
			fmt.Fprintf(b, "  %s%s\n", c.ID, joined("  ", firstLine(c.Title)))
		}
		b.WriteByte('\n')
	}
	if _, others := r.blocking(); len(others) > 0 {
		b.WriteString("needs attention, and blocks nothing:\n")
		for _, c := range others {
			fmt.Fprintf(b, "  %s  %s%s\n", c.ID, c.Verdict.Label(), joined(": ", firstLine(c.Title)))
		}
		b.WriteByte('\n')
	}
	must, rest := r.needed()
	prettyMissing(b, r, "no evidence yet, and needed:", must)
	prettyMissing(b, r, "no evidence yet, which the verdict does not wait for:", rest)
	for _, means := range r.means() {
		fmt.Fprintf(b, "how: %s\n", means)
	}
	armed, met := r.Readiness.tries()
	if armed+met > 0 {
		fmt.Fprintf(b, "attempts so far: tried %s, met by traffic %s\n", times(armed), times(met))
	}
	for _, d := range r.Readiness.Digests {
		fmt.Fprintf(b, "%s: sha256 %s\n", d.Name, d.SHA256)
	}
}

// prettyMissing lists clauses without evidence, what they ask for, which the advice
// may refer to, and how to bring it about.
func prettyMissing(b *strings.Builder, r *Report, title string, list []Missing) {
	if len(list) == 0 {
		return
	}
	b.WriteString(title + "\n")
	for _, m := range list {
		fmt.Fprintf(b, "  %s%s\n", m.Clause, joined("  ", firstLine(r.clause(m.Clause).Title)))
		b.WriteString(indent(oneLine(shortened(m.advice(), maxAdvice))+joined("; ", r.Readiness.soFar(m)), "      "))
	}
	b.WriteByte('\n')
}
