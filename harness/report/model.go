package report

import (
	"time"

	"paysandbox/harness/verdict"
)

// Report is everything that is told about one run. Make it with a [Collector],
// which orders and redacts; a report that was put together by hand is written as
// it is.
type Report struct {
	// Tool is the program's name, for example paysandbox.
	Tool string `json:"tool"`
	// Version is the program's version.
	Version string `json:"version"`
	// Kind is KindJourneys for partner journeys; empty for the acceptance of a
	// service, and for an integration, which has a Readiness.
	Kind string `json:"kind,omitempty"`
	// Target is the base URL that was judged, or a name for the built-in sandbox.
	Target string `json:"target"`
	// Observed is what was judged, where that is not the target: a partner's
	// command line, or the journeys that it lived; it may be empty.
	Observed string `json:"observed,omitempty"`
	// Command is the command line that runs the same again, without a filter.
	// Empty: [Report.Rerun] makes one from the target and the seed.
	Command string `json:"command,omitempty"`
	// Seed is what the run's worlds were drawn from.
	Seed uint64 `json:"seed"`
	// Started is when the run began, as the caller says; in JSON RFC 3339, UTC.
	Started time.Time `json:"started"`
	// Duration is the time that the run took; in JSON in nanoseconds.
	Duration time.Duration `json:"durationNanos"`
	// Verdict is about the whole run: pass, fail, inconclusive or harness-error.
	Verdict verdict.Word `json:"verdict"`
	// ExitCode is the process's: 0 gate met, 1 a clause failed, 2 usage, 3 too
	// little evidence, 4 harness or target broke, 5 a deviation no longer occurs.
	ExitCode int `json:"exitCode"`
	// Reason is one sentence on why the run ended like this; it may be empty.
	Reason string `json:"reason,omitempty"`
	// Clauses are ordered by area and id.
	Clauses []ClauseResult `json:"clauses"`
	// Scenarios are ordered by file, line and name.
	Scenarios []ScenarioResult `json:"scenarios"`
	// Kill is how many broken servers were found out; nil when none was tried.
	Kill *Kill `json:"kill,omitempty"`
	// Readiness is what an observed integration, or a journey, came to; nil for a
	// run that judges the service.
	Readiness *Readiness `json:"readiness,omitempty"`
	// Notes are further sentences about the run, for example the knobs that
	// differ from their defaults, in the order given.
	Notes []string `json:"notes,omitempty"`
}

// KindJourneys is the kind of a report about partner journeys.
const KindJourneys = "journeys"

// ClauseResult is what was found out about one clause.
type ClauseResult struct {
	// ID is the clause's permanent id, for example company.create.zip.
	ID string `json:"id"`
	// Title is the requirement in one sentence.
	Title string `json:"title"`
	// Level is MUST, SHOULD or MAY.
	Level string `json:"level"`
	// Area is the part of the service, for example companies.
	Area string `json:"area"`
	// Source says who requires it, for example "spec: Companies, zipCode".
	Source string `json:"source"`
	// Basis identifies what the clause said and how it was judged; empty about a service.
	Basis string `json:"basis,omitempty"`
	// Verdict is the most telling of the judgements.
	Verdict verdict.Word `json:"verdict"`
	// Reason says why the clause was not judged; empty for one that was.
	Reason string `json:"reason,omitempty"`
	// Spanned is the time from the first tape entry that it was judged by to the last, on
	// the sandbox's clock, but without what a clock that runs was moved by; in JSON in
	// nanoseconds. 0 about a service.
	Spanned time.Duration `json:"spannedNanos,omitempty"`
	// Evidence belongs to the verdict, at most [MaxEvidence] pieces.
	Evidence []Evidence `json:"evidence,omitempty"`
	// MoreEvidence is the number of pieces that were left out.
	MoreEvidence int `json:"moreEvidence,omitempty"`
	// Scenarios are where the clause was judged, by file, line and name.
	Scenarios []ScenarioRef `json:"scenarios,omitempty"`
	// Deviation is set when a failure of this clause is expected.
	Deviation *Deviation `json:"deviation,omitempty"`
	// Attested is set when the verdict is the word of somebody who has looked.
	Attested *Attestation `json:"attested,omitempty"`
}

