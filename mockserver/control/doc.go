// Package control serves the sandbox's own control API, everything under
// /_sandbox: integrations, clock, webhooks and their ledger, tape, messages,
// and the moves of people and banks that no page is needed for.
//
// It owns the route table of these calls, their bodies and answers, the texts
// of messages (messages/), and the reading of a tape as a ledger or as a chain
// of causes. It must not know the rules of the world (that is world's part),
// keeps no state but what its options hold, and never imports api, hosted or
// console. A call that changes a world goes through integration.Do and on the
// tape, so that it can be replayed; a call that only reads leaves no trace.
package control
