// Package report is what a run tells its readers: the model ([Report]), the
// stream of events that it is made of ([Sink], [Collector]), our own stored form
// ([WriteJSON]) and its reader ([Read]). Below it, readiness reads it as people do,
// format writes it for every reader, and diff compares two.
//
// However long a run, a report of it is short: see [MaxEvidence], [MaxEntries] and
// [MaxText]. What was left out is counted.
//
// It owns the stable order of a report whatever the order in which parallel
// scenarios end, and strikes out secrets when they are captured. It must not judge:
// verdicts and exit codes are given to it. It reads no clock, opens no file and asks
// no environment.
//
// There are two kinds: about the service, and, with a [Readiness], about a
// partner's integration. The second says first whether production access is
// blocked, by what, and what still has to be seen.
package report
