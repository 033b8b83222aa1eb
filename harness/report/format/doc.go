// Package format writes reports, one writer a format, and shows how far a run has
// come. The bytes depend on nothing but the report.
//
// pretty is for a terminal, html for a partner manager, markdown for a job
// summary, json is our own and complete, and junit, ctrf and cucumber are for
// the tools that know them. Those three have fewer verdicts than we: a clause
// that was not judged is a skip in each of them, never a pass.
package format
