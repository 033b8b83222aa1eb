// Package observe watches a partner's application while it integrates, gives it
// the trouble that is still missing, and judges what it did.
//
// It owns the judgement of a tape against the integration catalogue ([Judge]),
// the table of troubles and the order in which they are armed ([Planner]), and
// the session that carries this out over a running sandbox's control API
// ([Session]). Judge and Planner are pure: a tape that was saved and judged later
// comes to the same verdicts. The package starts no sandbox and no program, reads
// no flags and no clock of its own, and writes no reports.
package observe
