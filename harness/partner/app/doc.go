// Package app is the reference partner application: a small, correct integration
// with the payment service, with a server for webhooks and returning payers, a
// store in memory, and a client that is prepared for trouble.
//
// It owns what an integration owns: when to call, what to send, what to believe.
// It must not know the harness that watches it: nothing here reads a tape or
// plays a payer. Package tour is the partner's own test suite for it.
//
// Whoever builds an integration may read it in this order:
//
//   - call.go, payment.go: one call until it has an outcome. Pauses,
//     Retry-After, lost answers, and one token for everybody.
//   - receive.go: a delivery from its bytes to the inbox.
//   - payment.go, app.go: what is believed, in which order, and what is done
//     about it; why a payer who comes back proves nothing.
//   - kept.go, tasks_*.go: what is done, or waits until it may be.
//   - policy.go: the decisions in which others go wrong, in one place.
//
// The files careless*.go hold its careless variants, each of which breaks one
// clause: no other file knows of them.
package app