// Evidence is one thing that was seen.
type Evidence struct {
	// Entries are numbers of tape entries, at most [MaxEntries].
	Entries []uint64 `json:"entries,omitempty"`
	// MoreEntries is the number of entries that were left out.
	MoreEntries int `json:"moreEntries,omitempty"`
	// Expected is what the clause asks for, in words or as the exact text.
	Expected string `json:"expected,omitempty"`
	// Received is what came instead.
	Received string `json:"received,omitempty"`
	// Hint says how to mend it.
	Hint string `json:"hint,omitempty"`
	// Request is an excerpt of the exchange's request, see [Excerpt].
	Request string `json:"request,omitempty"`
	// Response is an excerpt of the exchange's response, see [Excerpt].
	Response string `json:"response,omitempty"`
	// Cited are the entries, where each piece of evidence has a tape of its own that is
	// gone; those of the one tape that was judged stand in [Readiness].
	Cited []Cited `json:"cited,omitempty"`
}

// Cited is a tape entry that is named, so that its number leads somewhere: a report
// outlives the sandbox.
type Cited struct {
	// Seq is the entry's number.
	Seq uint64 `json:"seq"`
	// Says is the entry in one line, with its number and time.
	Says string `json:"says"`
	// Text is what it holds, at most [MaxMessage] bytes; empty where the line is all that
	// was kept, see [Cite].
	Text string `json:"text,omitempty"`
}

// Deviation is a failure that somebody answers for.
type Deviation struct {
	// Owner is who answers for it.
	Owner string `json:"owner"`
	// Reason is why it is let be.
	Reason string `json:"reason"`
	// Expires is the last day, as YYYY-MM-DD.
	Expires string `json:"expires"`
	// Occurs tells whether the failure was seen in this run.
	Occurs bool `json:"occurs"`
}

// Attestation is what somebody has seen who looked where traffic does not show.
type Attestation struct {
	// Who looked, and At what.
	Who string `json:"who"`
	At  string `json:"at"`
	// SHA256 is the digest of what was looked at, in lower-case hex.
	SHA256 string `json:"sha256"`
	// Passed tells whether the clause was found to hold.
	Passed bool `json:"passed"`
	// Lapses is the last day on which it counts, as YYYY-MM-DD.
	Lapses string `json:"lapses"`
}

// ScenarioRef names a scenario; file, line and name together are unique.
type ScenarioRef struct {
	// File is the feature's path below the features folder.
	File string `json:"file"`
	// Line is the scenario's line, or that of the row of its examples.
	Line int `json:"line"`
	// Name is the scenario's name.
	Name string `json:"name"`
}

// ScenarioResult is one scenario as it ran.
type ScenarioResult struct {
	ScenarioRef
	// Feature is the feature's name.
	Feature string `json:"feature"`
	// Tags are the scenario's tags, its rule's and its feature's, with their @.
	Tags []string `json:"tags,omitempty"`
	// Status is how it ended.
	Status Status `json:"status"`
	// Steps are in the order in which they ran.
	Steps []Step `json:"steps,omitempty"`
	// Duration is the time that it took; in JSON in nanoseconds.
	Duration time.Duration `json:"durationNanos"`
	// Error is why it failed; empty otherwise.
	Error string `json:"error,omitempty"`
	// Skip is why it was skipped; empty otherwise.
	Skip string `json:"skip,omitempty"`
}

// Step is one step of a scenario.
type Step struct {
	// Keyword is Given, When, Then, And, But or *.
	Keyword string `json:"keyword"`
	// Text is the step without its keyword.
	Text string `json:"text"`
	// Line is where it stands in the feature's file.
	Line int `json:"line"`
	// Status is how it ended.
	Status Status `json:"status"`
	// Duration is the time that it took; in JSON in nanoseconds.
	Duration time.Duration `json:"durationNanos"`
	// Error is why it failed; empty otherwise.
	Error string `json:"error,omitempty"`
}

// Kill says how many deliberately broken servers were found out by the clause
// that each of them breaks.
type Kill struct {
	// Must is about the clauses of level MUST.
	Must Share `json:"must"`
	// All is about the clauses of every level.
	All Share `json:"all"`
}

// Share is some out of a whole.
type Share struct {
	// Killed is the number of broken servers that were found out.
	Killed int `json:"killed"`
	// Of is the number of broken servers that were tried.
	Of int `json:"of"`
}
