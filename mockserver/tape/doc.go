// Package tape is the ordered record of everything that entered or left one
// integration, and of what the sandbox did about it: API exchanges, hosted-page
// exchanges, control actions, clock moves, timers, state transitions, events,
// delivery attempts, messages, fetched files, findings, and callers that hung up.
//
// It owns the entry types, the bounded tape in memory ([Memory]), the filter
// ([Filter]) and the file format in JSON lines ([Write], [Read]). It must not
// know what an entry means: it does not read the clock, draws no ids, numbers no
// entries, renders no messages, judges nothing and never locks. It imports
// nothing else of this module, so that the harness can read tapes too.
//
// # What the tape promises
//
// Sequence numbers are given by the caller and strictly increase. An entry's
// cause is an earlier entry, so a walk up the causes always ends. Memory is
// bounded by a number of entries and by a number of bytes; the oldest entries go
// first, and every question whose answer could lie in the dropped stretch is
// answered together with a [Gap]. "Not found" therefore never means "it did not
// happen" unless the gap is empty.
//
// # The file format, version 1
//
// One JSON object a line, UTF-8, lines end with a line feed. The first line is
// the header ([Meta]) and begins with {"tape":1; each further line is one
// [Entry]; the last line begins with {"end": and says how many entries there are
// and the SHA-256 of all lines before it, so that a file that lost its end, or a
// part, is known for it ([Ending]). A stream has no last line. Times are RFC 3339 in UTC with up to nine decimals. Bytes that are
// valid UTF-8 are a string ("body"); others are base64 in a member of their own
// ("bodyBase64"). Empty members are left out. The same entries always give the
// same bytes. Readers ignore members that they do not know; a change of meaning
// raises the version.
//
// A member "label" on an entry is the Sandbox-Label that the call behind it was
// made with, 1 to 100 printable characters; what follows from the call has it too,
// as long as the tape still has the cause, and so has a page or control call about
// an entity that such a call has touched. A call of the partner API without one has
// the trace's id of its traceparent header for a label.
//
// All times are virtual, so that the same session gives the same file. Wall time
// stands in two places alone, as a number of nanoseconds: how long a receiver
// took under a real clock ([Attempt]), and how long a caller waited before it
// hung up ([Hangup]).
package tape
