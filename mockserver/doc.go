// Package mockserver puts the sandbox together. New makes a Server from
// Options; its Handler answers the partner API, the hosted pages, the control
// API, the OpenAPI description and the metrics; Serve runs it on a listener.
//
// The house. Of mockserver, from the inside out:
//
//	kernel       what a deterministic state machine needs, without payments
//	latitude     what the sandbox does where the specification is silent
//	world        resources, rules and state machines as plain values
//	delivery     the ledger of deliveries
//	tape         the ordered record of everything that entered or left
//	secret       what is secret, struck by name, value and form
//	integration  lock, clock, world, tape and outbox of one client's credentials
//	durable      inputs in a log, applied in its order: what outlasts the process
//	budget       the bytes that one process may hold
//	wire         strict JSON in, findings and problem details out
//	filestore    files' bytes in a folder, each once by its digest
//	webhook      signing and sending of events, fetching of attachments
//	fault        errors, latency and cut connections, armed on purpose
//	door         what api, hosted and control share
//	api          the partner-facing HTTP API
//	hosted       the pages that payers and companies open
//	control      the sandbox's own API under /_sandbox
//	console      the web console; theme is how all pages look
//	spelling     the name that was probably meant
//	openapi      the description of both APIs
//	mocktest     the sandbox inside a Go test
//
// Of harness, which reads nothing of the sandbox but its tapes:
//
//	trail             a tape as it is read; the operations table
//	clause, check     the rules of a good service and a good integration; their judges
//	verdict           the verdict words, their order, the gate and its exit codes
//	verify, steps     runs the acceptance features; their steps
//	journey, observe  journeys driven by us or lived by a partner; watching, trouble, readiness
//	partner           the partner's side of the wire; app is the reference application, tour its test suite
//	replay            cases: read, scrubbed, played again, compared, judged, made small, written out
//	report            reports in every format
//	random            calls drawn from the two descriptions
//	signoff, seal     what people put their names to; signatures
//	schema, conform, browser, sampling  for tests: descriptions, answers held to them, Chromium, samples
//
// Beside them cmd/paysandbox (flags, environment, subcommands), fixtures (test data,
// payloads, ready worlds; phone: numbers that exist; reports: what partners sent, with what
// is to be found in it), features and scenarios (Gherkin).
//
// A request goes net/http → Server (panics) → the door (who calls, size, body) → its
// row of api, hosted or control, which decodes the body before the lock →
// integration.Do (timers that are due, faults, the endpoint, the tape) → answer
// written once → effects leave through the outbox.
package mockserver
