// Package report is what a run tells its readers: the model ([Report]), the
// stream of events that it is made of ([Sink], [Collector]), the writers
// ([Write]), the reader of stored ones ([Read]) and what changed between two
// ([Compare]).
//
// However long a run, a report of it is short: see [MaxEvidence], [MaxEntries] and
// [MaxText]. What was left out is counted.
//
// It owns the stable order of a report whatever the order in which parallel
// scenarios end, the redaction of secrets when they are captured ([Redactor]),
// and one writer a format. It must not judge: verdicts and exit codes are given
// to it. It reads no clock, opens no file and asks no environment; the same
// report always gives the same bytes.
//
// There are two kinds: about the service, and, with a [Readiness], about a
// partner's integration. The second says first whether production access is
// blocked, by what, and what still has to be seen.
//
// # The formats
//
// pretty is for a terminal, html for a partner manager, markdown for a job
// summary, json is our own and complete, and junit, ctrf and cucumber are for
// the tools that know them. Those three have fewer verdicts than we: a clause
// that was not judged is a skip in each of them, never a pass.
package report
