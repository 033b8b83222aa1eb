// Package mockserver puts the sandbox together. New makes a Server from
// Options; its Handler answers the partner API, the hosted pages, the control
// API, the OpenAPI description and the metrics; Serve runs it on a listener.
//
// The house, from the inside out:
//
//	latitude     what the sandbox does where the specification is silent
//	world        resources, rules and state machines as plain values
//	tape         the ordered record of everything that entered or left
//	integration  lock, clock, world, tape and outbox of one client's credentials
//	durable      inputs in a log, applied in its order: what outlasts the process
//	wire         strict JSON in, findings and problem details out
//	filestore    files' bytes in a folder, each once by its digest
//	webhook      signing and sending of events, fetching of attachments
//	api          the partner-facing HTTP API
//	hosted       the pages that payers and companies open
//	fault        errors, latency and cut connections, armed on purpose
//	control      the sandbox's own API under /_sandbox
//	openapi      the description of both APIs
//	mocktest     the sandbox inside a Go test
//
// A request goes net/http → Server (panics, sizes) → api route → body decoded
// before the lock → integration.Do (timers that are due, the endpoint, the
// tape) → answer written once → effects leave through the outbox.
package mockserver
